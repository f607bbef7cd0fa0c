"""Space: squares, hexes, the open plane, ways across them, and the picture that a map shows, not yet drawn.

Imports nothing of pbem; only ``plane`` imports shapely.  Start at ``square``, the simplest ground.
"""
