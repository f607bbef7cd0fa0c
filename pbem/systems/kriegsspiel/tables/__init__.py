"""The charts as printed; imports nothing of the game."""
