"""Maps of hexes."""
