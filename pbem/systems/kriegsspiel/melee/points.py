"""Points of odds: what a side gains or loses in a fight beside its numbers (KS-ODD-03 to -07, -09, KS-ATK-05, …).

Each function gives the points of the attackers, below 0 for the defenders; `of_fight` adds up those that apply.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import comes_within, outline
from pbem.systems.kriegsspiel.fire.ammunition import charge_for
from pbem.systems.kriegsspiel.fire.batteries import serves
from pbem.systems.kriegsspiel.fire.gunnery import range_class
from pbem.systems.kriegsspiel.fire.lanes import Watch, in_the_way, parts_of, turn_to
from pbem.systems.kriegsspiel.melee.flanks import doubled_by, stands
from pbem.systems.kriegsspiel.melee.second_line import Lines
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables import attack as of_attack
from pbem.systems.kriegsspiel.tables.fire import CANISTER_CLASSES, SHIFTED_ARC
from pbem.systems.kriegsspiel.world.bodies import is_fresh, may_attack, may_defend
from pbem.systems.kriegsspiel.world.forms import front_of, rate_class
from pbem.systems.kriegsspiel.world.outcomes import FormationChanged
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import Unit


class Sides(NamedTuple):
    """Both sides of a fight, with what stands behind them."""

    attackers: Sequence[Unit]
    defenders: Sequence[Unit]
    behind_attackers: Lines = Lines()
    behind_defenders: Lines = Lines()


Judge = Callable[[Play, Sides], int]

IN_MASS = ("attack_column", "square", "brigade_mass")
IN_ATTACK = ("attack_column", "line")
"""Formations in which infantry attacks."""

MASS_BLOCKS = 4
"""Half battalions of a mass."""

MASS_GAP = 25
"""Paces between the columns of a mass."""


# ------------------------------------------------------------------ canister and support


@rule("KS-ATK-05", "KS-BAT-07")
def hit_in_advance(play: Play, sides: Sides) -> int:
    """Canister has hit the attackers in their advance; what an attacked battery itself fires at contact is no point."""
    attacked = {unit.key for unit in sides.defenders if unit.arm == "artillery"}
    for unit in sides.attackers:
        hits = unit.trial.canister_from
        before = any(move < play.move or gun not in attacked for move, gun in hits)
        if unit.trial.hit_advancing and (before or not hits):
            return of_attack.POINTS["KS-ATK-05"]
    return 0


@rule("KS-ODD-04")
def prepared(play: Play, unit: Unit) -> str:
    """How fire has prepared an attack on a body: `canister`, `muskets`; empty: it has not."""
    least, of = of_attack.PREPARED_MOVES
    if len([move for move in unit.trial.canister if move > play.move - of]) >= least:
        return "canister"
    lost = sum(tw for move, tw in unit.trial.infantry_loss if move > play.move - of)
    now = play.unit(unit.key).strength
    left = now.men_tw
    number, by = of_attack.PREPARED_LOSS
    return "muskets" if lost and lost * by >= (left + lost) * number else ""


@rule("KS-ODD-04")
def preparation(play: Play, sides: Sides) -> int:
    """The defenders were prepared by fire."""
    return of_attack.POINTS["KS-ODD-04"] if any(prepared(play, unit) for unit in sides.defenders) else 0


@rule("KS-ODD-03")
def supports(play: Play, own: Sequence[Unit], enemy: Sequence[Unit], spent: frozenset[str]) -> bool:
    """Whether guns support: a half battery that can fire canister on the enemy body, or stands with one's own."""
    fighting = {unit.key for unit in (*own, *enemy)}
    for guns in play.field.units(own[0].side, formed=True):
        if guns.arm != "artillery" or guns.key in fighting or guns.key in spent:
            continue
        count = guns.strength.guns
        if count < of_attack.CANISTER_TEST.guns or not serves(play, guns, frozenset()):
            continue
        if any(play.field.gap(guns, unit) <= of_attack.SUPPORT_NEAR for unit in own):
            return True
        if any(_in_canister(play, guns, unit, fighting) for unit in enemy):
            return True
    return False


@rule("KS-ODD-03", "KS-AMM-02", "KS-FIR-07")
def _in_canister(play: Play, guns: Unit, enemy: Unit, fighting: Collection[str]) -> bool:
    """Whether guns can fire canister on a body that they see, with none in the lane but who fights hand to hand.

    Ball for want of canister is none.
    """
    which = range_class(guns.kind, play.field.range_to(guns, enemy), night=by_night(play.war))
    if which not in CANISTER_CLASSES or charge_for(play, guns, which).what != "canister":
        return False
    if turn_to(guns, guns.place.at, enemy.place.at) > SHIFTED_ARC * 100 or enemy.key not in Watch(play).sees(guns):
        return False
    return any(not in_the_way(play.field, guns, "line", enemy, on, guns=True, but=fighting) for on in parts_of(enemy))


