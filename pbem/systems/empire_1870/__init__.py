"""1870, the War against the Empire: the operational game of August and September 1870, on a map of hexes.

Imports `pbem.ground`, `pbem.rules`, `pbem.orders` and `pbem.kernel`, and no other system.

Start reading at `state` and `outcomes`, then `turn` and `programme`, the sequence of play.
"""
