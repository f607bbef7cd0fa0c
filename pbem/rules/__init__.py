"""The contract between the office and a rules system, the ledger of its rules, and conformance cases.

Imports :mod:`pbem.ground`, :mod:`pbem.orders` and :mod:`pbem.kernel`.  Start at ``contract``.
"""
