"""Players' text made into orders: lines, complaints, and the grammar that all systems share.

Imports :mod:`pbem.kernel`, lark and rapidfuzz.  Start at ``sheet``.
"""
