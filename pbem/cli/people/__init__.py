"""Commands that say who plays, and who runs games."""
