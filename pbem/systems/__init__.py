"""The rules systems that ship with the office, each a package of the same shape; none knows another.

A system imports :mod:`pbem.ground`, :mod:`pbem.orders`, :mod:`pbem.rules` and :mod:`pbem.kernel`.  Start at
``st_privat``, the smallest.
"""
