"""How many answers one person is owed in a day."""

from __future__ import annotations

import hmac

from msgspec.structs import replace

from pbem.desk.office import Office, signing_key
from pbem.desk.owed import Answers, Contents
from pbem.mail.addresses import normalise
from pbem.mail.caps import CAPS, Caps, Reply, may_answer
from pbem.storage import answers
from pbem.storage.database import Connection

STOPPED = "its player wants no more letters"
"""Why a mail was dropped that a player would have got."""

DOUBTFUL = 4
"""So many letters a day tell a player that somebody may write in his name."""


def who(office: Office, counts: Answers, address: str) -> str:
    """What counts the answers to an address: it says nothing of it to whoever reads the database."""
    said = f"pbem answer\0{counts}\0{normalise(address)}"
    return hmac.digest(signing_key(office), said.encode(), "sha256").hex()


def may_leave(office: Office, connection: Connection, counts: Answers, address: str, *, at: int) -> Reply:
    """Whether an answer to *address* may leave, as far as those of the last day let it."""
    caps = {
        Answers.PLAYER: Caps(registered=office.settings.trust.answers),
        Answers.DOUBTFUL: Caps(registered=DOUBTFUL),
    }.get(counts, CAPS)
    answered = answers.counted(connection, who(office, counts, address), at=at)
    return may_answer(answered, registered=counts is not Answers.STRANGER, caps=caps)


def as_last(contents: Contents) -> Contents:
    """The same answer, saying that it is the last of the day."""
    return replace(contents, text=f"{contents.text.rstrip()}\n\n{_LAST_TEXT}\n", html=_last_html(contents.html))


def _last_html(html: str) -> str:
    head, end, tail = html.rpartition("</body>")
    return f"{head}<p><strong>{_LAST}</strong></p>\n{end}{tail}" if end else html


_LAST = (
    "This is the last answer that you get today: the office writes only so many to one address in 24 hours. "
    "What you send is still taken and kept."
)
_LAST_TEXT = """PLEASE LOOK: this is the last answer that you get today.  The office writes only so
many to one address in 24 hours.  What you send is still taken and kept."""
