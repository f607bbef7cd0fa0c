"""What a system says of chances: beside the contract, and for nothing but to reckon.

Nothing here decides anything.  A system says of each attack that orders come to how its dice fall, by the tables and
functions by which it fights; here every fall is weighed, or, where they are too many, some are thrown.  What is asked
of a mind is answered from it alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from pbem.kernel.dice import Dice, face
from pbem.kernel.names import Role

if TYPE_CHECKING:
    from pbem.rules.contract import World

Scene = TypeVar("Scene")
State = TypeVar("State")
Mind = TypeVar("Mind")
Order = TypeVar("Order")

MOST = 20_000
"""So many falls of dice are weighed at the most; of an attack that has more, some are thrown."""
THROWN = 2_000
"""So many are thrown then."""

Worth = Callable[[int], tuple[int, ...]]
"""What one face of a die counts for; those of several dice are added place by place."""


class Tray(Protocol):
    """Where the dice of an attack fall."""

    def face(self, sides: int = 6, /) -> int:
        """One die: 1 to *sides*."""
        ...

    def total(self, sides: int, count: int, worth: Worth, /) -> tuple[int, ...]:
        """So many dice that are read together: the sum of what they are worth."""
        ...


class Came(NamedTuple):
    """What came of an attack."""

    what: str
    """In words that fit into `4 in 6: the square is taken`."""
    good: bool = False
    """Whether it is what the attack was for."""
    lost: int = 0
    """What the other side lost by it, in the attack's own measure."""


Standing = Hashable
"""Where an attack stands between throws; `Came` when it is over."""


On = Callable[[Any, Tray], Standing]  # type: ignore[explicit-any] # each attack stands in ways of its own
"""From where an attack stands to the next place where it may stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack that orders come to, and how its dice fall."""

    line: int
    """Of the sheet."""
    kind: str
    """`charge`, `fire`: the system's own word."""
    what: str
    """Who attacks whom: `f7+f8 charge H-8`."""
    good: str
    """What it is for: `to take it`."""
    on: On
    """What comes next: what stands equal goes on alike, and is weighed once."""
    begins: Standing = None
    measure: str = ""
    """What *lost* counts: `men`; empty: nothing is."""
    given: str = ""
    """What is taken for granted, because it is not known: `if nobody else is there`."""


class Outcome(Struct, frozen=True):
    """One thing that may come of an attack."""

    what: str
    chance: Fraction
    good: bool = False


class Odds(Struct, frozen=True, kw_only=True):
    """The chances of an attack."""

    line: int
    kind: str
    what: str
    good: str
    chance: Fraction
    """Of what it is for."""
    lost: Fraction
    """What the other side loses on the average."""
    measure: str
    given: str
    exact: bool
    """False: some falls of dice were thrown, and not all weighed."""
    outcomes: tuple[Outcome, ...]
    """All that may come of it, the likeliest first; together 1."""

    @property
    def clause(self) -> str:
        """In short: `odds: 4 in 6 to take it`."""
        about = "" if self.exact else "about "
        said = f"odds: {about}{fraction_words(self.chance, exact=self.exact)} {self.good}"
        if self.measure and self.lost:
            tenths = round(10 * self.lost)
            said += f", {tenths // 10}.{tenths % 10} {self.measure} on the average"
        return f"{said}, {self.given}" if self.given else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances(Generic[Scene, State, Mind, Order]):
    """What a system says of chances, as a record of pure functions."""

    attacks: Callable[[Scene, State | Mind, Role, Sequence[Order]], Sequence[Attack]]
    """The attacks that orders of a role come to as things stand: by what it knows; or, for the GM, as they truly are.

    Of an attack of which too much is not known there is none.
    """
    suppose: Callable[[Scene, Mind, Role, Dice], World[State, Mind]] | None = None
    """A whole world in which this role knows what it knows, to the byte; the rest filled in by the rules' own freedom
    of set-up, and never by what is so.  None: the system cannot."""
    cannot: str = ""
    """Why it cannot."""


def fraction_words(chance: Fraction, *, exact: bool = True) -> str:
    """A chance as players say it.

    >>> [fraction_words(Fraction(*one)) for one in [(2, 3), (5, 36), (3, 20), (1, 1), (1, 1296)]]
    ['4 in 6', '5 in 36', '15 %', 'sure', 'less than 1 %']
    """
    if exact and chance in (0, 1):
        return "sure" if chance else "no chance"
    for whole in (6, 36) if exact else ():
        if whole % chance.denominator == 0:
            return f"{chance * whole} in {whole}"
    percent = round(100 * chance)
    if percent in (0, 100):
        return "less than 1 %" if not percent else "more than 99 %"
    return f"{percent} %"


