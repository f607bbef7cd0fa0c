"""Every table of the game typed a second time, from the print where it has them, in other shapes than the first."""
