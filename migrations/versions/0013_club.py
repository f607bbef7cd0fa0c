"""Who is on duty, on which machine; and in PostgreSQL the tables of Procrastinate.

Who runs a turn holds a lock that ends with him, and is written down no more.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

JOBS = Path(__file__).parents[1] / "procrastinate.sql"
"""The tables of Procrastinate 3.10, word for word as `procrastinate schema --read` gives them (MIT licence)."""


def upgrade() -> None:
    op.create_table(
        "node",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("does", sa.String(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("templates", sa.String(), nullable=False),
        sa.Column("scenarios", sa.String(), nullable=False),
        sa.Column("systems", sa.String(), nullable=False),
    )
    op.drop_table("running")
    if op.get_context().dialect.name == "postgresql":
        _driver().execute(JOBS.read_text("utf-8"))


def downgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        _take_jobs_away()
    op.create_table(
        "running",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
    )
    op.drop_table("node")


def _driver():
    # The script is many statements, with signs in them that SQLAlchemy would take for its own.
    return op.get_bind().connection.driver_connection


def _take_jobs_away() -> None:
    driver = _driver()
    for name, args in driver.execute(
        "SELECT proname, pg_get_function_identity_arguments(oid) FROM pg_proc"
        " WHERE proname LIKE 'procrastinate%' AND pronamespace = current_schema()::regnamespace"
    ).fetchall():
        driver.execute(f"DROP FUNCTION {name}({args}) CASCADE")
    for table in ("events", "periodic_defers", "jobs", "workers"):
        driver.execute(f"DROP TABLE procrastinate_{table}")
    for kind in ("job_to_defer_v1", "job_event_type", "job_status"):
        driver.execute(f"DROP TYPE procrastinate_{kind}")
