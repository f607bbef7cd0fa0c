"""What the project claims, proven; laid out as ``pbem`` is.  Start at ``test_floors``."""
