"""The tools of the ambient agent, one module a subject. Each is a specification and a function that answers."""
