"""Facts against the codebase: what a memory claims, what the project says, and which of the two still holds."""
