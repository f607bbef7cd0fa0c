"""What a letter says and whether a person wrote it."""
