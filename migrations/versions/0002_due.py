"""Find what is due and what is new without looking at all that ever came and went."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_index("letter_digest", "letter", ["digest"])
    op.create_index("letter_state", "letter", ["state"])
    op.create_index("outbox_due", "outbox", ["state", "due_at"])


def downgrade() -> None:
    op.drop_index("outbox_due", "outbox")
    op.drop_index("letter_state", "letter")
    op.drop_index("letter_digest", "letter")
