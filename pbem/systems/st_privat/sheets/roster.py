"""Whose pieces an order names: ids and squares looked up in what its writer knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made

from msgspec import Struct

from pbem.ground.square import Square, parse_square
from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Complaint, Judgement, Order
from pbem.orders.suggest import closest
from pbem.rules.lately import lately
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.scene.forces import ids
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import names
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import Draft
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import GUNS, SIDES, Facing, Kind, Piece, Place
from pbem.systems.st_privat.world.state import Battle

FOOT: tuple[Kind, ...] = ("infantry",)
TROOPS: tuple[Kind, ...] = ("infantry", "cavalry")
MOVERS: tuple[Kind, ...] = (*TROOPS, "general", "crew", "limber", "team", *GUNS)
GOERS_IN: tuple[Kind, ...] = ("infantry", "crew", "general")

KINDS: Mapping[type[Order], tuple[Kind, ...]] = {
    say.Move: MOVERS,
    say.Exit: MOVERS,
    say.Turn: (*TROOPS, *GUNS, "dummy"),
    say.Form: FOOT,
    say.Enter: GOERS_IN,
    say.Leave: GOERS_IN,
    say.Demolish: FOOT,
    say.Fire: FOOT,
    say.Charge: TROOPS,
}
"""The kinds that `@SQ` means in an order; in all others it means everybody."""


def names_of(scene: Scene, battle: Battle) -> dict[str, Role]:
    """Every piece of the order of battle, which is no secret, and whose it is."""
    return _names_under(scene, battle.options)


@lately(4)
def _names_under(scene: Scene, options: Options) -> dict[str, Role]:
    return {name: side for side in SIDES for known in ids(scene, options, side).values() for name in known}


@dataclass(frozen=True)
class Roster:
    """The pieces that a writer can order, and where his own sheet takes them."""

    scene: Scene
    field: Field
    side: Role
    sides: Mapping[str, Role]
    going: dict[str, tuple[Square, Place]] = made(default_factory=dict)
    """Where moves of the same sheet are to end."""
    looking: dict[str, Facing | None] = made(default_factory=dict)
    """Where those look who move or turn by the same sheet; None where that cannot be told beforehand."""
    revealing: set[str] = made(default_factory=set)
    """What the same sheet brings on: the siege gun."""

    def piece(self, name: str) -> Piece:
        """A piece that the writer knows."""
        return self.field.battle.pieces[name]

    def where(self, name: str) -> tuple[Square | None, Place]:
        """Where a piece will be when the moves of the sheet are made, as far as the writer can tell."""
        piece = self.piece(name)
        return self.going.get(name, (piece.square, piece.place))

    def facing(self, name: str) -> Facing | None:
        """Where a piece will look then; None if nobody can tell, or if it looks nowhere."""
        return self.looking.get(name, self.piece(name).facing)

    # ------------------------------------------------------------ one name

    def wrong_id(self, name: str, *, in_box: bool = False) -> tuple[Judgement, Wrong] | None:
        """Why a name is no piece that the writer can order; *in_box*: before it is set up."""
        side = self.sides.get(name)
        if side is None:
            known = [one for one, owner in self.sides.items() if owner == self.side]
            near = closest(name, known)
            square = parse_square(name)
            also = f" The square is written @{square}." if square in self.scene.board else ""
            why = f'there is no piece "{name}"{f"; did you mean {near}?" if near else "."}{also}'
            return Judgement.NOT_UNDERSTOOD, Wrong(why.rstrip("."), "SP-GEN-02")
        if side != self.side and name not in self.field.battle.pieces:
            return Judgement.NOT_ALLOWED, Wrong(f"{name} is not your piece", "SP-GEN-02")
        piece = self.field.battle.pieces.get(name)
        if piece is None or piece.side != self.side:
            return Judgement.NOT_ALLOWED, Wrong(f"{name} is not your piece", "SP-GEN-02")
        if piece.removed is not None:
            return Judgement.NOT_ALLOWED, Wrong(
                f"{name} is off the board: {piece.removed}".replace("_", " "), "SP-GEN-02"
            )
        if piece.square is None and not in_box:
            return Judgement.NOT_ALLOWED, Wrong(f"{name} is not on the board", "SP-GEN-02")
        return None

    # ------------------------------------------------------------ selectors

    def at(self, selector: str, kinds: Sequence[Kind] | None, *, later: bool) -> tuple[str, ...]:
        """The pieces that `@J-10` or `@J-10 in` means: those there now, and if *later* those who will be."""
        text, _, inside = selector.removeprefix("@").partition(" ")
        at = Square(text)
        place: Place = "inside" if inside else "outside"
        there: Sequence[Piece] = self.field.at(at, self.side, place)
        if later and self.going:
            there = [piece for piece in self.field.own(self.side) if self.where(piece.id) == (at, place)]
        found = [piece for piece in there if kinds is None or piece.kind in kinds]
        return tuple(piece.id for piece in sorted(found, key=lambda p: p.slot))

    def expand(self, units: Iterable[str], kinds: Sequence[Kind] | None, *, later: bool) -> tuple[str, ...]:
        """All pieces that selectors mean."""
        found: dict[str, None] = {}
        for unit in units:
            if unit == "all":
                found |= dict.fromkeys(piece.id for piece in self.field.own(self.side))
            elif unit.startswith("@"):
                found |= dict.fromkeys(self.at(unit, kinds, later=later))
            else:
                found[unit] = None
        return tuple(found)

    def meant(self, order: say.OfUnits) -> tuple[str, ...]:
        """All pieces that an order of fire or melee is for, once the moves of the sheet are made."""
        return self.expand(order.units, KINDS.get(type(order)), later=True)

    def wrong_units(self, draft: Draft, units: Sequence[str], *, in_box: bool = False) -> Complaint | None:
        """The first selector of a line that means no piece of the writer's."""
        sort = draft.sort
        if units == ("all",):
            return None
        for index, unit in enumerate(units):
            spot = f"units.{index}"
            if not unit.startswith("@"):
                if wrong := self.wrong_id(unit, in_box=in_box):
                    return draft.complaint(wrong[0], wrong[1], spot)
                continue
            if in_box and sort == "reactions":
                continue
            kinds = KINDS.get(type(draft.order))
            there = self.at(unit, kinds, later=False)
            if not there and (sort in ("movement", "setup") or not self.at(unit, kinds, later=True)):
                where = unit.removeprefix("@").replace(" in", ", inside")
                what = "infantry" if kinds == FOOT else "troops" if kinds == TROOPS else "pieces"
                inside = unit.endswith(" in")
                other = unit.removesuffix(" in") if inside else f"{unit} in"
                elsewhere = self.at(other, kinds, later=False)
                meant = f"; those {'outside' if inside else 'inside'} are {other}" if elsewhere else ""
                return draft.refused(Wrong(f"none of your {what} stand in {where}{meant}", "SP-GEN-02"), spot)
        return None


