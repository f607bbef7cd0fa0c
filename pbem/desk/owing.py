"""Mails that are owed, and how many answers one person is owed in a day."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from enum import StrEnum

from msgspec.structs import replace

from pbem.desk.office import Office, signing_key
from pbem.kernel.names import PlayerId
from pbem.mail.addresses import normalise
from pbem.mail.caps import CAPS, Caps, Reply, may_answer
from pbem.mail.compose import Draft
from pbem.storage import answers
from pbem.storage.database import Connection
from pbem.storage.outbox import Kind


class Answers(StrEnum):
    """What kind of letter is answered: who writes much of the one does not use up the answers to the other."""

    PLAYER = "player"
    """It is certain enough who wrote."""

    DOUBTFUL = "doubtful"
    """It bears a player's name.  Whoever sends such letters does not silence the receipts to the player himself."""

    STRANGER = "stranger"


STOPPED = "its player wants no more letters"
"""Why a mail was dropped that a player would have got."""

DOUBTFUL = 4
"""So many letters a day tell a player that somebody may write in his name."""


@dataclass(frozen=True, slots=True)
class Owed:
    """A mail that is owed, once for its *cause*; *player* None is the GM, or whoever the draft is to."""

    player: PlayerId | None
    kind: Kind
    cause: str
    draft: Draft
    expires_at: int | None = None
    answers: Answers | None = None
    """It answers a letter that came in, and counts."""


def who(office: Office, owed: Owed) -> str:
    """What counts the answers to the reader of *owed*: it says nothing of him to whoever reads the database."""
    said = f"pbem answer\0{owed.answers}\0{normalise(owed.draft.to.address)}"
    return hmac.digest(signing_key(office), said.encode(), "sha256").hex()


def may_leave(office: Office, connection: Connection, owed: Owed, *, at: int) -> Reply:
    """Whether an answer may leave, as far as those of the last day let it."""
    caps = {
        Answers.PLAYER: Caps(registered=office.settings.trust.answers),
        Answers.DOUBTFUL: Caps(registered=DOUBTFUL),
    }.get(owed.answers or Answers.STRANGER, CAPS)
    answered = answers.counted(connection, who(office, owed), at=at)
    return may_answer(answered, registered=owed.answers is not Answers.STRANGER, caps=caps)


def as_last(owed: Owed) -> Owed:
    """The same answer, saying that it is the last of the day."""
    if owed.answers is not Answers.PLAYER:
        return owed
    draft = owed.draft
    return _with(owed, replace(draft, text=f"{draft.text.rstrip()}\n\n{_LAST_TEXT}\n", html=_last_html(draft.html)))


def _with(owed: Owed, draft: Draft) -> Owed:
    return Owed(owed.player, owed.kind, owed.cause, draft, owed.expires_at, owed.answers)


def _last_html(html: str) -> str:
    head, end, tail = html.rpartition("</body>")
    return f"{head}<p><strong>{_LAST}</strong></p>\n{end}{tail}" if end else html


_LAST = (
    "This is the last answer that you get today: the office writes only so many to one address in 24 hours. "
    "What you send is still taken and kept."
)
_LAST_TEXT = """PLEASE LOOK: this is the last answer that you get today.  The office writes only so
many to one address in 24 hours.  What you send is still taken and kept."""
