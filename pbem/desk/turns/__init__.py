"""An exchange from its opening to its release: clock, resolving, publishing."""
