"""The ambient agent: wakes when it may, tends and learns, works a queue, asks before it acts outside, and stops."""
