"""The MCP server: over stdio as a thin proxy of the daemon, and inside the daemon at /mcp. Why it is our own, and why
five tools: docs/why/mcp.md."""
