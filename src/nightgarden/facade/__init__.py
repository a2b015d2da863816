"""The parts of the garden's API: files in and out, tending, tasks for later, figures, and what an open garden owns."""
