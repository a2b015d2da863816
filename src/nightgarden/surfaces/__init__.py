"""What people and programs touch: command line, daemon, MCP, hooks, HTTP."""
