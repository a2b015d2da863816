"""HTTP on the loopback address: REST, MCP and the dashboard, behind a token."""
