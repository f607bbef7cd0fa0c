"""What a map shows, not yet drawn.

Positions are whole numbers in the units of the ground (a square of a board is `SQUARE` units wide), x to the
right and y downward as the sheet lies before the reader.  Bearings are degrees clockwise from the top of the
sheet.  A picture holds what its reader may know and nothing else.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SQUARE = 100
"""The width of one square of a board, in units of a picture."""

Point = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

SideStyle = Literal["first", "second", "none"]
"""The first side is always drawn solid, the second hatched."""

Face = Literal["infantry", "jaeger", "cavalry", "gun", "mitrailleuse", "siege_gun", "general", "chief"]
"""What lies under a card of one's own."""

Certainty = Literal["now", "recent", "old", "stale"]
"""How fresh knowledge is: full, tinted, dashed, dotted."""


class Area(Struct, frozen=True, omit_defaults=True):
    """Ground of one kind: *outline* is a closed ring of points."""

    kind: Literal["hill", "wood", "town", "water", "swamp", "graveyard", "field"]
    outline: tuple[Point, ...]
    name: str = ""


class Way(Struct, frozen=True, omit_defaults=True):
    """A line on the ground."""

    kind: Literal["road", "stream", "wall", "bridge", "rail", "frontier", "contour", "river"]
    points: tuple[Point, ...]
    ruined: bool = False
    name: str = ""


class House(Struct, frozen=True, omit_defaults=True):
    """A building; *box* is its outline."""

    kind: Literal["small", "large", "church"]
    box: Box
    ruined: bool = False
    name: str = ""


class Label(Struct, frozen=True, omit_defaults=True):
    """A name on the map; *at* is its middle."""

    text: str
    at: Point
    kind: Literal["town", "place", "hill", "wood", "water", "note"]


class Cell(Struct, frozen=True, omit_defaults=True):
    """One stand of a block: its figures left, of how many."""

    full: int
    of: int


class Block(Struct, frozen=True, omit_defaults=True):
    """A body of troops, or one sign: *ranks* has the front rank first, each from its left.

    *bearing* is where the front looks.  *count* is the number of cards, gunners or whatever the sign counts.
    """

    sign: Literal[
        "infantry", "jaeger", "cavalry", "gun", "mitrailleuse", "siege_gun", "limber", "crew", "general", "chief",
        "card", "own_card", "dummy_card", "chit", "marker",
    ]  # fmt: skip
    side: SideStyle
    at: Point
    label: str = ""
    words: str = ""
    """The sign in words, for the map in words and for those who cannot see it."""
    bearing: int = 0
    ranks: tuple[tuple[Cell, ...], ...] = ()
    count: int = 0
    face: Face | None = None
    """What an own card shows of itself; infantry if nothing is said."""
    inside: bool = False
    """In the house of its square; the drawing puts it there, and all else of that square outside."""
    limbered: bool = False
    limber: bool = True
    """Of a gun that stands ready: its limber is behind it."""
    certainty: Certainty = "now"
    own: bool = False


class Track(Struct, frozen=True, omit_defaults=True):
    """Something that went from the first point to the last."""

    kind: Literal["move", "retreat", "rifle", "artillery", "messenger"]
    side: SideStyle
    points: tuple[Point, ...]
    words: str = ""


class Mark(Struct, frozen=True, omit_defaults=True):
    """A sign of what happened at a place: a star with the figures lost, or crossed sabres."""

    kind: Literal["losses", "melee", "found"]
    at: Point
    figure: int = 0
    words: str = ""


class Grid(Struct, frozen=True, omit_defaults=True):
    """A board of squares *step* units wide; the names of its columns from the left, of its rows from the top."""

    step: int
    columns: tuple[str, ...]
    rows: tuple[str, ...]


class Picture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A map: the ground once, and what stands and happened on it."""

    title: str
    """`The field at the end of turn 4`."""
    whose: str
    """Whose knowledge it is: `as known to the French commander`."""
    box: Box
    sides: tuple[str, str] = ("", "")
    """What the first and the second side are called in the key: `French`, `Prussian`."""
    grid: Grid | None = None
    areas: tuple[Area, ...] = ()
    ways: tuple[Way, ...] = ()
    houses: tuple[House, ...] = ()
    labels: tuple[Label, ...] = ()
    blocks: tuple[Block, ...] = ()
    tracks: tuple[Track, ...] = ()
    marks: tuple[Mark, ...] = ()
    focus: Box | None = None
    """What the enlargement shows: the combats of this turn and a margin."""
    caption: str = ""
    focus_caption: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """The map in words: a heading and a paragraph, place by place."""
