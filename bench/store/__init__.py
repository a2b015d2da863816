"""The store beside other stores: writes, search, memory, start-up. Run it with `python -m bench.store`."""
