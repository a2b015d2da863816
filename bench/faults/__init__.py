"""How reliable it is: many kills and much damage, counted."""
