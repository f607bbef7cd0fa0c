"""St. Privat: hidden units and dummies on a square grid, simultaneous fire, a melee table.

Imports :mod:`pbem.ground`, :mod:`pbem.orders`, :mod:`pbem.rules` and :mod:`pbem.kernel`.  Start at ``turn``,
the sequence of play.
"""
