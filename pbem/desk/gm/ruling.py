"""What the GM does by his own word: he rules on the game, or forces a die.

A ruling is shown before it is made: what it changes, and what each role learns of it.  It stands in the log with
its reason, and its facts after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, shown
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.books.values import Change, changes
from pbem.desk.gm.history import what_if
from pbem.desk.office.office import Office
from pbem.desk.post import calendar, staging
from pbem.desk.post.entries import Entry, commit, enter, tell
from pbem.desk.sheets import kept_sheets
from pbem.desk.turns import publish
from pbem.desk.worlds import telling
from pbem.desk.worlds.worlds import AnyWorld, as_written, state_digest, world_at
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import FULL, Aspect, CampaignId, Moment, Role, ThrowName
from pbem.kernel.office import DryRunAsked, ExchangeResolved, RulingMade
from pbem.orders.sheet import Line
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, speaking
from pbem.reports.text.times import when
from pbem.rules.contract import form
from pbem.storage import players
from pbem.storage.database import Connection

_DIE = re.compile(r"die\s+(?P<name>\S+)\s*=\s*(?P<faces>.+)", re.IGNORECASE)
_FACES = re.compile(r"[1-9]\d{0,3}(?:[\s,]+[1-9]\d{0,3})*")

DIE = "die 5B/melee/J-10 = 4"
"""The office's own directive by an example: NAME as the report prints it, `seed` to take a ruling back."""

Forced = Mapping[ThrowName, tuple[int, ...]]


class Forcing(Struct, frozen=True):
    """A die that a ruling forces: the faces it must show (none: as its seed gives), and what that comes to."""

    name: ThrowName
    faces: tuple[int, ...]
    says: str


class Ruling(Struct, frozen=True, kw_only=True):
    """A ruling, made or only shown."""

    campaign: CampaignId
    moment: Moment
    directives: tuple[str, ...]
    reason: str
    facts: tuple[Outcome, ...]
    changes: tuple[Change, ...]
    """In the truth."""
    learns: Mapping[Role, tuple[str, ...]]
    """What each role is told of it, in sentences, or as values of what it knows."""
    forced: tuple[Forcing, ...]
    opens: Moment | None
    """The exchange to which it moves play."""
    before: int
    """Where the log ended that it was shown upon."""
    seq: int = 0
    """Of `ruling_made`; 0 while it is only shown."""


def rule(
    office: Office,
    campaign: str,
    directives: Sequence[str],
    reason: str = "",
    *,
    known: Mapping[str, str] | None = None,
    upon: int | None = None,
    make: bool = False,
) -> Ruling:
    """Show what *directives* come to, or (*make*) rule so.

    *known* marks which roles learn of it, and how much (an aspect; empty: all of it); if it is empty, all whom it
    concerns.  *upon* is where the log must still end: that of the ruling as it was shown.  To show what comes of a
    forced die is a look at dice to come: like a dry run, it is logged.

    :raises Refused: if a directive cannot be understood, the campaign is not in play, or the log has grown since.
    """
    if make and not reason.strip():
        raise Refused("a ruling needs a reason: --reason TEXT.  It stands in the log.")

    def build(connection: Connection) -> tuple[Entry, Ruling]:
        dossier = dossiers.load(office, connection, campaign)
        if upon is not None and dossier.seq != upon:
            raise Refused(f"the log of {dossier.id} has grown since this was shown.  Look again, and rule then.")
        marks = {dossier.role(role): Aspect(aspect or FULL) for role, aspect in (known or {}).items()}
        entry = Entry(dossier, office.now(), office.by)
        ruling = _enter(office, connection, entry, directives, reason, marks)
        return entry, replace(ruling, seq=dossier.seq + 1) if make else ruling

    if make:
        return enter(office, build)
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        _, ruling = build(connection)
    looked = any(_moment(one.name) == dossier.campaign.now for one in ruling.forced)
    return replace(ruling, before=_log_look(office, dossier)) if looked else ruling


