"""What the office has beside a reel: seeds as the log reveals them, sheets with their receipts, letters, names.

Of a role alone it is that role's own, and no farther than its newest report; of the truth it is that of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from pbem.desk.books import correspondence
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair as Seeds
from pbem.desk.books.seeds import has_words, promised_for, promises_of, words_of
from pbem.desk.reels.runs import runs_of
from pbem.desk.worlds.revealed import revealed
from pbem.desk.worlds.walk import Walk
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.office import (
    NoteMade,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    Promises,
    ReportIssued,
    StandInNamed,
)
from pbem.reports.replay.beside import Beside, Issued, Judged, Letter, Note, Pair, Sheet
from pbem.rules.reel import TRUTH
from pbem.storage import players
from pbem.storage.database import Connection

WHAT = {
    OrdersAccepted: "accepted",
    OrdersKept: "kept for later",
    OrdersRefused: "refused",
    OrdersWithdrawn: "withdrawn",
}
"""What became of a sheet, by the event that says so."""

Orders = OrdersAccepted | OrdersKept | OrdersRefused | OrdersWithdrawn


def laid_beside(
    connection: Connection, dossier: Dossier, eyes: Sequence[str], *, head: str, alone: bool
) -> tuple[Beside, Mapping[tuple[Moment, int], int]]:
    """All of it, and with which pair of seeds the dice of which run fell; *alone*: it is for the GM.

    *head* is the hash of the last event, which only who sees all may know.
    """
    pairs, of = _pairs(dossier, eyes)
    roles = dossier.roles if TRUTH in eyes else tuple(Role(one) for one in eyes)
    letters, kept = _letters(dossier, roles, everything=TRUTH in eyes)
    return Beside(
        pairs=pairs,
        sheets=tuple(one for role in roles for one in _sheets(dossier, role, everything=TRUTH in eyes)),
        letters=letters,
        diary=_diary(dossier, roles),
        unlettered=kept,
        people=_people(connection, dossier, roles),
        reports=tuple(one for role in roles for one in _reports(dossier, role)),
        running=dossier.campaign.ended is None,
        alone=alone,
        head=head if TRUTH in eyes else "",
    ), of


# ------------------------------------------------------------------ seeds


def _pairs(dossier: Dossier, eyes: Sequence[str]) -> tuple[tuple[Pair, ...], Mapping[tuple[Moment, int], int]]:
    known, walk = revealed(dossier), Walk(dossier)
    numbers: dict[Promises, int] = {}
    pairs: list[Pair] = []
    for moment, promises in promises_of(dossier):
        numbers[promises] = len(pairs)
        seeds = known.get(promises, Seeds())
        pairs.append(
            Pair(
                moment=str(moment.whole),
                open=promises.open,
                closed=promises.closed,
                open_seed=seeds.open.hex() if seeds.open is not None else "",
                closed_seed=seeds.closed.hex() if seeds.closed is not None else "",
                worded=has_words(dossier.campaign, moment.whole),
                words={str(role): word for role, word in (seeds.words or {}).items()},
            )
        )
    of: dict[tuple[Moment, int], int] = {}
    for run in runs_of(dossier, eyes):
        moment, ends = run.facts[0].moment.whole, []
        for seq in (run.facts[0].seq - 1, run.facts[-1].seq):
            walk.to(seq)
            ends.append(promised_for(walk.now.campaign, moment))
        # Where seeds were renewed in the midst of a run, none of the two pairs is that of all its dice.
        promised = ends[0]
        if promised is not None and ends[0] == ends[1]:
            number = of[moment, run.number] = numbers[promised]
            pairs[number] = _worded(pairs[number], walk, moment, known.get(promised, Seeds()))
    return tuple(pairs), of


def _worded(pair: Pair, walk: Walk, moment: Moment, seeds: Seeds) -> Pair:
    """With the words of a run that was annulled before they were made known, if its closed seed is revealed."""
    if pair.words or seeds.closed is None:
        return pair
    return replace(pair, words=words_of(walk.now.campaign, moment, seeds.closed))


# ------------------------------------------------------------------ sheets, receipts, reports


def _sheets(dossier: Dossier, role: Role, *, everything: bool) -> Iterator[Sheet]:
    """Every sheet of a role as it came; of a role alone for what it has the report of."""
    told = {one.moment for one in dossier.campaign.reports.get(role, ())}
    for one in dossier.log.own:
        event = one.event
        if not isinstance(event, Orders) or event.role != role:
            continue
        moment = event.moment or one.moment
        if not everything and moment.whole not in told:
            continue
        yield _sheet(dossier, one, event, moment)


def _sheet(dossier: Dossier, one: Recorded, event: Orders, moment: Moment) -> Sheet:
    played = dossier.campaign.sheets.get((moment, event.role))
    exchange = dossier.campaign.exchanges.get(moment.whole)
    told = event.told if isinstance(event, OrdersAccepted | OrdersRefused) else ()
    return Sheet(
        role=event.role,
        moment=str(moment),
        receipt=event.receipt,
        at=_hour(one.at),
        what=WHAT[type(event)],
        text="" if isinstance(event, OrdersWithdrawn) else event.text,
        told=tuple(Judged(line.line, line.judgement, line.why, line.rule) for line in told),
        why=event.reason if isinstance(event, OrdersRefused) else "",
        stands=bool(played and played.receipt == event.receipt and exchange and exchange.resolved),
    )


def _reports(dossier: Dossier, role: Role) -> Iterator[Issued]:
    for one in dossier.log.own:
        if isinstance(one.event, ReportIssued) and one.event.role == role:
            yield Issued(role, str(one.event.moment), one.event.version, one.event.page)


def _hour(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1_000_000, UTC):%Y-%m-%d %H:%M}"


# ------------------------------------------------------------------ what players have given leave for


def _letters(dossier: Dossier, roles: Sequence[Role], *, everything: bool) -> tuple[tuple[Letter, ...], bool]:
    """Letters between players, where all who wrote and had one have given leave; and whether some are kept back."""
    found, kept = [], False
    stood_in = {one.event.stand_in for one in dossier.log.own if isinstance(one.event, StandInNamed)}
    for one in correspondence.letters(dossier.log.own):
        sent, recorded = one.sent, one.recorded
        if sent.sender not in dossier.roles or (sent.sender not in roles and not set(roles) & set(one.readers)):
            continue
        both = [_player(dossier, role, recorded.seq) for role in (sent.sender, *one.readers)]
        if recorded.actor in stood_in:
            both.append(PlayerId(recorded.actor))
        if not all(who and dossier.campaign.leave.get((who, "letters")) for who in both):
            kept = True
            continue
        named = sent.signed or everything or sent.sender in roles
        to = one.readers if everything else _told(dossier, one, roles, named=named)
        found.append(
            Letter(
                sender=sent.sender if named else "",
                to=to[0],
                others=tuple(to[1:]),
                moment=str(recorded.moment),
                at=_hour(recorded.at),
                text=sent.text,
            )
        )
    return tuple(found), kept


def _diary(dossier: Dossier, roles: Sequence[Role]) -> tuple[Note, ...]:
    """The notes of *roles*, once the game is over, of those who have given leave."""
    return tuple(
        Note(one.event.role, str(one.moment), _hour(one.at), one.event.text)
        for one in dossier.log.own
        if isinstance(one.event, NoteMade)
        and one.event.role in roles
        and dossier.campaign.ended
        and dossier.campaign.leave.get((one.event.player, "diary"))
    )


def _told(dossier: Dossier, one: correspondence.Letter, roles: Sequence[Role], *, named: bool) -> Sequence[Role]:
    """To whom a letter went, as *roles* were told: all to whom it was addressed, or, not *named* who wrote, themselves.

    Of those who had it for themselves, who was not there to read it would be seen.
    """
    if not named:
        return [role for role in one.readers if role in roles]
    if not one.sent.addressed:
        return one.readers
    meant = {role for name in one.sent.addressed for role in correspondence.meant(dossier, name)}
    return [role for role in dossier.roles if role in meant and role != one.sent.sender]


def _player(dossier: Dossier, role: Role, seq: int) -> PlayerId | None:
    """Who had a role when an event came to pass."""
    holder: PlayerId | None = None
    for one in dossier.log.own:
        if one.seq > seq:
            break
        match one.event:
            case PlayerEnrolled(role=whose, player=player) | PlayerReplaced(role=whose, player=player):
                holder = player if whose == role else holder
            case PlayerWithdrew(role=whose):
                holder = None if whose == role else holder
            case _:  # who plays is said by these alone
                pass
    return holder


def _people(connection: Connection, dossier: Dossier, roles: Sequence[Role]) -> dict[str, str]:
    found: dict[str, str] = {}
    for role in roles:
        player = dossier.campaign.players.get(role)
        if player and dossier.campaign.leave.get((player, "name")):
            name = players.get(connection, player).name
            if name:
                found[role] = name
    return found
