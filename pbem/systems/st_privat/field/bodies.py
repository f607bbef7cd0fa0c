"""Bodies of troops: which pieces march as one, and at which rate."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from msgspec import Struct

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field, by_slot
from pbem.systems.st_privat.field.ranks import formation_of
from pbem.systems.st_privat.field.streams import Bank
from pbem.systems.st_privat.scene.words import names
from pbem.systems.st_privat.world.pieces import Facing, Piece, Place
from pbem.systems.st_privat.world.state import Battle

Arm = Literal["column", "line", "cavalry", "limbered", "prolonged", "general"]
"""The rows of the movement chart."""


class Body(Struct, frozen=True, dict=True):
    """Pieces of one square and place that march as one, in the order of their slots."""

    arm: Arm
    pieces: tuple[Piece, ...]

    @property
    def first(self) -> Piece:
        """The piece that stands for the body."""
        return self.pieces[0]

    @cached_property
    def side(self) -> Role:
        """Whose it is."""
        return self.first.side

    @property
    def square(self) -> Square:
        """Where it stands."""
        return self.first.at

    @property
    def place(self) -> Place:
        """Outside or inside the building."""
        return self.first.place

    @property
    def facing(self) -> Facing | None:
        """Where it looks; a general looks nowhere."""
        return None if self.arm == "general" else self.first.facing

    @property
    def bank(self) -> Bank | None:
        """On which bank of a stream square it stands."""
        return self.first.bank

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids of its pieces."""
        return tuple(piece.id for piece in self.pieces)

    @property
    @rule("SP-TER-04", "SP-TER-05")
    def on_foot(self) -> bool:
        """Infantry, or gunners without their gun."""
        return self.arm in ("column", "line")

    @property
    @rule("SP-FOR-01")
    def is_infantry(self) -> bool:
        """Infantry alone."""
        return self.first.kind == "infantry"

    @property
    def is_heavy(self) -> bool:
        """Guns, limbers and teams."""
        return self.arm in ("limbered", "prolonged")

    @property
    def hidden(self) -> tuple[Piece, ...]:
        """Its face-down cards."""
        return tuple(piece for piece in self.pieces if piece.hidden)

    @property
    def named(self) -> tuple[str, ...]:
        """Who is named for it: the gun for its section, else every stand."""
        return tuple(piece.id for piece in self.pieces if piece.is_gun) or self.names

    @property
    def has(self) -> str:
        """`p1 has`, `p1-4 have`."""
        return f"{self} {'has' if len(self.named) == 1 else 'have'}"

    def renewed(self, battle: Battle) -> Body:
        """The body as its pieces now are."""
        return Body(self.arm, tuple(battle.pieces[name] for name in self.names))

    def __str__(self) -> str:
        return names(self.named)


@rule("SP-MOV-08")
def cannot_draw(field: Field, gun: Piece) -> str:
    """Why a section cannot be drawn by its limber and team, in words; empty if it can.

    It needs a crew of `limber_min_crew`, a limber, and a team of `team_min_horses` in the gun's square.
    """
    section = {piece.kind: piece for piece in field.section(gun)}
    crew = field.crew_of(gun)
    if "limber" not in section:
        return f"{gun.id} has no limber at {gun.square}"
    team = section.get("team")
    if team is None or team.horses < field.options.team_min_horses:
        left = team.horses if team else 0
        return f"{gun.id} needs a team of {field.options.team_min_horses} horses, and has {left}"
    if crew is None or crew.men < field.options.limber_min_crew:
        return f"{gun.id} has no crew with it at {gun.square}"
    return ""


def bodies(field: Field, ids: Iterable[str], *, limbering: bool = False) -> tuple[list[Body], list[Wrong]]:
    """The bodies that pieces on the board form for a march, and why others of them cannot march.

    A gun stands for its section; *limbering* says that it is limbered up before the march.
    """
    wanted = [piece for one in dict.fromkeys(ids) if (piece := field.battle.pieces.get(one)) and piece.stands]
    found: list[Body] = []
    stuck: list[Wrong] = []
    taken: set[str] = set()
    for gun in (piece for piece in wanted if piece.is_gun):
        taken.add(gun.id)
        if why := _no_section(field, gun, limbering=limbering):
            stuck.append(why)
        else:
            section = field.section(gun)
            found.append(Body("limbered", section))
            taken |= {piece.id for piece in section}
    groups: dict[tuple[str, Square | None, Place], list[Piece]] = {}
    for piece in wanted:
        if piece.id in taken:
            continue
        if why := _cannot_march(field, piece):
            stuck.append(why)
        elif piece.is_ranked:
            groups.setdefault((piece.kind, piece.square, piece.place), []).append(piece)
        elif piece.kind in ("limber", "team"):
            train = _train(field, piece)
            found.append(Body("limbered", train))
            taken |= {one.id for one in train}
        else:
            found.append(Body("general" if piece.kind == "general" else "line", (piece,)))
    for (kind, _, _), members in groups.items():
        group = by_slot(members)
        found.append(Body("cavalry" if kind == "cavalry" else formation_of(group), group))
    # A general follows the troops that he goes with.
    return sorted(found, key=lambda body: body.arm == "general"), stuck


def _train(field: Field, piece: Piece) -> tuple[Piece, ...]:
    """A limber with the team that draws it, or a team led by itself."""
    team = field.battle.pieces.get(piece.team_id) if piece.kind == "limber" else None
    return (piece,) if team is None else (piece, team)


def _no_section(field: Field, gun: Piece, *, limbering: bool) -> Wrong | None:
    if gun.kind == "siege_gun":
        return Wrong(f"{gun.id} never moves", "SP-SGE-01")
    if gun.deployed and not limbering:
        why = f"{gun.id} stands deployed at {gun.square}"
        return Wrong(why, "SP-MOV-08", f"move {gun.id} limber via ..., or prolong {gun.id} to ...")
    why = cannot_draw(field, gun)
    return Wrong(why, "SP-MOV-08") if why else None


def _cannot_march(field: Field, piece: Piece) -> Wrong | None:
    if piece.kind == "dummy":
        return Wrong(f"{piece.id} is a dummy and moves as a card", "SP-HID-03", f"card {piece.id} to ...")
    if not piece.on_table:
        return Wrong(f"{piece.id} lies hidden with the siege gun", "SP-SGE-01")
    for gun in filter(field.is_limbered, field.at(piece.at, piece.side)):
        if piece in field.section(gun) and not piece.detached:
            return Wrong(f"{piece.id} goes with {gun.id}", "SP-MOV-08", f"move {gun.id} ...")
    if piece.kind == "limber":
        team = field.battle.pieces.get(piece.team_id)
        if team is None or team.square != piece.square or not team.stands:
            return Wrong(f"{piece.id} has no team to draw it", "SP-MOV-08")
    return None
