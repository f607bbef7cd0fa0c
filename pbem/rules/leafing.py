"""To leaf through a reel: moments by their addresses, and beats by what they are about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.kernel.numbers import whole
from pbem.rules.reel import Beat, Reel, Seen


class Address(Struct, frozen=True):
    """A moment of a game: of a whole turn or exchange, of a phase in it, or of one beat."""

    first: Moment
    last: Moment
    run: int = 0
    """Which run of an exchange that was run more than once; 0: whichever stands."""
    phase: str = ""
    number: int = 0
    """Of the beat in its phase or exchange, from 1; 0: all of them."""


_FORM = re.compile(r"(S?\d+)([A-Z])?(?:#(\d+))?(?:/([^./]+))?(?:\.(\d+))?", re.IGNORECASE)


def address(text: str) -> Address:
    """What *text* names.

    >>> address("3B/melee.4").phase, address("3B.22").number, address("3B#2").run, str(address("3").last)
    ('melee', 22, 2, '3Z')

    :raises Refused: if it names nothing.
    """
    found, said = _FORM.fullmatch(text.strip()), text.strip()[:40]
    if found is None:
        raise Refused(f"“{said}” names no moment of a game.  They read 3, 3B, 3B/melee, 3B/melee.4, 3B.22, 3B#1.")
    turn, exchange, run, phase, number = found.groups()
    first = last = Moment.parse(f"{turn}{exchange or ''}")
    if not exchange and not turn.upper().startswith("S"):
        if number and not phase:
            raise Refused(f"“{said}” does not say in which exchange: {turn}A.{number}?")
        first, last = Moment(first.turn, 0), Moment(first.turn, 26)
    return Address(first, last, whole(run or "") or 0, (phase or "").strip().casefold(), whole(number or "") or 0)


def span(text: str) -> tuple[Moment, Moment, int]:
    """From which moment to which *text* reads, and which run is meant: a turn or an exchange, or from one to another.

    >>> span("3B-4A") == (Moment(3, 2), Moment(4, 1), 0), span("3B#2") == (Moment(3, 2), Moment(3, 2), 2)
    (True, True)

    :raises Refused: if it names none, or the later one first.
    """
    first, dash, last = text.partition("-")
    begins = address(first)
    ends = address(last) if dash else begins
    if begins.phase or begins.number or ends.phase or ends.number or ends.last < begins.first:
        raise Refused(f"“{text.strip()[:40]}” is no stretch of a game.  They read 3, 3B, 3-5, 3B-4A, 3B#1.")
    return begins.first, ends.last, begins.run or ends.run


def at(reel: Reel, there: Address) -> tuple[Beat, ...]:
    """The beats that an address names, in their order; of a run that was annulled only if it is named.

    A phase is named by the beginning of its heading, or of a word of it.
    """
    return among(reel.beats, there)


def among(beats: Iterable[Beat], there: Address) -> tuple[Beat, ...]:
    """Of *beats*, all those of a reel, the ones that an address names."""
    found = [
        beat
        for beat in beats
        if there.first <= beat.moment <= there.last
        and (beat.run == there.run if there.run else not beat.annulled)
        and (not there.phase or _of_phase(beat, there.phase))
    ]
    if not there.number:
        return tuple(found)
    if there.phase:
        return tuple(found[there.number - 1 : there.number])
    return tuple(beat for beat in found if beat.number == there.number)


def _of_phase(beat: Beat, name: str) -> bool:
    heading = beat.phase.casefold()
    return heading.startswith(name) or any(word.startswith(name) for word in re.findall(r"\w+", heading))


class Wanted(Struct, frozen=True, kw_only=True):
    """Of which beats one wants to read: what is empty asks nothing, all that is said must hold."""

    moments: tuple[Moment, Moment] | None = None
    """The first and the last."""
    run: int = 0
    """Which run of an exchange that was run more than once; 0: whichever stands."""
    phase: str = ""
    unit: str = ""
    place: str = ""
    kind: str = ""
    rule: str = ""
    words: str = ""
    orders: bool = False
    """Those in which something became of a line of a sheet."""
    annulled: bool = False
    """Those of runs that were annulled as well."""


def chosen(reel: Reel, wanted: Wanted) -> Iterator[Beat]:
    """The beats of a reel that are wanted: what is asked of what was seen must hold for one pair of its eyes."""
    asks = [ask for name, ask in _ASKS.items() if getattr(wanted, name)]
    for beat in reel.beats:
        if beat.run != wanted.run if wanted.run else beat.annulled and not wanted.annulled:
            continue
        if wanted.moments is not None and not wanted.moments[0] <= beat.moment <= wanted.moments[1]:
            continue
        if wanted.phase and not _of_phase(beat, wanted.phase.casefold()):
            continue
        if not asks or any(all(ask(seen, wanted) for ask in asks) for seen in beat.seen.values()):
            yield beat


def _among(value: str, some: Sequence[str]) -> bool:
    return value.casefold() in (one.casefold() for one in some)


def _said(seen: Seen) -> str:
    lines = [*seen.told, *(line for some in seen.lines.values() for line in some)]
    return " ".join(f"{line.lead} {line.text} {line.quote}" for line in lines)


_ASKS: Mapping[str, Callable[[Seen, Wanted], bool]] = {
    "unit": lambda seen, wanted: _among(wanted.unit, seen.units),
    "place": lambda seen, wanted: _among(wanted.place, seen.places),
    "kind": lambda seen, wanted: _among(wanted.kind, seen.kinds),
    "rule": lambda seen, wanted: _among(wanted.rule, seen.rules),
    "words": lambda seen, wanted: wanted.words.casefold() in _said(seen).casefold(),
    "orders": lambda seen, wanted: bool(seen.lines),
}
