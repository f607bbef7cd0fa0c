"""What a unit does in the Move phase: one activity (HL-TRN-03, HL-MOV)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, FULL, HALF, off, turned
from pbem.ground.body import about, slid
from pbem.ground.plane import bearing, distance, overlap
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.may import may_charge, may_move
from pbem.systems.half_league.field.plans import leaves_by, legs_of, plan_for, prolongs, turn_to, wrong_turn
from pbem.systems.half_league.field.roads import ROAD_FORMATIONS, road_ahead
from pbem.systems.half_league.march.footing import may_go
from pbem.systems.half_league.march.going import goes
from pbem.systems.half_league.march.morale import rally
from pbem.systems.half_league.march.walking import Walked, dice_count, rounded, walk
from pbem.systems.half_league.play.command import benefit_of, policy_for, removed
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables import printed
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import of_unit
from pbem.systems.half_league.world.patches import GamePatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, Activity, Unit

FINE = printed.INCH // 100
"""In steps of so much room is looked for."""

KEPT = (say.About, say.Retire, say.Shift, say.Prolong)
"""Moves on which a unit's facing does not turn to its way."""
FORWARD_MOVES = ("move", "follow", "wheel", "about")
"""Verbs of moves that go forward: they make cavalry moving (HL-MOV-11)."""
RULES = {
    "about": "HL-MOV-05",
    "retire": "HL-MOV-05",
    "shift": "HL-MOV-05",
    "face": "HL-MOV-05",
    "prolong": "HL-MOV-08",
    "wheel": "HL-MOV-06",
}
"""The rule of a verb, beside those of every move."""


def verb_of(order: Order) -> str:
    """The word under which an order stands in the log."""
    tag = order.__struct_config__.tag
    assert isinstance(tag, str), "every order has its verb"
    return tag


# ------------------------------------------------------------------ moves


@rule("HL-MOV-01", "HL-MOV-10", "HL-CMD-03")
def _move(play: Play, role: Role, order: say.Activity) -> None:
    """Throw the dice of a move, and walk."""
    unit = play.unit(order.unit)
    field = play.field
    if isinstance(order, say.Move) and (why := wrong_turn(field, unit, legs_of(unit, order))):
        reason = "too_far_turn" if why in ("first", "leg", "last") else "not_able"
        play.failed(role, order, reason, unit.id, "HL-MOV-06")
        return
    if isinstance(order, say.FollowRoad) and not (unit.formation in ROAD_FORMATIONS and road_ahead(field, unit)):
        play.failed(role, order, "not_on_road", unit.id, "HL-MOV-02")
        return
    made = plan_for(field, unit, order)
    assert made is not None, "a move has its plan"
    faced, plan = made
    if not play.scene.on_map(faced.front):
        play.failed(role, order, "blocked", unit.id, "HL-MOV-05")
        return
    count = dice_count(field, faced, plan)
    if not count:
        play.failed(role, order, "not_able", unit.id, "HL-MOV-02")
        return
    gifts = benefit_of(play, unit.id, "move")
    throw = play.throw("move", unit.id, count=count + printed.EXTRA_DICE * len(gifts))
    faced = replace(play.unit(order.unit), front=faced.front, bearing=faced.bearing)
    walked = walk(play.field, faced, plan, throw.faces)
    fact = moved_fact(play, unit, order, throw, walked, rules=("HL-CMD-03",) if gifts else ())
    goes(play, fact, unit.id, walked.path, kept=isinstance(order, KEPT))
    _watched(play, unit.id)
    moved = walked.front != unit.front or walked.bearing != unit.bearing
    short = walked.stopped_by not in ("destination", "maximum")
    play.came_of(role, order, "in part" if moved and short else "done" if moved else "not carried out",
                "" if moved else "blocked", unit.id)  # fmt: skip
    _leave_by_road(play, order, walked)


@rule("HL-CHG-04", "HL-CHG-07")
def _watched(play: Play, name: str) -> None:
    """Those who are marked to charge a unit mark where it goes before them: there they run if they lose it."""
    unit = play.unit(name)
    chargers = [
        one for one in play.battle.of(ENEMY[unit.side]) if one.charge_target == name and play.field.ahead(one, unit)
    ]
    if chargers and play.sees(ENEMY[unit.side], name):
        play.note(ENEMY[unit.side], "HL-CHG-04", {one.id: UnitPatch(charge_place=unit.front) for one in chargers})


