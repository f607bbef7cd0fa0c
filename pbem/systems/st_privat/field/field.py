"""The field as one looks at it: what stands where, what the ground still is, who controls which square.

A `Field` is made of a scene and a battle (the truth or a mind) and answers questions; it changes nothing.
In a mind the enemy's face-down cards are known as counts, so cards have answers of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache

from pbem.ground.square import ORTHOGONAL, Board, Edge, Square, beyond, corner_edges, edge, is_diagonal, place
from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.st_privat.scene.scene import Ground, Scene, Size
from pbem.systems.st_privat.scene.words import as_counted
from pbem.systems.st_privat.world.game import Damage, Reactions, Structure
from pbem.systems.st_privat.world.pieces import ENEMY, SIDES, Cards, Facing, Piece, Place
from pbem.systems.st_privat.world.state import Battle

_SORTED = ("by_square", "_standing", "_by_side")
"""What a field works out of its pieces alone."""

NO_REACTIONS, UNHURT = Reactions(), Damage()
BESIDE = {"n": ("w", "e"), "e": ("n", "s"), "s": ("e", "w"), "w": ("s", "n")}
"""The directions to the left and to the right of a facing."""


def order_of(piece: Piece) -> tuple[str, int]:
    """Sorts pieces by their ids as people count: `p2` before `p10`."""
    return as_counted(piece.id)


def by_slot(pieces: Collection[Piece]) -> tuple[Piece, ...]:
    """Pieces of a group in the order of their slots."""
    return tuple(sorted(pieces, key=lambda p: (p.slot, *order_of(p))) if len(pieces) > 1 else pieces)


@lru_cache(maxsize=64)
def _in_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """Ids as people count.  A battle has the same from beginning to end, and fields are made of it by the hundred."""
    return tuple(sorted(names, key=as_counted))


def card_key(at: Square, where: Place) -> str:
    """How a mind names the cards of a square and place: `J-8 outside`."""
    return f"{at} {where}"


@cache
def _controlled(board: Board, shape: str, at: Square, facing: Facing) -> tuple[Square, ...]:
    ahead = beyond(at, facing)
    beside = (beyond(at, way) for way in BESIDE[facing])
    if shape == "front_and_flanks":
        wanted = [ahead, *beside]
    else:
        wanted = [ahead] if ahead is None else [ahead, *(beyond(ahead, way) for way in BESIDE[facing])]
    return tuple(one for one in wanted if one is not None and one in board)


class Field:
    """A battle on its ground."""

    def __init__(self, scene: Scene, battle: Battle) -> None:
        self.scene, self.battle = scene, battle
        self.options = battle.options
        self._controlled: dict[tuple[Square, Role], bool] = {}

    # ------------------------------------------------------------ pieces

    @cached_property
    def by_square(self) -> dict[Square, tuple[Piece, ...]]:
        """The pieces on the board, by square, in the order of their ids."""
        found: dict[Square, list[Piece]] = {}
        for piece in self._standing:
            found.setdefault(piece.at, []).append(piece)
        return {at: tuple(here) for at, here in found.items()}

    def after(self, battle: Battle) -> Field:
        """The field as *battle* has it, which came of this one's by facts: what none of them touched stays sorted."""
        field = Field(self.scene, battle)
        if battle.pieces is self.battle.pieces:
            field.__dict__ |= {name: self.__dict__[name] for name in _SORTED if name in self.__dict__}
        elif "by_square" in self.__dict__:
            field.by_square = self._sorted_again(battle.pieces)
        return field

    def _sorted_again(self, new: Mapping[str, Piece]) -> dict[Square, tuple[Piece, ...]]:
        old, found = self.battle.pieces, dict(self.by_square)
        changed = [name for name, piece in new.items() if piece is not old.get(name)]
        if len(new) - sum(name not in old for name in changed) < len(old):
            changed = [name for name in {**old, **new} if old.get(name) is not new.get(name)]
        for at in dict.fromkeys(
            piece.square for name in changed for piece in (old.get(name), new.get(name)) if piece is not None
        ):
            if at is None:
                continue
            names = dict.fromkeys([*(piece.id for piece in found.pop(at, ())), *changed])
            here = [piece for name in names if (piece := new.get(name)) and piece.square == at and piece.stands]
            if here:
                found[at] = tuple(sorted(here, key=order_of))
        return found

    @cached_property
    def _standing(self) -> tuple[Piece, ...]:
        pieces = self.battle.pieces
        return tuple(piece for name in _in_order(tuple(pieces)) if (piece := pieces[name]).stands)

    def at(self, at: Square, side: Role | None = None, where: Place | None = None) -> tuple[Piece, ...]:
        """The pieces in a square that are known, off-table siege gun included, of one side and place if named."""
        here = self.by_square.get(at, ())
        if not here or (side is None and where is None):
            return here
        return tuple(
            [p for p in here if (side is None or p.side == side) and (where is None or p.place == where)],
        )

    def visible(self, at: Square, side: Role | None = None, where: Place | None = None) -> tuple[Piece, ...]:
        """As `at`, without a siege gun and crew that are not on the table (SP-SGE-01)."""
        return tuple([piece for piece in self.at(at, side, where) if piece.on_table])

    @cached_property
    def _by_side(self) -> dict[Role, tuple[Piece, ...]]:
        return {side: tuple(piece for piece in self._standing if piece.side == side) for side in SIDES}

    def own(self, side: Role) -> tuple[Piece, ...]:
        """The pieces of *side* on the board, in the order of their ids."""
        return self._by_side[side]

    @cached_property
    def guns_off_table(self) -> tuple[Piece, ...]:
        """The siege guns that stand on the board and not on the table (SP-SGE-01)."""
        pieces = self.battle.pieces.values()
        return tuple(piece for piece in pieces if piece.kind == "siege_gun" and not piece.on_table and piece.stands)

    def group(self, at: Square, side: Role, where: Place = "outside", kind: str = "infantry") -> tuple[Piece, ...]:
        """The infantry (or cavalry) of a side in a square and place, by slot."""
        return by_slot([p for p in self.at(at, side, where) if p.kind == kind])

    def cards(self, at: Square, side: Role, where: Place | None = None) -> int:
        """How many face-down cards of *side* lie in a square, as far as this battle knows.

        A hidden gun and its crew are one card.
        """
        if self.battle.viewer is not None and self.battle.viewer != side:
            if where is not None:
                return self._counted.get((at, where), 0)
            return self._counted.get((at, "outside"), 0) + self._counted.get((at, "inside"), 0)
        return sum(self.is_card(piece) for piece in self.at(at, side, where)) if at in self.by_square else 0

    @cached_property
    def _counted(self) -> dict[tuple[str, str], int]:
        """How many of the enemy's face-down cards lie in a square and place, where any do."""
        split = ((key.partition(" "), cards.count) for key, cards in self.battle.cards.items())
        return {(at, where): count for (at, _, where), count in split}

    @staticmethod
    @rule("SP-HID-01", "SP-HID-02")
    def is_card(piece: Piece) -> bool:
        """Whether a piece is a face-down card of its own (a hidden crew lies under its gun's)."""
        return piece.hidden and piece.kind != "crew"

    def shown_cards(self, at: Square, side: Role) -> dict[str, Cards]:
        """The cards of a square as the enemy counts them, both places, zero counts included."""
        found = {}
        for where in ("outside", "inside"):
            down = [p for p in self.at(at, side, where) if self.is_card(p)]
            found[card_key(at, where)] = Cards(len(down), down[0].facing if down else None)
        return found

    @rule("SP-MOV-04", "SP-CAP-06")
    def bars(self, at: Square, side: Role) -> bool:
        """Whether an enemy of *side* holds a square so that it may not be entered.

        Any stand, crew or general does; cards are asked for apart.  An unmanned gun or limber does not bar.
        """
        if at not in self.by_square:
            return False
        return any(self.holds(piece) for piece in self.visible(at, ENEMY[side]) if not piece.hidden)

    @rule("SP-MOV-04", "SP-CAP-06")
    def holds(self, piece: Piece) -> bool:
        """Whether a piece by itself holds its square: troops and crews do, guns, limbers and teams do not."""
        return piece.kind in ("infantry", "cavalry", "crew", "general")

    @rule("SP-MOR-06", "SP-ZOC-03", "SP-HID-06")
    def enemy_held(self, at: Square, side: Role) -> bool:
        """Whether enemies or their face-down cards hold a square."""
        return self.bars(at, side) or self.cards(at, ENEMY[side]) > 0

    def reactions(self, side: Role) -> Reactions:
        """The standing reactions of a side."""
        return self.battle.reactions.get(side, NO_REACTIONS)

    # ------------------------------------------------------------ sections

    def crew_of(self, gun: Piece) -> Piece | None:
        """The crew that serves a gun: alive, not detached, in the gun's square outside (SP-ART-03, SP-CAP-05)."""
        crew = self.battle.pieces.get(gun.crew_id)
        served = crew is not None and crew.stands and crew.square == gun.square and crew.place == "outside"
        return crew if served and crew is not None and not crew.detached else None

    def section(self, gun: Piece) -> tuple[Piece, ...]:
        """Gun, crew, limber and team, as far as they are in the gun's square; crews inside a building are not."""
        names = (gun.id, gun.crew_id, gun.limber_id, gun.team_id)
        here = (self.battle.pieces.get(name) for name in names if name)
        return tuple(p for p in here if p is not None and p.stands and p.square == gun.square and p.place == "outside")

    @rule("SP-MOV-08", "SP-MOR-03")
    def is_limbered(self, gun: Piece) -> bool:
        """Whether a gun is on its limber."""
        return gun.is_drawn and not gun.deployed

    # ------------------------------------------------------------ ground

    def ground(self, at: Square) -> Ground:
        """The square as the scenario has it."""
        return self.scene.ground[at]

    @rule("SP-BRD-02")
    def is_interior(self, at: Square) -> bool:
        """Whether a woods (or hill) square has no orthogonal on-board neighbour of another terrain."""
        kind = self.ground(at).terrain
        if kind not in ("woods", "hill"):
            return False
        around = (self.scene.board.step(at, way) for way in ORTHOGONAL)
        return all(self.ground(one).terrain == kind for one in around if one is not None)

    def damage(self, kind: Structure, at: str) -> Damage:
        """What a structure has suffered, by its square or edge."""
        suffered: dict[str, Damage] = getattr(self.battle, f"{kind}s")
        return suffered.get(at, UNHURT)

    def building(self, at: Square) -> Size | None:
        """The size of the intact building of a square."""
        size = self.ground(at).building
        return None if size is None or self.damage("building", at).destroyed else size

    @rule("SP-TER-05", "SP-DMG-04")
    def has_bridge(self, at: Square) -> bool:
        """Whether an intact bridge crosses the stream here."""
        return self.ground(at).bridge and not self.damage("bridge", at).destroyed

    @rule("SP-TER-04", "SP-DMG-04")
    def wall(self, border: Edge) -> bool:
        """Whether a wall stands on an edge, gap or no gap."""
        return border in self.scene.walls and not self.damage("wall", border).destroyed

    @rule("SP-TER-04")
    def solid_wall(self, border: Edge) -> bool:
        """Whether a standing wall without a gap for a road lies on an edge."""
        return self.wall(border) and border not in self.scene.roads

    @rule("SP-BRD-03")
    def road_step(self, start: Square, end: Square) -> bool:
        """Whether a step follows a road: a link joins the squares and no bridge of either is down."""
        if is_diagonal(start, end) or edge(start, end) not in self.scene.roads:
            return False
        return all(self.has_bridge(at) or not self.ground(at).stream for at in (start, end))

    @rule("SP-TER-04", "SP-MOV-03")
    def wall_at_corner(self, start: Square, end: Square) -> bool:
        """Whether a wall without gap touches the corner that a diagonal step crosses."""
        return is_diagonal(start, end) and any(map(self.solid_wall, corner_edges(start, end)))

    # ------------------------------------------------------------ zones of control

    @rule("SP-ZOC-01")
    def zone_of(self, at: Square, facing: Facing) -> tuple[Square, ...]:
        """The squares that a stand at *at* controls by its facing, those on the board."""
        return _controlled(self.scene.board, self.options.zoc_shape, at, facing)

    @rule("SP-ZOC-01", "SP-HID-08")
    def controls(self, piece: Piece) -> bool:
        """Whether a piece, face up, has a zone of control: infantry, and deployed artillery with its crew."""
        if not piece.is_open or piece.facing is None:
            return False
        if piece.is_gun:
            return piece.deployed and self.crew_of(piece) is not None
        return piece.kind == "infantry"

    @cached_property
    def _card_zones(self) -> frozenset[Square]:
        """In a mind: what the enemy's face-down cards control."""
        if self.battle.viewer is None or self.options.cards_zoc == "none":
            return frozenset()
        shown = ((Square(key.split()[0]), cards.facing) for key, cards in self.battle.cards.items())
        return frozenset(one for at, facing in shown if facing is not None for one in self.zone_of(at, facing))

    @rule("SP-HID-08")
    def _card_controls(self, piece: Piece) -> bool:
        if not self.is_card(piece) or self.options.cards_zoc == "none":
            return False
        return self.options.cards_zoc == "all" or piece.kind != "dummy"

    @rule("SP-ZOC-01")
    def in_zone(self, at: Square, side: Role) -> bool:
        """Whether *side* controls a square by one of its zones."""
        known = self._controlled.get((at, side))
        if known is None:
            known = self._controlled[at, side] = self._is_controlled(at, side)
        return known

    @rule("SP-ZOC-01", "SP-HID-08")
    def _is_controlled(self, at: Square, side: Role) -> bool:
        if side != self.battle.viewer and at in self._card_zones:
            return True
        # A zone reaches no farther than to a neighbour.
        return any(
            piece.side == side
            and piece.facing is not None
            and at in self.zone_of(near, piece.facing)
            and (self.controls(piece) or self._card_controls(piece))
            for near in self.scene.board.neighbours(at)
            for piece in self.by_square.get(near, ())
        )

    def controllers(self, at: Square, side: Role) -> tuple[Piece, ...]:
        """The pieces of *side*, face up, whose zone covers a square."""
        near = (piece for one in self.scene.board.neighbours(at) for piece in self.by_square.get(one, ()))
        found = (
            p for p in near
            if p.side == side and self.controls(p) and p.square is not None and p.facing is not None
            and at in self.zone_of(p.square, p.facing)
        )  # fmt: skip
        return tuple(sorted(found, key=order_of))

    # ------------------------------------------------------------ capacity

    def size_of(self, piece: Piece) -> int:
        """How many stands a piece counts for (SP-PCE-01, SP-CAP-03, SP-HID-02)."""
        if piece.kind == "general":
            return 0
        return self.options.dummy_capacity if piece.kind == "dummy" else 1

    @rule("SP-CAP-01", "SP-CAP-02", "SP-CAP-03", "SP-CAP-04", "SP-TER-06")
    def overfull(self, at: Square, here: Iterable[Piece]) -> Wrong | None:
        """Why these pieces of one side may not share a square, or None if they may.

        *here* is all that would stand there, with the place of each.
        """
        pieces = list(here)
        inside = [p for p in pieces if p.place == "inside"]
        outside = [p for p in pieces if p.place == "outside"]
        building = self.building(at)
        within, without = (sum(map(self.size_of, some)) for some in (inside, outside))
        totals = self.options.building_totals
        total = {None: 4, "small": totals.small, "large": totals.large}[building]
        room = {None: 0, "small": 3, "large": 5}[building]
        if inside and building is None:
            return Wrong(f"{at} has no building to go into", "SP-TER-06")
        if any(p.kind not in ("infantry", "crew", "general", "dummy") for p in inside):
            return Wrong("only infantry, crews without their gun and generals go into a building", "SP-TER-06")
        if within > room:
            return Wrong(f"the {building} building at {at} holds {room} stands, not {within}", "SP-CAP-02")
        if without > 4:
            return Wrong(f"{at} holds 4 stands, not {without}", "SP-CAP-01")
        if within + without > total:
            return Wrong(f"{at} holds {total} stands, not {within + without}", "SP-CAP-02")
        troops = {p.kind for p in pieces} - {"general"}
        if "cavalry" in troops and len(troops) > 1:
            return Wrong(f"cavalry cannot share {at} with infantry or artillery", "SP-CAP-04")
        generals = [p for p in pieces if p.kind == "general"]
        if len(generals) > 2 or (len(generals) == 2 and not any(p.c_in_c for p in generals)):
            why = f"two generals share {at} only if one of them is commander in chief"
            return Wrong(why, "SP-CAP-03")
        return None

    @rule("SP-CAP-01", "SP-CAP-02", "SP-CAP-03", "SP-CAP-04")
    def no_room(self, at: Square, coming: Sequence[Piece], absent: Collection[str] = ()) -> Wrong | None:
        """Why pieces of one side may not come to stand in a square, each in its place, beside those of theirs there.

        *absent* are those who will not be in the way.
        """
        away = {*absent, *(piece.id for piece in coming)}
        there = (piece for piece in self.at(at, coming[0].side) if piece.id not in away)
        return self.overfull(at, [*there, *coming])

    # ------------------------------------------------------------ the way out

    @property
    @rule("SP-VIC-05", "SP-SCN-09")
    def road_is_open(self) -> bool:
        """Whether the French may leave by the road to Metz: from a turn on, or always (`exit_before_t10`)."""
        return self.options.exit_before_t10 == "allowed" or self.battle.turn >= self.scene.numbers.exit_from

    # ------------------------------------------------------------ points

    @rule("SP-PCE-02", "SP-VIC-06")
    def points_of(self, piece: Piece) -> int:
        """What a French piece is worth; 0 for a Prussian one, and for a Prussian gun that the French have taken."""
        if piece.side != "french" or piece.raised_by == "prussian":
            return 0
        split = self.options.vp_split
        if piece.kind == "crew":
            # The limber is asked, not the gun: one that the enemy has taken for use has none any more.
            trains = (p for p in self.battle.pieces.values() if p.kind == "limber" and p.gun_id == piece.gun_id)
            return split.crew_with_limber if any(trains) else split.crew_alone
        if piece.kind in ("limber", "team"):
            return split.limber if piece.kind == "limber" else split.team
        return self.scene.points.get(piece.kind, 0)

    @rule("SP-VIC-06", "SP-VIC-07")
    def points_lost_with(self, piece: Piece) -> int:
        """What the Prussians score for a piece that is lost; a gun that they captured before has scored already."""
        return 0 if piece.raised_by else self.points_of(piece)


def files_of(squares: Iterable[Square]) -> tuple[Square, ...]:
    """Squares by lowest file, then lowest row."""
    return tuple(sorted(squares, key=place))


field_of = lately(8)(Field)
"""The field of a state.  One state is asked for by whoever reads, tells, draws and judges, one after the other."""
