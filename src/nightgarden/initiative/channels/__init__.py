"""Where people talk: a console for trying it out, Matrix, Discord, and what plugins add."""
