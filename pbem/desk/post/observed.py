"""The letter that brings an observer what he is shown of a moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Contents, ObservedLetter, Owed, ShortLetter
from pbem.desk.books.shown import in_words
from pbem.desk.office.office import Office
from pbem.desk.pages.observed import Observed, pages_of
from pbem.desk.post.letters import short_letter
from pbem.desk.post.post import NOTHING, Answering, in_game, to_player
from pbem.kernel.office import TurnShown
from pbem.mail.leaving.compose import Attachment
from pbem.reports.pages.environment import called
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.terms import eyes as seen
from pbem.rules.reel import TRUTH
from pbem.storage.database import Connection
from pbem.storage.players import Player

FOOT = phrase_later("You look on, and play no side.  A letter that says   help   lists what you may write.")

Told = tuple[str, str]


def observed_letter(office: Office, connection: Connection, dossier: Dossier, shown: TurnShown, zone: str) -> Contents:
    """What was shown of a moment: what came to pass as text, and each page as a file, hours by the clock of *zone*."""
    pages = pages_of(office, connection, dossier, shown, zone)
    exchange = dossier.campaign.exchanges.get(shown.moment)
    name = called(shown.moment, exchange.name if exchange else "")
    place = office.settings.web.url
    there = f"{place}/observed/{dossier.id}/turns/{shown.moment}"
    link = phrase(" It is also at {link}", link=there) if place else ""
    body = phrase("With the map it is in {files} with this letter.{link}", files=_files(pages), link=link)
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {shown.moment}: {seen(shown.eyes)}",
        heading=pages[0].title if pages else name,
        summary=f"{name}: {seen(shown.eyes)}.",
        body=body if pages else "",
        quoted=tuple(quoted for one in pages for quoted in _quoted(one)),
        foot=FOOT,
    )
    files = tuple(Attachment(one.name, "text/html", one.html.encode()) for one in pages)
    return short_letter(office, notice, files)


def owed(
    dossier: Dossier, shown: TurnShown, player: Player, *, at: int, again: str = "", answers: Answering = NOTHING
) -> list[Owed]:
    """That letter, owed to an observer once, or once more (*again*: for what)."""
    cause = f"observed/{shown.moment}/{shown.upto}/{player.id}"
    return to_player(
        in_game(dossier, None, player),
        ObservedLetter(shown.moment, shown.eyes, shown.upto),
        kind="report",
        cause=f"{cause}/{again}" if again else cause,
        at=at,
        answers=answers,
    )


def told(
    dossier: Dossier,
    player: Player,
    notice: Notice,
    *files: Attachment,
    cause: str,
    at: int,
) -> list[Owed]:
    """A short letter to an observer."""
    return to_player(in_game(dossier, None, player), ShortLetter(notice, files), kind="notice", cause=cause, at=at)


def _files(pages: Sequence[Observed]) -> str:
    names = ", ".join(one.name for one in pages)
    return phrase("the file {names}", names=names) if len(pages) == 1 else phrase("the files {names}", names=names)


def _quoted(page: Observed) -> Iterator[Told]:
    """What a page says, as text: in brief, and what came to pass."""
    if page.view is None:
        return
    whose = "" if page.eyes == TRUTH else phrase(", as {who} had it", who=page.view.addressed)
    if page.view.brief:
        yield phrase("In brief") + whose, "\n\n".join(page.view.brief)
    if happened := [line for one in page.view.happened if (line := in_words(one))]:
        yield phrase("What happened") + whose, "\n".join(happened)