def _log_look(office: Office, dossier: Dossier) -> int:
    """Log that the GM saw dice to come; gives where the log ends then.

    :raises StaleLog: if it has grown meanwhile.
    """
    entry = Entry(dossier, office.now(), office.by)
    now = dossier.exchange().moment
    entry.add(now, DryRunAsked(moment=now))
    with office.write() as connection:
        commit(office, connection, entry)
    return entry.dossier.seq


def ruled(office: Office, connection: Connection, entry: Entry, directives: Sequence[str], reason: str) -> None:
    """Enter a ruling as part of something else that the GM does.

    :raises Refused: if a directive cannot be understood; nothing is entered then.
    """
    _enter(office, connection, entry, directives, reason, {})


def parted(directives: Sequence[str]) -> tuple[list[Line], Forced]:
    """The directives of the system, numbered as they were given, and the dice that the others force.

    :raises Refused: if a die is forced that no throw can be.
    """
    lines: list[Line] = []
    forced: dict[ThrowName, tuple[int, ...]] = {}
    for number, text in enumerate(directives, start=1):
        found = _DIE.fullmatch(text.strip())
        if found:
            forced[ThrowName(found["name"])] = _faces(found["name"], found["faces"])
        elif text.split(maxsplit=1)[:1] == ["die"]:
            raise Refused(f"directive {number}: it reads {DIE}")
        else:
            lines.append(Line(number, text))
    return lines, forced


def _enter(
    office: Office,
    connection: Connection,
    entry: Entry,
    directives: Sequence[str],
    reason: str,
    known: Mapping[Role, Aspect],
) -> Ruling:
    """Enter a ruling and all that follows from it."""
    dossier = entry.dossier
    if dossier.campaign.ended:
        raise Refused(f"{dossier.id} is over: {ending(dossier.campaign.ended)}.")
    exchange = dossier.exchange()
    moment, system = exchange.moment, dossier.system
    before = world_at(office, connection, dossier)
    lines, forced = parted(directives)
    _see(dossier, forced)
    reading = system.direct(dossier.scene, before, lines, known)
    if reading.complaints:
        raise Refused("  ".join(_complained(lines, one.line, one.why, one.instead) for one in reading.complaints))
    facts = as_written(system, reading.items)
    if not facts and not forced:
        raise Refused("there is no directive to rule by.")
    made = RulingMade(
        directives=tuple(directives),
        reason=reason.strip(),
        known=dict(known),
        forced=dict(forced),
        facts=len(facts),
    )
    entry.add(moment, made, *facts)
    after = world_at(office, connection, entry.dossier)
    ruling = Ruling(
        campaign=dossier.id,
        moment=moment,
        directives=made.directives,
        reason=made.reason,
        facts=facts,
        changes=changes(system, before.truth, after.truth),
        learns=_learns(dossier, entry.dossier, before, after, facts),
        forced=_forced(office, connection, dossier, entry.dossier, forced),
        opens=None,
        before=dossier.seq,
    )
    if exchange.resolved and exchange.state == "resolved":
        _stage_again(office, connection, entry, exchange.resolved, after, len(facts))
    elif system.verdict(after.truth) is None and system.awaits(after.truth).moment.whole != moment:
        publish.open_exchange(office, entry, after)
        kept_sheets.read_now(office, connection, entry)
        opened = entry.dossier.exchange()
        _tell_opened(office, connection, entry, moment)
        return replace(ruling, opens=opened.moment)
    return ruling


def _stage_again(
    office: Office, connection: Connection, entry: Entry, resolved: ExchangeResolved, world: AnyWorld, facts: int
) -> None:
    """Make the pages of what waits for its release anew: they tell of the ruling too."""
    entry.remember(world)
    _, views = staging.stage(office, connection, entry, resolved.moment, world)
    again = replace(
        resolved,
        facts=facts,
        state=state_digest(world),
        views=views,
    )
    entry.add(resolved.moment, again)


