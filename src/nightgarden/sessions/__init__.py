"""Sessions with agents: reading the transcripts of real clients, and cutting them into passages."""
