"""Hooks: what the clients' events mean for a garden, and the small process that carries them to the daemon."""
