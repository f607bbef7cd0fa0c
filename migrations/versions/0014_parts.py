"""Who stands in for a player, and who looks on, is found as who plays is: without a look at all that came to pass."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

FORMER = sa.text("kind IN ('player_enrolled', 'player_replaced', 'player_withdrew')")
OF_PLAYERS = sa.text(
    "kind IN ('player_enrolled', 'player_replaced', 'player_withdrew', 'stand_in_named', 'observer_admitted')"
)


def upgrade() -> None:
    _made_anew(OF_PLAYERS)


def downgrade() -> None:
    _made_anew(FORMER)


def _made_anew(of: sa.TextClause) -> None:
    op.drop_index("event_players", "event")
    op.create_index("event_players", "event", ["campaign", "seq"], sqlite_where=of, postgresql_where=of)
