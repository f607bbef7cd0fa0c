"""Order lines to begin from.  What would give an order stands behind `#`; what is in force stands as it is.

Sent back whole, a template gives no order that its owner did not write.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.kernel.names import Role
from pbem.kernel.owed import Pause
from pbem.orders.sheet import offered
from pbem.systems.half_league.field.field import Field, field_of
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import FORMATIONS, at, facing, natural, short_name
from pbem.systems.half_league.world.course import Command
from pbem.systems.half_league.world.orders import Policy
from pbem.systems.half_league.world.pieces import Unit, side_of
from pbem.systems.half_league.world.state import Battle

COLUMN = 36
"""Where the second mark of a line stands, if the order is no longer."""

_line = partial(offered, column=COLUMN)


def _commanded(scene: Scene, battle: Battle, role: Role) -> Iterator[tuple[str, list[Unit]]]:
    """The brigades of a role that have anybody left, with their units."""
    side = side_of(role)
    for brigade in scene.brigades.values():
        units = sorted((one for one in battle.of(side) if one.brigade == brigade.id), key=lambda one: natural(one.id))
        if units and scene.commands(role, brigade.id, side):
            yield brigade.id, units


def _state(field: Field, unit: Unit) -> str:
    chits = f", {unit.chits} of {field.limit(unit)} chits" if unit.chits else ""
    count = unit.command_points
    points = f", {count} pt{'' if count == 1 else 's'}" if count else ", no points"
    formation = FORMATIONS[unit.formation].removeprefix("in ")
    reserve = field.scene.reserve
    held = f", held until turn {reserve.turn}" if reserve is not None and _waits(field, unit) else ""
    return f"{short_name(unit)}, {formation}, {at(unit.front)} {facing(unit)}{chits}{points}{held}"


def _waits(field: Field, unit: Unit) -> bool:
    """Whether a unit is of a reserve that will not be released when the turn begins, by what is known."""
    reserve = field.scene.reserve
    return reserve is not None and field.held_back(unit) and field.battle.turn < reserve.turn


def _activity(unit: Unit) -> str:
    if unit.in_square:
        return f"{unit.id} form line"
    return f"{unit.id} hold" if unit.unlimbered else f"{unit.id} move {facing(unit)} 8"


def _moves(field: Field, role: Role) -> Iterator[str]:
    battle = field.battle
    for brigade, units in _commanded(field.scene, battle, role):
        leader = battle.leaders.get(field.scene.brigades[brigade].brigadier)
        place = ""
        if leader is not None:
            place = f": {leader.id} {f'with {leader.attached_to}' if leader.attached_to else at(leader.front)}"
        yield f"# {brigade}{place}"
        for unit in units:
            if unit.routing:
                yield _line(f"{unit.id} rallies by itself", _state(field, unit))
            elif unit.chits * 2 >= field.limit(unit):
                yield _line(f"{unit.id} pull", _state(field, unit))
            else:
                yield _line(f"{unit.id} hold" if _waits(field, unit) else _activity(unit), _state(field, unit))


def _fight(field: Field, role: Role) -> Iterator[str]:
    for _, units in _commanded(field.scene, field.battle, role):
        for unit in units:
            if unit.charge_target:
                yield _line(f"{unit.id} spend morale", f"marked to charge {unit.charge_target}")
            elif unit.command_points and unit.in_order:
                yield _line(f"{unit.id} spend {'melee' if unit.arm == 'none' else 'fire'}", _state(field, unit))


def _deploy(field: Field, role: Role) -> Iterator[str]:
    low, high = field.scene.zones[side_of(role)]
    yield f"# Your zone is from y {low // 1000} to y {high // 1000}.  What you leave out stands as it is."
    for _, units in _commanded(field.scene, field.battle, role):
        for unit in units:
            yield _line(f"{unit.id} deploy {at(unit.front)} facing {facing(unit)} {unit.formation}", short_name(unit))


def policy_words(policy: Policy) -> str:
    """A policy as an order line."""
    if policy.kind == "advance":
        return f"policy advance {policy.when} {policy.who}"
    count = f"when chits >= {policy.number}" if policy.when != "never" else "never"
    if policy.kind in ("pull", "army-pull"):
        return f"policy {policy.kind} {policy.who} {count}"
    when = f"when-hits >= {policy.number}" if policy.when == "when-hits" else policy.when
    return f"policy cp {policy.who} {policy.benefit} {when}"


def standing_lines(scene: Scene, battle: Battle, role: Role) -> tuple[str, ...]:
    """What is in force, as order lines; the defaults behind `#`."""
    found = []
    if scene.senior(role):
        command = battle.command.get(side_of(role), Command())
        found.append(f"initiative {command.initiative}")
        for word, half in (("flank", command.flank), ("charge-flank", command.charge_flank)):
            found.append(f"{word} {half}" if half else f"# {word}: your larger half")
    found += [policy_words(one) for one in battle.policies.get(role, ())]
    return tuple(found)


def template(scene: Scene, battle: Battle, role: Role, pause: Pause) -> tuple[str, ...]:
    """The lines for what *role* may send now; none if it may send nothing."""
    call = pause.call(role)
    if call is None:
        return ()
    field = field_of(scene, battle)
    lines: list[str] = []
    if "setup" in call.sorts:
        lines += [*_deploy(field, role), ""]
    if "move" in call.sorts:
        lines += ["# One activity for each unit; take the first mark away to give it.", *_moves(field, role), ""]
    elif "fight" in call.sorts:
        lines += ["# Fire goes by priority; points are spent only as you say.", *_fight(field, role), ""]
    return (*lines, "# In force until you change it.", *standing_lines(scene, battle, role))
