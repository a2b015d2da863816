"""The store beside other stores: writes, search, memory, start-up. `python -m bench.store` writes docs/bench/store.md."""
