"""How good and how fast recall is: conversations with questions, and a graph set of our own."""
