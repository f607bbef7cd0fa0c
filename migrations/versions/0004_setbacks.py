"""Letters that come back, and how fast each domain is written to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "setback",
        sa.Column("mail", sa.String(), sa.ForeignKey("outbox.id"), primary_key=True),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
    )
    op.create_index("setback_player", "setback", ["player", "at"])
    op.create_table(
        "pace",
        sa.Column("domain", sa.String(), primary_key=True),
        sa.Column("full_at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("pace")
    op.drop_index("setback_player", "setback")
    op.drop_table("setback")