@rule("KS-ODD-03")
def support(play: Play, sides: Sides) -> int:
    """Guns of one side; both: nothing.  A battery whose canister has told already does not count again."""
    on_defenders = {gun for unit in sides.defenders for move, gun in unit.trial.canister_from if move > play.move - 3}
    on_attackers = {gun for unit in sides.attackers for _, gun in unit.trial.canister_from}
    spent_a = frozenset(on_defenders if preparation(play, sides) else ())
    spent_d = frozenset(on_attackers if hit_in_advance(play, sides) else ())
    one = supports(play, sides.attackers, sides.defenders, spent_a)
    other = supports(play, sides.defenders, sides.attackers, spent_d)
    return of_attack.POINTS["KS-ODD-03"] * (int(one) - int(other))


# ------------------------------------------------------------------ movements before the enemy


@rule("KS-ODD-05")
def in_change(play: Play, unit: Unit) -> bool:
    """Whether a body is changing its form, or has changed it in this move."""
    return unit.change is not None or unit.place.changed == play.move


@rule("KS-ODD-05")
def caught_moving(play: Play, sides: Sides) -> bool:
    """(a) The attacked cavalry was moving sideways, concentrating or deploying within striking distance."""
    for unit in sides.defenders:
        if unit.arm != "cavalry" or unit.trial.answer.startswith(("countercharge", "retire")):
            continue
        sideways = unit.march.keeps and unit.place.moved > 0
        if not in_change(play, unit) and not sideways:
            continue
        for enemy in sides.attackers:
            reach = of_attack.STRIKE[rate_class(enemy)] if enemy.arm == "cavalry" else of_attack.STRIKE["infantry"]
            if enemy.trial.began <= reach:
                return True
    return False


@rule("KS-ODD-05")
def near_movements(play: Play, sides: Sides) -> int:
    """(a), (b) and (c) together."""
    points = 0
    if caught_moving(play, sides):
        points -= of_attack.POINTS["KS-ODD-05 sideways"]
    if (
        all(unit.arm == "cavalry" for unit in sides.attackers)
        and any(unit.arm == "infantry" and unit.trial.forced == play.move for unit in sides.defenders)
        and min(unit.trial.began for unit in sides.attackers) <= of_attack.NEAR_INFANTRY["cavalry"]
    ):
        points += of_attack.POINTS["KS-ODD-05 infantry forced"]
    points += of_attack.POINTS["KS-ODD-05 enemy forms"] * (
        int(_forms_before(play, sides.attackers, sides.defenders))
        - int(_forms_before(play, sides.defenders, sides.attackers))
    )
    return points


@rule("KS-ODD-05")
def _forms_before(play: Play, first: Sequence[Unit], enemy: Sequence[Unit]) -> bool:
    """(c) Enemy infantry within 200 paces of the first changes from a narrower column into attack formation."""
    if not all(unit.arm == "infantry" for unit in first):
        return False
    return any(
        unit.arm == "infantry"
        and unit.trial.began <= of_attack.NEAR_INFANTRY["infantry"]
        and _forms_to_attack(play, unit)
        for unit in enemy
    )


@rule("KS-ODD-05")
def _forms_to_attack(play: Play, unit: Unit) -> bool:
    """Whether infantry changes in this move from a narrower form into its column of attack, or into line."""
    changes = [(unit.place.formation, unit.change.to)] if unit.change is not None else []
    changes += [
        (fact.start, fact.to)
        for fact in play.facts
        if isinstance(fact, FormationChanged) and fact.move == play.move and fact.unit == unit.key
    ]
    return any(to in IN_ATTACK and _front(unit, start) < _front(unit, to) for start, to in changes)


def _front(unit: Unit, formation: str) -> int:
    return front_of(replace(unit, place=replace(unit.place, formation=formation)))


@rule("KS-ODD-06")
def standing(play: Play, sides: Sides) -> int:
    """Cavalry that receives a charge at the halt; where it is taken in flank for it, that tells enough."""
    if not play.war.options.standing_cavalry_penalty or caught_moving(play, sides):
        return 0
    halted = [
        unit
        for unit in sides.defenders
        if unit.arm == "cavalry" and stands(unit) and not unit.trial.flight and not unit.place.dismounted
    ]
    if any(doubled_by(enemy, unit) for unit in halted for enemy in sides.attackers):
        return 0
    return -of_attack.POINTS["KS-ODD-06"] if halted else 0


# ------------------------------------------------------------------ state of the troops


@rule("KS-SUR-02")
def doubled_for_surprise(play: Play, unit: Unit) -> bool:
    """Whether whoever attacks a body counts double: it was surprised within three moves."""
    return 0 < play.move - unit.trial.surprised <= of_attack.SURPRISE["doubled_moves"]


