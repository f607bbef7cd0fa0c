"""Disk: the office's database, the append-only log in it, and all that is kept beside the log.

Imports :mod:`pbem.kernel` and msgspec; only `tables` and `migrate` SQLModel, SQLAlchemy and Alembic.  Start at
`database` (open the office, write, read) and `log`; `codec` and `upcast` turn events into text and back.  Every other
module has the name of what it keeps: `blobs`, `letters`, `players`, `outbox`, `secrets`, `snapshots`, `running`,
`backup`; `connection` and `sqlite` speak to the database.

Clock and randomness come in as arguments: times are microseconds UTC, ids and seeds are the caller's.
Everything takes a Connection from `database.transaction` or `database.reading`; what is kept in one transaction
is kept whole or not at all.
"""
