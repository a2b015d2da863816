"""Connecting clients: which files change, how they are changed back, and whether it works."""
