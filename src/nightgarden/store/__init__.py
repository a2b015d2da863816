"""Where a garden is kept: the engines behind the store's contract, and the vector index they search by meaning with."""