def _learns(
    before: Dossier, after: Dossier, then: AnyWorld, now: AnyWorld, facts: Sequence[Outcome]
) -> dict[Role, tuple[str, ...]]:
    """What each role learns by *facts*: as it is told of them; where it is told nothing, what changes for it."""
    told = telling.tell(after, then, after.facts(after=before.seq)).told
    learns = {}
    for role in after.roles:
        sentences = tuple(dict.fromkeys(said for one in told[role] if (said := shown.in_words(one))))
        if not sentences and any(form(after.system, fact, role) for fact in facts):
            sentences = tuple(
                f"{one.name}: {one.before or 'none'} → {one.after or 'none'}"
                for one in changes(after.system, then.minds[role], now.minds[role])
            )
        learns[role] = sentences
    return learns


def _forced(
    office: Office, connection: Connection, before: Dossier, after: Dossier, forced: Forced
) -> tuple[Forcing, ...]:
    """What comes of each forced die, as the orders stand."""
    now = {name: faces for name, faces in forced.items() if _moment(name) == before.campaign.now}
    then = _thrown(office, connection, before) if now else {}
    new = _thrown(office, connection, after) if now else {}
    says = {}
    for name in forced:
        fell = new.get(name)
        if name not in now:
            says[name] = "not open yet"
        elif fell is None:
            says[name] = "nobody throws it, as the orders stand"
        else:
            instead = then.get(name)
            was = f" instead of {_faces_text(instead.faces)}" if instead and instead.faces != fell.faces else ""
            says[name] = f"falls {_faces_text(fell.faces)}{was}, as the orders stand"
    return tuple(Forcing(name, faces, says[name]) for name, faces in forced.items())


def _thrown(office: Office, connection: Connection, dossier: Dossier) -> dict[ThrowName, Throw]:
    facts = what_if(office, connection, dossier).resolution.facts
    return {throw.name: throw for fact in facts for throw in fact.dice}


def _see(dossier: Dossier, forced: Forced) -> None:
    """See that each forced die can still be thrown."""
    for name in forced:
        moment = _moment(name)
        exchange = dossier.campaign.exchanges.get(moment)
        if (exchange and exchange.state not in ("open", "halted")) or (
            dossier.campaign.now and moment < dossier.campaign.now
        ):
            raise Refused(f"{name} cannot be ruled: {moment} is resolved.  First: pbem turn annul {dossier.id}")


def _moment(name: ThrowName) -> Moment:
    moment, *rest = name.split("/")
    try:
        if len(rest) < 2:
            raise BadMoment(moment)
        return Moment.parse(moment)
    except BadMoment:
        raise Refused(f'"{name}" names no throw: it reads turn, purpose and place, as in {DIE}') from None


def _faces(name: str, text: str) -> tuple[int, ...]:
    if text.strip().casefold() == "seed":
        return ()
    if not _FACES.fullmatch(text.strip()):
        raise Refused(f'"{text.strip()}" are no faces for {name}: write numbers, or seed to take a ruling back.')
    return tuple(int(face) for face in re.split(r"[\s,]+", text.strip()))


def _faces_text(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _complained(lines: Sequence[Line], number: int, why: str, instead: str) -> str:
    text = next((line.text for line in lines if line.number == number), "")
    return f'directive {number}, "{text}": {why}.' + (f"  As in: {instead}." if instead else "")


def _tell_opened(office: Office, connection: Connection, entry: Entry, left: Moment) -> None:
    """Tell every player that the umpire has moved play on."""
    dossier = entry.dossier
    exchange = dossier.exchange()
    owes = calendar.owing(office, connection, dossier)
    for role in dossier.roles:
        if role not in dossier.campaign.players:
            continue
        player = players.get(connection, dossier.campaign.players[role])
        with speaking(dossier.campaign.language(role)):
            head = phrase("{moment} is open", moment=exchange.moment)
            notice = Notice(
                campaign=dossier.id,
                subject=f"[{dossier.id}] {head}",
                heading=head,
                summary=phrase(
                    "The umpire has ruled: play goes on with {name}, instead of {left}.", name=exchange.name, left=left
                ),
                facts=((calendar.label(role, owes), when(exchange.deadline, player.zone, long=True)),),
            )
        file = calendar.deadline(office, dossier, role, owes=owes, at=entry.at)
        tell(entry, role, player, notice, *file, cause=f"opened/{exchange.opened}/{role}")
