"""Players and GMs come in by the web."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("gm", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
    )
    op.create_index("session_player", "session", ["player"])
    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("player", sa.String(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("gm", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
    )
    op.create_index("sign_in_browser", "sign_in", ["browser"])
    op.create_index("sign_in_address", "sign_in", ["address", "asked_at"])
    op.create_index("sign_in_sender", "sign_in", ["sender", "asked_at"])


def downgrade() -> None:
    op.drop_table("sign_in")
    op.drop_table("session")
