"""The command line. A command parses, calls one function of the garden, and prints."""
