"""Weights of likelihood.py, written by `python -m train.calibrate`: the constant first, then one for each
feature."""

SAME = (-0.515, 0.709, 0.142, -0.097, -0.058, -0.234, -0.093, 1.653, -1.309, 0.235, -0.087, -0.203)
CHANGES = (-0.835, 0.050, 0.768, -0.141, -0.178, -0.278, 0.024, 0.166, 1.128, 0.344, -0.239, 0.783)
