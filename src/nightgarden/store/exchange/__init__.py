"""A garden as files that a person can read, and back without loss."""
