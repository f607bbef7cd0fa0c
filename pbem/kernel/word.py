"""What the roles said last of their orders, and when: by this it is told whether these may be played early.

A sheet of which every line was taken is a word; so is `ready`, said after it.  A sheet that somebody else sent, before
the role changed hands or before the exchange was opened again, is none: it stands, and nobody has said that it shall
be played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    ExchangeOpened,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    PlayerEnrolled,
    PlayerReplaced,
    PlayerWithdrew,
    ReadySaid,
)
from pbem.kernel.terms import Schedule

MINUTE = 60_000_000

Words = Mapping[tuple[Moment, Role], "Word"]


class Word(Struct, frozen=True):
    """What a role said last of its orders for one moment."""

    what: Literal["sheet", "nothing taken", "ready"]
    """A sheet; one of which no line was taken, so that what stood before stands; or that what stands is to be played
    as it stands."""
    settles: int
    """The hour, in microseconds UTC, before which it is not played early, as its receipt says; 0: by the terms of
    that time it is not played early at all."""
    before: Word | None = None
    """Of `ready`: the word that it took the place of, and that counts again when it is taken back."""


def settles(at: int, schedule: Schedule) -> int:
    """The end of the time for second thoughts after a word that came *at*; 0, if nothing is run early."""
    return at + schedule.delay * MINUTE if schedule.early else 0


def heard(words: Words, recorded: Recorded, schedule: Schedule, *, again: bool) -> Words:
    """The last words after an event; *again*: a sheet without a message is one that was sent for an earlier opening."""
    event: Event = recorded.event
    match event:
        case OrdersAccepted(message="") if again:
            return _without(words, event.moment, event.role)
        case OrdersAccepted():
            return {**words, (event.moment, event.role): Word("sheet", settles(recorded.at, schedule))}
        case OrdersRefused(moment=Moment() as moment) if event.told:
            return {**words, (moment, event.role): Word("nothing taken", settles(recorded.at, schedule))}
        case ReadySaid():
            return _ready(words, event, settles(recorded.at, schedule))
        case OrdersKept() | OrdersWithdrawn():
            return _without(words, event.moment, event.role)
        case PlayerEnrolled() | PlayerReplaced() | PlayerWithdrew():
            return {key: word for key, word in words.items() if key[1] != event.role}
        case ExchangeOpened():
            return {key: word for key, word in words.items() if key[0] != event.moment}
        case _:  # any other event, those of the game as well, is no word
            return words


def _ready(words: Words, event: ReadySaid, settled: int) -> Words:
    key = (event.moment, event.role)
    there = words.get(key)
    if event.on:
        before = there.before if there and there.what == "ready" else there
        return {**words, key: Word("ready", settled, before)}
    if there is None or there.what != "ready":
        return words
    return {**words, key: there.before} if there.before else _without(words, *key)


def _without(words: Words, moment: Moment, role: Role) -> Words:
    return {key: word for key, word in words.items() if key != (moment, role)}
