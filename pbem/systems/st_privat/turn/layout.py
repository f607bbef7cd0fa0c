"""A side's set-up in the making: where each piece may stand, and what fills the gaps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from pbem.ground.square import Board, Square, distance, place, square
from pbem.kernel.names import Role
from pbem.orders.prose import counted, number
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Order, lines_of
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import field_of, order_of
from pbem.systems.st_privat.field.ranks import closed
from pbem.systems.st_privat.field.streams import home_bank
from pbem.systems.st_privat.scene.forces import FRONT
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import names, side_name
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import drafts
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Facing, Formation, Piece, Place
from pbem.systems.st_privat.world.state import Battle

FRENCH_DEPLOYED = 3
"""Sections that the French deploy in the towns; the others are limbered (SP-SET-01)."""


def default_orders(scene: Scene, side: Role) -> tuple[Order, ...]:
    """The scenario's default set-up of a side, in set-up orders (SP-SCN-07, SP-SCN-08)."""
    return _orders_in(scene.setup.get(side, ""), scene.board)


@lru_cache(maxsize=16)
def _orders_in(text: str, board: Board) -> tuple[Order, ...]:
    found, _ = drafts(board, lines_of(text), ())
    return tuple(draft.order for draft in found)


@lru_cache(maxsize=1024)
def _from(board: Board, setup: str, at: Square) -> tuple[Square, ...]:
    """All squares, those of a default set-up before all others, and of each the nearest first."""
    listed = {order.square for order in _orders_in(setup, board) if isinstance(order, say.PlaceUnits | say.PutDummy)}
    return tuple(sorted(board, key=lambda one: (one not in listed, distance(one, at), place(one))))


def _formation(order: say.PlaceUnits | say.PutDummy) -> Formation | None:
    return order.formation if isinstance(order, say.PlaceUnits) else None


