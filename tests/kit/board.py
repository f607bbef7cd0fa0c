"""The field of Graveyard St. Privat as a picture's ground, for the reports that the tests print."""

from __future__ import annotations

from pbem.ground.picture import SQUARE, Area, Box, Grid, House, Label, Point, Way

COLUMNS = tuple("ABCDEFGHIJKLMNOPQR")
GRID = Grid(SQUARE, COLUMNS, tuple(str(row) for row in range(18, 0, -1)))
BOX = (0, 0, 18 * SQUARE, 18 * SQUARE)

_KINDS = {
    "hill": "E-8 E-9 F-8 F-9 F-15 G-15 L-9 L-10 M-9 M-10 Q-13 Q-14 R-13 R-14",
    "wood": "A-11 A-12 A-13 B-11 B-12 B-13 C-11 C-12 I-2 J-2 J-3 K-2 L-14 L-15 M-14 M-15 "
    "P-3 P-4 Q-3 Q-4 Q-5 R-3 R-4 R-5",
    "town": "C-6 C-7 D-6 D-7 H-8 H-9 I-8 I-9 J-8 J-9 N-7 N-8 O-7",
    "graveyard": "K-9",
}
_LARGE = "H-9 I-9 J-9 C-7 D-7 N-8 N-7"
_CHURCHES = "I-8 D-6 I-14"
_SMALL = "G-8 A-7 C-10 J-14 F-16 C-16 P-11 P-16 H-8"
_ROADS = (
    "D-1 D-7",
    "D-5 N-5",
    "H-5 H-8 J-8",
    "I-8 I-18",
    "D-7 D-18",
    "J-8 K-8 K-7 N-7",
    "N-5 N-18",
    "D-16 N-16",
)
_WALLS = (
    "H-9|H-10 I-9|I-10 J-9|J-10 G-9|H-9 J-9|K-9 K-9|K-10 K-9|L-9 "
    "C-7|C-8 D-7|D-8 B-7|C-7 B-6|C-6 D-7|E-7 "
    "N-8|N-9 M-8|N-8 N-8|O-8 O-7|O-8 O-7|P-7 "
    "A-8|A-9 B-8|B-9 F-10|F-11 G-10|G-11 K-11|K-12 L-11|L-12"
)
_LABELS = (
    ("St. Privat", "I-7", "town"),
    ("Amanvillers", "B-8", "town"),
    ("Roncourt", "O-8", "town"),
    ("Amanvillers ridge", "E-8", "hill"),
    ("Roncourt knoll", "L-9", "hill"),
    ("Height of St. Ail", "F-15", "hill"),
    ("Height of Auboué", "Q-13", "hill"),
    ("Bois de la Cusse", "B-12", "wood"),
    ("Forêt de Jaumont", "Q-4", "wood"),
    ("Bois de Saulny", "J-2", "wood"),
    ("Bois de Ponty", "L-15", "wood"),
    ("Cusse brook", "G-13", "water"),
    ("Montvaux", "B-3", "water"),
    ("The graveyard", "K-9", "place"),
    ("Jérusalem", "G-8", "place"),
    ("Montigny", "A-7", "place"),
    ("Champenois", "C-10", "place"),
    ("Ste. Marie-aux-Chênes", "J-14", "place"),
    ("Habonville", "C-16", "place"),
    ("Montois", "P-11", "place"),
    ("Auboué", "P-16", "place"),
    ("to Metz", "D-1", "place"),
)


def square(name: str) -> Point:
    """The middle of a square: `at("I-9")`."""
    column, row = name.split("-")
    return (COLUMNS.index(column) * SQUARE + SQUARE // 2, (18 - int(row)) * SQUARE + SQUARE // 2)


def _ring(name: str) -> tuple[Point, ...]:
    x, y = square(name)
    half = SQUARE // 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _edge(names: str) -> Way:
    (ax, ay), (bx, by) = (square(name) for name in names.split("|"))
    x, y, half = (ax + bx) // 2, (ay + by) // 2, SQUARE // 2
    return Way("wall", ((x - half, y), (x + half, y)) if ax == bx else ((x, y - half), (x, y + half)))


def _box(name: str, across: int, down: int, wide: int, high: int) -> Box:
    x, y = square(name)
    return (x + across - wide // 2, y + down - high // 2, x + across + wide // 2, y + down + high // 2)


def _road(names: str) -> Way:
    points = []
    for name in names.split():
        x, y = square(name)
        row = int(name.split("-")[1])
        points.append((x, 0 if row == 18 else 18 * SQUARE if row == 1 else y))
    return Way("road", tuple(points))


def _middle(name: str, kind: str) -> Point:
    """Hills are two squares wide and high: their names stand on the corner in the middle."""
    x, y = square(name)
    return (x + SQUARE // 2, y - (0 if name == "F-15" else SQUARE // 2)) if kind == "hill" else (x, y)


_CUSSE = (
    *((100 * i, 450) for i in range(5)),
    (450, 500),
    (500, 550),
    *((100 * i, 550) for i in range(6, 11)),
    (1045, 550),
)
_MONTVAUX = (*((100 * i, 1550) for i in range(6)), (545, 1550))

AREAS = tuple(Area(kind, _ring(name)) for kind, names in _KINDS.items() for name in names.split())  # type: ignore[arg-type]  # the keys are kinds
WAYS = (
    Way("stream", _CUSSE),
    Way("stream", _MONTVAUX),
    *(_road(names) for names in _ROADS),
    *(Way("bridge", (square(name),)) for name in ("D-14", "I-13", "D-3")),
    *(_edge(names) for names in _WALLS.split()),
)
HOUSES = (
    *(House("large", _box(name, 0, 20, 84, 44)) for name in _LARGE.split()),
    *(House("church", _box(name, 0, 20, 88, 46)) for name in _CHURCHES.split()),
    *(House("small", _box(name, -20, -8, 30, 20)) for name in _SMALL.split()),
)
LABELS = tuple(Label(text, _middle(name, kind), kind) for text, name, kind in _LABELS)  # type: ignore[arg-type]  # as above
