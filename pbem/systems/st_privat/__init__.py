"""Graveyard St. Privat: Henry Bodenstedt's game of the storming of St. Privat, on a board of squares.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `state` and `outcomes`, then `turn`, the sequence of play.
"""
