"""What a map shows, not yet drawn.

Positions are whole numbers in the units of the ground (a square of a board is `SQUARE` units wide; `honeycomb` tells
where hexes lie), x to the right and y downward as the sheet lies before the reader.  Bearings are degrees clockwise
from the top of the sheet.  A picture holds what its reader may know and nothing else.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

SQUARE = 100
"""The width of one square of a board, in units of a picture."""

Point = tuple[int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""

SideStyle = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,39}$")]
"""How a side is drawn: one of `STYLES`; `none`, in ink; or a name that is a system's own, of which its pictures bring
the `Look`.  The first side is always drawn solid, the second hatched; each of the others has a colour, a pattern and a
line of its own, and its letter on its signs."""

STYLES: tuple[SideStyle, ...] = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
"""Those that ship, in the order of sides: from the eighth on a colour comes again, with another pattern and line."""

Colour = Annotated[str, Meta(pattern="^(#[0-9A-Fa-f]{6})?$")]
"""`#1D4C8C`; empty: none is said."""

Pattern = Literal[
    "solid", "hatched", "level", "dotted", "checked", "upright",
    "crossed", "back", "diamonds", "bricks", "zigzag", "grid",
]  # fmt: skip
"""What fills the signs of a side, and wider apart its provinces."""

Face = Literal["infantry", "jaeger", "cavalry", "gun", "mitrailleuse", "siege_gun", "general", "chief"]
"""What lies under a card of one's own."""

Certainty = Literal["now", "recent", "old", "stale"]
"""How fresh knowledge is: full, tinted, dashed, dotted."""


class Look(Struct, frozen=True, omit_defaults=True):
    """How the sides of a style are drawn, where that is not as it ships.

    What is not said here is as the style has it; as the style of that place in `STYLES`, if it is a system's own.  A
    look is for the third side and those after it, or for a style of one's own: `first` and `second` stay what they are.
    Whoever brings colours sees to it that they are told apart, on a page that is light and on one that is dark.
    """

    style: SideStyle
    letter: Annotated[str, Meta(max_length=2)] = ""
    """On signs, provinces and plots; empty: as much of the name of the side as no other begins with."""
    light: Colour = ""
    """On paper: at least 4.5:1 against what is paler than a town."""
    dark: Colour = ""
    """On a dark page."""
    pattern: Pattern | None = None


class Area(Struct, frozen=True, omit_defaults=True):
    """Ground of one kind: *outline* is a closed ring of points.

    A hex map shows wood, swamp, water, `rough` and `mountain`.  Continuous ground shows all but `graveyard` and
    `mountain`, and besides a `thicket`, which is a thick wood, and a `garden`; of a hill each contour is an area.
    """

    kind: Literal[
        "hill", "wood", "town", "water", "swamp", "graveyard", "field", "rough", "mountain", "thicket", "garden"
    ]
    outline: tuple[Point, ...]
    name: str = ""
    stone: bool = False
    """Of a town on continuous ground: its houses are of stone."""
    walled: bool = False
    """Of a town on continuous ground: its outline is a wall."""


class Way(Struct, frozen=True, omit_defaults=True):
    """A line on the ground."""

    kind: Literal[
        "road", "stream", "wall", "bridge", "rail", "frontier", "contour", "river",
        "ford", "hedge", "ditch", "dike", "trench", "sunken", "crest",
    ]  # fmt: skip
    """From `ford` on: of continuous ground, where a bridge or a ford runs from bank to bank."""
    points: tuple[Point, ...]
    ruined: bool = False
    name: str = ""
    """Written along a river of a hex map."""
    broad: bool = False
    """Of a river: it is drawn twice as wide; of a road on continuous ground: a highway."""
    width: int = 0
    """Of water on continuous ground: from bank to bank."""


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
    kind: Literal["town", "place", "hill", "wood", "water", "note", "country", "province", "summit"]
    """A `summit` stays where it is; its text is its height."""


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
        "card", "own_card", "dummy_card", "chit", "marker", "army", "fleet",
    ]  # fmt: skip
    """An `army` and a `fleet` are pieces that have no strength: in each stands the letter of its side."""
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
    driven: bool = False
    """Driven out of where it stands, and not gone yet: it is drawn smaller and aside, in a broken ring."""
    certainty: Certainty = "now"
    own: bool = False
    parts: tuple[str, ...] = ()
    """The units that stand in it, by their ids, the first of which is its key; nothing of what is not known by name."""


TrackKind = Literal[
    "move", "retreat", "rifle", "artillery", "messenger", "ride", "supply", "charge", "marker",
    "support", "convoy",
]  # fmt: skip
"""What goes there, or is sent; a `support` goes to what it is lent to, a `convoy` to what it carries."""


