"""What a step of a march costs, and the gate through which every step goes (WE-MOV, WE-ZOC-02, WE-RET-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from pbem.ground.hexes import Hex, hexside
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.tables.charts import EXTRA_MP, SORTIE_MP, TERRAIN
from pbem.systems.empire_1870.world.fact import Modifier
from pbem.systems.empire_1870.world.outcomes import Step
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import Stack, count, without


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


# ------------------------------------------------------------------ the gate

Going = Literal["march", "hqs", "forced", "ride", "retreat"]
"""How pieces come into a hex: SP on the march, HQs alone, a forced march, a train, the beaten."""


@rule("WE-MOV-02")
def _neutral(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    return field.cell(to).terrain == "neutral"


@rule("WE-MOV-09")
def _defended(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    """Enemy SP that can be passed by fighting alone."""
    return field.sp(ENEMY[side], to) > 0 and not shared(field, side, to)


@rule("WE-RET-03", "WE-RAI-01")
def _enemies(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    return field.sp(ENEMY[side], to) > 0


@rule("WE-CTL-01", "WE-RET-01")
def _walls(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    """An enemy fortress is no refuge, with or without a garrison."""
    return field.fortress_of(to) == ENEMY[side]


@rule("WE-FRC-01", "WE-RAI-01")
def _zone(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    return field.in_ezoc(side, to, ignoring)


@rule("WE-MOV-06")
def _zone_alone(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    return not field.sp(side, to) and field.in_ezoc(side, to, ignoring)


@rule("WE-RET-03", "WE-RET-04")
def _zone_beaten(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    """Friends lift the enemy's zone for the beaten, unless an option says otherwise."""
    friends = field.sp(side, to) > 0 and not field.war.options.retreat_ezoc_strict
    return not friends and field.in_ezoc(side, to, ignoring)


@rule("WE-RAI-01")
def _strange(field: Field, side: Role, to: Hex, ignoring: Iterable[Hex]) -> bool:
    return field.controller(to) != side


_GATES: Mapping[Going, tuple[tuple[str, Callable[[Field, Role, Hex, Iterable[Hex]], bool]], ...]] = {
    "march": (("neutral", _neutral), ("enemy_in_path", _defended)),
    "hqs": (("neutral", _neutral), ("enemy_in_path", _defended), ("ezoc_stop", _zone_alone)),
    "forced": (("neutral", _neutral), ("enemy_in_path", _defended), ("ezoc_stop", _zone)),
    "ride": (("not_controlled", _strange), ("enemy_in_path", _enemies), ("ezoc_stop", _zone)),
    "retreat": (
        ("neutral", _neutral),
        ("enemy_in_path", _enemies),
        ("enemy_fortress", _walls),
        ("ezoc_stop", _zone_beaten),
    ),
}
"""What shuts a hex to each way of going, and the code for it: one gate for every step that pieces take."""


@rule("WE-MOV-09", "WE-MOV-06", "WE-FRC-01", "WE-RAI-01", "WE-RET-03")
def shut(field: Field, side: Role, to: Hex, going: Going, ignoring: Iterable[Hex] = ()) -> str:
    """Why pieces that go like this may not come into a hex, as a code; empty: it is open to them.

    *ignoring*: hexes whose ZOC does not count (WE-RET-04).
    """
    return next((code for code, bars in _GATES[going] if bars(field, side, to, ignoring)), "")
