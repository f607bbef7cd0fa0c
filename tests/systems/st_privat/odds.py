"""Attacks of St. Privat: one of each kind, and those that a side could try by what it knows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.ground.square import distance
from pbem.kernel.names import Role
from pbem.rules.chances import Attack
from pbem.systems.st_privat.field.field import field_of
from pbem.systems.st_privat.sheets.chances import attacks
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN
from tests.systems.play import Game
from tests.systems.st_privat.field import Position, as_known
from tests.systems.st_privat.sheets import EVERYTHING, given


def known(position: Position, side: Role, text: str) -> list[Attack]:
    """The attacks of a sheet, by what its side knows."""
    orders = given(position, side, text, sorts=EVERYTHING).items
    return list(attacks(position.scene, as_known(position.field, side), side, orders))


def position() -> Position:
    """Lines within reach of each other, a battery beside them; the Prussians charge this turn."""
    found = Position("rifle").now(first_mover=FRENCH, second_mover=PRUSSIAN)
    found.put("f1 f2 f3 f4", "H-9", "n").put("p1 p2", "H-10", "s").put("p3 p4", "G-9", "e")
    found.put("fg1 fk1", "K-9", "n").set("fg1", deployed=True)
    return found.put("p9 p10", "K-11", "s").put("p13 p14 p15 p16", "K-12", "s")


def examples() -> Iterator[Attack]:
    """One of each kind, and a shell, which strays."""
    yield from known(position(), FRENCH, "fire f1+f2 at H-10")
    yield from known(position(), PRUSSIAN, "charge p1+p2+p3+p4 at H-9")
    yield from known(position(), FRENCH, "shoot fg1 shell at K-12")
    yield from known(position(), FRENCH, "shoot fg1 shot at K-11")


def tries(game: Game, role: Role) -> list[str]:
    """What a side could attack, by what it knows."""
    field = field_of(game.scene, game.world.minds[role])
    there = sorted({at for at in field.by_square if field.visible(at, ENEMY[role]) or field.cards(at, ENEMY[role])})
    own = sorted({piece.square for piece in field.own(role) if piece.kind == "infantry" and piece.square})
    pairs = [(at, to) for at in own for to in there if distance(at, to) <= 3]
    guns = [f"shoot {piece.id} shell at {to} danger" for piece in field.own(role) if piece.is_gun for to in there]
    fires = [f"fire @{at} at {to}" for at, to in pairs]
    return [*fires[:12], *guns[:12], *(f"charge @{at} at {to}" for at, to in pairs if distance(at, to) == 1)]
