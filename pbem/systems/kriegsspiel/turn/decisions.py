"""Step 3 of a move: papers are acted on, triggers tried, reactions taken, orders carried on."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import off
from pbem.ground.plane import Point, bearing, distance
from pbem.ground.way import heading as heading_at
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.delivery import read_papers, repeat_papers, staff_papers
from pbem.systems.kriegsspiel.field.duties import is_aside, is_standing, with_fire
from pbem.systems.kriegsspiel.field.field import half_battalions, is_formed
from pbem.systems.kriegsspiel.knowing import conditions
from pbem.systems.kriegsspiel.march import forming, marching, tasks
from pbem.systems.kriegsspiel.march.carrying_out import goal, stop, way_for
from pbem.systems.kriegsspiel.melee.flanks import part_taken
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS
from pbem.systems.kriegsspiel.scene.wording import order_text
from pbem.systems.kriegsspiel.tables.knowledge import INITIATIVE, STAFF_SUPPORT
from pbem.systems.kriegsspiel.turn.doing import DOES
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_lost, is_retiring, is_sent_out, is_staff, may_defend
from pbem.systems.kriegsspiel.world.orders import Order, Spot, reaction_place
from pbem.systems.kriegsspiel.world.outcomes import OrderDone, OrderFailed, ReactionUsed, TriggerFired
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.reactions import percent, ratio
from pbem.systems.kriegsspiel.world.strengths import loss_fraction
from pbem.systems.kriegsspiel.world.troops import Unit

MARCHES = ("march", "follow", "occupy", "hold", "retire", "observe", "patrol")


@rule("KS-TUR-02", "KS-CMD-08")
def decide(play: Play) -> None:
    """Every unit decides, on what it knew at the end of the move before."""
    staff_papers(play)
    read_papers(play)
    repeat_papers(play)
    for key in [unit.key for unit in play.on_map()]:
        unit = play.war.units.get(key)
        if unit is None or is_lost(unit):
            continue
        if unit.trial.contact >= 0:
            play.change(unit, "new move", trial=replace(unit.trial, contact=-1))
            unit = play.unit(key)
        if unit.place.concealed and not (unit.duty.queue and unit.duty.queue[0].verb == "hold_concealed"):
            tasks.show_itself(play, unit)
            unit = play.unit(key)
        if unit.trial.flight > 0 or unit.trial.pursuing or is_retiring(unit):
            # Under canister it goes back first, and obeys when it has halted (KS-ATK-04).
            continue
        _triggers(play, unit)
        if _reacts(play, play.unit(key)):
            continue
        _carry_on(play, play.unit(key))
    _staff_support(play)


# ------------------------------------------------------------------ triggers


@rule("KS-CMD-15")
def _triggers(play: Play, unit: Unit) -> None:
    """The first trigger found true takes the place of the queue; others of the same move are appended."""
    fired: list[Order] = []
    left = []
    append = False
    for trigger in unit.duty.triggers:
        test = trigger.line.test
        if test is None or trigger.line.order is None or not conditions.true_for(play, unit, test):
            left.append(trigger)
            continue
        append = append or (trigger.line.then and not fired)
        fired += [trigger.line.order, *trigger.after]
        play.add(
            TriggerFired(
                unit=unit.key,
                condition=test.text or test.kind,
                order=trigger.line.order.text,
                rules=cited("KS-CMD-15"),
                changes=Changes(),
            )
        )
    if not fired:
        return
    duty = replace(unit.duty, triggers=tuple(left), told_idle=False)
    for order in filter(is_standing, fired):
        duty = with_fire(duty, order)
    new = tuple(order for order in fired if not is_standing(order))
    if append:
        duty = replace(duty, queue=(*duty.queue, *new))
    elif new and all(map(is_aside, new)):
        # It sends men or word, and goes on with what it does.
        duty = replace(duty, queue=(*new, *duty.queue), begun=-1, stage="", count=0)
    elif new:
        duty = replace(duty, queue=new, begun=-1, stage="", count=0)
        stop(play, unit)
    play.change(unit, "trigger", duty=duty)


# ------------------------------------------------------------------ the queue


@rule("KS-CMD-07", "KS-CMD-08", "KS-GM-07")
def _carry_on(play: Play, unit: Unit) -> None:
    """Go on with the order at the head of the queue; one that is finished makes room for the next in the same move."""
    for _ in range(8):
        unit = play.war.units.get(unit.key, unit)
        if not unit.duty.queue or unit.key not in play.war.units:
            return
        order = unit.duty.queue[0]
        did = DOES[order.verb](play, unit, order)
        if unit.key not in play.war.units:
            return
        unit = play.unit(unit.key)
        if did.state == "going":
            if unit.duty.begun < 0:
                play.change(unit, "begun", duty=replace(unit.duty, begun=play.move))
            return
        if did.state == "failed":
            play.add(
                OrderFailed(
                    unit=unit.key, order=order.text, reason=did.reason, rules=cited("KS-CMD-07"), changes=Changes()
                )
            )
            play.note(
                unit.key,
                "order_impossible",
                f"Order not carried out ({order_text(play.scene, order.text)}): {order_text(play.scene, did.reason)}.",
            )
        else:
            held = ["KS-CMD-13"] if {"to the last", "until relieved"} & set(order.manner) else []
            play.add(OrderDone(unit=unit.key, order=order.text, rules=cited("KS-CMD-08", *held), changes=Changes()))
        _next(play, unit)


def _next(play: Play, unit: Unit) -> None:
    queue = unit.duty.queue[1:]
    duty = replace(unit.duty, queue=queue, begun=-1, stage="", count=0)
    if not queue:
        duty = replace(duty, idle_since=play.move, told_idle=False)
    play.change(unit, "next order", duty=duty)


# ------------------------------------------------------------------ reactions and what a unit does of itself


@rule("KS-CMD-08", "KS-CMD-09", "KS-CMD-13", "KS-GM-07")
def _reacts(play: Play, unit: Unit) -> bool:
    """Standing reactions and initiative; True: they take the place of its order in this move."""
    if is_staff(unit):
        return False
    _recall(play, unit)
    unit = play.unit(unit.key)
    if _too_much(play, unit) or _lost_contact(play, unit):
        return False
    if _square(play, unit):
        return True
    if _enemy_ahead(play, unit):
        return True
    return _face_enemy(play, unit)


@rule("KS-CMD-09", "KS-FRM-09")
def _recall(play: Play, unit: Unit) -> None:
    """Skirmishers come in when cavalry is within 600 paces."""
    if not unit.strength.chain.zugs or unit.place.holds:
        return
    if any(
        enemy.arm == "cavalry" and is_formed(enemy) and far <= INITIATIVE["recall_skirmishers"]
        for enemy, far, _ in conditions.visible(play, unit)
    ):
        _used(play, unit, "skirmishers_attacked", "fall_back", default=True)
        forming.bring_in(play, unit)


def _used(play: Play, unit: Unit, key: str, value: str, *, default: bool) -> None:
    play.add(
        ReactionUsed(
            unit=unit.key,
            key=key,
            value=value,
            default=default,
            rules=cited("KS-CMD-08", "KS-CMD-09"),
            changes=Changes(),
        )
    )


@rule("KS-CMD-13", "KS-CMD-15", "KS-CMD-08")
def _too_much(play: Play, unit: Unit) -> bool:
    """`superior_force` and `losses`: back to the retreat place, unless it is to hold to the last."""
    held = unit.duty.order
    if held is not None and held.verb == "hold" and {"to the last", "until relieved"} & set(held.manner):
        return False
    most = percent(unit.duty.reactions.get("losses", "").rpartition(" ")[2])
    beaten = most is not None and loss_fraction(unit) * 100 >= most
    at = ratio(unit.duty.reactions.get("superior_force", "").rpartition(" ")[2])
    outnumbered = at is not None and conditions.superior_force(play, unit, at)
    if not beaten and not outnumbered:
        return False
    key = "losses" if beaten else "superior_force"
    if any(order.verb == "retire" for order in unit.duty.queue):
        return False
    place = retreat_place(play, unit)
    if not beaten and distance(unit.place.at, place) <= conditions.AT_PLACE:
        return False
    order = Order(verb="retire", text=f"retire ({key})", to=(Spot(place, f"{place.x},{place.y}"),))
    _used(play, unit, key, unit.duty.reactions[key], default=False)
    play.note(
        unit.key, "change", "We go back: " + ("our losses are too heavy." if beaten else "the enemy is too strong.")
    )
    # A share of losses is passed once; too many enemies may come again.
    left = {k: v for k, v in unit.duty.reactions.items() if k != "losses" or not beaten}
    duty = replace(unit.duty, queue=(order,), begun=-1, stage="", reactions=left)
    play.change(unit, "goes back", duty=duty)
    return False


@rule("KS-CMD-08")
def _lost_contact(play: Play, unit: Unit) -> bool:
    """`lost_contact rejoin`: a detachment without orders and without a paper for half an hour goes back to its unit."""
    duty = unit.duty
    if not duty.parent or duty.queue or duty.reactions.get("lost_contact", "stay") != "rejoin":
        return False
    if play.move - max(duty.paper[1], duty.idle_since) < OUT_OF_TOUCH:
        return False
    order = Order(verb="rejoin", text=f"rejoin {duty.parent}", unit=duty.parent)
    _used(play, unit, "lost_contact", "rejoin", default=False)
    play.change(unit, "rejoins", duty=replace(duty, queue=(order,), begun=-1, stage="", count=0))
    return False


OUT_OF_TOUCH = 15
"""Moves without a paper after which a detachment is out of touch."""


@rule("KS-RET-05")
def retreat_place(play: Play, unit: Unit) -> Point:
    """Where a unit goes back to: as ordered, else its side's line of retreat."""
    ordered = reaction_place(unit.duty.reactions.get("defeat", ""))
    if ordered is not None:
        return ordered
    side = play.scene.sides[unit.side]
    entries, places = play.scene.chart.entries, play.scene.chart.places
    name = side.line_of_retreat
    found = entries.get(name) or places.get(name)
    return found.at if found is not None else play.scene.chart.entries[side.base_entry].at


