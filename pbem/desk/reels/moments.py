"""Moments of a game, as some eyes have them: the beats that an address names, and how things stood after the last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, values
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.reel import eyes_of, past_of
from pbem.desk.reels.seeing import chapters
from pbem.desk.worlds.worlds import state_digest
from pbem.kernel.errors import Refused
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ReportIssued
from pbem.rules.leafing import address, at
from pbem.rules.reel import TRUTH, Beat, Reel, Seen, Shown, stood
from pbem.rules.reeling import Here, heads

__all__ = ["Look", "Seen", "Values", "beat_of", "look", "values_at"]

_HOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([ T].*)?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Look(Struct, frozen=True, kw_only=True):
    """A moment of a game, through some eyes."""

    reel: Reel
    """With the beats of that moment alone."""
    where: str
    """What it is called: the name of its beat, else as it was asked for."""
    shown: dict[str, Shown]
    """How things stood after the last of them, by eyes."""


class Values(Struct, frozen=True, kw_only=True):
    """The state after a beat, as its values: the truth, or what one role knew."""

    beat: str
    moment: Moment
    state: Any
    values: dict[str, str]
    """By names, as the game writes them."""
    events: tuple[int, int] | None
    """The first and the last of its events; None: a role does not know them."""
    digest: str
    """Of the truth; empty for a role."""


def look(office: Office, campaign: str, names: Sequence[str], where: str = "") -> Look:
    """The moment *where* of *campaign*, as *names* see it; nothing said: the newest beat.

    *where* is an address (`3`, `3B`, `3B/melee.4`, `3B.22`, `3B#1`), an hour of the game (`06:14`), or a date by the
    office's clock (`2026-11-24T20:00`): how it stood then.

    :raises Refused: if it names none, or nothing came to pass there for these eyes.
    :raises UnknownRole: if there is no such role.
    """
    reel = reel_of(office, campaign, names)
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    beats = _found(reel, dossier, where.strip(), office.settings.zone)
    last = reel.beats.index(beats[-1])
    return Look(
        reel=replace(reel, beats=beats),
        where=beats[0].name if len(beats) == 1 else where.strip(),
        shown={one: shown for one in reel.eyes if (shown := stood(reel, one, last)) is not None},
    )


def beat_of(office: Office, campaign: str, seq: int) -> str:
    """The name of the beat, in the truth, that event *seq* is in.

    :raises Refused: if it is in none.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        for beat, run in _runs(dossier, (TRUTH,)):
            if run[0].seq <= seq <= run[-1].seq:
                return beat
    raise Refused(f"event {seq} of {dossier.id} is no fact of the game: it is in no beat.")


def values_at(office: Office, campaign: str, names: Sequence[str], where: str = "") -> Values:
    """The state after the last beat of *where*, as its values: of the truth, or of one role.

    :raises Refused: if it names none, or there is more than one pair of eyes.
    :raises UnknownRole: if there is no such role.
    """
    reel = reel_of(office, campaign, names, pictures=False)
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        [eyes, *more] = eyes_of(dossier, names)
        if more:
            raise Refused("values are those of one role, or of the truth.")
        beat = _found(reel, dossier, where.strip(), office.settings.zone)[-1]
        run = next(run for name, run in _runs(dossier, (eyes,)) if name == beat.name)
    world = run[-1].after
    state = world.truth if eyes == TRUTH else world.minds[Role(eyes)]
    return Values(
        beat=beat.name,
        moment=beat.moment,
        state=state,
        values=values.flat(dossier.system, state),
        events=(run[0].seq, run[-1].seq) if eyes == TRUTH else None,
        digest=state_digest(world) if eyes == TRUTH else "",
    )


def _runs(dossier: Dossier, eyes: tuple[str, ...]) -> Iterator[tuple[str, Sequence[Here]]]:
    """The facts of each beat, by its name."""
    past, numbers = past_of(dossier), Counter[tuple[Moment, int]]()
    for chapter in chapters(dossier, eyes):
        for beat, run in heads(past, eyes, chapter.seen, numbers):
            yield beat.name, run


def _found(reel: Reel, dossier: Dossier, where: str, zone: str) -> tuple[Beat, ...]:
    if not reel.beats:
        raise Refused(f"nothing of {reel.campaign} has come to pass yet that can be shown.")
    if not where:
        return reel.beats[-1:]
    if _HOUR.fullmatch(where):
        return _at_hour(reel, where)
    if _DATE.fullmatch(where):
        return _at_date(reel, dossier, where, zone)
    found = at(reel, address(where))
    if not found:
        last = reel.beats[-1].name
        raise Refused(f"there is nothing at {where} for these eyes.  The newest beat is {last}: pbem history log.")
    return found


def _at_hour(reel: Reel, where: str) -> tuple[Beat, ...]:
    """The last beat before that hour of the game had passed."""
    wanted, found, hours = where.rjust(5, "0"), None, 0
    for beat in reel.beats:
        clock = next((said for seen in beat.seen.values() if (said := _HOUR.search(seen.clock))), None)
        hours += clock is not None
        if clock is not None and clock[0].rjust(5, "0") > wanted:
            break
        found = beat
    if not hours:
        raise Refused("this game has no hours.  A moment reads 3B, 3B/melee.4, 3B.22.")
    return (found,) if found is not None else reel.beats[:1]


def _at_date(reel: Reel, dossier: Dossier, where: str, zone: str) -> tuple[Beat, ...]:
    """The last beat that these eyes had been told of by then."""
    from zoneinfo import ZoneInfo

    try:
        written = datetime.fromisoformat(where)
    except ValueError:
        raise Refused(f"“{where[:40]}” is no date: they read 2026-11-24 or 2026-11-24T20:00.") from None
    aware = written if written.tzinfo else written.replace(tzinfo=ZoneInfo(zone))
    by = (aware - _EPOCH) // timedelta(microseconds=1)
    known = {moment for one in dossier.own if one.at <= by and (moment := _told(one, reel.eyes)) is not None}
    if TRUTH in reel.eyes:
        resolved = (one for one in dossier.campaign.exchanges.values() if one.resolved)
        known = {one.moment for one in resolved if dossier.log[one.resolved_seq - 1].at <= by}
    beats = [beat for beat in reel.beats if beat.moment in known or beat.moment.turn == 0]
    if not beats:
        raise Refused(f"by {where[:40]} these eyes had been told of nothing.")
    return tuple(beats[-1:])


def _told(recorded: Recorded, eyes: Sequence[str]) -> Moment | None:
    event = recorded.event
    return event.moment.whole if isinstance(event, ReportIssued) and event.role in eyes else None
