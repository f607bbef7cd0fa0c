"""What the office itself entered is found without the facts between, and bytes may lie packed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


OWN = sa.text("kind NOT LIKE '%.%'")


def upgrade() -> None:
    op.create_index("event_own", "event", ["campaign", "seq"], sqlite_where=OWN, postgresql_where=OWN)
    op.add_column("blob", sa.Column("packed", sa.String(), nullable=False, server_default=sa.text("''")))


def downgrade() -> None:
    op.drop_column("blob", "packed")
    op.drop_index("event_own", "event")
