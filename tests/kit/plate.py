"""A board with every sign, every line and every age of knowledge once: what the five games may ask of a map."""

from __future__ import annotations

from pbem.ground.picture import Area, Block, Cell, Certainty, Face, Grid, House, Label, Mark, Picture, Point, Track, Way

GRID = Grid(100, tuple("ABCDEFGHIJ"), tuple(str(row) for row in range(8, 0, -1)))
_LINE = ((Cell(3, 3), Cell(2, 3)), (Cell(3, 3),))


def _at(column: int, row: int) -> Point:
    return (column * 100 + 50, row * 100 + 50)


_FIRST = (
    Block("infantry", "first", _at(0, 0), label="line", ranks=_LINE),
    Block("jaeger", "first", _at(1, 0), label="jaeger", ranks=_LINE, bearing=90),
    Block("cavalry", "first", _at(2, 0), label="horse", ranks=((Cell(2, 2), Cell(1, 2)),), bearing=45),
    Block("gun", "first", _at(3, 0), label="gun", count=6),
    Block("mitrailleuse", "first", _at(4, 0), label="mg", count=4, bearing=90, limbered=True),
    Block("siege_gun", "first", _at(5, 0), label="siege", count=8),
    Block("limber", "first", _at(6, 0), label="limber", count=2),
    Block("crew", "first", _at(7, 0), label="crew", count=8),
    Block("general", "first", _at(8, 0), label="general"),
    Block("chief", "first", _at(9, 0), label="chief"),
)
_SECOND = tuple(
    Block(
        one.sign, "second", _at(i, 1), label=one.label, ranks=one.ranks, count=one.count,
        bearing=one.bearing + 180, limbered=one.limbered,
    )
    for i, one in enumerate(_FIRST)
)  # fmt: skip
_FACES: tuple[Face, ...] = ("cavalry", "gun", "mitrailleuse", "siege_gun", "general", "chief", "jaeger")
_CERTAIN: tuple[Certainty, ...] = ("now", "recent", "old", "stale")
_CARDS = (
    Block("card", "second", _at(0, 2), label="cards", count=3),
    Block("own_card", "first", _at(1, 2), count=5, face="infantry", own=True),
    *(Block("own_card", "first", _at(2 + i, 2), count=1, face=face, own=True) for i, face in enumerate(_FACES)),
    Block("dummy_card", "first", _at(9, 2), count=2, own=True),
)
_AGES = (
    *(
        Block("infantry", "second", _at(i, 3), label=age, ranks=_LINE, bearing=180, certainty=age)
        for i, age in enumerate(_CERTAIN)
    ),
    Block("infantry", "first", _at(4, 3), label="believed", ranks=_LINE, certainty="old", own=True),
    Block("chit", "second", _at(5, 3), label="chit"),
    Block("marker", "none", _at(6, 3), label="marker"),
    Block("card", "second", _at(7, 3), label="old card", count=1, certainty="old"),
    Block("cavalry", "second", _at(8, 3), label="recent", ranks=((Cell(2, 2),),), certainty="recent"),
)
_CROWD = (
    Block("infantry", "first", _at(8, 5), label="f1–3", ranks=((Cell(3, 3), Cell(3, 3), Cell(3, 3)),), inside=True),
    Block("infantry", "first", _at(8, 5), label="f4", ranks=((Cell(1, 3),),)),
    Block("gun", "first", _at(8, 5), label="fg1", count=6),
    Block("general", "first", _at(8, 5), label="fh1"),
    Block("dummy_card", "first", _at(8, 5), count=1),
)

PLATE = Picture(
    title="Every sign",
    whose="known to nobody",
    box=(0, 0, 1000, 800),
    sides=("French", "Prussian"),
    grid=GRID,
    areas=(
        Area("hill", ((0, 500), (200, 500), (200, 700), (100, 800), (0, 700))),
        Area("wood", ((200, 600), (300, 600), (300, 800), (200, 800))),
        Area("swamp", ((300, 600), (400, 600), (400, 700), (300, 700))),
        Area("field", ((300, 700), (400, 700), (400, 800), (300, 800))),
        Area("water", ((400, 600), (500, 620), (480, 800), (400, 800))),
        Area("graveyard", ((500, 600), (600, 600), (600, 700), (500, 700))),
        Area("town", ((800, 500), (900, 500), (900, 600), (800, 600))),
    ),
    ways=(
        Way("river", ((600, 800), (650, 700), (1000, 690))),
        Way("stream", ((0, 450), (100, 480), (200, 440))),
        Way("road", ((550, 800), (550, 400), (1000, 450))),
        Way("rail", ((600, 620), (1000, 640))),
        Way("wall", ((500, 500), (600, 500))),
        Way("wall", ((650, 500), (750, 500)), ruined=True),
        Way("bridge", ((800, 650), (800, 740))),
        Way("bridge", ((900, 690),), ruined=True),
        Way("frontier", ((0, 400), (500, 420))),
        Way("contour", ((600, 740), (700, 760), (800, 740))),
    ),
    houses=(
        House("large", (808, 548, 892, 592)),
        House("church", (708, 520, 792, 565)),
        House("small", (610, 560, 640, 580)),
        House("large", (510, 720, 590, 760), ruined=True),
    ),
    labels=(
        Label("A town", (850, 610), "town"),
        Label("The brook", (100, 480), "water"),
        Label("A hill", (100, 600), "hill"),
        Label("Nowhere <in particular> & beyond", (450, 750), "note"),
    ),
    blocks=(*_FIRST, *_SECOND, *_CARDS, *_AGES, *_CROWD),
    tracks=(
        Track("move", "first", (_at(0, 4), _at(1, 4), _at(2, 5))),
        Track("retreat", "second", (_at(3, 4), _at(5, 4))),
        Track("messenger", "first", (_at(6, 4), _at(7, 4))),
        Track("rifle", "first", (_at(2, 5), _at(4, 5))),
        Track("rifle", "second", (_at(4, 5), _at(2, 5))),
        Track("artillery", "none", (_at(6, 5), _at(6, 6))),
    ),
    marks=(
        Mark("melee", _at(9, 5)),
        Mark("losses", _at(9, 6), 12),
        Mark("found", _at(9, 4)),
    ),
    focus=(500, 400, 1000, 700),
    words=(("Here", "One of each."),),
)
PLAIN = Picture(
    title="Open ground",
    whose="",
    box=(0, 0, 4000, 2500),
    blocks=(
        Block("infantry", "first", (1000, 1000), label="1/F", ranks=((Cell(8, 8), Cell(8, 8)),), bearing=30),
        Block("cavalry", "second", (3000, 800), label="about 1 squadron", ranks=((Cell(1, 1),),), certainty="stale"),
    ),
    labels=(Label("Mühlrode", (1200, 1400), "town"),),
    tracks=(Track("messenger", "first", ((1000, 1000), (2500, 2000))),),
)
"""Ground without squares, and a map without an enlargement."""
