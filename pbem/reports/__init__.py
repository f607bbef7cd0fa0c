"""Paper: turn reports, receipts and briefings as HTML and text, and the maps in them.

Imports :mod:`pbem.ground`, :mod:`pbem.orders`, :mod:`pbem.rules` and :mod:`pbem.kernel`.  Start at ``report``.
"""
