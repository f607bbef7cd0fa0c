"""How the attacked answer: standing reactions and their defaults, read anew each move until contact (KS-ATK-02)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, assert_never

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import Point, bearing, shifted
from pbem.kernel.numbers import whole
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.fire.lanes import escorts
from pbem.systems.kriegsspiel.march.carrying_out import row_for, set_way, stop, way_for
from pbem.systems.kriegsspiel.march.forming import begin_change
from pbem.systems.kriegsspiel.march.gate import bounded
from pbem.systems.kriegsspiel.march.tasks import FALLS_BACK
from pbem.systems.kriegsspiel.melee.fighters import beside, worth
from pbem.systems.kriegsspiel.melee.retreats import passable
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.scene.wording import place_words
from pbem.systems.kriegsspiel.tables.attack import BAYONETS, STRIKE, TURN_ABOUT
from pbem.systems.kriegsspiel.tables.orders import CAVALRY_RETIRES, OUTNUMBERED
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_on_map
from pbem.systems.kriegsspiel.world.forms import all_skirmish, change_twelfths, rate_class
from pbem.systems.kriegsspiel.world.orders import reaction_place
from pbem.systems.kriegsspiel.world.outcomes_attack import AttackAnswered
from pbem.systems.kriegsspiel.world.reactions import allows, rows_of
from pbem.systems.kriegsspiel.world.troops import Unit, UnitPatch

TICKS = 12
RETIRES = "retires before the enemy"


class Answer(NamedTuple):
    """What a body does against an attack, and whether it was told to."""

    value: str
    by: Literal["order", "default"]


# ------------------------------------------------------------------ which answer


@rule("KS-ATK-02", "KS-CMD-08", "KS-BAT-04")
def answer_of(play: Play, unit: Unit, attackers: list[Unit]) -> Answer:
    """The reaction of the attacked body, or its default; one that has been told to retire goes on with that."""
    if retires_by_order(unit):
        return Answer("retire", "order")
    by_cavalry = attackers[0].arm == "cavalry"
    reactions = unit.duty.reactions
    if all_skirmish(unit):
        ordered = reactions.get("skirmishers_attacked")
        return Answer(ordered, "order") if ordered else Answer("fall_back", "default")
    if unit.arm in ("infantry", "pioneers") and by_cavalry:
        ordered = reactions.get("attacked_by_cavalry")
        value = ordered or "square"
        if value.startswith("square") and not _square_in_time(play, unit, attackers):
            value = "stand"
        return Answer(value, "order" if ordered else "default")
    ordered = reactions.get("attacked")
    # A group's reaction is for those of its troops that can have it.
    if ordered and any(allows(row, ordered) for row in rows_of("attacked", (unit.arm,))):
        return Answer(ordered, "order")
    match unit.arm:
        case "cavalry":
            return Answer(_cavalry_default(play, unit, attackers, by_cavalry=by_cavalry), "default")
        case "artillery":
            return Answer("until 300" if next(escorts(play.field, unit), None) else "withdraw", "default")
        case "infantry" | "pioneers" | "train":
            return Answer("stand", "default")
        case other:
            assert_never(other)


@rule("KS-ATK-02", "KS-CMD-14", "KS-CMD-15")
def retires_by_order(unit: Unit) -> bool:
    """Whether a body is on its way back by an order, which its defaults do not undo.

    Who demonstrates or observes falls back by that order as well.
    """
    order = unit.duty.order
    told = {"attacked", "attacked_by_cavalry"} & unit.duty.reactions.keys()
    back = order is not None and (order.verb == "retire" or unit.duty.stage == FALLS_BACK)
    return back and not told and bool(unit.march.way) and unit.arm != "artillery"


@rule("KS-CMD-08")
def _cavalry_default(play: Play, unit: Unit, attackers: list[Unit], *, by_cavalry: bool) -> str:
    """Against cavalry it meets the charge unless it is outnumbered by more than 5/3; before infantry it goes back."""
    if unit.place.dismounted:
        return "stand"
    if not by_cavalry:
        return f"retire {CAVALRY_RETIRES}"
    own = worth(unit).whole + sum((worth(friend).whole for friend in beside(play, unit)), Fraction(0))
    enemy = sum((worth(other).whole for other in attackers), Fraction(0))
    return f"retire {CAVALRY_RETIRES}" if enemy > own * Fraction(*OUTNUMBERED) else "countercharge"


@rule("KS-ATK-02", "KS-FRM-06")
def _square_in_time(play: Play, unit: Unit, attackers: list[Unit]) -> bool:
    """Whether the attack column stands, or can still be formed before the riders are there."""
    if unit.place.formation in ("attack_column", "square") or unit.place.holds:
        return True
    if unit.change is not None:
        return unit.change.to in ("attack_column", "square")
    if not is_battalion(unit):
        return False
    need = change_twelfths(unit, "attack_column")
    far = min(play.field.gap(unit, enemy) for enemy in attackers)
    rate = max(STRIKE[rate_class(enemy)] for enemy in attackers if enemy.arm == "cavalry")
    return far * TICKS >= need * rate


# ------------------------------------------------------------------ carrying it out


@rule("KS-ATK-02", "KS-ODD-06")
def answer(play: Play, key: str, attackers: list[Unit]) -> None:
    """Give the attacked body its answer, and set what it does in this move."""
    unit = play.unit(key)
    found = answer_of(play, unit, attackers)
    guns = ("KS-BAT-04",) if unit.arm == "artillery" else ()
    if unit.trial.answer != found.value:
        trial = replace(unit.trial, answer=found.value)
        play.add(
            AttackAnswered(
                target=key, answer=found.value, by=found.by, rules=cited("KS-ATK-02", "KS-CMD-08", *guns),
                changes=one(unit, UnitPatch(trial=trial)),
            )
        )  # fmt: skip
        play.note(key, "attacked", _told(play, found.value))
    unit = play.unit(key)
    nearest = min(attackers, key=lambda enemy: (play.field.gap(unit, enemy), enemy.key))
    word = found.value.split()[0]
    match word:
        case "retire" | "withdraw" if unit.arm != "artillery":
            _retire(play, unit, nearest, found.value)
        case "countercharge":
            _meet(play, unit, nearest)
        case "square":
            if unit.place.formation not in ("attack_column", "square") and unit.change is None and not unit.place.holds:
                stop(play, unit)
                begin_change(play, play.unit(key), "attack_column", bearing(unit.place.at, nearest.place.at))
        case "withdraw" | "until" | "retire":
            _withdraw(play, unit, nearest, found.value)
        case "fall_back":
            _fall_back(play, unit, nearest)
        case _:  # `stand`, and whatever else is no movement
            stop(play, unit)


@rule("KS-GM-07")
def _told(play: Play, value: str) -> str:
    """What the body does against the attack, as its officer reports it."""
    word, *rest = value.split()
    match word:
        case "retire" | "withdraw":
            place = reaction_place(value)
            return f"We go back to {place_words(play.scene, place)}." if place is not None else "We go back."
        case "until":
            return f"We go back when he is within {rest[0]}."
        case "countercharge":
            return "We go to meet him."
        case "square":
            return "We form square."
        case "fall_back":
            return "Our skirmishers fall back."
        case _:  # the same
            return "We stand."


def _away(play: Play, unit: Unit, enemy: Unit, value: str, far: int) -> Point:
    """Where it goes back to: the place that was named, or so far straight from the enemy."""
    named = reaction_place(value)
    if named is not None:
        return named
    number = next((paces for word in value.split()[1:] if (paces := whole(word)) is not None), far)
    back = bearing(enemy.place.at, unit.place.at) if enemy.place.at != unit.place.at else opposite(unit.place.facing)
    return bounded(play, unit.place.at, shifted(unit.place.at, back, number))


@rule("KS-ATK-02", "KS-ODD-05")
def _retire(play: Play, unit: Unit, enemy: Unit, value: str) -> None:
    """Turns about, at the loss of two ticks, and goes at the row of its retreat."""
    trial = replace(unit.trial, forced=play.move)
    play.change(unit, "forced to move", trial=trial)
    unit = play.unit(unit.key)
    first = unit.duty.stage != RETIRES
    if unit.march.way and (not first or retires_by_order(unit)):
        return
    to = _away(play, unit, enemy, value, CAVALRY_RETIRES)
    way = (unit.place.at, to) if passable(play, unit, unit.place.at, to) else way_for(play, unit, to)
    if way is None or len(way) < 2 or way[0] == way[-1]:
        return
    row, most = row_for(play, unit, activity="retreat" if unit.arm == "cavalry" else "closing")
    duty = replace(unit.duty, stage=RETIRES, count=0)
    play.change(unit, "retires", duty=duty, change=None)
    set_way(play, play.unit(unit.key), way, row, most, wait=TURN_ABOUT if first else 0)


@rule("KS-ATK-02")
def _meet(play: Play, unit: Unit, enemy: Unit) -> None:
    """Cavalry rides to meet a charge within one move of it; infantry goes 100 paces with the bayonet at contact."""
    far = play.field.gap(unit, enemy)
    reach = STRIKE[rate_class(enemy)] if enemy.arm == "cavalry" else STRIKE["infantry"]
    if far > reach:
        stop(play, unit)
        return
    if unit.arm == "cavalry":
        row = row_for(play, unit, activity="charge")[0]
        set_way(play, unit, (unit.place.at, enemy.place.at), row)
        return
    way = shifted(unit.place.at, bearing(unit.place.at, enemy.place.at), BAYONETS)
    # It sets out when the attacker is so near that both meet on these paces.
    wait = max(0, (far - 2 * BAYONETS) * TICKS // STRIKE["infantry"])
    set_way(play, unit, (unit.place.at, way), row_for(play, unit, activity="closing")[0], wait=min(wait, TICKS - 1))


@rule("KS-BAT-04", "KS-FRM-07")
def _withdraw(play: Play, unit: Unit, enemy: Unit, value: str) -> None:
    """Guns limber and go, at once or when the enemy is within so many paces, which is tried by ticks."""
    if unit.change is not None or (unit.place.limbered and unit.march.way):
        return
    far = play.field.gap(unit, enemy)
    ticks = 0
    words = value.split()
    if words[0] == "until":
        limit = int(words[1])
        rate = STRIKE[rate_class(enemy)] if enemy.arm == "cavalry" else STRIKE["infantry"]
        ticks = max(0, -(-(far - limit) * TICKS // rate))
        if ticks > TICKS:
            return
    to = _away(play, unit, enemy, value if words[0] != "until" else "withdraw", CAVALRY_RETIRES)
    way = way_for(play, unit, to)
    if not unit.place.limbered:
        begin_change(play, unit, "battery_column_2", opposite(unit.place.facing), limber=True)
        unit = play.unit(unit.key)
        if unit.change is not None:
            change = replace(unit.change, ready=unit.change.ready + ticks + 1)
            play.change(unit, "limbers", change=change)
            unit = play.unit(unit.key)
    if way is not None and len(way) > 1:
        row, most = row_for(play, unit, "fast")
        set_way(play, unit, way, row, most)


@rule("KS-CMD-08", "KS-CAV-05", "KS-MOV-06", "KS-FIR-09")
def _fall_back(play: Play, unit: Unit, enemy: Unit) -> None:
    """Skirmishers run back on their body, or straight from the enemy."""
    parent = play.war.units.get(f"{unit.side}:{unit.duty.parent}")
    to = parent.place.at if parent is not None and is_on_map(parent) else _away(play, unit, enemy, "", 400)
    if to != unit.place.at and passable(play, unit, unit.place.at, to):
        set_way(play, unit, (unit.place.at, to), "skirm_run", wait=0)
