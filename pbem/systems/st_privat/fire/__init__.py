"""Fire and what it does: aims, cover, losses, damage."""