def _shaken(play: Play, units: Sequence[Unit]) -> int:
    if any(not may_defend(unit, play.move) for unit in units):
        return of_attack.POINTS["KS-ODD-07 cannot defend"]
    return of_attack.POINTS["KS-ODD-07 cannot attack"] if any(not may_attack(unit, play.move) for unit in units) else 0


@rule("KS-ODD-07", "KS-RET-07", "KS-SUR-02")
def shaken(play: Play, sides: Sides) -> int:
    """Troops attacked before they have recovered; surprised ones are doubled against in its place."""
    fit = [unit for unit in sides.defenders if not doubled_for_surprise(play, unit)]
    return _shaken(play, sides.attackers) - _shaken(play, fit)


@rule("KS-ODD-09", "KS-CAV-02")
def is_mass(units: Sequence[Unit]) -> bool:
    """A brigade mass, or two whole battalions or more in attack columns closed up: each within 25 paces of the others.

    Two half battalions are one battalion.
    """
    if not units or any(unit.arm != "infantry" or unit.place.formation not in IN_MASS for unit in units):
        return False
    if any(unit.place.formation == "brigade_mass" for unit in units):
        return True
    return sum(unit.strength.blocks for unit in units) >= MASS_BLOCKS and _closed_up(units)


@rule("KS-ODD-09")
def _closed_up(units: Sequence[Unit]) -> bool:
    """Whether bodies stand in one heap, with gaps of 25 paces or less."""
    heap, left = [units[0]], list(units[1:])
    for unit in heap:
        near = [other for other in left if comes_within(outline(unit), outline(other), MASS_GAP)]
        heap += near
        left = [other for other in left if other not in near]
    return not left


@rule("KS-ODD-09")
def mass_on_line(sides: Sides) -> bool:
    """Whether a mass attacks a line."""
    line = all(unit.arm == "infantry" and unit.place.formation == "line" for unit in sides.defenders)
    return line and is_mass(sides.attackers)


@rule("KS-ODD-09")
def mass(play: Play, sides: Sides) -> int:
    """A mass attacks a line."""
    del play
    return of_attack.POINTS["KS-ODD-09"] if mass_on_line(sides) else 0


@rule("KS-SEC-09", "KS-SEC-12")
def second_lines(play: Play, sides: Sides) -> int:
    """Infantry with a second line against infantry with none."""
    if any(unit.arm != "infantry" for unit in (*sides.attackers, *sides.defenders)):
        return 0
    one, other = bool(sides.behind_attackers.second), bool(sides.behind_defenders.second)
    if one and not other:
        return of_attack.POINTS["KS-SEC-09"]
    if other and not one and play.war.options.second_line_defence:
        return -of_attack.POINTS["KS-SEC-09"]
    return 0


@rule("KS-RET-06")
def passed_through(play: Play, sides: Sides) -> int:
    """Totally defeated troops have gone through the attacked reserve in the last two moves."""
    through = any(0 <= play.move - unit.trial.through <= of_attack.THROUGH_RESERVE for unit in sides.defenders)
    return -of_attack.POINTS["KS-RET-06"] if through else 0


@rule("KS-RET-09")
def in_refuge(play: Play, sides: Sides) -> int:
    """Beaten troops that have found a refuge, and have not left it, are attacked anew."""
    found = any(
        unit.trial.refuge >= 0 and not is_fresh(unit) and unit.place.halted_since <= unit.trial.refuge + 1
        for unit in sides.defenders
    )
    if not found:
        return 0
    return (
        -of_attack.POINTS["KS-RET-09"] if play.war.options.refuge_point == "refugees" else of_attack.POINTS["KS-RET-09"]
    )


# ------------------------------------------------------------------ together

ALL: Mapping[str, Judge] = {
    "KS-ATK-05": hit_in_advance, "KS-ODD-03": support, "KS-ODD-04": preparation, "KS-ODD-05": near_movements,
    "KS-ODD-06": standing, "KS-ODD-07": shaken, "KS-ODD-09": mass, "KS-SEC-09": second_lines,
    "KS-RET-06": passed_through, "KS-RET-09": in_refuge,
}  # fmt: skip
"""What gives points in a fight by numbers."""

IN_TABLES = ("KS-ATK-05", "KS-ODD-03", "KS-ODD-04", "KS-ODD-05", "KS-ODD-07", "KS-RET-06", "KS-RET-09")
"""By the dice of cavalry against infantry."""

IN_STRONGHOLDS = ("KS-ATK-05", "KS-ODD-07", "KS-RET-09")
ON_BATTERIES = ("KS-ATK-05", "KS-ODD-07")


@rule("KS-ODD-10")
def of_fight(play: Play, sides: Sides, which: Sequence[str]) -> list[tuple[str, int]]:
    """The points that apply, by rule; those of the attackers above 0."""
    found = [(name, ALL[name](play, sides)) for name in which]
    return [(name, points) for name, points in found if points]


def added(points: Sequence[tuple[str, int]]) -> int:
    """All of them together: their order does not matter."""
    return sum(points_ for _, points_ in points)
