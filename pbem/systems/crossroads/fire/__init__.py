"""Fire and what it does: losses, morale under it, flight."""
