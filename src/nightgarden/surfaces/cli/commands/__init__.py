"""One module a group of commands; each is imported only when its command is called."""
