"""What a GM does, by a page or by a letter: each deed does what a command does, and says which."""