class Track(Struct, frozen=True, omit_defaults=True):
    """Something that went from the first point to the last."""

    kind: TrackKind
    """On continuous ground alone: a `charge`, and the `marker` of one that is declared, towards its target."""
    side: SideStyle
    points: tuple[Point, ...]
    words: str = ""
    label: str = ""
    """On continuous ground: what stands beside its middle, and below that *note*."""
    note: str = ""
    of: tuple[str, ...] = ()
    """Who went, as far as it is known."""
    failed: bool = False
    """It was ordered and did not come to pass: a bar stands in the place of its head."""


class Mark(Struct, frozen=True, omit_defaults=True):
    """A sign of what happened at a place: a star with the figures lost, or crossed sabres."""

    kind: Literal["losses", "melee", "found", "unlike"]
    """`unlike`: a sign there is otherwise in the picture that stands beside this one."""
    at: Point
    figure: int = 0
    words: str = ""
    of: tuple[str, ...] = ()
    """Whom it befell, as far as it is known."""


class Grid(Struct, frozen=True, omit_defaults=True):
    """A board of squares *step* units wide; the names of its columns from the left, of its rows from the top."""

    step: int
    columns: tuple[str, ...]
    rows: tuple[str, ...]


class Honeycomb(Struct, frozen=True, omit_defaults=True):
    """A board of hexes, as `honeycomb` lays them: its first and last column, its first and last row.

    The picture of such a board has no grid, houses and blocks.  It is made so:

    - box: `honeycomb.box_of` all hexes; focus: that of the hexes to be enlarged, eight columns or so, for a phone;
    - areas: for each kind of terrain an `Area` for each ring of `honeycomb.outline` of its hexes;
    - tints: the land of each country first, what is held, and zones and supply where they are asked for;
    - ways: rivers as `honeycomb.chains` of their hexsides, each way with the name; the frontier as chains of
      `hexes.frontiers`; railways and roads from middle to middle, and what two lines share is drawn once;
    - sites, stacks, tracks and marks at the middles of their hexes: the drawing finds room for all of one hex, for
      the names of sites and of rivers, and for tracks that share their way;
    - labels: of countries and provinces, where they are put.
    """

    columns: tuple[int, int]
    rows: tuple[int, int]


class Tint(Struct, frozen=True, omit_defaults=True):
    """What ground is to a side, laid over what it is; *rings* as `honeycomb.outline` gives them, holes too.

    `land`: whose country it is; of none: closed to all.  `held`: in the hands of *side*, which it was not at first.
    `zone`: where *side* bars the way.  `supply`: where the supply of *side* reaches.  `sight`, on continuous ground:
    what lies in its sight.
    """

    kind: Literal["land", "held", "zone", "supply", "sight"]
    side: SideStyle
    rings: tuple[tuple[Point, ...], ...]


class Province(Struct, frozen=True, omit_defaults=True):
    """An area that has an owner, on any ground: laid over that, and under all that stands there.

    It is drawn in the colour and the pattern of its owner, with his letter.
    """

    key: str
    """As orders call it, and as no other province of the picture is called."""
    rings: tuple[tuple[Point, ...], ...]
    """What bounds it, holes too."""
    at: Point
    """The middle of its name."""
    name: str = ""
    """What is written there; empty: its key."""
    kind: Literal["land", "water", "closed"] = "land"
    """What is closed nobody enters: it has no name and no owner."""
    side: SideStyle = "none"
    """Whose it is."""
    centre: Point | None = None
    """The place that counts in it: a disc with the letter of the owner, a ring while it is nobody's."""


class Site(Struct, frozen=True, omit_defaults=True):
    """A fortress, a town or a village: its sign, coloured by who holds it, and its name beside it."""

    kind: Literal["fortress", "town", "village"]
    at: Point
    name: str
    side: SideStyle = "none"
    figure: int = 0
    """The strength of a fortress, on its badge."""
    state: Literal["whole", "besieged", "destroyed"] = "whole"


class Flag(Struct, frozen=True, omit_defaults=True):
    """A headquarters of a stack: *name* is short, as in orders (`F4`)."""

    name: str
    rank: Literal["army", "corps", "division"]


class Stack(Struct, frozen=True, omit_defaults=True):
    """All troops of a side in one hex, or those shut in its fortress."""

    side: SideStyle
    at: Point
    strength: int | None
    """None: not known.  0: headquarters alone."""
    worn: int = 0
    """How many of *strength* are the worse for wear, but would fight."""
    broken: int = 0
    """How many of *strength* would not."""
    staff: tuple[Flag, ...] = ()
    """The senior first: its name stands beside the strength."""
    inside: bool = False
    """Shut in the fortress of its hex."""
    riding: bool = False
    """On a train."""
    certainty: Certainty = "now"
    own: bool = False
    words: str = ""
    key: str = ""
    """The force that it is followed by through the game; empty: none is known by name."""


class Relief(Struct, frozen=True):
    """Heights in units of the picture: `rows[j][i]` at i, j times *spacing* from the upper left corner of its box."""

    spacing: int
    rows: tuple[tuple[int, ...], ...]
    interval: int
    """From one contour to the next: hachures run so far down."""


