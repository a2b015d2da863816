"""Measures what the product decides (keep, merge, replace, refuse, show) on writers that nothing was tuned on."""
