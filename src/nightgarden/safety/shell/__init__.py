"""Shell text: its tree, its words, and which simple commands it would run."""
