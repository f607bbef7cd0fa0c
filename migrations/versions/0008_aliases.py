"""People write from more than one address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "alias",
        sa.Column("address", sa.String(), primary_key=True),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger(), nullable=True),
    )
    op.create_index("alias_player", "alias", ["player"])


def downgrade() -> None:
    op.drop_index("alias_player", "alias")
    op.drop_table("alias")
