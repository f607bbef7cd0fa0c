"""Programs of players are told what comes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "hook",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("hook_player", "hook", ["player"])


def downgrade() -> None:
    op.drop_table("hook")
