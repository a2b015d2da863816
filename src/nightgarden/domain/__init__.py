"""What things are: frozen values and pure rules. No I/O, no clock, no randomness in this folder."""
