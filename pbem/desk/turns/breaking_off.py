"""A game is ended before its end, by the GM's word or by a vote: nobody has won, and everything is opened."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.post import calendar
from pbem.desk.post.entries import Entry, tell
from pbem.desk.turns import publish, showing, stand_ins
from pbem.kernel.office import CampaignEnded
from pbem.reports.pages.notice import Notice
from pbem.reports.pages.opened import opened_name
from pbem.reports.replay.page import file_name
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.rules.contract import Verdict
from pbem.storage.database import Connection


def end(
    office: Office,
    connection: Connection,
    entry: Entry,
    how: str,
    *,
    heading: str = phrase_later("The umpire has ended the game"),
) -> None:
    """Enter the end of the game, as *how* says in a phrase, and owe every player a letter of it.

    Who stands in for one does so no more: a proxy is told nothing of what came, as after any exchange.
    """
    stand_ins.over(connection, entry, proxies=True)
    before = entry.dossier
    owes = calendar.owing(office, connection, before)
    whole = publish.end(office, connection, entry, Verdict(winner=None, how=how))
    ended = entry.dossier.campaign.ended
    assert ended is not None, "it was entered"
    for role, player in people(connection, before).items():
        if player:
            with speaking(before.campaign.language(role)):
                notice = _broken_off(entry.dossier, ended, heading)
            file = calendar.deadline(office, entry.dossier, role, owes=owes, at=entry.at)
            tell(entry, role, player, notice, *file, *whole, cause=f"ended/{before.seq}/{role}")
    stand_ins.over(connection, entry, proxies=False)
    showing.show_all(connection, entry, whole)


_OVER = phrase_later("the game is over")
_OPENED = phrase_later(
    "Everything is opened: how things truly stood, what truly happened, and what all sides ordered and wrote is in the "
    "file {file}, which comes with this letter."
)
_REPLAY = phrase_later(
    "The file {file} is the game itself: open it in a browser, and it plays move by move, through whosever eyes you "
    "like, and throws every die again. It needs no network."
)
_SEEDS = phrase_later(
    "The seeds below were secret until now: with them every die can be checked against its promise, which is the "
    "SHA-256 of the seed. The i-th die of a throw is the HMAC-SHA-256, with the seed as key, of its name and #i.0: "
    "its first 16 hexadecimal digits are a number, and what is left over when that is divided by the sides, and 1, is "
    "the face."
)
_WORDS = phrase_later(
    "The key is first made of the seed and of the players' words: the HMAC-SHA-256, with the seed as key, of `4B/words "
    "role=word role=word`, as the reports print that line."
)


def _broken_off(dossier: Dossier, ended: CampaignEnded, heading: str) -> Notice:
    """The letter that says so, with all seeds."""
    lines = [f"muster, open  {ended.muster_seed}"] * bool(ended.muster_seed)
    lines += [f"{moment}, open  {seed}" for moment, seed in ended.open_seeds.items()]
    lines += [f"{moment}, closed  {seed}" for moment, seed in ended.closed_seeds.items()]
    lines += [f"once promised as {promise[:16]}…  {seed}" for promise, seed in ended.former_seeds.items()]
    said = [phrase("Nobody has won. No more orders are asked of you.")]
    if ended.opened:
        said.append(phrase(_OPENED, file=opened_name(dossier.id)))
    if ended.replay:
        said.append(phrase(_REPLAY, file=file_name(dossier.id)))
    if lines:
        said += [phrase(_SEEDS)] + [phrase(_WORDS)] * dossier.opened.words
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {phrase(_OVER)}",
        heading=heading,
        summary=f"{ended.how}.",
        body=" ".join(said),
        quoted=((phrase("Seeds, in hexadecimal"), "\n".join(lines)),) if lines else (),
        foot="",
    )
