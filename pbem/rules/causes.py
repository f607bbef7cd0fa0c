"""What led to what: the facts on which a fact rests, and those that rest on it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, RuleId
from pbem.rules.past import ALONE, ANY_DEED, AnyPast, Leads, Rests


class Piece(NamedTuple):
    """A fact, as its reader has it."""

    fact: Outcome
    moment: Moment
    """Its exchange."""
    run: int
    rests: Rests
    told: bool
    """It is told in words, and not as what became of a line alone."""


class Web:
    """Facts in the order of the log, and what each of them rests on."""

    def __init__(self, past: AnyPast, pieces: Sequence[Piece]) -> None:
        self.pieces, self._leads = pieces, past.leads
        self._units: dict[str, list[int]] = {}
        self._places: dict[str, list[int]] = {}
        self._known: dict[int, tuple[int, ...]] = {}
        for at, piece in enumerate(pieces):
            if not is_line(piece):
                for name in dict.fromkeys(piece.rests.units):
                    self._units.setdefault(name, []).append(at)
                for name in dict.fromkeys(piece.rests.places):
                    self._places.setdefault(name, []).append(at)

    def rests_on(self, at: int) -> tuple[int, ...]:
        """The earlier facts on which the one *at* that place rests, the last first.

        Of its own deed: the last that befell each of its units, of all kinds or of those that the system says may lead
        to it; of those also what was at its places.
        """
        if at not in self._known:
            self._known[at] = self._found(at)
        return self._known[at]

    def _found(self, at: int) -> tuple[int, ...]:
        one, found = self.pieces[at], set[int]()
        leads = self._leads.get(type(one.fact))
        for name in one.rests.units:
            found |= {*self._last(one, at, self._units[name], leads, name)} if name in self._units else set()
        for name in one.rests.places if leads is not None else ():
            found |= {*self._last(one, at, self._places[name], leads)} if name in self._places else set()
        return tuple(sorted(found, reverse=True))

    def _last(self, one: Piece, at: int, where: Sequence[int], leads: Leads | None, unit: str = "") -> Iterator[int]:
        """The last fact of a deed that may lead to *one*, of those *where* a unit or place is named; or all of them."""
        for place in reversed(where[: bisect_left(where, at)]):
            other = self.pieces[place]
            if not _one_deed(one, other):
                if _parted(one, other):
                    return
                continue
            did = unit in other.rests.did and unit not in one.rests.did
            if not did and (leads is None or isinstance(other.fact, leads.kinds)):
                yield place
                if leads is None or not leads.every:
                    return

    def led_to(self, at: int, ends: Callable[[int], bool]) -> Iterator[int]:
        """All on which a fact rests, in turn, itself first; what *ends* it rests on nothing more."""
        waiting, known = [at], {at}
        while waiting:
            place = waiting.pop(0)
            yield place
            if not ends(place):
                new = [one for one in self.rests_on(place) if one not in known]
                known |= {*new}
                waiting += new

    def followed(self, after: Collection[int]) -> tuple[int, ...]:
        """What rests on any of those facts, in turn, in the order of the log, within their exchange."""
        found, last = {*after}, self.pieces[max(after)]
        for place in range(min(after) + 1, len(self.pieces)):
            piece = self.pieces[place]
            if place > max(after) and (piece.moment, piece.run) != (last.moment, last.run):
                break
            if place not in found and not is_line(piece) and found & {*self.rests_on(place)}:
                found.add(place)
        return tuple(sorted(found - {*after}))

    def line_of_deed(self, at: int) -> Rests | None:
        """The line of which the deed came that a fact is part of: the next that is told of there."""
        one = self.pieces[at]
        if one.rests.deed in ("", ANY_DEED, ALONE):
            return None
        for place in range(at, len(self.pieces)):
            other = self.pieces[place]
            if (other.moment, other.run) != (one.moment, one.run):
                return None
            if other.rests.line and other.rests.deed == one.rests.deed:
                return other.rests
        return None


def is_line(piece: Piece) -> bool:
    """Whether it says what became of a line of a sheet, and nothing else."""
    return piece.rests.line > 0 and not piece.told


def _one_deed(one: Piece, other: Piece) -> bool:
    if one.rests.deed == ALONE:
        return False
    if one.rests.deed == ANY_DEED:
        return other.run == one.run or other.moment != one.moment
    own, theirs = (piece.rests.deed or piece.fact.phase for piece in (one, other))
    return (one.moment, one.run, own) == (other.moment, other.run, theirs)


def _parted(one: Piece, other: Piece) -> bool:
    """Whether nothing before *other* can be of the deed of *one*."""
    return one.rests.deed != ANY_DEED and (one.moment, one.run) != (other.moment, other.run)


class Counted(Struct, frozen=True):
    """What was added to a die, a number or a strength, and the rule that says so."""

    name: str
    value: str
    rule: RuleId


_NAMES = ("name", "why", "event")
_VALUES = ("value", "inches", "n")
_RULES = ("rule_id", "rule")


def counted(fact: object) -> tuple[Counted, ...]:
    """The modifiers that stand anywhere in a fact: whatever has a name, a value, and a rule of its own; each once."""
    return tuple(dict.fromkeys(_counted(fact)))


def _counted(value: object) -> Iterator[Counted]:
    if isinstance(value, Struct):
        parts: dict[str, object] = {name: getattr(value, name) for name in value.__struct_fields__}
        said = [next((parts[one] for one in some if one in parts), None) for some in (_NAMES, _VALUES, _RULES)]
        if all(one is not None for one in said) and said[2]:
            name, number, rule = said
            sign = f"{number:+d}" if isinstance(number, int) else str(number)
            yield Counted(str(name).replace("_", " "), sign, RuleId(str(rule)))
        for part in parts.values():
            yield from _counted(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _counted(part)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _counted(part)
