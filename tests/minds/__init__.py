"""Minds: their backends, the ledger, and when none is asked."""