def moved_fact(
    play: Play, unit: Unit, order: Order, throw: Throw | None, walked: Walked, *, rules: Sequence[str] = ()
) -> o.UnitMoved:
    """The record of a move, with what it makes of the unit and of the leaders with it."""
    verb = verb_of(order)
    natural = throw.faces if throw else ()
    forward = walked.walked if verb in FORWARD_MOVES else 0
    moved = walked.front != unit.front or walked.bearing != unit.bearing
    activity: Activity = "prolonged" if verb == "prolong" else "moved"
    stopped = {
        "enemy": "HL-GEO-02", "friend": "HL-MOV-04", "ground": "HL-MOV-03", "line": "HL-MOV-09", "edge": "HL-MOV-13",
    }.get(walked.stopped_by, "HL-MOV-01")  # fmt: skip
    also = [
        "HL-MOV-10" if unit.chits and natural else "",
        "HL-MOV-04" if walked.through else "",
        "HL-MOV-06" if verb in ("move", "follow", "wheel") else "",
        "HL-MOV-09" if walked.crossed else "",
        *(_drop_rule(play, one.reason) for one in walked.dropped),
        "HL-MOV-11" if unit.type == "cavalry" else "",
        "HL-MOV-08" if verb == "prolong" else "",
    ]
    return o.UnitMoved(
        **of_unit(unit, "HL-TRN-03", RULES.get(verb, "HL-MOV-02"), stopped, *also, *rules),
        dice=(throw,) if throw else (),
        how=verb,
        start=unit.front,
        end=walked.front,
        facing_from=unit.bearing,
        facing_to=walked.bearing,
        path=walked.path,
        natural=natural,
        dice_count=len(natural),
        pips_lost_chits=sum(min(face, unit.chits) for face in natural),
        dice_dropped=walked.dropped,
        allowed=walked.allowed,
        walked=walked.walked,
        wheeled=walked.wheeled,
        stopped_by=walked.stopped_by,
        stopped_at=walked.stopped_at,
        through=walked.through,
        units={
            unit.id: UnitPatch(
                front=walked.front,
                bearing=walked.bearing,
                # Who could not take a step has not moved.
                activity=activity if moved else unit.activity,
                last_forward=forward,
                stirred=moved or unit.stirred,
            )
        },
        leaders=play.carried(unit.id, walked.front),
    )


def _drop_rule(play: Play, reason: str) -> str:
    if reason in play.battle.units:
        return "HL-MOV-04"
    return "HL-MOV-09" if any(one.name == reason for one in play.scene.obstacles) else "HL-MOV-03"


@rule("HL-MOV-13")
def _leave_by_road(play: Play, order: say.Activity, walked: Walked) -> None:
    """Infantry that was ordered to the exit and reaches it leaves the field."""
    unit = play.unit(order.unit)
    if not isinstance(order, say.Move) or not leaves_by(play.field, unit, order.place):
        return
    if walked.stopped_by != "destination":
        return
    exits = {unit.side: play.battle.exits.get(unit.side, 0) + 1}
    play.add(
        o.UnitLeftField(
            **of_unit(unit, "HL-MOV-13"),
            why="exit",
            at=unit.front,
            units={unit.id: UnitPatch(status="left_field")},
            leaders=play.left_by(unit.id),
            game=GamePatch(exits=exits),
        )
    )


# ------------------------------------------------------------------ turns


@rule("HL-MOV-05")
def _about_face(field: Field, unit: Unit) -> tuple[Walked, bool]:
    """A unit turned about, and whether its ground, rounded, lies in somebody's, or its front centre off the map."""
    body = about(field.body(unit))
    front, way = rounded(field, unit, body.at, body.facing)
    shape = field.formed(unit, unit.formation, front, way).shape
    turned_about = Walked(
        front=front, bearing=way, path=(), walked=0, allowed=0, dropped=(), wheeled=0, stopped_by="turned"
    )
    barred = any(overlap(shape, field.shape(one)) for one in field.others(unit))
    return turned_about, barred or not field.scene.on_map(front)


@rule("HL-MOV-05", "HL-MOV-06")
def _face(play: Play, role: Role, order: say.Activity) -> None:
    """Turn on the spot, which must be clear of enemies and friends; or about, which takes no other ground."""
    unit = play.unit(order.unit)
    if isinstance(order, say.Face):
        walked = walk(play.field, unit, turn_to(order.bearing), ())
        barred = walked.stopped_by != "destination"
    else:
        walked, barred = _about_face(play.field, unit)
    if barred:
        play.failed(role, order, "blocked", unit.id, "HL-MOV-05")
        return
    still = replace(walked, path=(unit.front,), allowed=0, stopped_by="turned", stopped_at="")
    goes(play, moved_fact(play, unit, order, None, still), unit.id, ())
    play.came_of(role, order, "done", "", unit.id)


