"""The empty field, and how the armies come onto it (HL-SET, HL-CMD-01)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.rules.contract import World
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables.printed import ELITE_COMMAND
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import Fact, of_unit
from pbem.systems.half_league.world.options import parse_options
from pbem.systems.half_league.world.patches import GamePatch, UnitPatch
from pbem.systems.half_league.world.pieces import SIDES, Status, Unit, side_of
from pbem.systems.half_league.world.state import Battle


@rule("HL-OPT-01", "HL-SET-01")
def blank(scene: Scene, chosen: Mapping[str, Option]) -> World[Battle, Battle]:
    """The empty field under these options.

    :raises Refused: on an option that the game does not have, or a value that it cannot take.
    """
    options = parse_options({"turn_limit": scene.game.turns, **scene.options}, chosen)
    empty = Battle(roles=tuple(one.role for one in scene.commanders), options=options)
    return World(empty, {role: replace(empty, viewer=side_of(role)) for role in empty.roles})


@rule("HL-SET-01", "HL-TRN-04")
def muster(scene: Scene, world: World[Battle, Battle], dice: Dice) -> Sequence[Fact]:
    """All pieces take their places; without a free set-up command points are rolled, and the first turn begins."""
    play = Play(scene, world, {}, {}, dice)
    play.asks = False
    for side in SIDES:
        for name, unit in sorted(scene.units.items()):
            if unit.side == side:
                play.add(o.UnitPlaced(rules=cited("HL-SET-01"), side=side, unit=name, new_units=(unit,)))
        for name, leader in sorted(scene.leaders.items()):
            if leader.side == side:
                play.add(o.UnitPlaced(rules=cited("HL-SET-01"), side=side, unit=name, new_leaders=(leader,)))
    if not play.battle.options.free_setup:
        begin(play)
    return play.facts


def begin(play: Play) -> None:
    """The armies stand: command points are rolled, and the first turn begins."""
    for name, unit in sorted(play.battle.units.items()):
        roll_points(play, name, unit)
    play.add(o.PhaseBegan(rules=cited("HL-SET-01", "HL-SEQ-01"), game=GamePatch(phase="initiative", turn=1)))
    play.look()


@rule("HL-CMD-01")
def roll_points(play: Play, name: str, unit: Unit) -> None:
    """A unit's command points for the whole battle."""
    throw = play.throw("command_points", name, count=unit.cp_dice)
    elite = ELITE_COMMAND if unit.cls == "elite" else 0
    points = sum(throw.faces) + elite * len(throw.faces)
    play.add(
        o.CommandPointsRolled(
            **of_unit(unit, "HL-CMD-01"),
            dice=(throw,),
            natural=throw.faces,
            elite=elite,
            points=points,
            units={name: UnitPatch(command_points=points, command_points_start=points)},
        )
    )


@rule("HL-SET-01")
def set_up(play: Play) -> None:
    """Those who were deployed take their places; the others stand where the scenario puts them."""
    for role in play.orders:
        for order in play.orders[role]:
            if isinstance(order, say.Deploy):
                _deploy(play, role, order)
    begin(play)


def _deploy(play: Play, role: Role, order: say.Deploy) -> None:
    unit = play.unit(order.unit)
    formation = order.formation or unit.formation
    patch = UnitPatch(front=order.at, bearing=order.facing, formation=formation)
    play.add(o.UnitPlaced(**of_unit(unit, "HL-SET-01"), units={unit.id: patch}))
    play.came_of(role, order, "done", "", unit.id)


STATES: Mapping[Status, str] = {
    "good": "on the field",
    "routing": "on the field",
    "destroyed": "out of action",
    "guns_abandoned": "out of action",
    "left_field": "left the field",
}


def counts(battle: Battle) -> Mapping[str, int]:
    """Of each side where its figures are: on the field, out of action with their unit, gone off the map, fallen.

    Their sums never change.
    """
    found = {f"{side} figures {what}": 0 for side in SIDES for what in (*STATES.values(), "fallen")}
    for unit in battle.units.values():
        found[f"{unit.side} figures {STATES[unit.status]}"] += unit.figures
        found[f"{unit.side} figures fallen"] += unit.fallen
    return found