class Claim(Struct, frozen=True):
    """A line and the pieces that it commits, for lines that order the same thing twice."""

    draft: Draft
    names: tuple[str, ...]
    """Each piece, or a piece and what it is to do: `p7 fires`."""
    reduced: bool = False
    """Lost some of its pieces to a later line."""


def _pieces(keys: Iterable[str]) -> tuple[str, ...]:
    """The pieces of what a line commits: `p7`, or `p7 fires`."""
    return tuple(key.split()[0] for key in keys)


def _kept(claim: Claim, lost: Sequence[str]) -> tuple[str, ...]:
    """Whom a line still orders when later lines have taken some; nobody if nothing of it is left.

    Where it names a square, the pieces that it keeps are named in its stead.
    """
    units, gone = say.units_of(claim.draft.order), _pieces(lost)
    if any(unit.startswith("@") for unit in units):
        return _pieces(key for key in claim.names if key not in lost)
    left = tuple(unit for unit in units if unit not in gone)
    return () if left == units else left


def superseded(claims: Sequence[Claim]) -> tuple[list[Claim], list[Complaint]]:
    """Of lines that order the same piece, the last for each piece, and what is said of the others.

    A line that keeps some of its pieces stands for those.
    """
    last: dict[str, int] = {}
    for index, claim in enumerate(claims):
        last |= dict.fromkeys(claim.names, index)
    stand: list[Claim] = []
    complaints: list[Complaint] = []
    for index, claim in enumerate(claims):
        lost = tuple(key for key in claim.names if last[key] != index)
        if not lost:
            stand.append(claim)
            continue
        later = sorted({claims[last[key]].draft.line.number for key in lost})
        lines = f"line {later[0]}" if len(later) == 1 else f"lines {' and '.join(map(str, later))}"
        kept = _kept(claim, lost)
        if not kept:
            why = Wrong(f"{lines} order{'s' if len(later) == 1 else ''} the same", "SP-GEN-02")
            complaints.append(claim.draft.complaint(Judgement.SUPERSEDED, why))
            continue
        gone = _pieces(lost)
        follow = f"{names(gone)} follow{'s' if len(gone) == 1 else ''} {lines}"
        doubt = Wrong(f"{follow}; this line stands for the others", "SP-GEN-02")
        complaints.append(claim.draft.complaint(Judgement.DOUBTFUL, doubt))
        draft = claim.draft.meaning(say.with_units(claim.draft.order, kept))
        stand.append(Claim(draft, tuple(key for key in claim.names if key not in lost), reduced=True))
    return stand, complaints
