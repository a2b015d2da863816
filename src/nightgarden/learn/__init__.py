"""What sessions teach: episodes of what was done, what was left undone, procedures that recur, skills made of them."""
