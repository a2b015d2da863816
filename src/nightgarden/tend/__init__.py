"""Garden operations that run in the background or on request. All of it can be undone."""
