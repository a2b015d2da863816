"""When somebody asked and nothing fits: how little evidence that is, and how many of the nearest are shown then."""

# Log-odds. In a small garden answers had 2.4 and more, the best of what did not answer 1.3 and less.
FITTING_EVIDENCE = 2.0
NEAREST_SHOWN = 3  # when nothing fits; taste
DOUBTED_BELOW = 0.55  # confidence of what is doubtful; what was only inferred starts above it
