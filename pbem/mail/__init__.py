"""Letters: how they come in, what they say, who wrote them, and how the answers leave.

Imports :mod:`pbem.kernel` and libraries for mail.  Start at ``letter``.
"""
