"""Words the comparison knows by heart: opposites, things that exclude each other, synonyms, grammar, technologies."""
