"""The machine below everything: files, programs, the clock, and where a user's data lives."""