def odds(attack: Attack, most: int = MOST) -> Odds:
    """The chances of *attack*: every fall of its dice weighed; if there are more than *most*, some thrown.

    The same attack always has the same.
    """
    weights = weigh(attack, most)
    exact = weights is not None
    if weights is None:
        thrown = sample(attack, THROWN, _draw)
        weights = {came: Fraction(number, THROWN) for came, number in thrown.items()}
    said: dict[tuple[str, bool], Fraction] = {}
    for came, weight in weights.items():
        said[came.what, came.good] = said.get((came.what, came.good), Fraction(0)) + weight
    return Odds(
        line=attack.line,
        kind=attack.kind,
        what=attack.what,
        good=attack.good,
        chance=sum((weight for came, weight in weights.items() if came.good), Fraction(0)),
        lost=sum((came.lost * weight for came, weight in weights.items()), Fraction(0)),
        measure=attack.measure,
        given=attack.given,
        exact=exact,
        outcomes=tuple(
            Outcome(what, chance, good)
            for (what, good), chance in sorted(said.items(), key=lambda one: (-one[1], one[0]))
        ),
    )


# ------------------------------------------------------------------ every fall


Fallen = tuple[int, ...]
"""What dice have come to: the face of one, or the sum of what several are worth."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Dice that an attack throws: one, or several that are read together."""

    sides: int
    number: int = 1
    worth: Worth = lambda face: (face,)

    def falls(self) -> Mapping[Fallen, Fraction]:
        """All that they may come to, with its weight."""
        return _summed(tuple(self.worth(one) for one in range(1, self.sides + 1)), self.number)

    def fallen(self, draw: Callable[[int], int]) -> Fallen:
        """What they come to when *draw* throws each of them."""
        return _added([(0,) * len(self.worth(1)), *(self.worth(draw(self.sides)) for _ in range(self.number))])


def _added(values: Sequence[Fallen]) -> Fallen:
    return tuple(map(sum, zip(*values, strict=True)))


@lru_cache(maxsize=256)
def _summed(faces: tuple[Fallen, ...], count: int) -> Mapping[Fallen, Fraction]:
    """What so many dice of such faces come to, by convolution."""
    ways = {(0,) * len(faces[0]): 1}
    for _ in range(count):
        more: Counter[Fallen] = Counter()
        for so_far, number in ways.items():
            for one in faces:
                more[_added((so_far, one))] += number
        ways = more
    whole = len(faces) ** count
    return {total: Fraction(number, whole) for total, number in sorted(ways.items())}


class _More(Exception):
    """Raised where the dice that are laid ready are at an end."""

    def __init__(self, asked: _Asked) -> None:
        super().__init__(asked)
        self.asked = asked


class _Laid:
    """Dice that lie as they were laid."""

    def __init__(self, lie: Sequence[Fallen]) -> None:
        self._lie = iter(lie)

    def face(self, sides: int = 6, /) -> int:
        return self._next(_Asked(sides))[0]

    def total(self, sides: int, count: int, worth: Worth, /) -> Fallen:
        return self._next(_Asked(sides, count, worth))

    def _next(self, asked: _Asked) -> Fallen:
        for lies in self._lie:
            return lies
        raise _More(asked)


def _onwards(attack: Attack, state: Standing) -> Iterator[tuple[Standing, Fraction]]:
    """Where an attack may stand next, with the weight of each fall that leads there."""
    ready: list[tuple[tuple[Fallen, ...], Fraction]] = [((), Fraction(1))]
    while ready:
        lie, weight = ready.pop()
        try:
            yield attack.on(state, _Laid(lie)), weight
        except _More as more:
            ready += [((*lie, fallen), weight * share) for fallen, share in more.asked.falls().items()]


def weigh(attack: Attack, most: int = MOST) -> dict[Came, Fraction] | None:
    """All that may come of *attack*, with its weight; None if there are more falls of dice to weigh than *most*."""
    over: dict[Came, Fraction] = {}
    stands: dict[Standing, Fraction] = {attack.begins: Fraction(1)}
    seen = 0
    while stands:
        following: dict[Standing, Fraction] = {}
        for state, weight in stands.items():
            for then, share in _onwards(attack, state):
                seen += 1
                if seen > most:
                    return None
                if isinstance(then, Came):
                    over[then] = over.get(then, Fraction(0)) + weight * share
                else:
                    following[then] = following.get(then, Fraction(0)) + weight * share
        stands = following
    return over


# ------------------------------------------------------------------ some falls


def sample(attack: Attack, count: int, draw: Callable[[int, int], int]) -> Counter[Came]:
    """What came of *attack* so many times; *draw* gives the die of a number (from 0) and of so many sides.

    Where the same dice have fallen before, what came of them is not asked again.
    """
    known: dict[tuple[Standing, tuple[Fallen, ...]], _Asked | Standing] = {}
    numbers = iter(range(2**63))

    def die(sides: int) -> int:
        return draw(next(numbers), sides)

    def fall() -> Came:
        state, lie = attack.begins, tuple[Fallen, ...]()
        while True:
            if (state, lie) not in known:
                known[state, lie] = _step(attack, state, lie)
            found = known[state, lie]
            if isinstance(found, _Asked):
                lie = (*lie, found.fallen(die))
            elif isinstance(found, Came):
                return found
            else:
                state, lie = found, ()

    return Counter(fall() for _ in range(count))


def _step(attack: Attack, state: Standing, lie: tuple[Fallen, ...]) -> _Asked | Standing:
    try:
        return attack.on(state, _Laid(lie))
    except _More as more:
        return more.asked


_SEED = hashlib.sha256(b"odds").digest()
"""Nothing hangs on it: the same attack always has the same odds."""


def _draw(number: int, sides: int) -> int:
    return face(_SEED, "odds", number + 1, sides)
