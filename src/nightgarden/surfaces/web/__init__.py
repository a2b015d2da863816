"""The dashboard: one page with its script and style, served by the daemon; it asks the REST interface."""
