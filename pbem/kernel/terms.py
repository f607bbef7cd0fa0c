"""By what terms a campaign is played: who releases, who is believed, what is due when, and what silence means.

    changed(Terms(), {"hours": 48, "at": "20:00", "days": "mon-fri"})

A term that an event does not name is at its default: a default is never changed, for old logs would tell
something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from pbem.kernel.ballot import BALLOTS, Ballot, Kind, votes_of

Release = Literal["gm", "auto"]
"""Who makes known what was resolved: the GM, or the office at once."""

Trust = Literal["table", "address", "strict"]
"""What a letter's sender must show: more than his From line, that line alone, or a check of the mail server as well."""

Press = Literal["white", "grey", "anonymous", "none"]
"""Letters between players: signed, signed or not as the writer likes, never signed, or none at all."""

Names = Literal["hidden", "told"]
"""Whether players are told by name who plays the other roles."""

Nmr = Literal["hold", "standing", "extend", "gm"]
"""No move received: wait for it, take what is taken for silence, give more time while it lasts, or ask the GM."""

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

Some = TypeVar("Some", bound="Schedule")

DAYS: tuple[Day, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
YEAR = 24 * 366

Hours = Annotated[int, Meta(ge=1, le=YEAR)]
Span = Annotated[int, Meta(ge=0, le=YEAR)]
Wall = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$|^$")]


class Schedule(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an exchange is due, and what happens around that hour."""

    hours: Hours = 72
    """From the opening of an exchange to its deadline."""
    at: Wall = ""
    """The time of day of every deadline, by the campaign's zone; empty: any full hour."""
    days: tuple[Day, ...] = ()
    """Weekdays on which a deadline may fall; none: any."""
    least: Span | None = None
    """Hours that a deadline is away from the opening at least, where time of day or weekday draw it nearer.
    None: half of *hours*."""
    grace: Span = 0
    """Hours after the deadline in which what is missing is still taken."""
    early: bool = True
    """Whether the exchange is run before its deadline when all orders are in."""
    delay: Span = 30
    """Minutes for second thoughts: from the newest orders to a run before the deadline, or after it was held."""
    urgent: Hours = 6
    """Of an exchange that is played in steps: hours at the beginning of each, in which urgent halts are answered."""
    interim: Hours = 18
    """Hours after them, in which the interim reports of its end are answered."""


class Terms(Schedule, frozen=True, kw_only=True, omit_defaults=True):
    """All terms.  Those of a schedule hold for every exchange that *phases* does not name."""

    release: Release = "gm"
    trust: Trust = "table"
    press: Press = "white"
    names: Names = "hidden"
    zone: str = "UTC"
    """By whose clock deadlines are set."""
    phases: dict[str, Schedule] = {}
    """Schedules of their own: by the name of the phase as reports say it, or the letter that it begins with."""
    reminders: tuple[Hours, ...] = (24, 4)
    """Hours before the deadline at which those are reminded whose orders are missing."""
    nmr: Nmr = "hold"
    excuses: Span = 1
    """With *nmr* `extend`: how often the silence of one role gives more time; then silence is taken as it is."""
    extension: Hours = 24
    """Hours of more time that are given then, and at least to a role that the rules ask a question."""
    tripwire: Annotated[int, Meta(ge=1, le=100)] = 50
    """Percent.  Are more missing of those who are waited for, and two at least, nothing is run: the GM is told."""
    absence_days: Span = 14
    """Days for which a player may book himself absent in the whole campaign."""
    votes: dict[str, Ballot] = {}
    """How each kind of vote is held, where it is not as `ballot.BALLOTS` says."""
    late_after: Span = 0
    """Who was late in so many exchanges in a row is not waited for beyond a deadline, until he is in time once.
    0: whoever it is, all are waited for as the other terms say."""
    observers: tuple[str, ...] = ()
    """Through whose eyes those look on who play no side: roles, or `truth`.  None: nobody may."""
    observers_delay: Annotated[int, Meta(ge=0, le=99)] = 2
    """So many turns later than it is made known a turn is shown to them; the truth one turn later at least."""
    language: Annotated[str, Meta(pattern=r"^[a-z]{2,3}$")] = "en"
    """In which players are written to who have chosen none, by its code."""

    def ballot(self, kind: Kind) -> Ballot:
        """How a vote of that *kind* is held.

        >>> Terms().ballot("draw").agree
        'all'
        """
        return self.votes.get(kind) or BALLOTS[kind]

    def schedule(self, name: str) -> Schedule:
        """The schedule of the phase *name* (`B, second mover and fire`).

        >>> Terms(phases={"b": Schedule(hours=24)}).schedule("B, second mover and fire").hours
        24
        """
        for key in (name, name.partition(",")[0]):
            if found := self.phases.get(key.casefold()):
                return found
        return self


class BadTerm(ValueError):
    """A term that there is not, or a value that it cannot have; *name* is the term."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name


def changed(terms: Terms, changes: Mapping[str, object], *, phase: str = "") -> Terms:
    """*terms* with *changes* to them, or to the schedule of *phase*; values may be as people write them.

    >>> changed(Terms(), {"days": "mon-fri", "at": "20:00"}).days
    ('mon', 'tue', 'wed', 'thu', 'fri')

    :raises BadTerm: if there is no such term, or it cannot have that value.
    """
    if phase:
        key = phase.casefold()
        known = {name: getattr(terms, name) for name in Schedule.__struct_fields__}
        own = terms.phases.get(key) or Schedule(**known)
        return replace(terms, phases={**terms.phases, key: _set(own, Schedule, changes)})
    return _set(terms, Terms, changes)


def days_of(written: str) -> tuple[Day, ...]:
    """The weekdays that *written* names, as a list and by spans, across the week's end too; `any` names none.

    >>> days_of("mon-wed, fri"), days_of("sat-mon"), days_of("any")
    (('mon', 'tue', 'wed', 'fri'), ('mon', 'sat', 'sun'), ())

    :raises BadTerm: if there is no such day.
    """
    if written.strip().casefold() in ("any", ""):
        return ()
    there: set[int] = set()
    for part in re.split(r"[,\s]+", written.strip().casefold()):
        first, _, last = part.partition("-")
        begin, end = _day(first, written), _day(last or first, written)
        there |= {day % 7 for day in range(begin, end + 1 if end >= begin else end + 8)}
    return tuple(DAYS[day] for day in sorted(there))


def _day(written: str, whole: str) -> int:
    for place, day in enumerate(_LONG):
        if len(written) > 1 and day.startswith(written):
            return place
    raise BadTerm("days", f'"{whole}" names no weekdays: write them like mon-fri, or tue,thu; or any')


_LONG = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _hours_of(written: str) -> tuple[str, ...]:
    return () if written.strip().casefold() == "none" else tuple(re.split(r"[,\s]+", written.strip()))


def _set(now: Some, kind: type[Some], changes: Mapping[str, object]) -> Some:
    values: dict[str, object] = asdict(now)
    for name, value in changes.items():
        if name not in kind.__struct_fields__:
            raise BadTerm(name, f"there is no such term.  There are: {', '.join(kind.__struct_fields__)}")
        values[name] = _READ[name](value) if name in _READ and isinstance(value, str) else value
        if name == "votes" and isinstance(now, Terms):
            values[name] = {**now.votes, **_ballots(value)}
        try:
            msgspec.convert({name: values[name]}, kind, strict=False)
        except msgspec.ValidationError as error:
            raise BadTerm(name, _why(name, str(error))) from None
    return msgspec.convert(values, kind, strict=False, from_attributes=True)


def _ballots(value: object) -> dict[str, Ballot]:
    try:
        return votes_of(value) if isinstance(value, str) else msgspec.convert(value, dict[Kind, Ballot])
    except ValueError as error:
        raise BadTerm("votes", str(error)) from None


def _eyes_of(written: str) -> tuple[str, ...]:
    named = re.split(r"[,\s]+", written.strip().casefold())
    return tuple(dict.fromkeys(one for one in named if one not in ("", "none")))


_READ: Mapping[str, Callable[[str], tuple[object, ...]]] = {
    "days": days_of,
    "reminders": _hours_of,
    "observers": _eyes_of,
}


def _why(name: str, error: str) -> str:
    if name == "at":
        return "write a time of day like 20:00"
    return error.partition(" - at")[0].replace("`", "")
