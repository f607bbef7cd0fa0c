"""What a system says of chances: beside the contract, and for nothing but to reckon.

Nothing here decides anything.  A system says of each attack that orders come to how its dice fall, by the tables and
functions by which it fights; here every fall is weighed, or, where they are too many, some are thrown.  What is asked
of a mind is answered from it alone.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from pbem.kernel.dice import Dice, face
from pbem.kernel.names import Role

Scene = TypeVar("Scene")
State = TypeVar("State")
Mind = TypeVar("Mind")
Order = TypeVar("Order")

MOST = 6_000
"""So many falls of dice are weighed at the most for a receipt; of an attack that has more, some are thrown."""
THROWN = 1_000
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
    exact: bool = True

    @property
    def words(self) -> str:
        """Its chance: `4 in 6`."""
        return in_words(self.chance, exact=self.exact)


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
        said = f"odds: {in_words(self.chance, exact=self.exact)} {self.good}"
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
    suppose: Callable[[Scene, Mind, Role, Dice], tuple[State, Mapping[Role, Mind]]] | None = None
    """The truth and the minds of a whole world in which this role knows what it knows, to the byte; the rest is filled
    in by the rules' own freedom of set-up, by dice, and never by what is so.  None: the system cannot."""
    cannot: str = ""
    """Why it cannot."""


def in_words(chance: Fraction, *, exact: bool = True) -> str:
    """A chance as players say it, in sixths where it can be.

    >>> [in_words(Fraction(*one)) for one in [(2, 3), (5, 36), (3, 4), (1, 1), (1, 1296), (4, 27)]]
    ['4 in 6', '5 in 36', '3 in 4', 'sure', 'less than 1 %', '15 %']
    >>> in_words(Fraction(2, 3), exact=False), in_words(Fraction(1, 1296), exact=False)
    ('about 67 %', 'less than 1 %')
    """
    if exact and chance in (0, 1):
        return "sure" if chance else "no chance"
    if exact and chance.denominator in _PLAIN:
        whole = _DIE if _DIE % chance.denominator == 0 else chance.denominator
        return f"{chance * whole} in {whole}"
    percent = round(100 * chance)
    if percent in (0, 100):
        return "less than 1 %" if not percent else "more than 99 %"
    return f"{'' if exact else 'about '}{percent} %"


_DIE, _PLAIN = 6, (2, 3, 4, 5, 6, 8, 9, 10, 12, 18, 36)
"""What a chance is told in, where it can be; any other is told in percent."""


def odds(attack: Attack, most: int = MOST) -> Odds:
    """The chances of *attack*: every fall of its dice weighed; if there are more than *most*, some thrown.

    The same attack always has the same.
    """
    weights = weigh(attack, most)
    exact = weights is not None
    if weights is None:
        thrown = sample(attack, THROWN, _Drawn())
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
            Outcome(what, chance, good, exact)
            for (what, good), chance in sorted(said.items(), key=lambda one: (-one[1], one[0]))
        ),
    )


# ------------------------------------------------------------------ every fall


Fallen = tuple[int, ...]
"""What dice have come to: the face of one, or the sum of what several are worth."""


class Falls(NamedTuple):
    """All that some dice may come to, each in so many ways, and how many ways there are."""

    ways: Mapping[Fallen, int]
    whole: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Dice that an attack throws: one, or several that are read together."""

    sides: int
    number: int = 1
    worth: Worth = lambda face: (face,)

    def falls(self) -> Falls:
        """All that they may come to."""
        return _summed(tuple(self.worth(one) for one in range(1, self.sides + 1)), self.number)

    def read(self, faces: Sequence[int]) -> Fallen:
        """What they come to when they show these *faces*."""
        return _added([*map(self.worth, faces)] or [(0,) * len(self.worth(1))])


def _added(values: Sequence[Fallen]) -> Fallen:
    return tuple(map(sum, zip(*values)))  # noqa: B905 # all are of one length, and this is asked for each die


@lru_cache(maxsize=256)
def _summed(faces: tuple[Fallen, ...], count: int) -> Falls:
    """What so many dice of such faces come to, by convolution."""
    ways = {(0,) * len(faces[0]): 1}
    for _ in range(count):
        more: Counter[Fallen] = Counter()
        for so_far, number in ways.items():
            for one in faces:
                more[_added((so_far, one))] += number
        ways = more
    return Falls(dict(sorted(ways.items())), len(faces) ** count)


class _More(Exception):
    """Raised where the dice that are laid ready are at an end."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        self.asked = asked


