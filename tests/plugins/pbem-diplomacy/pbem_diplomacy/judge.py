"""The adjudicator: what becomes of all orders of a move, given together.

An order asks of others what became of them, and they of it; so each question is a *decision* that is true, false, or
not known yet.  A decision is reckoned with what is known: if that is enough whatever the rest may be, it is settled.
When nothing more can be settled so, what is left hangs together in rings.  A ring that depends on nothing outside it is
solved by trying: if its decisions can be so in one way only, they are so.  If not, it is either units that move round,
which all move, or a paradox of convoys, which are then broken (Szykman's rule).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem_diplomacy.board import Board, Kind, Place, carries, may_help, next_to, province_of, sails


class Unit(Struct, frozen=True):
    """An army or a fleet on the board."""

    side: Role
    kind: Kind
    at: Place


class Deed(Struct, frozen=True):
    """What a unit is ordered to do."""

    kind: Literal["hold", "move", "support", "convoy"]
    of: str = ""
    """Of a support and a convoy: the province of the other unit."""
    to: Place = ""
    """Where that goes, or the unit itself; empty: it holds."""
    via: bool = False
    """Of a move: by convoy and by nothing else."""


HOLD = Deed("hold")

Nearby = Literal["own", "own_or_land", "any", "said"]
"""When an army that could walk to the province is carried there over the sea; `said`, when its order says so, in all.

