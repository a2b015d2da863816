"""Measures what the product decides (keep, merge, replace, refuse, show) on texts of writers that nothing was tuned on."""