@rule("KS-CMD-09")
def _square(play: Play, unit: Unit) -> bool:
    """Infantry forms attack column when cavalry coming on can reach it within two moves at its attack row."""
    if unit.arm != "infantry" or not is_battalion(unit) or unit.place.holds:
        return False
    if unit.place.formation in ("attack_column", "square") or unit.change is not None:
        return False
    if unit.duty.reactions.get("attacked_by_cavalry", "square").split()[0] != "square":
        return False
    reach = {"cuirassier": 1600, "dragoon": 1600}
    for seen in sorted(conditions.sightings(play, unit), key=lambda one_: (one_.far, one_.enemy.key)):
        enemy, far = seen.enemy, seen.far
        told = is_formed(enemy) and seen.told.arm == "cavalry" and seen.approach > 200
        if told and far <= reach.get(seen.told.kind, 1800):
            facing = bearing(unit.place.at, enemy.place.at) if enemy.place.at != unit.place.at else unit.place.facing
            stop(play, unit)
            if forming.begin_change(play, play.unit(unit.key), "attack_column", facing):
                _used(
                    play,
                    unit,
                    "attacked_by_cavalry",
                    "square",
                    default="attacked_by_cavalry" not in unit.duty.reactions,
                )
                return True
    return False


@rule("KS-CMD-09")
def _enemy_ahead(play: Play, unit: Unit) -> bool:
    """On a march: a formed enemy within 600 paces ahead, or as `enemy_seen` says; the unit halts and reports."""
    queue = unit.duty.queue
    if not queue or queue[0].verb not in MARCHES or is_sent_out(unit):
        return False
    if queue[0].verb in ("retire", "observe") or queue[0].flees:
        return False
    how = unit.duty.reactions.get("enemy_seen", "report").split()[0]
    limit = 10_000 if how == "report_and_halt" else INITIATIVE["halt_before"]
    seen = [enemy for enemy, far, _ in conditions.visible(play, unit) if is_formed(enemy) and far <= limit]
    heading = _heading(play, unit) if seen else None
    near = [enemy for enemy in seen if heading is not None and off(heading, _toward(unit, enemy)) <= 6000]
    if how == "ignore" or not near:
        if unit.duty.stage == "halted before the enemy":
            return _goes_on(play, unit)
        return False
    if how == "report_and_attack":
        return False
    if unit.duty.stage != "halted before the enemy":
        stop(play, unit)
        unit = play.unit(unit.key)
        duty = replace(unit.duty, stage="halted before the enemy", count=0)
        play.change(unit, "halts", duty=duty)
        _used(play, unit, "enemy_seen", how, default="enemy_seen" not in unit.duty.reactions)
        play.note(unit.key, "change", "We have halted before the enemy.")
    elif unit.duty.count:
        play.change(unit, "still there", duty=replace(unit.duty, count=0))
    return True


