"""The daemon as a service of the user's own session: systemd, launchd or the Windows task scheduler."""
