"""What is owed is written down in the transaction that gives cause for it, and becomes a letter after that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "owed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("owed_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("campaign", "cause", name="owed_cause"),
    )


def downgrade() -> None:
    op.drop_table("owed")
