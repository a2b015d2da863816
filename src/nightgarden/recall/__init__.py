"""The read path: the right few memories and passages for a query, each with its reason."""
