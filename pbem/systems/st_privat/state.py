"""What the field is, and the only way in which it changes.

The same class holds the truth and what one side knows.  In a mind, *viewer* names the side: pieces that it does
not know are not there, and the enemy's face-down cards are counts in *cards*.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, Struct, UnsetType, to_builtins
from msgspec.structs import replace

from pbem.ground.square import Edge, Square
from pbem.kernel.names import Role
from pbem.rules.patch import laid_over
from pbem.systems.st_privat.options import Options
from pbem.systems.st_privat.scene import Numbers

if TYPE_CHECKING:
    from pbem.systems.st_privat.fact import Fact

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
Formation = Literal["line", "column"]
Cause = Literal["killed", "destroyed", "captured", "wiped_out", "forced_off", "exited", "removed"]
Phase = Literal[
    "setup_french",
    "setup_prussian",
    "move_first",
    "move_second",
    "rifle",
    "artillery",
    "melee",
    "end",
    "over",
]

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
    def stands(self) -> bool:
        """Whether it is on the board."""
        return self.square is not None and self.removed is None


class Patch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a piece that a fact sets, under the names of `Piece`."""

    side: Role | UnsetType = UNSET
    square: Square | UnsetType | None = UNSET
    place: Place | UnsetType = UNSET
    facing: Facing | UnsetType | None = UNSET
    formation: Formation | UnsetType = UNSET
    slot: int | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    men: int | UnsetType = UNSET
    horses: int | UnsetType = UNSET
    figures: int | UnsetType = UNSET
    damage: int | UnsetType = UNSET
    deployed: bool | UnsetType = UNSET
    on_table: bool | UnsetType = UNSET
    emplaced: Square | UnsetType | None = UNSET
    command: bool | UnsetType = UNSET
    c_in_c: bool | UnsetType = UNSET
    crew_id: str | UnsetType = UNSET
    limber_id: str | UnsetType = UNSET
    team_id: str | UnsetType = UNSET
    gun_id: str | UnsetType = UNSET
    detached: bool | UnsetType = UNSET
    bank: Literal["north", "south"] | UnsetType | None = UNSET
    ford_wait: int | UnsetType | None = UNSET
    ford_owed: bool | UnsetType = UNSET
    moved_this_turn: bool | UnsetType = UNSET
    unlimbered_this_turn: bool | UnsetType = UNSET
    turned_this_turn: bool | UnsetType = UNSET
    demolishes: str | UnsetType = UNSET
    attacked_this_turn: bool | UnsetType = UNSET
    retreated_this_turn: bool | UnsetType = UNSET
    card_moved: bool | UnsetType = UNSET
    raised_by: Role | UnsetType = UNSET
    removed: Cause | UnsetType | None = UNSET

    def sets(self) -> dict[str, object]:
        """What it sets, by name."""
        found: dict[str, object] = to_builtins(self)
        return found


def merged(*patches: Patch) -> Patch:
    """One patch of several, the later ones winning."""
    whole = Patch()
    for patch in patches:
        whole = replace(whole, **patch.sets())
    return whole


class Damage(Struct, frozen=True):
    """Of a wall, building, bridge: points taken, and whether it is destroyed."""

    damage: int = 0
    destroyed: bool = False


class Cards(Struct, frozen=True):
    """Face-down cards of one square and place, as the enemy sees them."""

    count: int
    facing: Facing | None = None


class TownState(Struct, frozen=True):
    """Who holds a town, and whether its points stand in the Prussian score."""

    holder: Literal["french", "prussian", "none"] = "french"
    points_awarded: bool = False


class Zone(Struct, frozen=True):
    """Where the siege gun may be placed."""

    files: str
    """`G-L`"""
    row: int


class Policy(Struct, frozen=True):
    """A standing reaction for some units: its words, as the order has them, and the line it was written as."""

    units: tuple[str, ...]
    """Selectors: ids, `@J-10`, `@J-10 in`, or `all`."""
    words: tuple[str, ...]
    form: Formation | None = None
    face: Literal["away", "enemy"] | None = None
    via: tuple[Square, ...] = ()
    text: str = ""


class Reactions(Struct, frozen=True, omit_defaults=True):
    """The standing reactions of a side, the newest first: the first that fits a unit is the one in force."""

    initiative: Literal["first", "second"] | None = None
    retreat: tuple[Policy, ...] = ()
    advance: tuple[Policy, ...] = ()
    losses: tuple[Policy, ...] = ()
    targets: tuple[Policy, ...] = ()
    """`targets` and `hold fire` (words `none`)."""
    initiative_text: str = ""


class Score(Struct, frozen=True):
    """Victory points."""

    french: int = 0
    prussian: int = 0


class Sealed(Struct, frozen=True):
    """A set-up under seal: SHA-256 of salt and placements, and the salt (known to its owner until the end)."""

    seal: str
    salt: str = ""
    placements: str = ""


class Ended(Struct, frozen=True):
    """How the game ended."""

    reason: Literal["turn_15", "no_town_turn_9"]
    winner: Literal["french", "prussian", "draw"]


class Standing(Struct, frozen=True):
    """The turn's figures after one turn, for the plots."""

    turn: int
    vp: Score
    figures: Score | None
    """Figures left of each side, as far as known; None where a side is not to know what the other has lost."""


class Trace(Struct, frozen=True, omit_defaults=True):
    """In a mind: what was seen to happen in a turn, for the map and the tables."""

    turn: int
    kind: Literal["move", "retreat", "rifle", "artillery", "melee", "losses", "removed"]
    side: Role
    squares: tuple[Square, ...]
    units: tuple[str, ...] = ()
    figures: int = 0


