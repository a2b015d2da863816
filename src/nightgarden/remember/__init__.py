"""The write path: normalise, refuse, deduplicate, contradict, extract."""