@rule("KS-CMD-09")
def _heading(play: Play, unit: Unit) -> int | None:
    """The bearing in which its order takes a unit, or will when it sets out; None: it is on no march."""
    order, march = unit.duty.queue[0], unit.march
    if march.way:
        return heading_at(march.way, march.done // TWELFTHS)
    spot, known = goal(order), unit.duty.comrade
    if order.verb == "hold" and (spot is None or marching.holds_it(play, unit, order)):
        return None
    at = spot.at if spot is not None else known[1] if known is not None else order.where
    way = way_for(play, unit, at, order) if at is not None else None
    return heading_at(way, 0) if way is not None and len(way) > 1 else None


def _toward(unit: Unit, enemy: Unit) -> int:
    return bearing(unit.place.at, enemy.place.at) if unit.place.at != enemy.place.at else unit.place.facing


@rule("KS-CMD-09")
def _goes_on(play: Play, unit: Unit) -> bool:
    """The enemy is gone: after three moves the march goes on."""
    if unit.duty.count < INITIATIVE["go_on_after"]:
        play.change(unit, "waits", duty=replace(unit.duty, count=unit.duty.count + 1))
        return True
    play.change(unit, "goes on", duty=replace(unit.duty, stage="", count=0))
    return False


@rule("KS-CMD-09")
def _face_enemy(play: Play, unit: Unit) -> bool:
    """A unit at the halt without orders turns to an enemy in front or flank within 400 paces (infantry) or 800."""
    idle = not unit.duty.queue or unit.duty.queue[0].verb in ("hold", "halt")
    if not idle or unit.change is not None or unit.march.way or unit.arm not in ("infantry", "cavalry"):
        return False
    limit = INITIATIVE["face_cavalry" if unit.arm == "cavalry" else "face_infantry"]
    near = [
        (far, enemy.key, enemy)
        for enemy, far, _ in conditions.visible(play, unit)
        if is_formed(enemy) and far <= limit and not enemy.trial.flight
        and part_taken(off(unit.place.facing, _toward(unit, enemy))) != "rear"
    ]  # fmt: skip
    if not near:
        return False
    enemy = min(near, key=lambda one_: one_[:2])[2]
    facing = _toward(unit, enemy)
    if off(unit.place.facing, facing) <= 4500:
        return False
    if forming.begin_change(play, unit, unit.place.formation, facing):
        _used(play, unit, "enemy_seen", "faces", default=True)
    return False


@rule("KS-CMD-06")
def _staff_support(play: Play) -> None:
    """A staff commander whose unit is attacked without orders sends the nearest uncommitted one within 600 paces."""
    if play.war.options.staff_initiative != "support":
        return
    for unit in list(play.on_map()):
        person = play.war.persons.get(unit.commander)
        if person is None or person.role or person.state != "active" or unit.duty.queue:
            continue
        if not conditions.attackers_seen(play, unit) or _is_supported(play, unit):
            continue
        free = [
            (distance(other.place.at, unit.place.at), other.key, other)
            for other in play.on_map(unit.side)
            if other.commander == unit.commander and other.key != unit.key and _is_uncommitted(play, other)
            and half_battalions(other) >= 1 and distance(other.place.at, unit.place.at) <= STAFF_SUPPORT[0]
        ]  # fmt: skip
        if not free:
            continue
        helper = min(free, key=lambda one_: one_[:2])[2]
        far = STAFF_SUPPORT[1]
        order = Order(verb="support", text=f"support {unit.id} at {far}", unit=unit.id, where=unit.place.at, number=far)
        play.change(helper, "staff support", duty=replace(helper.duty, queue=(order,), begun=-1, stage=""))


def _is_supported(play: Play, unit: Unit) -> bool:
    """Whether a comrade has been sent to a unit's support already."""
    first = (other.duty.queue[0] for other in play.on_map(unit.side) if other.duty.queue)
    return any(order.verb == "support" and order.unit == unit.id for order in first)


@rule("KS-CMD-06")
def _is_uncommitted(play: Play, unit: Unit) -> bool:
    """Whether a unit can be sent to another's support: it has nothing to do, is not beaten, and nobody attacks it."""
    trial = unit.trial
    busy = unit.duty.queue or trial.flight or trial.pursuing or trial.attacks or trial.contact >= 0
    return not busy and may_defend(unit, play.move) and not conditions.attackers_seen(play, unit)
