"""What a step of a march costs, and whether it may be taken (WE-MOV, WE-ZOC-02)."""

from __future__ import annotations

from pbem.ground.hexes import Hex, hexside
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.fact import Modifier
from pbem.systems.empire_1870.field import Field, count
from pbem.systems.empire_1870.outcomes import Step
from pbem.systems.empire_1870.play import without
from pbem.systems.empire_1870.state import ENEMY, FRENCH, GERMAN, Stack
from pbem.systems.empire_1870.tables import EXTRA_MP, SORTIE_MP, TERRAIN


def _extra(name: str, by: str) -> Modifier:
    return Modifier(name, EXTRA_MP[name], RuleId(by))


@rule("WE-MOV-01", "WE-MOV-02", "WE-MOV-03", "WE-ZOC-02", "WE-OPT-01", "WE-OPT-04", "WE-STK-01")
def step_cost(
    field: Field, side: Role, start: Hex, to: Hex, stack: Stack, *, cautious: bool, is_there: bool = True
) -> Step:
    """What it costs a force, *stack* with its HQs, to go from a hex into the next.

    Not *is_there*: the force is only thought of as standing in *start*, and whoever is there stays behind.

    :raises ValueError: into neutral land, which is closed.
    """
    cell = field.cell(to)
    ground = TERRAIN[cell.terrain].mp
    if ground is None:
        raise ValueError(f"{to} is neutral")
    if start == to:
        return Step(to, SORTIE_MP, (Modifier("sortie", SORTIE_MP, RuleId("WE-SIE-06")),))
    found = [Modifier(cell.terrain, ground, RuleId("WE-MOV-02"))]
    border = hexside(start, to)
    bridge = field.war.options.bridges and border in field.scene.links
    if border in field.scene.rivers and not bridge:
        found.append(_extra("river", "WE-MOV-02"))
    if side == FRENCH and count(stack):
        if field.sp(side, to):
            found.append(_extra("into_friends", "WE-MOV-03"))
        if count(without(field.stack(side, start), stack if is_there else ())):
            found.append(_extra("out_of_friends", "WE-MOV-03"))
    if cautious and field.in_ezoc(side, to):
        found.append(_extra("cautious_into_ezoc", "WE-ZOC-02"))
    resists = field.war.options.civilian_resistance and side == GERMAN and cell.country == "FR"
    if resists and (cell.town or field.sr(to)):
        found.append(_extra("civilian_resistance", "WE-OPT-01"))
    return Step(to, sum(one.value for one in found), tuple(found))


@rule("WE-MOV-06", "WE-SIE-01")
def shared(field: Field, side: Role, at: Hex) -> bool:
    """Whether *side* besieges a garrison in a hex: it may come and go there without a fight."""
    enemy = field.stack(ENEMY[side], at)
    return bool(enemy) and all(one.inside for one in enemy) and field.sp(side, at) > 0


def barred(field: Field, side: Role, at: Hex) -> bool:
    """Whether enemy SP bar a hex, so that it can be entered by fighting alone (WE-MOV-09)."""
    return field.sp(ENEMY[side], at) > 0 and not shared(field, side, at)
