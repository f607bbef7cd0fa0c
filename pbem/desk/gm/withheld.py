"""What no page shows of letters and mails, though the shell does: a player's notes to himself."""

from __future__ import annotations

import re
from functools import cache

from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.gm.waiting import blotted
from pbem.desk.office.office import Office
from pbem.desk.post.delivery import Shown
from pbem.kernel.office import NoteMade
from pbem.orders.tongues import languages
from pbem.storage.letters import Letter

DIARY = "diary/"
"""How the cause of a mail begins that brings its reader his diary."""

_WITHHELD = "(What follows has a note of its writer's to himself, and is not shown on pages.)"


@cache
def _word() -> re.Pattern[str]:
    """By what a letter shows that it has such a note, in whatever language it may be written."""
    said = [word for one in languages() for word in one.office.words.get("note to self", "").split(",")]
    words = (r"\s+".join(map(re.escape, word.split())) for word in ("note to self", *said) if word.strip())
    return re.compile("|".join(words), re.IGNORECASE)


def letter_on_page(office: Office, letter: Letter, raw: bytes) -> str:
    """A letter as text for pages, which show no note of its writer's to himself: of one that has any, its head alone.

    The shell shows it whole.
    """
    text = blotted(raw)
    if not (_word().search(text) or _entered(office, letter)):
        return text
    head, _, _ = text.partition("\n\n")
    return f"{head}\n\n{_WITHHELD}  pbem mail quarantine show {letter.id}\n"


def mail_on_page(shown: Shown) -> Shown:
    """A mail as pages show it: of a diary nothing."""
    if not shown.mail.cause.startswith(DIARY):
        return shown
    return replace(shown, text=f"{_WITHHELD}  pbem mail outbox show {shown.mail.id}\n")


def _entered(office: Office, letter: Letter) -> bool:
    """Whether the log has a note that came in a letter; in its bytes it may stand in whatever code."""
    if not letter.campaign or not letter.seq:
        return False
    with office.read() as connection:
        own = dossiers.load(office, connection, letter.campaign).log.own
    return any(isinstance(one.event, NoteMade) and one.event.message == letter.digest for one in own)
