"""Attacks of 1870: one of each kind, and those that a side could try by what it knows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.orders.sheet import lines_of
from pbem.rules.chances import Attack
from pbem.rules.contract import apply
from pbem.systems.empire_1870 import SYSTEM
from pbem.systems.empire_1870.field.field import field_of
from pbem.systems.empire_1870.sheets.chances import attacks
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from tests.systems.empire_1870.test_receipt import POSITION, SCENE
from tests.systems.play import Game


def known(side: Role, sheet: str, position: str = POSITION) -> list[Attack]:
    """The attacks of a sheet, by what its side knows."""
    world = SYSTEM.blank(SCENE, {})
    for line in lines_of(position):
        for fact in SYSTEM.direct(SCENE, world, [line], {}).items:
            world = apply(SYSTEM, world, fact)
    mind, call = world.minds[side], SYSTEM.awaits(world.truth).call(side)
    return list(attacks(SCENE, mind, side, SYSTEM.read(SCENE, lines_of(sheet), mind, side, call).items))


def examples() -> Iterator[Attack]:
    """A planned attack and a march that attacks, of which guns throw again; and an assault on a fortress."""
    yield from known(FRENCH, "ACT F3\n SELF 8SP ASSAULT 2306\nEND", POSITION + "place german 4SP at 2306")
    rich = "set rp french 30\nset rp german 30\nplace german 6SP at 2306"
    yield from known(FRENCH, "DIV 2206 4SP MARCH 2306 ATTACK", POSITION + rich)
    yield from known(GERMAN, "SIEGE 2609 ASSAULT", POSITION + "place german 12SP at 2609")


def tries(game: Game, role: Role) -> list[str]:
    """What a side could attack, by what it knows."""
    field = field_of(game.scene, game.world.minds[role])
    war = field.war
    lines = [
        f"DIV {at} 2SP MARCH {to} ATTACK"
        for at in sorted(war.stacks.get(role, {}))
        for to in field.scene.board.neighbours(at)
        if to in war.occupied or to in war.ghosts
    ]
    return [*lines[:4], *(f"SIEGE {at} ASSAULT" for at in sorted(field.scene.fortresses)[:4])]
