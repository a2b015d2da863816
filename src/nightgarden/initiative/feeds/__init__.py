"""What happens outside, as candidates to share: fetched with suspicion, read, scored, forgotten in time."""
