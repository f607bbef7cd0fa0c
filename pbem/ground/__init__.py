"""Space: squares, hexes, the plane, paths, and pictures of ground not yet drawn.

Imports nothing of pbem; its arithmetic is of whole numbers and fractions.  There is no game in it.

Start reading at `square`, then `picture`; or at `hexes`, then `path` and `honeycomb`; or, for continuous ground, at
`plane`, then `body`, `way`, `sight` and `routes`.
"""
