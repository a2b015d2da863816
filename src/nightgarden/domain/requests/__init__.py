"""What can be asked of a garden, one value per operation: the source of command line, REST, MCP and reference."""
