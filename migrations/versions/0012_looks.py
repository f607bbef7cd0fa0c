"""A campaign in which nothing is due is not opened; nor one, for somebody who never played in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

OF_PLAYERS = sa.text("kind IN ('player_enrolled', 'player_replaced', 'player_withdrew')")


def upgrade() -> None:
    op.create_table(
        "look",
        sa.Column("campaign", sa.String(), primary_key=True),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("made_by", sa.String(), nullable=False),
    )
    op.create_index("event_players", "event", ["campaign", "seq"], sqlite_where=OF_PLAYERS, postgresql_where=OF_PLAYERS)


def downgrade() -> None:
    op.drop_index("event_players", "event")
    op.drop_table("look")
