"""How many answers one person is owed in a day.

Who is known is bounded by the turn that he writes about, for one game does not use up the answers to another; and far
less where his letters change something, for a machine that answers by itself says the same again and again.  All else
that bears a name, or none, is bounded by the address.
"""

from __future__ import annotations

import hmac

from msgspec.structs import replace

from pbem.desk.books.owed import Answers, Contents
from pbem.desk.office.office import Office, signing_key
from pbem.mail.trust.caps import CAPS, Caps, Reply, may_answer
from pbem.mail.wire.addresses import normalise
from pbem.storage import answers
from pbem.storage.database import Connection

STOPPED = "its player wants no more letters"
"""Why a mail was dropped that a player would have got."""

KNOWN = (Answers.PLAYER, Answers.DONE)
"""Answers to somebody of whom it is certain enough who he is."""

DOUBTFUL = 4
"""So many letters a day tell a player that somebody may write in his name."""


JOINING = 3
"""So many letters a day ask at an address that is nobody's here whether he who has it would play."""


DONE = 100
"""So many answers a day about one turn to letters that change something."""


def who(office: Office, counts: Answers, address: str, about: str = "") -> str:
    """What counts the answers to an address, *about* one turn: it tells neither to whoever reads the database."""
    said = "\0".join(("pbem answer", counts, normalise(address), *([about] if counts in KNOWN else [])))
    return hmac.digest(signing_key(office), said.encode(), "sha256").hex()


def may_leave(office: Office, connection: Connection, counts: Answers, address: str, about: str, *, at: int) -> Reply:
    """Whether an answer to *address*, *about* one turn, may leave, as far as those of the last day let it."""
    caps = {
        Answers.PLAYER: Caps(registered=office.settings.trust.answers),
        Answers.DONE: Caps(registered=max(DONE, office.settings.trust.answers)),
        Answers.DOUBTFUL: Caps(registered=DOUBTFUL),
        Answers.JOINING: Caps(registered=JOINING),
    }.get(counts, CAPS)
    answered = answers.counted(connection, who(office, counts, address, about), at=at)
    return may_answer(answered, registered=counts is not Answers.STRANGER, caps=caps)


def as_last(contents: Contents) -> Contents:
    """The same answer, saying that it is the last of the day."""
    return replace(contents, text=f"{contents.text.rstrip()}\n\n{_LAST_TEXT}\n", html=_last_html(contents.html))


def _last_html(html: str) -> str:
    head, end, tail = html.rpartition("</body>")
    return f"{head}<p><strong>{_LAST}</strong></p>\n{end}{tail}" if end else html


_LAST = (
    "This is the last answer that you get today to letters that change nothing: the office writes only so many about "
    "one turn in 24 hours. What you send is still taken and kept, and orders are answered."
)
_LAST_TEXT = """PLEASE LOOK: this is the last answer that you get today to letters that change
nothing.  The office writes only so many about one turn in 24 hours.  What you send
is still taken and kept, and orders are answered."""
