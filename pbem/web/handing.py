"""What is said on the pages, and by programs, is handed in as a letter of who says it would say it."""

from __future__ import annotations

import re

from pbem.desk.intake.fates import Received
from pbem.desk.intake.handed import Upload
from pbem.desk.intake.receive import hand_in
from pbem.reports.text.speech import phrase
from pbem.web.asking import Ask, Go


def handed(ask: Ask, sheet: str | bytes, *, once: str = "", name: str = "", turn: str = "") -> Received:
    """Hand in a *sheet*, or a file called *name*, for the role of the path, by whoever is signed in.

    *turn*: of what he was asked on the page on which he wrote it; without it, it is for whatever is open by now.  What
    has the same *once* is taken once.

    :raises Refused: if it is no text, or no sheet of that role, or *turn* is none.
    """
    raw = sheet.encode("utf-8", "replace") if isinstance(sheet, str) else sheet
    by = ask.player.id
    meant = Upload(ask.campaign, ask.role, "upload", " ".join(name.split()), himself=True, by=by, turn=turn[:20])
    return hand_in(ask.office, meant, raw, once=once[:60])


def answered(done: Received, home: str) -> Go:
    """Back *home*, where it is said what came of what was handed in."""
    if done.again and done.state == "applied":
        return Go(home, phrase("That was sent already, and was taken once."))
    state = phrase("It is done") if done.state == "applied" else phrase("It was not done")
    too = phrase("The answer comes by mail too.")
    said = _WORDS.sub("“\\1”", f".  {done.said}") if done.said else f": {phrase(done.reason)}."
    return Go(home, f"{state}{said}  {too}")


_WORDS = re.compile("`([^`]*)`")
