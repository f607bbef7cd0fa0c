"""What somebody who looks on may write: what concerns himself.  Nothing of it reaches the game.

He is answered at his own address alone.  What changes something is done only if it is sure that he wrote it: as an
answer to a letter of ours, it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered as Letter
from pbem.desk.books.owed import Answers, Owed, ShortLetter
from pbem.desk.intake import writers
from pbem.desk.intake.exchange_meant import is_reply, own
from pbem.desk.intake.fates import Answered
from pbem.desk.intake.writers import Graded
from pbem.desk.office.office import Office
from pbem.desk.office.settings import is_zone
from pbem.desk.pages.observed import find
from pbem.desk.players import observers
from pbem.desk.post import observed
from pbem.desk.post.entries import Entry
from pbem.desk.post.guides import guide_letter
from pbem.desk.post.post import Answering, in_game, to_player
from pbem.desk.sheets.own_lines import own_lines
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment
from pbem.kernel.office import TurnShown
from pbem.mail.trust.grade import Disposition
from pbem.orders.commands import GUIDES
from pbem.orders.grammar import bare
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.terms import eyes
from pbem.reports.text.terms import observers as terms_in_words
from pbem.reports.text.times import in_zone
from pbem.storage.players import Player

MOST = 8
"""So many words of one letter are obeyed."""

_WORD = re.compile(r"(?P<word>[a-z]+)(?:\s+(?P<argument>\S+))?[\s.]*", re.IGNORECASE)

Said = tuple[str, str]


@dataclass(slots=True)
class Asking:
    """A letter of somebody who looks on, being answered."""

    office: Office
    dossier: Dossier
    player: Player
    proven: bool
    answering: Answering
    mark: str
    entry: Entry | None = None
    owes: list[Owed] = field(default_factory=list)
    stops: bool = False
    zone: str = ""
    done: list[str] = field(default_factory=list)
    """What was done, in phrases."""


def answered(
    office: Office, letter: Graded, dossier: Dossier, player: Player, counts: Answers, also: Sequence[Owed]
) -> Answered:
    """The fate of a letter of *player*, who looks on at the game of *dossier*."""
    head, row = letter.seen.head, letter.kept.row
    judged = writers.judged(letter.seen, letter.known, dossier.campaign.terms.trust)
    proven = bool(letter.kept.vouched.by) or judged.disposition is Disposition.ACCEPTED
    answering = Answering(Letter(head.message_id, head.references), counts)
    asking = Asking(office, dossier, player, proven, answering, row.digest[:16])
    with speaking(dossier.campaign.language_of(player.id)):
        said = _done(asking, letter)
    if said:
        asking.owes += _answer(asking, said)
    reason = "; ".join(asking.done) or "he looks on, and was answered"
    return Answered(
        campaign=dossier.id,
        player=player,
        reason=reason,
        owes=(*asking.owes, *also),
        entry=asking.entry,
        wakes=proven and not asking.stops,
        stops=asking.stops,
        zone=asking.zone,
    )


def _done(asking: Asking, letter: Graded) -> list[Said]:
    """Do what a letter says, and give what there is to say of it."""
    said: list[Said] = []
    for word, argument in _words(letter)[:MOST]:
        said += WHAT_TO_DO[word](asking, argument)
    if not (said or asking.done or asking.owes):
        none = phrase("You look on at this game, and play no side: nothing that you write reaches it.")
        said = [("", none), *_help(asking)]
    return said


def _words(letter: Graded) -> list[tuple[str, str]]:
    """The words to the office that a letter says, each once."""
    there = letter.seen.letter
    if there is None:
        return []
    lines = [*([] if is_reply(there.subject) else [own(there.subject)]), *(one.text for one in own_lines(there))]
    found = [match for line in lines if (match := _WORD.fullmatch(bare(line)))]
    known = ((match["word"].casefold(), match["argument"] or "") for match in found)
    return list(dict.fromkeys((word, argument.strip(" .,")) for word, argument in known if word in WHAT_TO_DO))


def _answer(asking: Asking, said: Sequence[Said]) -> list[Owed]:
    dossier = asking.dossier
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {observers.YOU_LOOK_ON}",
        heading="From the office",
        body="\n\n".join(text for label, text in said if not label),
        quoted=tuple((label, text) for label, text in said if label),
        foot="",
    )
    return to_player(
        in_game(dossier, None, asking.player),
        ShortLetter(notice),
        kind="receipt",
        cause=f"observed/answer/{asking.mark}",
        at=asking.office.now(),
        answers=asking.answering,
    )


def _help(asking: Asking, argument: str = "") -> list[Said]:
    if argument.casefold() in GUIDES:
        asking.owes += to_player(
            in_game(asking.dossier, None, asking.player),
            guide_letter(asking.office, argument.casefold()),
            kind="receipt",
            cause=f"observed/guide/{argument.casefold()}/{asking.mark}",
            at=asking.office.now(),
            answers=asking.answering,
        )
        return []
    return [(phrase("What you may write"), "\n".join(f"{example}\n    {phrase(says)}" for example, says in HELP))]


def _status(asking: Asking, argument: str) -> list[Said]:
    dossier, zone = asking.dossier, asking.player.zone
    campaign = dossier.campaign
    came = {one.event.moment: one.at for one in dossier.own if isinstance(one.event, TurnShown)}
    lines = [
        f"report {moment}".ljust(14)
        + phrase("{what}, since {hour}", what=eyes(shown.eyes), hour=in_zone(came[moment], zone))
        for moment, shown in sorted(campaign.shown.items())
    ]
    return [
        ("", f"{dossier.title}: {terms_in_words(campaign.terms)}."),
        (
            phrase("What you were shown so far. Send one of these lines to have it again"),
            "\n".join(lines) or phrase("nothing"),
        ),
    ]


def _report(asking: Asking, argument: str) -> list[Said]:
    try:
        shown = find(asking.dossier, Moment.parse(argument) if argument else None)
    except (BadMoment, Refused):
        none = phrase("There is no report {moment} for you. `status` lists those that there are.", moment=argument)
        return [("", none.replace("  ", " "))]
    asking.owes += observed.owed(
        asking.dossier,
        shown,
        asking.player,
        at=asking.office.now(),
        again=f"{asking.mark}",
        answers=asking.answering,
    )
    return []


def _zone(asking: Asking, argument: str) -> list[Said]:
    if not is_zone(argument):
        none = phrase('There is no time zone "{zone}": write one like `zone Europe/Berlin`.', zone=argument[:60])
        return [("", none)]
    if not asking.proven:
        return _unproven(phrase("Your clock was not changed"))
    asking.zone = argument
    asking.done.append(f"zone {argument}")
    return [("", phrase("Hours are told to you by the clock of {zone} from now on.", zone=argument))]


def _stop(asking: Asking, argument: str) -> list[Said]:
    if not asking.proven:
        return _unproven(phrase("Your letters were not stopped"))
    asking.stops = True
    asking.done.append("it stopped the letters to him")
    return []


def _resign(asking: Asking, argument: str) -> list[Said]:
    if not asking.proven:
        return _unproven(phrase("You still look on"))
    if asking.entry is None:
        asking.entry = Entry(asking.dossier, asking.office.now(), asking.player.id)
        observers.leave(asking.entry, asking.player, phrase_later("As you wished."))
        asking.done.append("he looks on no more")
    return []


def _unproven(what: str) -> list[Said]:
    why = phrase("{what}: it is not certain that you wrote that. Write it in an answer to this letter.", what=what)
    return [("", why)]


WHAT_TO_DO: Mapping[str, Callable[[Asking, str], list[Said]]] = {
    "help": _help,
    "status": _status,
    "history": _status,
    "report": _report,
    "zone": _zone,
    "stop": _stop,
    "resign": _resign,
}
"""By its word."""

HELP = (
    ("status", phrase_later("what you see of the game, and what has come")),
    ("report 3B", phrase_later("send that turn again; report alone: the newest")),
    ("zone Europe/Berlin", phrase_later("tell me hours by that clock")),
    ("stop", phrase_later("send me nothing more but answers; whatever I write brings the letters back")),
    ("resign", phrase_later("I have seen enough: I look on no more")),
)
"""What is said of them, each with an example."""
