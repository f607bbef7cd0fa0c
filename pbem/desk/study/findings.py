"""What many games came to: shares, spreads, and how sure they are.

Shares have Wilson's interval, means Student's, both at 95 %.  Quartiles are those of `statistics.quantiles`,
inclusive.  Everything is rounded to what a reader can use, so that a study is the same text on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean, quantiles, stdev

import msgspec
from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Option

NOBODY, UNFINISHED, BROKEN = "nobody", "unfinished", "broken"
"""What a game comes to that no side has won: a draw; not over when the study ends it; the rules failed."""
CONFIDENCE = 0.95
DIGITS = 4

_Z: float = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Course(Struct, frozen=True, kw_only=True):
    """One game."""

    number: int
    result: str
    """Who won; or `nobody`, `unfinished`, `broken`."""
    how: str
    turns: int
    """The last that was played; 0 if it never left set-up."""
    changed: Mapping[str, int] = {}
    """By the system's names of what is conserved: how many whole ones at the end, less how many after set-up."""


class Share(Struct, frozen=True):
    """How many games came to one result, and between what bounds its share of all games lies."""

    result: str
    games: int
    share: float
    low: float
    high: float


class Spread(Struct, frozen=True):
    """How numbers are spread; *low* and *high* bound the mean, and are None where there are fewer than three."""

    mean: float
    low: float | None
    high: float | None
    least: float
    lower: float
    median: float
    upper: float
    most: float


class Said(Struct, frozen=True):
    """A line of standing orders: how often it was sent where its kind counts, how often taken, why first it was not."""

    role: Role
    line: int
    text: str
    sent: int
    taken: int
    why: str = ""


class Orders(Struct, frozen=True):
    """By what a role was played: the name of a doctrine, and the digest of its lines."""

    doctrine: str
    digest: str


class Rules(Struct, frozen=True):
    """By what rules was played; *content* is the hash of their sources and data."""

    system: str
    version: str
    content: str


class Study(Struct, frozen=True, kw_only=True):
    """A scenario studied: what was asked, and what came of it."""

    scenario: str
    digest: str
    rules: Rules
    options: Mapping[str, Option]
    orders: Mapping[Role, Orders]
    seed: str
    turns: int
    """Past this turn a game is not played."""
    games: int
    played: int
    """Less than *games* if it was broken off."""
    shares: tuple[Share, ...]
    length: Spread | None
    """In turns, of the games that ended; None if none did."""
    changed: Mapping[str, Spread]
    said: tuple[Said, ...]
    each: tuple[Course, ...]
    start: str = ""
    """The position of a campaign from which they were played; empty: the beginning of the scenario."""

    @property
    def sides(self) -> tuple[Share, ...]:
        """The shares of those who can win."""
        return tuple(share for share in self.shares if share.result not in (NOBODY, UNFINISHED, BROKEN))

    def share(self, result: str) -> Share:
        """The share of *result*, which may be that of no game."""
        none = Share(result, 0, 0.0, *wilson(0, self.played))
        return next((share for share in self.shares if share.result == result), none)


def as_json(study: Study) -> bytes:
    """*study* as a file; one study has one text."""
    return msgspec.json.format(msgspec.json.encode(study), indent=2) + b"\n"


def from_json(raw: bytes, where: str) -> Study:
    """The study in a file, *where* for errors.

    :raises Refused: if it is none.
    """
    try:
        return msgspec.json.decode(raw, type=Study)
    except msgspec.MsgspecError as error:
        raise Refused(f"{where} is no study as --json writes it: {error}.") from None


def shares(courses: Sequence[Course], roles: Iterable[Role]) -> tuple[Share, ...]:
    """The share of each result that there was, and of each side of *roles* that never won; the greatest first."""
    counted = Counter(course.result for course in courses)
    winners = {result for result in counted if result not in (NOBODY, UNFINISHED, BROKEN)}
    # `blue.cavalry` is of the side `blue`; where winners bear other names, who else there is cannot be told.
    sides = {role.partition(".")[0] for role in roles}
    names = {*counted, *(sides if winners <= sides else ())}
    total = len(courses)
    return tuple(
        Share(name, counted[name], round(counted[name] / total, DIGITS), *wilson(counted[name], total))
        for name in sorted(names, key=lambda name: (-counted[name], name))
    )


def wilson(count: int, total: int) -> tuple[float, float]:
    """The bounds of a share by Wilson's score interval (E. B. Wilson, 1927).

    >>> wilson(45, 100), wilson(0, 10)
    ((0.3561, 0.5476), (0.0, 0.2775))
    """
    if not total:
        return 0.0, 1.0
    share, square = count / total, _Z * _Z
    middle = share + square / (2 * total)
    reach = _Z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    bounds = ((middle + sign * reach) / (1 + square / total) for sign in (-1, 1))
    low, high = (round(min(max(bound, 0.0), 1.0), DIGITS) for bound in bounds)
    return low, high


def student(freedom: int) -> float:
    """The quantile of Student's distribution for 95 % on both sides, by its expansion about the normal one.

    Abramowitz and Stegun 26.7.5; with two degrees of *freedom* it is 1 % too small, with more it is better.

    >>> [round(student(freedom), 3) for freedom in (4, 9, 29, 10_000)]
    [2.776, 2.262, 2.045, 1.96]
    """
    terms: tuple[float, ...] = (
        (_Z**3 + _Z) / 4,
        (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96,
        (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384,
        (79 * _Z**9 + 776 * _Z**7 + 1482 * _Z**5 - 1920 * _Z**3 - 945 * _Z) / 92160,
    )
    return _Z + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))


def spread(values: Sequence[int]) -> Spread:
    """How *values*, of which there is one at least, are spread."""
    mean, count = fmean(values), len(values)
    reach = student(count - 1) * stdev(values) / sqrt(count) if count > 2 else None
    lower, median, upper = quantiles(values, n=4, method="inclusive") if count > 1 else (values[0],) * 3
    return Spread(
        round(mean, DIGITS),
        None if reach is None else round(mean - reach, DIGITS),
        None if reach is None else round(mean + reach, DIGITS),
        *(round(float(value), DIGITS) for value in (min(values), lower, median, upper, max(values))),
    )


def length(courses: Iterable[Course]) -> Spread | None:
    """How many turns the games took that ended; None if none did."""
    turns = [course.turns for course in courses if course.result not in (UNFINISHED, BROKEN)]
    return spread(turns) if turns else None


def changed(courses: Sequence[Course]) -> dict[str, Spread]:
    """How everything that is counted changed, where it did in any game."""
    whole = [course.changed for course in courses if course.result != BROKEN]
    names = {name: None for one in whole for name, more in one.items() if more}
    return {name: spread([one.get(name, 0) for one in whole]) for name in sorted(names)}


def same(one: Share, other: Share) -> bool:
    """Whether the intervals of two shares overlap, so that chance alone may have made the difference."""
    return one.low <= other.high and other.low <= one.high


def fairness(study: Study, most: float) -> str:
    """Whether no side wins more than the share *most* of the games, as far as these tell."""
    for share in study.sides:
        if share.low > most:
            return f"{share.result} wins more than {100 * most:.0f} %: {100 * share.low:.0f} % at least."
    open_to = [share.result for share in study.sides if share.high > most]
    if not open_to:
        return f"No side wins more than {100 * most:.0f} %."
    who = " or ".join(open_to)
    return f"Whether {who} wins more than {100 * most:.0f} % of all games cannot be told from {study.played} of them."
