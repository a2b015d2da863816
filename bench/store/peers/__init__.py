"""One adapter a store. Each runs in an environment of its own, so it imports nothing of nightgarden but its own does."""
