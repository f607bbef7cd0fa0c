"""Runs the migrations on the connection that :mod:`pbem.storage.migrate` hands over, in its transaction."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from pbem.storage import seals, tables

assert tables.__name__, "its import declares the tables that `target_metadata` names"

connection, office = (context.config.attributes[name] for name in ("connection", "office"))
context.configure(
    connection=connection, target_metadata=SQLModel.metadata, transactional_ddl=True, render_as_batch=True
)
with context.begin_transaction(), seals.lifted(office):
    context.run_migrations()
# A table built anew has lost its triggers, and no tool says so.
office.database.guard(office)
