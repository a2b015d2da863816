"""Nearest vectors by cosine, in process, with numpy alone. `index` is the way in; docs/why/vector-index.md says why
so."""
