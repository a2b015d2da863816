"""The write path: what is worth keeping lands once, and nothing else does."""
