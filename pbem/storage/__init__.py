"""Disk: the tables of an office, the append-only log in them, its codec, and how old events are read.

Imports :mod:`pbem.kernel`, SQLModel and SQLAlchemy.  Start at ``log``.
"""
