"""What an action would do, and whether it may happen: read, judged by rule, asked for, and logged."""
