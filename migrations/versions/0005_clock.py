"""When the office last looked at its clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("away_since", sa.BigInteger(), nullable=False),
        sa.Column("away_until", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("heartbeat")
