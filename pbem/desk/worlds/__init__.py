"""The log folded: the world at any moment, facts told."""
