"""Capture: what is learned from things that nobody said to be remembered."""