class Battle(Struct, frozen=True, kw_only=True):
    """The field: the truth, or what *viewer* knows of it."""

    viewer: Role | None = None
    turn: int = 0
    phase: Phase = "setup_french"
    first_mover: Role = PRUSSIAN
    second_mover: Role = FRENCH
    vp: Score = Score()
    town_state: dict[str, TownState] = {}
    squares_fired_rifle: tuple[Square, ...] = ()
    squares_fired_artillery: tuple[Square, ...] = ()
    squares_attacked: tuple[Square, ...] = ()
    siege_zone: Zone | None = None
    pieces: dict[str, Piece] = {}
    cards: dict[str, Cards] = {}
    """In a mind: the enemy's face-down cards by `J-8 outside`.  Empty in the truth."""
    ghosts: dict[str, tuple[Piece, int]] = {}
    """In a mind under `fog_of_war` los: enemies out of sight, as last seen, and the turn."""
    traces: tuple[Trace, ...] = ()
    """In a mind: what happened in the turn in which something last happened."""
    buildings: dict[Square, Damage] = {}
    walls: dict[Edge, Damage] = {}
    bridges: dict[Square, Damage] = {}
    reactions: dict[Role, Reactions] = {}
    sealed: dict[Role, Sealed] = {}
    options: Options = Options()
    ended: Ended | None = None
    course: tuple[Standing, ...] = ()
    numbers: Numbers
    """The scenario's schedule, so that the end can be told without the scenario."""


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game's state that a fact sets, under the names of `Battle`.

    *town_state*, *reactions* and *sealed* replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    first_mover: Role | UnsetType = UNSET
    second_mover: Role | UnsetType = UNSET
    vp: Score | UnsetType = UNSET
    town_state: dict[str, TownState] | UnsetType = UNSET
    squares_fired_rifle: tuple[Square, ...] | UnsetType = UNSET
    squares_fired_artillery: tuple[Square, ...] | UnsetType = UNSET
    squares_attacked: tuple[Square, ...] | UnsetType = UNSET
    siege_zone: Zone | UnsetType | None = UNSET
    reactions: dict[Role, Reactions] | UnsetType = UNSET
    sealed: dict[Role, Sealed] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    course: Standing | UnsetType = UNSET


class StructurePatch(Struct, frozen=True, omit_defaults=True):
    """Damage of structures that a fact sets."""

    buildings: dict[Square, Damage] = {}
    walls: dict[Edge, Damage] = {}
    bridges: dict[Square, Damage] = {}


_PER_TURN: dict[str, object] = {
    "moved_this_turn": False,
    "unlimbered_this_turn": False,
    "turned_this_turn": False,
    "demolishes": "",
    "attacked_this_turn": False,
    "retreated_this_turn": False,
}
"""Attributes of a piece that speak of this turn alone, and what they are when a turn begins."""
_marks, _UNMARKED = attrgetter(*_PER_TURN), tuple(_PER_TURN.values())


def _rested(piece: Piece) -> Piece:
    """A piece as a new turn finds it."""
    return piece if _marks(piece) == _UNMARKED else replace(piece, **_PER_TURN)


MERGED = ("town_state", "reactions", "sealed")


def _patched(battle: Battle, game: GamePatch) -> Battle:
    changes = laid_over(battle, game, tables=MERGED, rows=("course",))
    if changes.get("turn", battle.turn) != battle.turn:
        # A new turn clears what was marked for the old one, of pieces known or unknown to a side alike.
        nothing = dict.fromkeys(("squares_fired_rifle", "squares_fired_artillery", "squares_attacked"), ())
        rested = {name: _rested(piece) for name, piece in battle.pieces.items()}
        changes = {"pieces": rested, **nothing, **changes}
    return replace(battle, **changes)


def evolve(battle: Battle, fact: Fact) -> Battle:
    """Apply one fact, to the truth or to what a side knows.  Total: refuses nothing, reads no table."""
    known = battle.pieces
    pieces: dict[str, Piece] | None = None
    if fact.changes:
        pieces = dict(known)
        for name, patch in fact.changes.items():
            if name in pieces:
                pieces[name] = replace(pieces[name], **patch.sets())
    changes: dict[str, object] = {}
    if battle.viewer is not None:
        if fact.shows or fact.forgets:
            pieces = dict(known) if pieces is None else pieces
            ghosts = dict(battle.ghosts)
            for piece in fact.shows:
                # Of its own a side knows more than is shown, but for one that it took unseen.
                if piece.side != battle.viewer or piece.id not in pieces:
                    pieces[piece.id] = piece
                    ghosts.pop(piece.id, None)
            for name in fact.forgets:
                if gone := pieces.pop(name, None):
                    ghosts[name] = (gone, battle.turn)
            changes["ghosts"] = ghosts
        if fact.cards and battle.viewer != FRENCH:  # only the French have cards; they know their own
            cards = {**battle.cards, **fact.cards}
            changes["cards"] = {at: here for at, here in sorted(cards.items()) if here.count}
    if pieces is not None:
        changes["pieces"] = pieces
    if fact.structures is not None:
        for name in ("buildings", "walls", "bridges"):
            if changed := getattr(fact.structures, name):
                changes[name] = {**getattr(battle, name), **changed}
    if changes:
        battle = replace(battle, **changes)
    return battle if fact.game is None else _patched(battle, fact.game)
