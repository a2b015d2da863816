"""What single programs do with their arguments."""
