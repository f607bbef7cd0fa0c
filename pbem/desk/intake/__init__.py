"""Letters that come in, from the door to the entry."""
