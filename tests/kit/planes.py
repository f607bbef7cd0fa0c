"""Continuous ground with every sign, every line and every age of knowledge once, and a field of heights."""

from __future__ import annotations

import math
from typing import Literal

from pbem.ground.picture import (
    Arc,
    Area,
    Certainty,
    Label,
    Mark,
    Picture,
    Plane,
    Point,
    Relief,
    SideStyle,
    Tint,
    Track,
    Troop,
    Way,
)  # fmt: skip

WIDE, HIGH = 4000, 3000


def _at(east: int, north: int) -> Point:
    return (east, HIGH - north)


def _line(*points: tuple[int, int]) -> tuple[Point, ...]:
    return tuple(_at(*point) for point in points)


def _height(column: int, row: int) -> int:
    """Two round hills."""
    one = 60 * math.exp(-((column - 9) ** 2 + (row - 8) ** 2) / 18)
    other = 35 * math.exp(-((column - 30) ** 2 + (row - 20) ** 2) / 30)
    return round(one + other)


RELIEF = Relief(100, tuple(tuple(_height(i, j) for i in range(WIDE // 100 + 1)) for j in range(HIGH // 100 + 1)), 6)

AREAS = (
    Area("wood", _line((200, 2300), (900, 2350), (850, 2800), (250, 2750))),
    Area("thicket", _line((950, 2400), (1300, 2400), (1300, 2750), (950, 2700))),
    Area("swamp", _line((2300, 1250), (3000, 1200), (3050, 1450), (2350, 1400))),
    Area("garden", _line((1500, 850), (1900, 850), (1900, 1000), (1500, 1000))),
    Area("rough", _line((3300, 2300), (3700, 2300), (3700, 2600), (3300, 2600))),
    Area("field", _line((3300, 100), (3800, 100), (3800, 400), (3300, 400))),
    Area("water", _line((3500, 1700), (3700, 1750), (3600, 1900))),
    Area("hill", _line((200, 200), (900, 200), (900, 700), (200, 700))),
    Area("town", _line((1500, 1000), (1950, 1000), (1950, 1350), (1500, 1350)), stone=True, walled=True),
    Area("town", _line((3000, 600), (3300, 600), (3300, 850), (3000, 850))),
)
WAYS = (
    Way("river", _line((0, 1600), (900, 1500), (1750, 1550), (2800, 1650), (4000, 1500)), width=60),
    Way("stream", _line((2700, 3000), (2600, 2300), (2500, 1620)), width=6),
    Way("road", _line((1750, 3000), (1750, 1550), (1750, 0)), broad=True),
    Way("road", _line((0, 600), (1750, 700), (3150, 700), (4000, 900))),
    Way("rail", _line((0, 100), (2000, 150), (4000, 50))),
    Way("bridge", _line((1750, 1500), (1750, 1600))),
    Way("bridge", _line((2560, 2000), (2600, 2000)), ruined=True),
    Way("ford", _line((700, 1480), (700, 1560))),
    Way("wall", _line((3000, 1000), (3300, 1000))),
    Way("wall", _line((3350, 1000), (3500, 1000)), ruined=True),
    Way("hedge", _line((2900, 500), (3400, 500), (3400, 900))),
    Way("ditch", _line((2000, 400), (2700, 400))),
    Way("dike", _line((2000, 1480), (2300, 1500))),
    Way("trench", _line((1600, 1750), (1680, 1820), (1820, 1820), (1900, 1750))),
    Way("sunken", _line((1750, 2300), (1750, 2000))),
    Way("crest", _line((300, 450), (800, 450))),
)
LABELS = (
    Label("Muehlrode", _at(1300, 1150), "town"),
    Label("Galgenberg", _at(900, 2000), "hill"),
    Label("106", _at(900, 2200), "summit"),
    Label("Birkenbusch", _at(500, 2600), "wood"),
    Label("Lohe", _at(3200, 1650), "water"),
    Label("Kreuzweg", _at(1750, 700), "place"),
)


Arm = Literal["infantry", "jaeger", "cavalry", "guns", "limbered", "skirmish", "train", "officer", "chief"]
KINDS: tuple[tuple[Arm, int, int, int], ...] = (
    ("infantry", 250, 75, 2), ("jaeger", 125, 75, 1), ("cavalry", 200, 75, 2), ("guns", 200, 30, 4),
    ("limbered", 10, 150, 1), ("skirmish", 250, 40, 6), ("train", 40, 90, 1), ("officer", 0, 0, 1),
    ("chief", 0, 0, 1),
)  # fmt: skip
AGES: tuple[Certainty, ...] = ("now", "recent", "old", "stale")


def _row(side: SideStyle, north: int, bearing: int) -> tuple[Troop, ...]:
    return tuple(
        Troop(arm, side, _at(300 + 420 * i, north), bearing, front, depth, parts, label=f"{side} {arm}")
        for i, (arm, front, depth, parts) in enumerate(KINDS)
    )


_SEEN = tuple(
    Troop(
        "infantry", "first", _at(2100 + 420 * i, 2300), 200, 250, 75, 2,
        label=age, note="07:02, patrol", certainty=age,
    )
    for i, age in enumerate(AGES)
)  # fmt: skip
TROOPS = (
    *_row("first", 2900, 180),
    *_row("second", 250, 0),
    *_SEEN,
    Troop(
        "cavalry", "second", _at(1200, 1250), 30, 200, 150, 2, ranks=2,
        label="D2", note="believed", certainty="old", own=True,
    ),
    Troop(
        "infantry", "second", _at(1750, 900), 0, 75, 500, 4, label="column",
        trail=_line((1750, 900), (1750, 700), (1400, 680)),
    ),
    Troop("infantry", "first", _at(1750, 1720), 180, 250, 75, 2, badge="S", label="1/F"),
    *(Troop("infantry", "first", _at(1760, 1300 + 8 * i), 0, 60, 30, label=f"heap {i}", own=True) for i in range(3)),
    Troop("unknown", "second", _at(1500, 1500), 70, 90, 40, label="e1", note="07:20"),
    Troop("patrol", "second", _at(2050, 1500), label="e2", note="07:04, post", certainty="recent"),
    Troop("rider", "second", _at(1900, 1550), label="e3", note="06:50", certainty="old"),
    Troop("trace", "second", _at(2150, 1100), certainty="stale"),
    Troop("rider", "first", _at(1400, 1800)),
    Troop("officer", "first", _at(1500, 1750), label="you", own=True),
    Troop("chief", "first", _at(1760, 1330), label="Adler", note="06:10", certainty="old", own=True),
)  # fmt: skip

RIDE = _line((2600, 400), (3000, 700), (3800, 1000))

PLANE_MAP = Picture(
    title="The Lohe",
    whose="as known to the commander at 07:30",
    box=(0, 0, WIDE, HIGH),
    sides=("Blue", "Red"),
    plane=Plane(1, "paces", 500, "1 pace = 0.753 m", RELIEF),
    areas=AREAS,
    ways=WAYS,
    labels=LABELS,
    troops=TROOPS,
    arcs=(
        Arc("fire", "second", _at(1560, 250), 0, 45, 900, 100, (300, 600)),
        Arc("sight", "first", _at(1750, 1720), 180, 60, 700),
        Arc("sight", "second", _at(3400, 1200), 0, 180, 250, 0, (120,)),
    ),
    tints=(Tint("sight", "first", (_line((2500, 900), (2900, 1000), (2800, 1100)),)),),
    tracks=(
        Track("move", "first", _line((1400, 2700), (1700, 2200), (1750, 1900))),
        Track("retreat", "second", _line((1900, 600), (2200, 350))),
        Track("rifle", "first", _line((1750, 1720), (1650, 1200))),
        Track("artillery", "second", _line((1560, 250), (1700, 1000))),
        Track("charge", "first", _line((2500, 2700), (2500, 2400))),
        Track("marker", "second", _line((2700, 300), (2700, 800))),
        Track("messenger", "second", RIDE, label="paper 12", note="no receipt"),
    ),
    marks=(Mark("losses", _at(1800, 1800), 12), Mark("melee", _at(2000, 600)), Mark("found", _at(3600, 1300))),
    focus=(1200, 900, 2400, 2000),
    focus_caption="The bridge.",
    caption="The whole field.",
)