class _Laid:
    """Dice that lie as they were laid."""

    def __init__(self, lie: Sequence[Fallen]) -> None:
        self._lie = iter(lie)

    def face(self, sides: int = 6, /) -> int:
        return self._next(Asked(sides))[0]

    def total(self, sides: int, count: int, worth: Worth, /) -> Fallen:
        return self._next(Asked(sides, count, worth))

    def _next(self, asked: Asked) -> Fallen:
        for lies in self._lie:
            return lies
        raise _More(asked)


def _onwards(attack: Attack, state: Standing) -> Iterator[tuple[Standing, int, int]]:
    """Where an attack may stand next, and in how many ways, of how many, the dice fall that lead there."""
    ready: list[tuple[tuple[Fallen, ...], int, int]] = [((), 1, 1)]
    while ready:
        lie, ways, whole = ready.pop()
        try:
            yield attack.on(state, _Laid(lie)), ways, whole
        except _More as more:
            falls = more.asked.falls()
            ready += [((*lie, one), ways * number, whole * falls.whole) for one, number in falls.ways.items()]


def weigh(attack: Attack, most: int = MOST) -> dict[Came, Fraction] | None:
    """All that may come of *attack*, with its weight; None if there are more falls of dice to weigh than *most*.

    Weights are counted in whole numbers, throw by throw, and become fractions only at the end: there are thousands.
    """
    over: dict[Came, Fraction] = {}
    stands: dict[Standing, int] = {attack.begins: 1}
    whole, seen = 1, 0
    while stands:
        fell: list[tuple[Standing, int, int]] = []
        for state, weight in stands.items():
            for then, ways, of in _onwards(attack, state):
                fell.append((then, weight * ways, of))
                if len(fell) + seen > most:
                    return None
        common = lcm(*{of for _, _, of in fell})
        seen, whole = seen + len(fell), whole * common
        following: dict[Standing, int] = {}
        for then, ways, of in fell:
            following[then] = following.get(then, 0) + ways * (common // of)
        for came in [one for one in following if isinstance(one, Came)]:
            over[came] = over.get(came, Fraction(0)) + Fraction(following.pop(came), whole)
        stands = following
    return over


# ------------------------------------------------------------------ some falls


def sample(attack: Attack, count: int, throw: Callable[[Asked], Fallen]) -> Counter[Came]:
    """What came of *attack* so many times, as *throw* throws its dice.

    Where the same dice have fallen before, what came of them is not asked again.
    """
    known: dict[tuple[Standing, tuple[Fallen, ...]], Asked | Standing] = {}

    def fall() -> Came:
        state, lie = attack.begins, tuple[Fallen, ...]()
        while True:
            if (state, lie) not in known:
                known[state, lie] = _step(attack, state, lie)
            found = known[state, lie]
            if isinstance(found, Asked):
                lie = (*lie, throw(found))
            elif isinstance(found, Came):
                return found
            else:
                state, lie = found, ()

    return Counter(fall() for _ in range(count))


def _step(attack: Attack, state: Standing, lie: tuple[Fallen, ...]) -> Asked | Standing:
    try:
        return attack.on(state, _Laid(lie))
    except _More as more:
        return more.asked


_SEED = hashlib.sha256(b"odds").digest()
"""Nothing hangs on it: the same attack always has the same odds."""
_WIDE = 2**63
"""So many ways have a number that one die of the kernel can throw."""


class _Drawn:
    """Dice drawn one lot after another, each by a single number where their ways are not too many for one."""

    def __init__(self) -> None:
        self._drawn = 0

    def _draw(self, sides: int) -> int:
        self._drawn += 1
        return face(_SEED, "odds", self._drawn, sides)

    def __call__(self, asked: Asked) -> Fallen:
        """What the dice come to."""
        falls = asked.falls()
        if falls.whole >= _WIDE:
            return asked.read([self._draw(asked.sides) for _ in range(asked.number)])
        sums = tuple(accumulate(falls.ways.values()))
        return tuple(falls.ways)[bisect_left(sums, self._draw(falls.whole))]