class Plane(Struct, frozen=True, omit_defaults=True):
    """Continuous ground.

    The picture of it has no grid, houses and blocks, but troops; it is made so:

    - box: `(0, 0, width, height)` of the map; a place *x* east, *y* north of its corner lies at `(x, height - y)`,
      and bearings are whole degrees; focus: the troops in question and a margin;
    - relief: where the ground has a field of heights; where it has contours, each is an area `hill`, its crest a way;
    - areas, ways, labels: the ground, roads with the place where they cross each other once in each;
    - troops, tracks, arcs, marks: what stands and happens there; tints `sight`.
    """

    unit: int
    """Units of the picture in one of *measure*."""
    measure: str
    """What lengths are told in: `paces`."""
    every: int
    """The edge is marked each so many of *measure*."""
    note: str = ""
    """Beside the scale: what a measure is, how a place is written in orders."""
    relief: Relief | None = None


class Troop(Struct, frozen=True, omit_defaults=True):
    """A body on continuous ground: a block behind *at*, the middle of its front, that looks along *bearing*.

    *front* and *depth* are those of the ground it covers; it is drawn no smaller than can be seen.
    """

    arm: Literal[
        "infantry", "jaeger", "cavalry", "guns", "limbered", "skirmish", "train", "officer", "chief",
        "unknown", "patrol", "rider", "trace",
    ]  # fmt: skip
    """From `patrol` on signs of one size: a `trace` is all that is left of what was seen long ago."""
    side: SideStyle
    at: Point
    bearing: int = 0
    front: int = 0
    depth: int = 0
    parts: int = 1
    """How many blocks stand side by side, or guns, or men of a chain; along a *trail*, one behind the other."""
    ranks: int = 1
    """How many rows of blocks, or of guns on the march, stand one behind the other."""
    trail: tuple[Point, ...] = ()
    """Of a column on the march: its way from head to tail, along which its parts lie."""
    label: str = ""
    note: str = ""
    """Below the label: when and from whom it is known; for troops in sight, their state."""
    badge: str = ""
    """A letter or a figure at its rear: a state, morale chits."""
    words: str = ""
    certainty: Certainty = "now"
    own: bool = False
    key: str = ""
    """The body that it is, by which it is followed through the game; empty: it is not known by name."""


class Arc(Struct, frozen=True, omit_defaults=True):
    """What is seen, or fired on: from *least* to *far*, *half* an arc, in degrees, either side of *bearing*."""

    kind: Literal["sight", "fire"]
    side: SideStyle
    at: Point
    bearing: int
    half: int
    far: int
    least: int = 0
    bands: tuple[int, ...] = ()
    """Ranges within it."""


class Picture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A map: the ground once, and what stands and happened on it."""

    title: str
    """`The field at the end of turn 4`."""
    whose: str
    """Whose knowledge it is: `as known to the French commander`."""
    box: Box
    sides: tuple[str, ...] = ("", "")
    """What the sides are called in the key, the first first: `French`, `Prussian`; in the order of `STYLES`, or of
    `looks` if there are any."""
    looks: tuple[Look, ...] = ()
    """How the sides are drawn, all of them and the first first, if not as `STYLES` has it."""
    grid: Grid | None = None
    hexes: Honeycomb | None = None
    """Of a hex map; it has no grid, no houses and no blocks, but tints, sites and stacks."""
    plane: Plane | None = None
    """Of continuous ground; it has no grid, no houses and no blocks, but troops and arcs."""
    areas: tuple[Area, ...] = ()
    ways: tuple[Way, ...] = ()
    houses: tuple[House, ...] = ()
    labels: tuple[Label, ...] = ()
    blocks: tuple[Block, ...] = ()
    tracks: tuple[Track, ...] = ()
    marks: tuple[Mark, ...] = ()
    tints: tuple[Tint, ...] = ()
    provinces: tuple[Province, ...] = ()
    """On a board, on hexes, on continuous ground, and on a sheet that has neither: then the map is of provinces."""
    sites: tuple[Site, ...] = ()
    stacks: tuple[Stack, ...] = ()
    troops: tuple[Troop, ...] = ()
    arcs: tuple[Arc, ...] = ()
    focus: Box | None = None
    """What the enlargement shows: the combats of this turn and a margin."""
    caption: str = ""
    focus_caption: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """The map in words: a heading and a paragraph, place by place."""


def unkeyed(picture: Picture) -> Picture:
    """The picture as a page has it: nothing in it says which sign was which before."""
    return replace(
        picture,
        blocks=tuple(replace(one, parts=()) for one in picture.blocks),
        stacks=tuple(replace(one, key="") for one in picture.stacks),
        troops=tuple(replace(one, key="") for one in picture.troops),
        tracks=tuple(replace(one, of=()) for one in picture.tracks),
        marks=tuple(replace(one, of=()) for one in picture.marks),
    )
