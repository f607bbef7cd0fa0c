"""The two sides and their pieces: what a stand is, and all that may be said of it."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import rule

FRENCH, PRUSSIAN = Role("french"), Role("prussian")
SIDES = (FRENCH, PRUSSIAN)
ENEMY = {FRENCH: PRUSSIAN, PRUSSIAN: FRENCH}

Kind = Literal[
    "infantry",
    "cavalry",
    "field_gun",
    "mitrailleuse",
    "siege_gun",
    "crew",
    "limber",
    "team",
    "general",
    "dummy",
]
Place = Literal["outside", "inside"]
Facing = Literal["n", "e", "s", "w"]
FACINGS: tuple[Facing, ...] = get_args(Facing)
Formation = Literal["line", "column"]
Cause = Literal["killed", "destroyed", "captured", "wiped_out", "forced_off", "exited", "removed"]

GUNS: tuple[Kind, ...] = ("field_gun", "mitrailleuse", "siege_gun")
FIGURES: dict[Kind, tuple[str, int]] = {
    "infantry": ("men", 3),
    "cavalry": ("men", 2),
    "crew": ("men", 6),
    "team": ("horses", 4),
    "general": ("figures", 2),
}
"""Where a stand's living figures are counted, and how many it starts with (SP-PCE-01)."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A stand.  Attributes that its kind does not have stay at their defaults."""

    id: str
    kind: Kind
    side: Role
    square: Square | None = None
    """None: not on the board (not yet set up, or removed)."""
    place: Place = "outside"
    facing: Facing | None = None
    formation: Formation = "line"
    """Of the group it stands in: all infantry of one side, square and place."""
    slot: int = 1
    """Its place in the group: in line 1 front left, 2 front right, 3 rear left, 4 rear right; in column from the
    front; five in a large building 1-3 front, 4-5 rear."""
    hidden: bool = False
    """A face-down card."""
    men: int = 0
    horses: int = 0
    figures: int = 0
    damage: int = 0
    deployed: bool = False
    """Of a gun: off its limber."""
    on_table: bool = True
    """Of the siege gun and its crew: False until it is brought on or found."""
    emplaced: Square | None = None
    command: bool = False
    c_in_c: bool = False
    crew_id: str = ""
    limber_id: str = ""
    team_id: str = ""
    gun_id: str = ""
    detached: bool = False
    bank: Literal["north", "south"] | None = None
    ford_wait: int | None = None
    """Whole turns stood in a ford; None when not fording."""
    ford_owed: bool = False
    """Not on foot, reached a stream square with too little left to cross, or came off the road beside its bridge: owes
    what it costs to cross (SP-TER-05)."""
    moved_this_turn: bool = False
    """Took any step, turned, limbered, was prolonged or regrouped in this turn's movement."""
    unlimbered_this_turn: bool = False
    turned_this_turn: bool = False
    """Of a gun: already turned 90 degrees this turn."""
    demolishes: str = ""
    """What it is pulling down this turn, as the order names it: `wall H-9|H-10`, `building I-9`, `equipment fg1`."""
    attacked_this_turn: bool = False
    retreated_this_turn: bool = False
    card_moved: bool = False
    """A card that used its move, when cards move once a game."""
    raised_by: Role | None = None
    """Of a gun that was captured for use: whose it was at first."""
    removed: Cause | None = None

    @property
    def left(self) -> int:
        """Living figures: men, horses, or general and ADC; 0 for things."""
        counted = FIGURES.get(self.kind)
        return getattr(self, counted[0]) if counted else 0

    @property
    def at(self) -> Square:
        """Its square; asked only of a piece that stands."""
        assert self.square is not None
        return self.square

    @property
    def stands(self) -> bool:
        """Whether it is on the board."""
        return self.square is not None and self.removed is None

    # ------------------------------------------------------------ what is asked often

    @property
    @rule("SP-PCE-01", "SP-ART-03", "SP-MOV-08")
    def is_gun(self) -> bool:
        """Whether it is a gun of any kind."""
        return self.kind in GUNS

    @property
    @rule("SP-SGE-01", "SP-SGE-05", "SP-SET-01")
    def is_drawn(self) -> bool:
        """Whether it is a gun that a limber draws: the siege gun never moves."""
        return self.kind in GUNS and self.kind != "siege_gun"

    @property
    @rule("SP-DMG-01", "SP-DMG-02", "SP-DMG-03")
    def is_equipment(self) -> bool:
        """Whether it is a thing that can be broken: a gun or a limber."""
        return self.kind in GUNS or self.kind == "limber"

    @property
    @rule("SP-FOR-01", "SP-FOR-06", "SP-MEL-01")
    def is_ranked(self) -> bool:
        """Whether it stands in ranks, and may charge: infantry and cavalry."""
        return self.kind in ("infantry", "cavalry")

    @property
    @rule("SP-TER-05", "SP-CAS-05")
    def on_foot(self) -> bool:
        """Whether it is men on foot: infantry, or gunners."""
        return self.kind in ("infantry", "crew")

    @property
    @rule("SP-HID-04", "SP-HID-06", "SP-HID-07")
    def is_troops_face_down(self) -> bool:
        """Whether it lies under a card and is no dummy: what may be turned up."""
        return self.hidden and self.kind != "dummy"

    @property
    @rule("SP-HID-01", "SP-SGE-01")
    def is_open(self) -> bool:
        """Whether it lies open for all to see."""
        return self.on_table and not self.hidden


class Cards(Struct, frozen=True):
    """Face-down cards of one square and place, as the enemy sees them."""

    count: int
    facing: Facing | None = None
