"""What a hostile surrounding does to the program."""
