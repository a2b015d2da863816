"""What may be done and what not: actions read, judged, asked for and logged."""
