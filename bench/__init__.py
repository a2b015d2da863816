"""Measurements. Nothing here is part of the product; results are written down under docs/bench."""
