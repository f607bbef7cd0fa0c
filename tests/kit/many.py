"""Games of many sides on every kind of map: each side with every sign, land of its own, and what it ordered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.hexes import Board, hex_at
from pbem.ground.honeycomb import box_of, middle, outline
from pbem.ground.picture import (
    SQUARE,
    STYLES,
    Arc,
    Area,
    Block,
    Cell,
    Flag,
    Grid,
    Honeycomb,
    Look,
    Mark,
    Picture,
    Plane,
    Point,
    Province,
    SideStyle,
    Site,
    Stack,
    Tint,
    Track,
    Troop,
)
from pbem.kernel.names import Moment
from pbem.rules.reel import TRUTH, Beat, Change, Figures, Reel, Seen, Side, between
from pbem.rules.view import Course, Told

NAMES = (
    "Austrian", "English", "French", "German", "Italian", "Russian",
    "Turkish", "Swedish", "Danish", "Polish", "Saxon", "Bavarian",
)  # fmt: skip
OWN = tuple(
    Look(f"powers-{name}", light=light, dark=dark)
    for name, light, dark in (
        ("austria", "#A01818", "#FF8C7C"),
        ("england", "#20308C", "#9CB4FF"),
        ("france", "#0A5C70", "#6CD8F0"),
        ("germany", "#141414", "#F4F0E0"),
        ("italy", "#2A6420", "#5CC84C"),
        ("russia", "#6C3C86", "#D8A8F8"),
        ("turkey", "#5C4400", "#F0D030"),
    )
)
"""Looks that a system brings for its seven sides."""


def _ring(box: tuple[int, int, int, int]) -> tuple[Point, ...]:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


# ---- A sheet of provinces ----

ACROSS, DOWN, EACH = 6, 4, 220


def _corner(column: int, row: int) -> Point:
    """A corner of the mesh, moved a little, but not along an edge of the sheet."""
    aside = (column * 37 + row * 53) % 71 - 35 if 0 < column < ACROSS else 0
    down = (column * 29 + row * 61) % 61 - 30 if 0 < row < DOWN else 0
    return (column * EACH + aside, row * EACH + down)


def _province(number: int, styles: Sequence[SideStyle]) -> Province:
    row, column = divmod(number, ACROSS)
    ring = tuple(_corner(column + x, row + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
    at = (sum(x for x, _ in ring) // 4, sum(y for _, y in ring) // 4)
    sea = number in (3, 9, 14)
    owned = not sea and number % 8 != 7
    return Province(
        key=f"P{number + 1}",
        rings=(ring,),
        at=(at[0] - 20, at[1] + 62),
        name=f"Sea {number + 1}" if sea else "",
        kind="water" if sea else "closed" if number == 20 else "land",
        side=styles[(number * 5 + row) % len(styles)] if owned and number != 20 else "none",
        centre=(at[0] - 66, at[1] - 50) if number % 2 == 0 and not sea and number != 20 else None,
    )


def _middle(one: Province) -> Point:
    return (one.at[0] + 20, one.at[1] - 62)


def sheet_of(styles: Sequence[SideStyle], looks: tuple[Look, ...] = ()) -> Picture:
    """Land and sea, armies and fleets, one driven out, orders of every kind."""
    provinces = tuple(_province(number, styles) for number in range(ACROSS * DOWN))
    places = [_middle(one) for one in provinces]
    armies = [one for one in range(len(provinces)) if provinces[one].kind == "land"][: len(styles) * 2 : 2]
    blocks = [
        Block("army", style, places[number], words=f"army of {style}", label="", parts=(f"a{number}",))
        for number, style in zip(armies, styles, strict=False)
    ]
    seas = [one for one in range(len(provinces)) if provinces[one].kind == "water"]
    blocks += [Block("fleet", style, places[number]) for number, style in zip(seas, styles[::-1], strict=False)]
    blocks.append(Block("army", styles[1], places[armies[0]], driven=True))
    tracks = (
        Track("move", styles[1], (places[armies[1]], places[armies[1] + 6])),
        Track("support", styles[0], (places[armies[0]], places[armies[0] + 7])),
        Track("convoy", styles[-1], (places[seas[0]], places[seas[0] + 7])),
        Track("move", styles[2 % len(styles)], (places[armies[2]], places[armies[2] + 5]), failed=True),
        Track("retreat", styles[-1], (places[16], places[22])),
    )
    return Picture(
        title=f"A world of {len(styles)} sides",
        whose="as it is",
        box=(0, 0, ACROSS * EACH, DOWN * EACH),
        sides=NAMES[: len(styles)],
        looks=looks,
        provinces=provinces,
        blocks=tuple(blocks),
        tracks=tracks,
        marks=(Mark("melee", places[armies[2] + 5]),),
    )


# ---- A board of squares ----


def squares_of(styles: Sequence[SideStyle]) -> Picture:
    """A row of squares for each side: every sign, and provinces below them."""

    def at(column: int, row: int) -> Point:
        return (column * SQUARE + SQUARE // 2, row * SQUARE + SQUARE // 2)

    ranks = ((Cell(3, 3), Cell(2, 3)), (Cell(3, 3), Cell(3, 3)))
    blocks = [
        block
        for row, style in enumerate(styles)
        for block in (
            Block("infantry", style, at(0, row), "1/F", ranks=ranks),
            Block("jaeger", style, at(1, row), ranks=ranks, bearing=60),
            Block("cavalry", style, at(2, row), ranks=((Cell(1, 1), Cell(1, 1)),), certainty="recent"),
            Block("gun", style, at(3, row), count=4),
            Block("chief", style, at(4, row), "C"),
            Block("card", style, at(5, row), count=2),
            Block("marker", style, at(6, row)),
            Block("army", style, at(7, row)),
        )
    ]
    tracks = [Track("move", style, (at(8, row), at(9, row))) for row, style in enumerate(styles)]
    tracks += [Track("rifle", style, (at(0, row), at(2, row))) for row, style in enumerate(styles)]
    provinces = tuple(
        Province(f"R{row + 1}", (_ring((800, row * SQUARE, 1000, (row + 1) * SQUARE)),), at(9, row), side=style)
        for row, style in enumerate(styles)
    )
    return Picture(
        title=f"A board of {len(styles)} sides",
        whose="as it is",
        box=(0, 0, 10 * SQUARE, len(styles) * SQUARE),
        sides=NAMES[: len(styles)],
        grid=Grid(SQUARE, tuple("ABCDEFGHIJ"), tuple(str(row) for row in range(len(styles), 0, -1))),
        provinces=provinces,
        blocks=tuple(blocks),
        tracks=tuple(tracks),
        focus=(0, 0, 5 * SQUARE, 3 * SQUARE),
    )


# ---- Hexes ----


def hexes_of(styles: Sequence[SideStyle]) -> Picture:
    """Two columns of hexes for each side: what it holds, where it stands, its towns and its ways."""
    board = Board((1, 2 * len(styles) + 1), (1, 6))
    lands, tints, stacks, sites, tracks, provinces = [], [], [], [], [], []
    for place, style in enumerate(styles):
        first = 2 * place + 1
        lands.append(Tint("land", style, outline([hex_at(c, r) for c in (first, first + 1) for r in range(1, 7)])))
        tints.append(Tint("held", style, outline([hex_at(first, 1), hex_at(first + 1, 1)])))
        tints.append(Tint("zone", style, outline([hex_at(first, 6), hex_at(first + 1, 6)])))
        provinces.append(
            Province(
                f"H{place}", outline([hex_at(c, 3) for c in (first, first + 1)]), middle(hex_at(first, 3)), side=style
            )
        )
        flags = (Flag(f"C{place + 1}", "corps"),)
        stacks.append(Stack(style, middle(hex_at(first, 4)), 12, worn=3, broken=2, staff=flags, key=f"c{place}"))
        stacks.append(Stack(style, middle(hex_at(first + 1, 5)), None, certainty="old"))
        sites.append(Site("fortress", middle(hex_at(first, 2)), f"F{place + 1}", side=style, figure=3))
        sites.append(Site("town", middle(hex_at(first + 1, 2)), f"T{place + 1}", side=style))
        steps = (hex_at(first, 6), hex_at(first, 5), hex_at(first, 4))
        tracks.append(Track("move", style, tuple(map(middle, steps))))
    return Picture(
        title=f"Hexes of {len(styles)} sides",
        whose="as it is",
        box=box_of(list(board)),
        sides=NAMES[: len(styles)],
        hexes=Honeycomb(board.columns, board.rows),
        tints=(*lands, *tints),
        provinces=tuple(provinces),
        sites=tuple(sites),
        stacks=tuple(stacks),
        tracks=tuple(tracks),
        focus=box_of([hex_at(c, r) for c in range(1, 6) for r in range(1, 7)]),
    )


# ---- Continuous ground ----


def plane_of(styles: Sequence[SideStyle]) -> Picture:
    """A strip of ground for each side: every arm, what it sees, its way."""
    wide, each = 4000, 420
    troops: list[Troop] = []
    provinces, tracks, arcs, tints = [], [], [], []
    for row, style in enumerate(styles):
        y = row * each + each // 2
        for place, arm in enumerate(
            ("infantry", "jaeger", "cavalry", "guns", "skirmish", "officer", "unknown", "patrol", "rider")
        ):
            troops.append(
                Troop(
                    arm,  # type: ignore[arg-type]  # these are arms
                    style,
                    (300 + place * 300, y),
                    bearing=(place * 40) % 120,
                    front=140,
                    depth=60,
                    parts=3,
                    label=f"{place + 1}" if place % 2 == 0 else "",
                    badge="2" if place == 0 else "",
                    key=f"{style}-{place}",
                )
            )
        box = (3100, row * each, wide, (row + 1) * each)
        provinces.append(Province(f"L{row + 1}", (_ring(box),), (3700, y), side=style, centre=(3300, y)))
        tracks.append(Track("move", style, ((2900, y), (3500, y + 60))))
        arcs.append(Arc("fire", style, (1200, y), 90, 20, 260))
        tints.append(Tint("sight", style, (_ring((60, row * each + 40, 200, (row + 1) * each - 40)),)))
    return Picture(
        title=f"Ground of {len(styles)} sides",
        whose="as it is",
        box=(0, 0, wide, each * len(styles)),
        sides=NAMES[: len(styles)],
        plane=Plane(unit=1, measure="paces", every=500),
        areas=(Area("wood", _ring((3000, 0, 3080, each * len(styles)))),),
        provinces=tuple(provinces),
        troops=tuple(troops),
        tracks=tuple(tracks),
        arcs=tuple(arcs),
        tints=tuple(tints),
    )


KINDS: Mapping[str, Callable[[Sequence[SideStyle]], Picture]] = {
    "sheet": sheet_of,
    "squares": squares_of,
    "hexes": hexes_of,
    "plane": plane_of,
}
"""The kinds of map; a sheet is a board without squares."""


def picture_of(kind: str, count: int) -> Picture:
    """A map of that kind with so many sides."""
    return KINDS[kind](STYLES[:count])


def course_of(count: int) -> Course:
    """Points of so many sides over eight turns, three of which end on one figure."""
    lines = tuple(
        (
            NAMES[place],
            style,
            tuple((turn, 3 + (place * turn) % 5 if turn < 8 else 3 + place // 3) for turn in range(9)),
        )
        for place, style in enumerate(STYLES[:count])
    )
    return Course("Centres", lines)


def game_of(kind: str, count: int) -> Reel:
    """A game of two turns: in the second each side loses, and a province has another owner."""
    styles = STYLES[:count]
    first = picture_of(kind, count)
    taken = tuple(replace(one, side=styles[-1]) if at == 0 else one for at, one in enumerate(first.provinces))
    second = replace(first, provinces=taken, tracks=first.tracks[:1], title="The second turn")
    sides = tuple(Side(name.casefold(), f"the {name}", style) for name, style in zip(NAMES, styles, strict=False))
    shown = (Change(), between(None, first), between(first, second))
    beats = tuple(
        Beat(
            moment=Moment(turn, 1),
            number=1,
            phase="Moves" if turn else "",
            seen={
                TRUTH: Seen(
                    change=shown[turn],
                    told=(Told(moment=Moment(turn, 1), phase="Moves", text=f"All moved in turn {turn}."),),
                    figures=tuple(
                        Figures(side.name, lost=turn * (place + 1), score=3 + place * turn)
                        for place, side in enumerate(sides)
                    ),
                    weight=3,
                )
            },
        )
        for turn in (1, 2)
    )
    return Reel(
        campaign="powers-autumn",
        title=f"A game of {count} sides",
        system="powers",
        game="Powers",
        rules="1",
        sides=sides,
        eyes=(TRUTH,),
        called={TRUTH: "the truth"},
        beats=beats,
    )
