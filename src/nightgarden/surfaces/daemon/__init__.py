"""The program in the background that owns the garden: one per data folder, asked over a Unix socket or HTTP."""
