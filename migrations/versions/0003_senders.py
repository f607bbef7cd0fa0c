"""Who wrote a letter, and how sure that is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

WORDS = ("content", "recipients", "grade", "evidence")


def upgrade() -> None:
    for name in WORDS:
        op.add_column("letter", sa.Column(name, sa.String(), nullable=False, server_default=sa.text("''")))
    op.add_column("letter", sa.Column("twin", sa.Integer(), nullable=True))
    op.add_column("letter", sa.Column("code", sa.String(), nullable=True))
    op.add_column("letter", sa.Column("coded_at", sa.BigInteger(), nullable=True))
    op.create_index("letter_message_id", "letter", ["message_id"])
    op.add_column("player", sa.Column("epoch", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("player", sa.Column("stopped_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "answer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("answer_who", "answer", ["who", "answered_at"])


def downgrade() -> None:
    op.drop_table("answer")
    for name in ("stopped_at", "epoch"):
        op.drop_column("player", name)
    op.drop_index("letter_message_id", "letter")
    for name in ("coded_at", "code", "twin", *reversed(WORDS)):
        op.drop_column("letter", name)
