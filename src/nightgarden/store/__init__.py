"""Where a garden is kept: one contract (domain.ports.Store), two engines, sqlite and postgres."""
