"""Letters that leave, and the entry that they belong to."""
