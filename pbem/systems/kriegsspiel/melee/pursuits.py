"""Pursuit: how the winners follow, whom they reach, and when they have done (KS-RET-01, KS-RET-03, KS-SEC-04)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.plane import bearing, distance, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.march.carrying_out import row_for, set_way, stop
from pbem.systems.kriegsspiel.march.gate import bounded
from pbem.systems.kriegsspiel.melee.aftermath import RESERVE, at_once, pursuit_moves
from pbem.systems.kriegsspiel.melee.fighters import touching
from pbem.systems.kriegsspiel.melee.retreats import lowered, passable
from pbem.systems.kriegsspiel.melee.second_line import free_to_help
from pbem.systems.kriegsspiel.play.losses import lose
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.attack import TRAPPED_FRIEND
from pbem.systems.kriegsspiel.tables.march import INFANTRY_RETREAT, PURSUIT, PURSUIT_FLANK_COLUMNS
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.forms import rate_class
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_attack import PursuitMoved
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Unit

BEYOND = 1000
TOUCH = 300
"""Paces at which infantry on the heels of the beaten still costs them losses."""

FOLLOWED = 2
"""Moves that contact must be kept in, for the pursuit to cost the beaten its part."""

CAUGHT = "caught"


@rule("KS-RET-01")
def paces_of(troops: str, number: int) -> int:
    """Paces of cavalry in the move after the fight with that number; before the first: none.

    >>> [paces_of("light_cavalry", move) for move in range(1, 6)]
    [0, 500, 900, 900, 600]
    """
    table = PURSUIT[troops]
    return table[min(number, len(table)) - 1] if number > 0 else 0


@rule("KS-RET-01", "KS-RET-03", "KS-CAV-02")
def pursuit_paces(unit: Unit, number: int) -> int:
    """Paces of the move after the fight with that number; infantry halts in the first unless it goes on at once."""
    if unit.arm == "cavalry" and unit.trial.answer == RESERVE and number == 1:
        return PURSUIT_FLANK_COLUMNS
    if unit.arm == "cavalry":
        return paces_of(rate_class(unit), number)
    if number <= 1 and not at_once(unit):
        return 0
    return INFANTRY_RETREAT


@rule("KS-RET-01", "KS-RET-03")
def pursue(play: Play) -> None:
    """Before movement: pursuers are put on the heels of the beaten."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if not unit.trial.pursuing:
            continue
        target = play.war.units.get(unit.trial.attacks)
        if target is None or not is_on_map(target) or not target.trial.flight or target.trial.refuge >= 0:
            end_pursuit(play, key)
            continue
        most = pursuit_paces(unit, unit.trial.pursuing)
        if not most:
            stop(play, unit)
            continue
        beyond = shifted(target.place.at, bearing(unit.place.at, target.place.at), BEYOND)
        way = (unit.place.at, bounded(play, unit.place.at, beyond))
        if not passable(play, unit, *way):
            way = (unit.place.at, target.place.at)
        row = row_for(play, unit, activity="pursuit")[0] if unit.arm == "cavalry" else "inf_patrol"
        # Those in flight are off first: on foot nobody is ridden down.
        set_way(play, unit, way, row, most, wait=0 if unit.arm == "cavalry" else 1)


@rule("KS-RET-01", "KS-RET-04", "KS-ODD-09")
def caught(play: Play, unit: Unit, used: set[str]) -> bool:
    """A pursuer that reaches beaten infantry before its reserve lowers its state by one, once; cavalry it fights."""
    if not unit.trial.pursuing:
        return False
    on_foot = ("infantry", "pioneers", "train")
    met = [enemy for enemy in touching(play, unit) if enemy.trial.flight > 0 and enemy.arm in on_foot]
    if not met:
        return False
    used.add(unit.key)
    if unit.trial.answer == CAUGHT or unit.arm != "cavalry":
        return True
    enemy = met[0]
    helped = any(
        friend.key != enemy.key and free_to_help(play, friend) and play.field.gap(friend, enemy) <= TRAPPED_FRIEND
        for friend in play.field.units(enemy.side, formed=True)
    )
    if not helped:
        mass = "mass" in enemy.trial.letter
        lowered(play, enemy.key, "KS-RET-04", "KS-RET-01", *(("KS-ODD-09",) if mass else ()), to="T" if mass else "")
        play.change(unit, "has caught them", trial=replace(unit.trial, answer=CAUGHT))
    return True


@rule("KS-RET-01", "KS-RET-03", "KS-CMD-08")
def after_pursuit(play: Play) -> None:
    """Step 8: a move more of pursuit, its cost for the beaten, and its end."""
    on_foot = [unit for unit in play.on_map() if unit.arm == "infantry" and unit.trial.pursuing >= FOLLOWED]
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if not unit.trial.pursuing or unit.trial.won == play.move:
            continue
        number = unit.trial.pursuing
        play.add(
            PursuitMoved(
                unit=key, move_no=max(number, 1), paces=unit.place.moved, half=unit.trial.half_follows,
                rules=cited("KS-RET-01" if unit.arm == "cavalry" else "KS-RET-03"), changes=Changes(),
            )
        )  # fmt: skip
        after = number + 1 or 1
        if after > pursuit_moves(unit):
            end_pursuit(play, key)
        else:
            play.change(unit, "pursues", trial=replace(unit.trial, pursuing=after))
    _costs(play, on_foot)


@rule("KS-RET-03", "KS-LOS-06")
def _costs(play: Play, on_foot: Sequence[Unit]) -> None:
    """In the second move after the fight the beaten who are still followed on foot lose the other half, each his own.

    Who has got away by then loses it no more.
    """
    for beaten in list(play.on_map()):
        owed = beaten.trial.owed
        if not owed or play.move - beaten.trial.beaten < FOLLOWED:
            continue
        play.change(beaten, "paid", trial=replace(beaten.trial, owed=0))
        if any(unit.side != beaten.side and play.field.within(unit, beaten, TOUCH) for unit in on_foot):
            lose(play, beaten, owed, "pursuit", "KS-RET-03", "KS-LOS-06")


@rule("KS-CMD-08", "KS-ATK-11")
def end_pursuit(play: Play, key: str) -> None:
    """The pursuit is over: cavalry goes back to where it fought."""
    unit = play.unit(key)
    back = unit.trial.back_to
    value = unit.duty.reactions.get("victory", "")
    returns = back is not None and (unit.arm == "cavalry" or value.startswith("return"))
    queue = unit.duty.queue
    if returns and back is not None and distance(back, unit.place.at) > 50:
        home = Order(verb="march", text="return", to=(Spot(back, f"{back.x},{back.y}"),))
        queue = (home, *queue)
    trial = replace(
        unit.trial, pursuing=0, attacks="", answer="", half_follows=False, back_to=None, hit_advancing=False,
    )  # fmt: skip
    duty = replace(unit.duty, queue=queue, begun=-1, stage="", count=0)
    play.change(unit, "pursuit ends", trial=trial, duty=duty, march=March(fast=unit.march.fast))