`own`: too, when a fleet of its own side is ordered to carry it.  `own_or_land`: then it walks if the convoy is broken.
`any`: whenever a convoy holds and the unit that stands there comes the other way.
"""

Fate = Literal["done", "void", "bounced", "cut", "broken", "paradox", "no_convoy", "dislodged", "illegal"]
"""What became of an order: `void`, it met no order that fits it; `broken`, a fleet on its way was dislodged; `paradox`,
its convoy could not be judged."""


class Findings(NamedTuple):
    """What became of every unit."""

    fates: dict[str, Fate]
    """Of the order of each unit, by the province in which it stood."""
    dislodged: dict[str, str]
    """For each unit that was driven out the province whence; empty, if that army came over the sea."""
    contested: tuple[str, ...]
    """Provinces that are empty because units met there."""
    sailed: frozenset[str]
    """Whence armies were carried over the sea."""
    rules: dict[str, tuple[str, ...]]
    """Of each move the rules that shaped what became of it."""


class Decision(NamedTuple):
    """Does a move succeed, is a support given, does a convoy hold: that of the unit in a province."""

    kind: Literal["move", "support", "convoy"]
    of: str


Truth = bool | None
"""None: not known yet."""

Strength = tuple[int, int]
"""The least and the most that it may yet be."""

NONE: Strength = (0, 0)


def judge(board: Board, units: Mapping[str, Unit], deeds: Mapping[str, Deed], nearby: Nearby = "own") -> Findings:
    """Judge all orders of a move: *units* by the provinces in which they stand, and what each is ordered.

    A unit without an order holds, and so does one whose order can never be carried out, whatever others do.
    """
    court = Court(board, units, deeds, nearby)
    court.settle()
    return court.findings()


# ------------------------------------------------------------------ what may be ordered


def is_legal(board: Board, units: Mapping[str, Unit], at: str, deed: Deed) -> bool:
    """Whether an order could be carried out if all others fitted it."""
    return LEGAL[deed.kind](board, units, at, deed)


@rule("DP-MOV-01")
def _moves(board: Board, units: Mapping[str, Unit], at: str, deed: Deed) -> bool:
    unit = units[at]
    walks = deed.to in next_to(board, unit.kind, unit.at)
    return (walks and not deed.via) or (
        unit.kind == "A" and deed.to in board.provinces and sails(board, at, deed.to, fleets(board, units))
    )


def _helps(board: Board, units: Mapping[str, Unit], at: str, deed: Deed) -> bool:
    unit, other = units[at], units.get(deed.of)
    end = province_of(deed.to or deed.of)
    if other is None or deed.of == at or end == at or not may_help(board, unit.kind, unit.at, end):
        return False
    return not deed.to or _gets_there(board, units, at, deed, other)


def _gets_there(board: Board, units: Mapping[str, Unit], at: str, deed: Deed, other: Unit) -> bool:
    """Whether the unit that is helped could go there, without a convoy by the one that helps."""
    ends = next_to(board, other.kind, other.at)
    if deed.to in ends or (deed.to == province_of(deed.to) and deed.to in map(province_of, ends)):
        return True
    others = [sea for sea in fleets(board, units) if sea != at]
    return other.kind == "A" and deed.to in board.provinces and sails(board, deed.of, deed.to, others)


def _carries(board: Board, units: Mapping[str, Unit], at: str, deed: Deed) -> bool:
    unit, other = units[at], units.get(deed.of)
    if unit.kind != "F" or other is None or other.kind != "A" or deed.to not in board.provinces:
        return False
    there = fleets(board, units)
    return at in there and sails(board, deed.of, deed.to, there) and carries(board, at, deed.of, deed.to, there)


LEGAL: Mapping[str, Callable[[Board, Mapping[str, Unit], str, Deed], bool]] = {
    "hold": lambda board, units, at, deed: True,
    "move": _moves,
    "support": _helps,
    "convoy": _carries,
}


def fleets(board: Board, units: Mapping[str, Unit]) -> tuple[str, ...]:
    """The seas in which fleets are, which might carry armies."""
    return tuple(at for at, unit in units.items() if unit.kind == "F" and board.provinces[at].kind == "sea")


# ------------------------------------------------------------------ three truths


def _any(truths: Iterable[Truth]) -> Truth:
    found: Truth = False
    for truth in truths:
        if truth:
            return True
        if truth is None:
            found = None
    return found


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _between(sure: Truth, true: Strength, false: Strength) -> Strength:
    """One strength or the other; if it is not known which, what both leave open."""
    if sure is None:
        return min(true[0], false[0]), max(true[1], false[1])
    return true if sure else false


class Court:
    """One judgement as it becomes."""

    def __init__(self, board: Board, units: Mapping[str, Unit], deeds: Mapping[str, Deed], nearby: Nearby) -> None:
        self.board, self.units, self.nearby = board, units, nearby
        self.illegal = {at for at, deed in deeds.items() if at in units and not is_legal(board, units, at, deed)}
        self.deeds = {at: HOLD if at in self.illegal else deeds.get(at, HOLD) for at in units}
        self.moves = {at: province_of(deed.to) for at, deed in self.deeds.items() if deed.kind == "move"}
        self.into: dict[str, list[str]] = {}
        for at, end in self.moves.items():
            self.into.setdefault(end, []).append(at)
        self.helpers: dict[str, list[str]] = {}
        self.convoys: dict[str, list[str]] = {}
        for at, deed in self.deeds.items():
            if deed.kind in ("support", "convoy") and self.fits(deed):
                (self.helpers if deed.kind == "support" else self.convoys).setdefault(deed.of, []).append(at)
        self.ways = {at: self.way(at) for at in self.moves}
        self.settled: dict[Decision, bool] = {}
        self.open: set[Decision] = set()
        self.asked: dict[Decision, set[Decision]] = {}
        """What each decision that could not be settled hung on, in this round."""
        self.asking: list[Decision] = []
        self.round: set[str] = set()
        """Units that move round."""
        self.paradox: set[str] = set()
        """Armies whose convoys cannot be judged."""

    def fits(self, deed: Deed) -> bool:
        """Whether the other unit does what a support or a convoy takes it to do."""
        other = self.deeds[deed.of]
        if not deed.to:
            return other.kind != "move"
        if other.kind != "move":
            return False
        same = other.to == deed.to or (deed.to == province_of(deed.to) == province_of(other.to))
        return same

    @rule("DP-CON-04")
    def way(self, at: str) -> Literal["land", "sea", "either"]:
        """Whether a move goes over land, by convoy, or by convoy if that holds."""
        unit, deed = self.units[at], self.deeds[at]
        if unit.kind == "F":
            return "land"
        if deed.via or deed.to not in self.board.army[at]:
            return "sea"
        carriers = self.convoys.get(at, ())
        if self.nearby == "any":
            return "either" if carriers and self.moves.get(deed.to) == at else "land"
        if self.nearby == "said" or not any(self.units[one].side == unit.side for one in carriers):
            return "land"
        return "sea" if self.nearby == "own" else "either"

    # -------------------------------------------------------------- how decisions are settled

    def settle(self) -> None:
        """Settle every decision."""
        decisions = [Decision("move", at) for at in self.moves]
        decisions += [Decision("support", at) for helpers in self.helpers.values() for at in helpers]
        decisions += [Decision("convoy", at) for at, way in self.ways.items() if way != "land"]
        while self.spread(decisions):
            self.solve(self.ring())

    def spread(self, decisions: Collection[Decision]) -> list[Decision]:
        """Settle what follows from what is known; give those that are left."""
        left = [one for one in decisions if one not in self.settled]
        while left:
            self.asked.clear()
            for one in left:
                self.known(one)
            before, left = len(left), [one for one in left if one not in self.settled]
            if len(left) == before:
                break
        return left

    def known(self, one: Decision) -> Truth:
        """What is known of a decision; asked in a ring of itself, or in vain in this round, nothing."""
        found = self.settled.get(one)
        if found is not None:
            return found
        if self.asking:
            self.asked[self.asking[-1]].add(one)
        if one in self.asked:
            return None
        self.asked[one] = set()
        self.asking.append(one)
        truth = DECIDE[one.kind](self, one.of)
        self.asking.pop()
        if truth is not None:
            self.settled[one] = truth
        return truth

    def ring(self) -> list[Decision]:
        """Decisions that hang on each other, and on no others that are open."""
        reach = {one: self.reached(one) for one in self.asked if one not in self.settled}
        first = min(reach, key=lambda one: (len(reach[one]), one))
        return sorted(reach[first] | {first})

    def reached(self, one: Decision) -> set[Decision]:
        """All on which a decision hangs that is not settled."""
        seen: set[Decision] = set()
        front = [one]
        while front:
            new = {other for other in self.asked.get(front.pop(), ()) if other not in self.settled} - seen
            seen |= new
            front += new
        return seen

    @rule("DP-MOV-05")
    def solve(self, ring: list[Decision]) -> None:
        """Settle a ring: as it can only be; else all that move round do, or the convoys in it are broken."""
        found = list(self.solutions(ring))
        convoys = [one for one in ring if one.kind == "convoy"]
        if len({tuple(one[key] for key in convoys) for one in found}) != 1:
            self.break_convoys(convoys or ring)
        else:
            best = max(found, key=lambda one: sum(one.values()))
            self.settled |= best
            self.round |= {one.of for one, so in best.items() if one.kind == "move" and so}

    @rule("DP-CON-05")
    def break_convoys(self, convoys: Collection[Decision]) -> None:
        """Szykman's rule: of convoys that cannot be judged none holds."""
        self.settled |= dict.fromkeys(convoys, False)
        self.paradox |= {one.of for one in convoys}

    def solutions(self, ring: list[Decision]) -> Iterator[dict[Decision, bool]]:
        """Every way in which the decisions of a ring may be so, all at once."""
        before = dict(self.settled)
        left = self.spread(ring)
        if left:
            for guess in (True, False):
                self.settled = {**self.settled, left[0]: guess}
                yield from self.solutions(ring)
                self.settled.pop(left[0], None)
        elif all(DECIDE[one.kind](self, one.of) is self.settled[one] for one in ring):
            yield {one: self.settled[one] for one in ring}
        self.settled = before

    # -------------------------------------------------------------- what is asked

    @rule("DP-CON-03")
    def convoy(self, at: str) -> Truth:
        """Whether fleets carry an army all the way: those ordered to, that are not dislodged."""
        carriers = self.convoys.get(at, ())
        out = {one: self.driven(one) for one in carriers}
        if not sails(self.board, at, self.moves[at], [one for one in carriers if not out[one]]):
            return False
        return True if sails(self.board, at, self.moves[at], [one for one in carriers if out[one] is False]) else None

    def driven(self, at: str) -> Truth:
        """Whether a unit that does not move is dislodged."""
        return _any(self.known(Decision("move", other)) for other in self.into.get(at, ()))

    def arrives(self, at: str) -> Truth:
        """Whether a move gets to where it must fight for the province."""
        return self.known(Decision("convoy", at)) if self.ways[at] == "sea" else True

    def sails(self, at: str) -> Truth:
        """Whether a move goes over the sea."""
        way = self.ways[at]
        return self.known(Decision("convoy", at)) if way == "either" else way == "sea"

    @rule("DP-MOV-04")
    def head_on(self, at: str) -> Truth:
        """Whether a move meets the unit of its goal half way, which comes from there over the same border."""
        end = self.moves[at]
        if self.moves.get(end) != at:
            return False
        return _not(_any((self.sails(at), self.sails(end))))

    @rule("DP-SUP-02")
    def support(self, at: str) -> Truth:
        """Whether a support is given: its unit is attacked by no other side, but from where it helps, nor dislodged."""
        deed = self.deeds[at]
        front = province_of(deed.to or deed.of)
        cut = (
            self.known(Decision("move", other)) if other == front else self.arrives(other)
            for other in self.into.get(at, ())
            if self.units[other].side != self.units[at].side
        )
        return _not(_any(cut))

    def help(self, at: str, against: Role | None = None) -> Strength:
        """The unit itself and the supports that it is given; without those of a side that would drive out its own."""
        least = most = 1
        for one in self.helpers.get(at, ()):
            if self.units[one].side == against:
                continue
            given = self.known(Decision("support", one))
            least += given is True
            most += given is not False
        return least, most

    @rule("DP-MOV-03")
    def attack(self, at: str) -> Strength:
        """With what strength a move attacks: with none a unit of its own side that stays."""
        arrives = self.arrives(at)
        if arrives is False:
            return NONE
        end = self.moves[at]
        there = self.units.get(end)
        strength = self.help(at)
        if there is not None:
            stays = NONE if there.side == self.units[at].side else self.help(at, there.side)
            strength = _between(self.leaves(end, at), strength, stays)
        return strength if arrives else (0, strength[1])

    def leaves(self, end: str, at: str) -> Truth:
        """Whether the unit in a province goes away, and not against the one that comes."""
        if end not in self.moves:
            return False
        gone, met = self.known(Decision("move", end)), self.head_on(at)
        return False if gone is False or met else (None if gone is None or met is None else True)

    @rule("DP-MOV-02")
    def hold(self, end: str) -> Strength:
        """With what strength a province is held."""
        if end not in self.units:
            return NONE
        if end in self.moves:
            return _between(self.known(Decision("move", end)), NONE, (1, 1))
        return self.help(end)

    def prevent(self, at: str) -> Strength:
        """With what strength a move keeps others from its goal: with none if it was thrown back from there itself."""
        arrives = self.arrives(at)
        if arrives is False:
            return NONE
        strength = self.help(at)
        end = self.moves[at]
        beaten = self.known(Decision("move", end)) if self.moves.get(end) == at else False
        if beaten is not False:
            lost = _any((_not(beaten), _not(self.head_on(at))))
            strength = _between(lost, strength, NONE)
        return strength if arrives else (0, strength[1])

    def move(self, at: str) -> Truth:
        """Whether a move succeeds: it is stronger than who holds its goal, and than each other that goes there."""
        end = self.moves[at]
        against = [self.prevent(other) for other in self.into[end] if other != at]
        against.append(_between(self.head_on(at), self.help(end), self.hold(end)) if end in self.units else NONE)
        least, most = self.attack(at)
        if most <= max(low for low, _ in against):
            return False
        return True if least > max(high for _, high in against) else None

    # -------------------------------------------------------------- what came of it

    def findings(self) -> Findings:
        """What became of every unit, when all is settled."""
        gone = {at for at in self.moves if self.settled[Decision("move", at)]}
        driven: dict[str, str] = {}
        for at in gone:
            end = self.moves[at]
            if end in self.units and end not in gone:
                driven[end] = "" if self.sails(at) else at
        fates = {at: self.fate(at, driven) for at in self.units}
        sailed = frozenset(at for at in gone if self.sails(at))
        return Findings(fates, dict(sorted(driven.items())), tuple(sorted(self.contested(gone))), sailed, self.cited())

    def fate(self, at: str, driven: Mapping[str, str]) -> Fate:
        """What became of the order of a unit."""
        if at in self.illegal:
            return "illegal"
        deed = self.deeds[at]
        if deed.kind == "move":
            return self.moved(at)
        if deed.kind in ("support", "convoy") and not self.fits(deed):
            return "void"
        if deed.kind == "support":
            return "done" if self.settled[Decision("support", at)] else "cut"
        return "dislodged" if at in driven else "done"

    def moved(self, at: str) -> Fate:
        """What became of a move."""
        if self.settled[Decision("move", at)]:
            return "done"
        if self.arrives(at):
            return "bounced"
        if at in self.paradox:
            return "paradox"
        return "broken" if sails(self.board, at, self.moves[at], self.convoys.get(at, ())) else "no_convoy"

    def cited(self) -> dict[str, tuple[str, ...]]:
        """The rules that shaped what became of each move."""
        shaped: dict[str, tuple[str, ...]] = {}
        for at, way in self.ways.items():
            asked = {
                "DP-MAP-01": way == "land",
                "DP-CON-01": way != "land",
                "DP-CON-03": way != "land",
                "DP-CON-04": self.deeds[at].to in self.board.army.get(at, ()) and at in self.convoys,
                "DP-CON-05": at in self.paradox,
                "DP-MOV-03": self.moves[at] in self.units,
                "DP-MOV-04": self.moves.get(self.moves[at]) == at,
                "DP-MOV-05": at in self.round,
                "DP-MOV-02": not self.settled[Decision("move", at)] and self.arrives(at) is not False,
            }
            shaped[at] = tuple(rule for rule, so in asked.items() if so)
        return shaped

    @rule("DP-RET-02")
    def contested(self, gone: Collection[str]) -> Iterator[str]:
        """The provinces that are empty because units met there: nobody may retreat to them."""
        filled = {self.moves[at] for at in gone} | {at for at in self.units if at not in gone}
        for end, others in self.into.items():
            if end not in filled and any(self.prevent(at)[0] for at in others):
                yield end


DECIDE: Mapping[str, Callable[[Court, str], Truth]] = {
    "move": Court.move,
    "support": Court.support,
    "convoy": Court.convoy,
}
