"""One adapter a store. Each runs in an environment of its own."""
