"""Facts: events and the log that holds them, the fold that makes a state of them, campaigns, dice, errors.

Knows no game.  Imports the standard library and msgspec.  Start at ``events``, then ``log``.
"""