def _about(play: Play, role: Role, order: say.Activity) -> None:
    assert isinstance(order, say.About), "its own order"
    (_move if order.far else _face)(play, role, order)


# ------------------------------------------------------------------ formations


@rule("HL-FRM-01", "HL-FRM-03")
def _form(play: Play, role: Role, order: say.Activity) -> None:
    """Change formation, if there is room."""
    assert isinstance(order, say.Form), "its own order"
    unit, field = play.unit(order.unit), play.field
    way = unit.bearing if order.facing is None else order.facing
    if off(unit.bearing, way) > printed.FORMED_WITHIN * DEGREE:
        play.failed(role, order, "too_far_turn", unit.id, "HL-FRM-03")
        return
    body = field.formed(unit, order.formation, unit.front, way)
    taken = [field.shape(one) for one in field.others(unit)]
    found = slid(body, taken, printed.SLIDE, FINE, field.scene.box)
    if found is not None and found.at != unit.front and not may_go(field, unit, unit.front, found.at):
        found = None
    activity = UnitPatch(activity="changed", stirred=True)
    if found is None:
        play.failed(role, order, "no_room", unit.id, "HL-FRM-03")
        play.add(_tried(unit, UnitPatch(activity="changed")), told=False)
        return
    front, way = rounded(field, replace(unit, formation=order.formation), found.at, found.facing)
    aside = distance(unit.front, found.at)
    left = aside and off(bearing(unit.front, found.at), turned(way, FULL // 4)) > HALF // 2
    patch = replace(activity, formation=order.formation, front=front, bearing=way, last_forward=0)
    play.add(
        o.FormationChanged(
            **of_unit(unit, "HL-TRN-03", "HL-FRM-03", "HL-FRM-01", "HL-GEO-01"),
            before=unit.formation,
            after=order.formation,
            slid=-aside if left else aside,
            units={unit.id: patch},
            leaders=play.carried(unit.id, front),
        )
    )
    play.glance(unit.id)
    play.came_of(role, order, "done", "", unit.id)


def _tried(unit: Unit, patch: UnitPatch) -> o.UnitMoved:
    """A unit that used up its activity and stands where it stood."""
    return o.UnitMoved(
        **of_unit(unit, "HL-FRM-03"),
        how="hold",
        start=unit.front,
        end=unit.front,
        facing_from=unit.bearing,
        facing_to=unit.bearing,
        stopped_by="turned",
        units={unit.id: replace(patch, last_forward=0)},
    )


# ------------------------------------------------------------------ charge markers


@rule("HL-CHG-01", "HL-SEQ-01")
def _mark(play: Play, role: Role, order: say.Activity) -> None:
    """Place a charge marker."""
    assert isinstance(order, say.Charge), "its own order"
    unit = play.unit(order.unit)
    target = play.battle.units.get(play.real(unit.side, order.target))
    reason = "target_unknown" if target is None or not target.there else ""
    if not reason and target is not None and not play.field.ahead(unit, target):
        reason = "target_not_in_arc"
    if not may_charge(unit):
        reason = "not_able"
    if reason or target is None:
        play.failed(role, order, reason, unit.id, "HL-CHG-01")
        return
    play.add(
        o.ChargeMarked(
            **of_unit(unit, "HL-TRN-03", "HL-CHG-01"),
            target=target.id,
            units={
                unit.id: UnitPatch(
                    charge_target=target.id,
                    charge_else=order.nearest,
                    charge_place=target.front,
                    activity="charging",
                    last_forward=0,
                )
            },
        )
    )
    play.came_of(role, order, "done", "", unit.id)


# ------------------------------------------------------------------ chits


@rule("HL-MOR-06", "HL-CMD-04")
def _pull(play: Play, role: Role, order: say.Activity) -> None:
    """Take a chit off; with a benefit a second one, or go on to act."""
    assert isinstance(order, say.Pull), "its own order"
    _take(play, order.unit, role, order, double=order.double, then=order.then)


def _take(
    play: Play, name: str, role: Role | None, order: say.Pull | None, *, double: bool, then: say.Activity | None
) -> None:
    unit = play.unit(name)
    if not unit.chits:
        if role is not None and order is not None:
            play.failed(role, order, "no_chits", name, "HL-MOR-06")
        return
    patch = UnitPatch(pulled_too=True, activity="pulled", last_forward=0)
    fact = removed(unit, unit.chits - printed.AUTOMATIC_PULL, "auto")
    play.add(replace(fact, units={name: replace(patch, chits=unit.chits - printed.AUTOMATIC_PULL)}))
    rule_of = play.battle.options.pull_and_move
    second, barred = unit.chits > printed.AUTOMATIC_PULL, forbidden(play, unit, then)
    acts = then is not None and not barred and rule_of != "second_chit"
    wanted = acts or (double and second and rule_of != "free_action")
    extra = second and rule_of != "free_action"
    gifts = benefit_of(play, name, "pull", one=True, asked=wanted) if wanted or extra else ()
    if gifts and then is not None and wanted:
        ACTIVITIES[type(then)](play, role or play.scene.role_of(unit.brigade, unit.side), then)
    elif gifts and play.unit(name).chits:
        now = play.unit(name)
        left = max(now.chits - printed.EXTRA_CHITS, 0)
        play.add(removed(now, left, "brigadier" if gifts == ("brigadier",) else "point"))
    if role is not None and order is not None:
        reason = ""
        if (double or then is not None) and not (gifts and wanted):
            reason = "no_second_chit" if double and not second else barred.reason if barred else "no_point"
            if (rule_of == "free_action" and double) or (rule_of == "second_chit" and then is not None):
                reason = "by_option"
        play.came_of(role, order, "in part" if reason else "done", reason, name)


@rule("HL-MOR-06")
def pulls_unasked(play: Play, unit: Unit) -> bool:
    """Whether a unit without an order pulls a chit: by a policy, or at half of its limit, unless told never to."""
    if not unit.chits:
        return False
    policy = policy_for(play, unit, "pull")
    if policy is not None and (policy.when == "never" or unit.chits >= policy.number):
        return policy.when == "chits"
    return unit.chits * printed.PULL_FROM[1] >= play.field.limit(unit) * printed.PULL_FROM[0]


def _hold(play: Play, role: Role, order: say.Activity) -> None:
    play.came_of(role, order, "done", "", order.unit)


ACTIVITIES: dict[type[Order], Callable[[Play, Role, say.Activity], None]] = {
    say.Move: _move,
    say.FollowRoad: _move,
    say.Wheel: _move,
    say.Face: _face,
    say.About: _about,
    say.Retire: _move,
    say.Shift: _move,
    say.Prolong: _move,
    say.Form: _form,
    say.Charge: _mark,
    say.Pull: _pull,
    say.Hold: _hold,
}
"""What is done for each activity."""


# ------------------------------------------------------------------ one unit's turn

AT_REST = (say.Face, say.Form, say.Pull, say.Hold)
"""What a reserve may do before it is released."""


@rule("HL-TRN-03", "HL-MOV-07", "HL-MOR-05")
def act(play: Play, name: str) -> None:
    """A unit's turn in the Move phase."""
    unit = play.unit(name)
    if not unit.there:
        return
    sent = [(role, order) for role, order in play.ordered(say.UnitOrder, name) if isinstance(order, say.Activity)]
    role, order = sent[-1] if sent else (None, None)
    if unit.routing:
        rally(play, unit, order.bearing if isinstance(order, say.Face) else None)
        if role is not None and order is not None:
            done = isinstance(order, say.Face) and play.unit(name).in_order
            play.came_of(role, order, "done" if done else "not carried out", "" if done else "routing", name)
        return
    if role is None or order is None:
        if pulls_unasked(play, unit):
            _take(play, name, None, None, double=False, then=None)
        return
    if barred := forbidden(play, unit, order):
        play.failed(role, order, barred.reason, name, barred.rule)
        return
    ACTIVITIES[type(order)](play, role, order)


class Barred(NamedTuple):
    """What an order fails by: a code of `reasons`, and the rule."""

    reason: str
    rule: str


@rule("HL-MOV-07", "HL-MOV-08", "HL-OPT-01")
def forbidden(play: Play, unit: Unit, order: say.Activity | None) -> Barred | None:
    """Why a unit may do nothing of the kind now; None: it may."""
    if order is None or isinstance(order, say.Form | say.Pull | say.Hold):
        return None
    if play.field.held_back(unit) and not isinstance(order, AT_REST):
        return Barred("reserve_held", "HL-OPT-01")
    if not may_move(unit):
        return Barred("not_able", "HL-MOV-07")
    return None if prolongs(unit, order) else Barred("not_able", "HL-MOV-08")