class Layout:
    """The pieces of a side as they are put on the board, one order after another."""

    def __init__(self, scene: Scene, battle: Battle, side: Role) -> None:
        self.scene, self.side = scene, side
        self.field = field_of(scene, battle)
        self.pieces = {p.id: p for p in sorted(battle.pieces.values(), key=order_of) if p.side == side}
        self.zone = battle.siege_zone
        self.placed = {p.id for p in self.pieces.values() if p.stands}
        self.shown = {p.id for p in self.pieces.values() if p.stands and not p.hidden}
        self.sections: dict[str, int] = {}
        """What the owner said of a gun: its limber, 0 for deployed."""
        self.command: tuple[str, ...] = ()
        self.defaulted: list[str] = []

    # ------------------------------------------------------------ orders

    def apply(self, order: say.SetUp) -> Wrong | None:
        """Take an order in, or say why not."""
        return PUT[type(order)](self, order)

    @rule("SP-SET-01", "SP-PCE-01")
    def _section(self, order: say.PutSection) -> Wrong | None:
        gun = self.pieces.get(order.gun)
        if gun is None or not gun.is_drawn:
            return Wrong(f"{order.gun} is no gun that can be limbered", "SP-PCE-01")
        if order.limber:
            if f"{self.side[0]}l{order.limber}" not in self.pieces:
                return Wrong(f"there is no limber {order.limber}", "SP-PCE-01")
            other = next((name for name, limber in self.sections.items() if limber == order.limber), None)
            if other is not None and other != gun.id:
                return Wrong(f"limber {order.limber} draws {other} already", "SP-SET-01")
        deployed = [name for name, limber in self.sections.items() if not limber and name != gun.id]
        if self.side == FRENCH and not order.limber and len(deployed) >= FRENCH_DEPLOYED:
            why = f"{number(FRENCH_DEPLOYED)} sections are deployed, the others limbered; {names(deployed)} are named"
            return Wrong(why, "SP-SET-01", f"section {gun.id} limbered with limber 1")
        self.sections[gun.id] = order.limber
        return None

    def pair(self) -> None:
        """Give the limbers out: as ordered, then as the scenario has them, then to the guns without one."""
        guns = [p for p in self.pieces.values() if p.is_drawn]
        limbers = [int(p.id[2:]) for p in self.pieces.values() if p.kind == "limber"]
        given = {limber: gun for gun, limber in self.sections.items() if limber}
        ordered_off = {gun for gun, limber in self.sections.items() if not limber}
        keeps = {gun.id: int(gun.limber_id[2:]) for gun in guns if gun.limber_id}
        for gun in guns:
            limber = keeps.get(gun.id)
            free = limber is not None and limber not in given and gun.id not in given.values()
            if free and limber is not None and (gun.id not in ordered_off or self.side != FRENCH):
                given[limber] = gun.id
        spare = [limber for limber in limbers if limber not in given]
        without = [gun.id for gun in guns if gun.id not in given.values() and gun.id not in ordered_off]
        given |= dict(zip(spare, without, strict=False))
        head = self.side[0]
        drawn = {gun: limber for limber, gun in given.items()}
        for gun in guns:
            limber = drawn.get(gun.id, 0)
            self.pieces[gun.id] = replace(
                gun,
                limber_id=f"{head}l{limber}" if limber else "",
                team_id=f"{head}t{limber}" if limber else "",
                deployed=not limber or gun.id in ordered_off,
            )
        for limber in limbers:
            for kind in "lt":
                name = f"{head}{kind}{limber}"
                self.pieces[name] = replace(self.pieces[name], gun_id=given.get(limber, ""))

    @rule("SP-SET-01", "SP-SET-04", "SP-CAP-01", "SP-CAP-02", "SP-CAP-03", "SP-CAP-04", "SP-FOR-01")
    def _place(self, order: say.PlaceUnits) -> Wrong | None:
        group, wrong = self._whole(order.units)
        if wrong is not None:
            return wrong
        for piece in group:
            if wrong := self.not_here(piece, order.square):
                return wrong
        if wrong := self._formed(order, group):
            return wrong
        return self._put(group, order.square, order.place, order.facing, order.formation)

    def _whole(self, units: Iterable[str]) -> tuple[list[Piece], Wrong | None]:
        """The pieces of a `place`, guns with their sections; parts of a section do not stand alone."""
        found: dict[str, Piece] = {}
        for name in units:
            piece = self.pieces[name]
            if piece.kind == "siege_gun" or not piece.on_table:
                return [], Wrong(f"{name} is placed in its zone", "SP-SET-03", "siege at ...")
            if piece.kind == "dummy":
                return [], Wrong(f"{name} is a dummy", "SP-HID-02", f"dummy {name} at ...")
            if piece.is_gun:
                found |= {part.id: part for part in self.section(piece)}
        for name in units:
            piece = self.pieces[name]
            if piece.gun_id and name not in found:
                return [], Wrong(f"{name} stands with {piece.gun_id}", "SP-PCE-01", f"place {piece.gun_id} at ...")
            found.setdefault(name, piece)
        return list(found.values()), None

    def section(self, gun: Piece) -> list[Piece]:
        """Gun, crew, limber and team, wherever they are."""
        gun = self.pieces[gun.id]
        return [self.pieces[name] for name in (gun.id, gun.crew_id, gun.limber_id, gun.team_id) if name]

    @rule("SP-SET-01", "SP-SET-04", "SP-HID-02")
    def not_here(self, piece: Piece, at: Square) -> Wrong | None:
        """Why a piece may not be set up in a square."""
        numbers, row, town = self.scene.numbers, place(at)[1], self.town(at)
        low, high = numbers.french_rows if self.side == FRENCH else numbers.prussian_rows
        rule_ = "SP-SET-01" if self.side == FRENCH else "SP-SET-04"
        if not low <= row <= high:
            return Wrong(f"{side_name(self.side)} set up on rows {low} to {high}; {at} is not there", rule_)
        if piece.kind == "dummy":
            return None if town else Wrong(f"a dummy is set up in a town, and {at} is in none", rule_)
        if self.side != FRENCH or not self.scene.towns:
            return None
        gun = self.pieces.get(piece.gun_id, piece)
        if piece.kind in ("infantry", "general") or (gun.is_gun and gun.deployed):
            what = "a deployed gun" if gun.is_gun else f"a {piece.kind}" if piece.kind != "infantry" else "infantry"
            return None if town else Wrong(f"{what} is set up in a town, and {at} is in none", rule_)
        if not town:
            return None
        arm = "cavalry" if piece.kind == "cavalry" else "a limbered section"
        return Wrong(f"{arm} is set up outside the towns, and {at} is in {town}", rule_)

    def town(self, at: Square) -> str:
        """The name of the town of a square; empty outside."""
        return self.field.ground(at).town

    def _formed(self, order: say.PlaceUnits, group: Sequence[Piece]) -> Wrong | None:
        foot = [piece for piece in group if piece.kind == "infantry"]
        if order.formation != "column":
            return None
        if order.place == "inside" or not foot:
            return Wrong("only infantry outside stands in column", "SP-FOR-01")
        there = [p for p in self.there(order.square, {p.id for p in group}) if p.kind == "infantry"]
        if len(foot) + len(there) < 2:
            return Wrong("a column is two stands or more", "SP-FOR-01")
        return None

    @rule("SP-HID-02")
    def _dummy(self, order: say.PutDummy) -> Wrong | None:
        piece = self.pieces[order.id]
        if piece.kind != "dummy":
            return Wrong(f"{order.id} is no dummy", "SP-HID-02", f"place {order.id} at {order.square}")
        if wrong := self.not_here(piece, order.square):
            return Wrong(wrong.why, "SP-HID-02")
        return self._put([piece], order.square, order.place, order.facing, None)

    @rule("SP-SET-03")
    def siege_bars(self, at: Square) -> str:
        """Why the siege gun may not stand in a square, in words; empty if it may."""
        if self.zone is None:
            return "the zone of the siege gun is not known yet"
        low, high = (ord(one) - ord("A") + 1 for one in self.zone.files.split("-"))
        file, row = place(at)
        if row != self.zone.row or not low <= file <= high:
            return f"the siege gun stands in files {self.zone.files} of row {self.zone.row}; {at} is not there"
        ground = self.field.ground(at)
        if ground.terrain != "open" or ground.stream or ground.building:
            what = ground.terrain if ground.terrain != "open" else "stream" if ground.stream else "a building"
            return f"the siege gun does not stand on {what}: {at}"
        return ""

    def _siege(self, order: say.SiegeAt) -> Wrong | None:
        gun = next((p for p in self.pieces.values() if p.kind == "siege_gun"), None)
        if gun is None or self.side != PRUSSIAN:
            return Wrong("you have no siege gun", "SP-SET-03")
        if why := self.siege_bars(order.square):
            return Wrong(why, "SP-SET-03")
        return self._put(self.section(gun), order.square, "outside", order.facing, None)

    @rule("SP-HID-01")
    def _show(self, order: say.Show) -> Wrong | None:
        pieces = [part for name in order.units for part in (self._parts(self.pieces[name]))]
        open_ = [p.id for p in pieces if p.kind == "dummy" or not self.may_hide(p)]
        if open_:
            return Wrong(f"{names(open_)} cannot be shown: only troops under a card in a town are", "SP-HID-01")
        self.shown |= {piece.id for piece in pieces}
        return None

    def _parts(self, piece: Piece) -> list[Piece]:
        return self.section(piece) if piece.is_gun else [self.pieces[piece.id]]

    @rule("SP-HID-01")
    def may_hide(self, piece: Piece) -> bool:
        """Whether a piece may lie face down where it stands: French infantry, deployed guns, dummies in a town."""
        piece = self.pieces[piece.id]
        if self.side != FRENCH or piece.square is None or not self.town(piece.square):
            return False
        gun = self.pieces.get(piece.gun_id) if piece.kind == "crew" else piece if piece.is_gun else None
        return piece.kind in ("infantry", "dummy") or (gun is not None and gun.deployed)

    @rule("SP-PCE-03")
    def misnamed(self, order: Order) -> Wrong | None:
        """Why an order names a piece of a kind that it cannot be for."""
        if isinstance(order, say.Command):
            kinds = ("infantry", "cavalry")
            if others := [name for name in order.units if self.pieces[name].kind not in kinds]:
                why = f"only infantry and cavalry are command stands, and {names(others)} is neither"
                return Wrong(why, "SP-PCE-03")
        if isinstance(order, say.Cinc) and self.pieces[order.id].kind != "general":
            return Wrong(f"{order.id} is no general", "SP-PCE-03")
        return None

    @rule("SP-PCE-03")
    def _command(self, order: say.Command) -> Wrong | None:
        most = getattr(self.field.options.command_stands, self.side)
        chosen = tuple(dict.fromkeys((*self.command, *order.units)))
        if len(chosen) > most:
            return Wrong(f"a side marks {counted(most, 'command stand')}, not {number(len(chosen))}", "SP-PCE-03")
        self.command = chosen
        return None

    @rule("SP-PCE-03")
    def _cinc(self, order: say.Cinc) -> Wrong | None:
        for piece in [p for p in self.pieces.values() if p.kind == "general"]:
            self.pieces[piece.id] = replace(piece, c_in_c=piece.id == order.id)
        return None

    # ------------------------------------------------------------ squares

    def there(self, at: Square, without: Iterable[str] = ()) -> list[Piece]:
        """Who of the side is placed in a square."""
        away = set(without)
        return [p for p in self.pieces.values() if p.square == at and p.id in self.placed and p.id not in away]

    def _put(
        self, group: Sequence[Piece], at: Square, where: Place, facing: Facing | None, formation: Formation | None
    ) -> Wrong | None:
        """Stand pieces in a square if there is room; they join the group and the cards of the place."""
        ids = {piece.id for piece in group}
        there = self.there(at, ids)
        crowd = [*there, *(replace(piece, square=at, place=where) for piece in group)]
        if full := self.field.overfull(at, crowd):
            return full
        if wrong := self._second_general(group, at, ids):
            return wrong
        near = [p for p in there if p.place == where]
        bound = next((p for p in near if self._looks_alike(p)), None)
        for piece in group:
            alike = [p for p in self.there(at, ids) if p.place == where and p.kind == piece.kind]
            joins = bound is not None and self._looks_alike(replace(piece, square=at))
            looks = bound.facing if joins and bound is not None else facing or FRONT[self.side]
            shape: Formation = alike[0].formation if alike else formation or "line"
            self.pieces[piece.id] = replace(
                self.pieces[piece.id],
                square=at,
                place=where,
                facing=None if piece.kind == "general" else looks,
                formation=shape if piece.kind == "infantry" and where == "outside" else "line",
                slot=len(alike) + 1 if piece.is_ranked else 1,
                bank=home_bank(self.field, at, self.side),
                emplaced=at if piece.kind == "siege_gun" else None,
            )
            ids.discard(piece.id)
            self.placed.add(piece.id)
        return None

    @rule("SP-HID-01", "SP-SET-04")
    def _looks_alike(self, piece: Piece) -> bool:
        """Whether a piece has one facing with others of its place: infantry, dummies, and what else may be a card."""
        if piece.kind in ("infantry", "dummy"):
            return True
        town = self.side == FRENCH and piece.square is not None and bool(self.town(piece.square))
        return town and (piece.kind == "crew" or (piece.is_gun and piece.deployed))

    @rule("SP-SET-01")
    def _second_general(self, group: Sequence[Piece], at: Square, ids: set[str]) -> Wrong | None:
        """The French have one general in each town."""
        town = self.town(at)
        if self.side != FRENCH or not town or not any(piece.kind == "general" for piece in group):
            return None
        placed = (p for p in self.pieces.values() if p.kind == "general" and p.id in self.placed and p.id not in ids)
        other = next((p.id for p in placed if p.square and self.town(p.square) == town), None)
        return Wrong(f"each town has one general, and {other} is in {town}", "SP-SET-01") if other else None

    # ------------------------------------------------------------ the rest

    def fill(self) -> None:
        """Place what is still missing, as near to its place in the default set-up as there is room.

        The siege gun comes first, for it has few squares: rather one that nobody is set up in.
        """
        wanted = {order.square for _, order in self._defaults()}
        self._default_siege(wanted | {p.square for p in self.pieces.values() if p.square and p.id in self.placed})
        for group, order in self._defaults():
            self._settle(group, order.square, order.place, order.facing, _formation(order))
        if not self.command:
            most = getattr(self.field.options.command_stands, self.side)
            named = [name for order in self._default_orders if isinstance(order, say.Command) for name in order.units]
            self.command = tuple(name for name in named if name in self.pieces)[:most]
        home = self._home()
        for rest in self._together([name for name in self.pieces if name not in self.placed]):
            self._settle(rest, home, "outside", None, None)
        self._close_up()

    @rule("SP-FOR-01", "SP-FOR-05")
    def _close_up(self) -> None:
        """Close the ranks that a later order has taken somebody out of; a column of one is a line."""
        groups: dict[tuple[Square, Place, str], list[Piece]] = {}
        for piece in self.pieces.values():
            if piece.square is not None and piece.is_ranked:
                groups.setdefault((piece.square, piece.place, piece.kind), []).append(piece)
        for group in groups.values():
            for name, patch in closed(sorted(group, key=lambda p: p.slot), self.field.options.line_frontage).items():
                self.pieces[name] = replace(self.pieces[name], **patch.sets())

    @property
    def _default_orders(self) -> tuple[Order, ...]:
        return default_orders(self.scene, self.side)

    def _defaults(self) -> Iterator[tuple[list[Piece], say.PlaceUnits | say.PutDummy]]:
        """The groups of the default set-up that are not placed yet."""
        for order in self._default_orders:
            if not isinstance(order, say.PlaceUnits | say.PutDummy):
                continue
            missing = [name for name in say.units_of(order) if name in self.pieces and name not in self.placed]
            for group in self._together(missing):
                yield group, order

    def _home(self) -> Square:
        """A square from which to look for room for pieces that the default set-up does not name."""
        rows = self.scene.numbers.french_rows if self.side == FRENCH else self.scene.numbers.prussian_rows
        return square(1, rows[1])

    def _together(self, missing: Sequence[str]) -> Iterator[list[Piece]]:
        """Missing pieces in groups that are placed as one: sections whole, the rest as they come."""
        rest = []
        for name in missing:
            piece = self.pieces[name]
            if piece.is_gun:
                yield [part for part in self.section(piece) if part.id not in self.placed]
            elif not piece.gun_id:
                rest.append(piece)
        if rest:
            yield rest

    def _settle(
        self, group: Sequence[Piece], at: Square, where: Place, facing: Facing | None, formation: Formation | None
    ) -> None:
        """Place a group at a square, or its pieces one by one as near to it as they may stand.

        The squares of the default set-up come before all others.
        """
        section = group[0].is_gun
        lawful = not any(self.not_here(piece, at) for piece in group)
        if lawful and self._put(group, at, where, facing, formation) is None:
            self.defaulted += [piece.id for piece in group]
            return
        squares = _from(self.scene.board, self.scene.setup.get(self.side, ""), at)
        for some in [list(group)] if section else [[piece] for piece in group]:
            for near in squares:
                free = not any(self.not_here(piece, near) for piece in some)
                if free and self._put(some, near, "outside", facing, None) is None:
                    self.defaulted += [piece.id for piece in some]
                    break

    @rule("SP-SET-03", "SP-SCN-08")
    def _default_siege(self, taken: Collection[Square]) -> None:
        """The first legal square of the zone, by file, that is not *taken*; if all are, the first of them."""
        gun = next((p for p in self.pieces.values() if p.kind == "siege_gun" and p.id not in self.placed), None)
        if gun is None or self.zone is None:
            return
        for at in sorted(self.scene.board, key=lambda one: (one in taken, place(one))):
            if not self.siege_bars(at) and self._put(self.section(gun), at, "outside", None, None) is None:
                self.defaulted += [part.id for part in self.section(gun)]
                return

    @rule("SP-SET-02")
    def garrisons_short(self) -> Wrong | None:
        """Why the whole set-up cannot stand: a town with too small a garrison."""
        if self.side != FRENCH:
            return None
        least = self.scene.numbers.minimum_garrison
        for town in self.scene.towns.values():
            there = [p for p in self.pieces.values() if p.kind == "infantry" and p.square in town.squares]
            if len(there) < least:
                why = f"{town.name} has {len(there)} of {least} infantry stands: the whole set-up is refused"
                return Wrong(why, "SP-SET-02", f"place {least - len(there)} more in {town.name}")
        return None


Put = Callable[[Layout, Any], Wrong | None]  # type: ignore[explicit-any] # each its own order

PUT: Mapping[type[say.SetUp], Put] = {
    say.PutSection: Layout._section,
    say.PlaceUnits: Layout._place,
    say.PutDummy: Layout._dummy,
    say.SiegeAt: Layout._siege,
    say.Show: Layout._show,
    say.Command: Layout._command,
    say.Cinc: Layout._cinc,
}
"""What is done by each order, or why it cannot be."""
