"""A campaign office for war games played by mail.

Orders come in as letters, go into an append-only log, are resolved by the rules of the game, and leave as a
report for every player.  Start reading at :mod:`pbem.kernel`, which knows what a fact is; everything else
stands on it.
"""

__version__ = "0.1.0"
