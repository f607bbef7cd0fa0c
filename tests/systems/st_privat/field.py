"""Positions for tests of the rules: pieces put on a shipped board, and facts looked through."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.dice import ScriptedDice
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Option
from pbem.orders.sheet import Order
from pbem.resources import resources
from pbem.rules.contract import World
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.scene import Scene, parse_scene
from pbem.systems.st_privat.turn.setup import blank
from pbem.systems.st_privat.turn.turn import resolve
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.game import Phase
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, SIDES, Cards, Facing, Formation, Piece, Place
from pbem.systems.st_privat.world.state import Battle, evolve

Found = TypeVar("Found", bound=Fact)


@cache
def scene(name: str = "graveyard") -> Scene:
    """A shipped scenario."""
    folder = resources("campaigns") / "st-privat" / name
    return parse_scene({part: tomllib.loads((folder / f"{part}.toml").read_text()) for part in SCENARIO})


SCENARIO = ("scenario", "map", "forces")


class Position:
    """A battle in the making; `put` sets pieces down as `place` does in a case."""

    def __init__(self, phase: Phase = "rifle", *, turn: int = 2, **options: object) -> None:
        self.scene = scene()
        self.battle = replace(blank(self.scene, cast(dict[str, Option], options)).truth, phase=phase, turn=turn)

    def put(
        self,
        names: str,
        at: str,
        face: Facing | None = None,
        formation: Formation = "line",
        where: Place = "outside",
        *,
        hidden: bool = False,
        **attributes: object,
    ) -> Position:
        """Set pieces (`f1 f2`) down in a square, in the order of their slots; a gun stands with its crew."""
        pieces = dict(self.battle.pieces)
        infantry = [p for p in pieces.values() if p.square == at and p.place == where and p.kind == "infantry"]
        for slot, name in enumerate(names.split(), start=len(infantry) + 1):
            piece = pieces[name]
            looks = None if piece.kind == "general" else face or piece.facing
            pieces[name] = replace(
                piece,
                square=Square(at),
                facing=looks,
                formation=formation,
                place=where,
                slot=slot,
                hidden=hidden,
                on_table=True,
                **attributes,
            )
        self.battle = replace(self.battle, pieces=pieces)
        return self

    def set(self, name: str, **attributes: object) -> Position:
        """Change attributes of a piece."""
        pieces = {**self.battle.pieces, name: replace(self.battle.pieces[name], **attributes)}
        self.battle = replace(self.battle, pieces=pieces)
        return self

    def now(self, **attributes: object) -> Position:
        """Change attributes of the game."""
        self.battle = replace(self.battle, **attributes)
        return self

    @property
    def field(self) -> Field:
        """What stands where."""
        return Field(self.scene, self.battle)

    def world(self) -> World[Battle, Battle]:
        """The position as truth, and as each side knows it."""
        return World(self.battle, {side: as_known(self.field, side) for side in SIDES})

    def begun(self, sheets: Mapping[Role, Sequence[Order]]) -> Play:
        """The position about to be played on, without a die thrown."""
        return Play(self.scene, self.world(), sheets, {}, ScriptedDice(Moment(self.battle.turn, 2), ()))

    def play(
        self,
        dice: Mapping[str, Sequence[int]],
        *,
        french: Sequence[Order] = (),
        prussian: Sequence[Order] = (),
    ) -> tuple[list[Fact], Battle]:
        """Play the phase with scripted dice: what came to pass, and the battle after it."""
        script = ScriptedDice(Moment(self.battle.turn, 2), dice)
        sheets = {FRENCH: french, PRUSSIAN: prussian}
        resolution = resolve(self.scene, self.world(), sheets, {}, script, "phase")
        assert not script.left_over()
        battle = self.battle
        for fact in resolution.facts:
            battle = evolve(battle, fact)
        return list(resolution.facts), battle


def as_known(field: Field, side: Role) -> Battle:
    """What a side knows of a position: its own pieces, open enemies, and cards by number."""
    battle = field.battle
    pieces: dict[str, Piece] = {
        name: piece
        for name, piece in battle.pieces.items()
        if piece.side == side or (piece.stands and piece.on_table and not piece.hidden)
    }
    cards: dict[str, Cards] = {}
    for at in field.by_square:
        for other in SIDES:
            if other != side:
                cards |= {key: shown for key, shown in field.shown_cards(at, other).items() if shown.count}
    return replace(battle, viewer=side, pieces=pieces, cards=cards)


def of(facts: Iterable[Fact], kind: type[Found]) -> list[Found]:
    """The facts of a kind."""
    return [fact for fact in facts if isinstance(fact, kind)]


START = scene().numbers.french_start_points
"""What the French begin with at St. Privat."""
