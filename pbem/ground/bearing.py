"""Bearings: whole hundredths of a degree, clockwise from north, and their sines, cosines, names and text forms.

Everything is reckoned in whole numbers, the sines as well, so that it comes out the same on every machine: no
mathematical library is asked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache

DEGREE = 100
"""Hundredths in a degree: `45 * DEGREE`."""
HALF = 180 * DEGREE
FULL = 360 * DEGREE

COMPASS = (
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
)  # fmt: skip
"""The sixteen points, clockwise from north: 22.5 degrees from one to the next."""

UNIT = 1 << 40
"""What a sine of one is."""

_FINE = 1 << 64
_PI = 314159265358979323846264338327950288419
_PI_ONE = 10**38

_DEGREES = re.compile(r"(?:bearing\s*)?(\d{1,3})(?:\.(\d{1,2}))?\s*°?", re.IGNORECASE)
_QUADRANT = re.compile(r"([ns])\s*(\d{1,2})(?:\.(\d{1,2}))?\s*°?\s*([ew])", re.IGNORECASE)


def rounded(number: int, by: int) -> int:
    """*number* divided by *by*, to the nearest whole; a half goes away from zero, so that what is mirrored stays so.

    >>> rounded(7, 2), rounded(-7, 2), rounded(6, 4), rounded(5, 4)
    (4, -4, 2, 1)
    """
    if by < 0:
        number, by = -number, -by
    return (2 * number + by) // (2 * by) if number >= 0 else -((by - 2 * number) // (2 * by))


@cache
def _sine(halves: int) -> int:
    """The sine of *halves* half hundredths of a degree, from 0 to 9000 hundredths."""
    if halves > HALF // 2:
        return _cosine(HALF - halves)
    angle = halves * _PI * _FINE // (FULL * _PI_ONE)
    return _series(angle, angle, 2)


def _cosine(halves: int) -> int:
    if halves > HALF // 2:
        return _sine(HALF - halves)
    return _series(halves * _PI * _FINE // (FULL * _PI_ONE), _FINE, 1)


def _series(angle: int, term: int, first: int) -> int:
    """The sum of *term*, and each of its followers by Taylor, in parts of `UNIT`."""
    total, n, square = 0, first, angle * angle // _FINE
    while term:
        total += term
        term = -(abs(term) * square // (_FINE * n * (n + 1))) * (1 if term > 0 else -1)
        n += 2
    return rounded(total * UNIT, _FINE)


def sine(bearing: int) -> int:
    """The sine of *bearing*, in parts of `UNIT`: how far east one goes on it.

    >>> sine(90 * DEGREE) == UNIT, sine(30 * DEGREE) * 2 == UNIT, sine(180 * DEGREE)
    (True, True, 0)
    """
    at = bearing % FULL
    if at >= HALF:
        return -sine(at - HALF)
    return _sine(2 * min(at, HALF - at))


def cosine(bearing: int) -> int:
    """The cosine of *bearing*, in parts of `UNIT`: how far north one goes on it."""
    return sine(bearing + HALF // 2)


@lru_cache(maxsize=1)
def _tangents() -> list[int]:
    """The tangent halfway between each two bearings from 0 to 45 degrees: beyond it the larger is nearer."""
    return [-(-_sine(halves) * _FINE // _cosine(halves)) for halves in range(1, HALF // 2, 2)]


def bearing_of(east: int, north: int) -> int:
    """The bearing of a step, to the nearest hundredth; 0 for none.

    >>> bearing_of(0, 5), bearing_of(3, 3), bearing_of(-1, 0), bearing_of(1, 2)
    (0, 4500, 27000, 2657)
    """
    across, along = abs(east), abs(north)
    if not across and not along:
        return 0
    first = bisect_right(_tangents(), min(across, along) * _FINE // max(across, along))
    quarter = HALF // 2 - first if across > along else first
    if north < 0:
        quarter = HALF - quarter
    return (FULL - quarter) % FULL if east < 0 else quarter


def turned(bearing: int, by: int) -> int:
    """*bearing* after a turn *by* so much, to the right if it is above 0.

    >>> turned(350 * DEGREE, 20 * DEGREE)
    1000
    """
    return (bearing + by) % FULL


def turn(start: int, end: int) -> int:
    """The shorter turn from *start* to *end*: above 0 to the right, below to the left; a half turn is to the right.

    >>> turn(350 * DEGREE, 10 * DEGREE), turn(0, 270 * DEGREE), turn(0, 180 * DEGREE)
    (2000, -9000, 18000)
    """
    by = (end - start) % FULL
    return by - FULL if by > HALF else by


def off(start: int, end: int) -> int:
    """How far two bearings are apart, either way: 0 to 180 degrees."""
    return abs(turn(start, end))


def opposite(bearing: int) -> int:
    """The bearing the other way about."""
    return turned(bearing, HALF)


def compass(bearing: int, points: int = 16) -> str:
    """The nearest of 4, 8 or 16 points of the compass; halfway between two, the next clockwise.

    >>> compass(44 * DEGREE), compass(44 * DEGREE, 8), compass(354 * DEGREE, 4)
    ('NE', 'NE', 'N')
    """
    step = FULL // points
    return COMPASS[(2 * (bearing % FULL) + step) // (2 * step) % points * (16 // points)]


def parse_bearing(text: str) -> int | None:
    """Read a point of the compass, degrees or a quadrant; None if it is none of them.

    >>> [parse_bearing(text) for text in ("nne", "240", "bearing 7.5", "N 45 E", "S 10 W", "361", "up")]
    [2250, 24000, 750, 4500, 19000, None, None]
    """
    words = text.strip()
    if words.upper() in COMPASS:
        return COMPASS.index(words.upper()) * FULL // 16
    if found := _DEGREES.fullmatch(words):
        said = _hundredths(found[1], found[2])
        return said % FULL if said <= FULL else None
    if found := _QUADRANT.fullmatch(words):
        aside = _hundredths(found[2], found[3])
        if aside > HALF // 2:
            return None
        aside = aside if found[4] in "eE" else -aside
        return (aside if found[1] in "nN" else HALF - aside) % FULL
    return None


def _hundredths(whole: str, part: str | None) -> int:
    return int(whole) * DEGREE + int((part or "").ljust(2, "0"))


def show_bearing(bearing: int) -> str:
    """A bearing as it is written: a point of the compass where it is one, else degrees; `parse_bearing` reads it.

    >>> [show_bearing(degrees * DEGREE // 10) for degrees in (0, 225, 2700, 373)]
    ['N', 'NNE', 'W', '37.3']
    """
    if bearing % (FULL // 16) == 0:
        return COMPASS[bearing % FULL * 16 // FULL]
    whole, part = divmod(bearing % FULL, DEGREE)
    return f"{whole}.{part:02}".rstrip("0").rstrip(".")
