"""Fire and what it does: losses, cover, morale under it."""
