"""An office: its log, what came in, who plays, what goes out.

The triggers of the log are put in place by ``env.py``, after every run.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("exchange", sa.Integer(), nullable=False),
        sa.Column("halt", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
    )
    op.create_table(
        "blob",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=True),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("erased_at", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint("address", name="player_address"),
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("digest", sa.String(), sa.ForeignKey("blob.sha256"), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.UniqueConstraint("source", "origin", name="letter_origin"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), sa.ForeignKey("blob.sha256"), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("leased_by", sa.String(), nullable=True),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint("campaign", "cause", name="outbox_cause"),
        sa.UniqueConstraint("message_id", name="outbox_message_id"),
    )
    op.create_table(
        "secret",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("open_promise", sa.String(), primary_key=True),
        sa.Column("closed_promise", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("open_seed", sa.LargeBinary(), nullable=False),
        sa.Column("closed_seed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "snapshot",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("fold", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "running",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    for table in ("running", "snapshot", "secret", "outbox", "letter", "player", "blob", "event"):
        op.drop_table(table)
