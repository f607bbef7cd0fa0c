"""What a GM does by a page: each deed does what a command does, and says which."""
