"""Pages of roles and of the umpire."""
