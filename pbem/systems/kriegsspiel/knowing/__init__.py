"""Who sees whom, conditions, what calls a commander, what officers report."""
