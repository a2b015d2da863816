"""What can be asked of a garden by name and JSON: one table for the local API, REST, MCP and spooled events."""
