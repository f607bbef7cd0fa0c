"""What a unit does in the Move phase: one activity (HL-TRN-03, HL-MOV)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, FULL, HALF, off, opposite, turned
from pbem.ground.body import about, slid
from pbem.ground.plane import Point, bearing, distance, dot, gap, overlap
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league import orders as say
from pbem.systems.half_league.command import benefit_of, policy_for, removed
from pbem.systems.half_league.field import Field
from pbem.systems.half_league.morale import rally
from pbem.systems.half_league.outcomes import ChargeMarked, FormationChanged, UnitLeftField, UnitMoved
from pbem.systems.half_league.play import Play
from pbem.systems.half_league.state import Activity, GamePatch, Unit, UnitPatch
from pbem.systems.half_league.tables import (
    AUTOMATIC_PULL,
    EXTRA_CHITS,
    EXTRA_DICE,
    FORMED_WITHIN,
    FORWARD,
    INCH,
    PULL_FROM,
    SLIDE,
)
from pbem.systems.half_league.walking import ON_ROAD, Leg, Plan, Walked, dice_count, on_road, rounded, straight, walk

FAR = 500 * INCH
"""Farther than anybody goes."""
FINE = INCH // 100
"""In steps of so much room is looked for."""
ROAD_FORMATIONS = ("road_column", "limbered")


# ------------------------------------------------------------------ plans


def way_of(unit: Unit, order: say.Move) -> tuple[Point, ...]:
    """The points of a move, its start first; of `move S 8` none but the start."""
    return (unit.front, *order.points)


@rule("HL-MOV-06")
def legs_of(unit: Unit, order: say.Move) -> tuple[Leg, ...]:
    """The legs of a move."""
    if order.bearing is not None:
        return (Leg(order.bearing, order.far or 0),)
    return tuple(Leg(bearing(a, b), distance(a, b)) for a, b in pairwise(way_of(unit, order)) if a != b)


@rule("HL-MOV-06")
def wrong_turn(field: Field, unit: Unit, legs: Sequence[Leg]) -> str:
    """What forbids a way: a leg that is not forward, too many legs, too much of turning; empty: nothing."""
    wheel = field.charts.wheel
    now, total = unit.bearing, 0
    for number, leg in enumerate(legs, start=1):
        aside = off(now, leg.bearing)
        if aside > FORWARD * DEGREE:
            return "first" if number == 1 else "leg"
        total, now = total + aside, leg.bearing
    if len(legs) > wheel.legs:
        return "legs"
    return "turns" if total > wheel.turns * DEGREE else ""


@rule("HL-MOV-02")
def road_ahead(field: Field, unit: Unit) -> tuple[Point, ...]:
    """The way along the road that a unit is on, the way it faces; empty: it is on none."""
    best: tuple[int, tuple[Point, ...]] | None = None
    for road in field.scene.roads:
        found = gap(road.shape, dot(unit.front))
        if found.number > ON_ROAD**2 * found.by:
            continue
        for points in (road.shape.points, road.shape.points[::-1]):
            for k, (a, b) in enumerate(pairwise(points)):
                here = gap(road.shape, dot(unit.front)).here
                if distance(a, here) + distance(here, b) <= distance(a, b) + 2:
                    aside = off(unit.bearing, bearing(a, b))
                    way = (here, *points[k + 1 :])
                    if best is None or aside < best[0]:
                        best = aside, way
                    break
    return best[1] if best else ()


def plan_for(field: Field, unit: Unit, order: Order) -> tuple[Unit, Plan] | None:
    """A unit (turned about, if the order says so) and what it sets out to do; None: no walk belongs to the order."""
    match order:
        case say.Move():
            legs = legs_of(unit, order)
            end = order.points[-1] if order.points else None
            way = (unit.front, *order.points) if order.points else ()
            road = unit.formation in ROAD_FORMATIONS and bool(way) and on_road(field, way)
            last = (Leg(order.facing, 0),) if order.facing is not None else ()
            leaves = end is not None and order.place == field.scene.exit_place and bool(order.place)
            return unit, Plan(legs=(*legs, *last), most=order.far, road=road, exit_at=end if leaves else None)
        case say.FollowRoad():
            way = road_ahead(field, unit)
            legs = tuple(Leg(bearing(a, b), distance(a, b)) for a, b in pairwise((unit.front, *way)) if a != b)
            return unit, Plan(legs=legs, most=order.far, road=True)
        case say.Wheel():
            way_to = turned(unit.bearing, order.by)
            return unit, Plan(legs=(Leg(way_to, order.far),), one_die=abs(order.by) > FORWARD * DEGREE)
        case say.About() if order.far:
            body = about(field.body(unit))
            faced = replace(unit, front=body.at, bearing=body.facing)
            return faced, Plan(legs=(straight(body.facing, order.far),), one_die=True)
        case say.Retire():
            return unit, Plan(legs=(straight(opposite(unit.bearing), order.far),), one_die=True)
        case say.Shift():
            side = FULL // 4 if order.hand == "right" else -FULL // 4
            return unit, Plan(legs=(straight(unit.bearing + side, order.far),), one_die=True)
        case say.Prolong():
            return unit, Plan(legs=(straight(order.bearing, order.far),), one_die=True)
        case _:
            return None


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
def _move(play: Play, role: Role, order: say.UnitOrder) -> None:
    """Throw the dice of a move, and walk."""
    unit = play.unit(order.unit)
    field = play.field
    if isinstance(order, say.Move) and (why := wrong_turn(field, unit, legs_of(unit, order))):
        play.failed(role, order, "too_far_turn" if why in ("first", "leg") else "not_able", unit.id, "HL-MOV-06")
        return
    if isinstance(order, say.FollowRoad) and not (unit.formation in ROAD_FORMATIONS and road_ahead(field, unit)):
        play.failed(role, order, "not_on_road", unit.id, "HL-MOV-02")
        return
    made = plan_for(field, unit, order)
    assert made is not None, "a move has its plan"
    faced, plan = made
    count = dice_count(field, faced, plan)
    if not count:
        play.failed(role, order, "not_able", unit.id, "HL-MOV-02")
        return
    gifts = benefit_of(play, unit.id, "move")
    throw = play.throw("move", unit.id, count=count + EXTRA_DICE * len(gifts))
    faced = replace(play.unit(order.unit), front=faced.front, bearing=faced.bearing)
    walked = walk(play.field, faced, plan, throw.faces)
    play.moved(moved_fact(play, unit, order, throw, walked, rules=("HL-CMD-03",) if gifts else ()))
    moved = walked.front != unit.front or walked.bearing != unit.bearing
    short = walked.stopped_by not in ("destination", "maximum")
    play.played(role, order, "in part" if moved and short else "done" if moved else "not carried out",
                "" if moved else "blocked", unit.id)  # fmt: skip
    _leave_by_road(play, order, walked)


def moved_fact(
    play: Play, unit: Unit, order: Order, throw: Throw | None, walked: Walked, *, rules: Sequence[str] = ()
) -> UnitMoved:
    """The record of a move, with what it makes of the unit and of the leaders with it."""
    verb = verb_of(order)
    natural = throw.faces if throw else ()
    forward = walked.walked if verb in FORWARD_MOVES else 0
    activity: Activity = "prolonged" if verb == "prolong" else "moved"
    stopped = {
        "enemy": "HL-GEO-02", "friend": "HL-MOV-04", "ground": "HL-MOV-03", "line": "HL-MOV-09", "edge": "HL-MOV-13",
    }.get(walked.stopped_by, "HL-MOV-01")  # fmt: skip
    also = [
        *(("HL-MOV-10",) if unit.chits and natural else ()),
        *(("HL-MOV-04",) if walked.through else ()),
        *(("HL-MOV-06",) if verb in ("move", "follow", "wheel") else ()),
        *(("HL-MOV-09",) if walked.crossed else ()),
        *(_drop_rule(play, one.reason) for one in walked.dropped),
        *(("HL-MOV-11",) if unit.type == "cavalry" else ()),
        *(("HL-MOV-08",) if verb == "prolong" else ()),
    ]
    return UnitMoved(
        rules=cited("HL-TRN-03", RULES.get(verb, "HL-MOV-02"), stopped, *also, *rules),
        dice=(throw,) if throw else (),
        side=unit.side,
        unit=unit.id,
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
                front=walked.front, bearing=walked.bearing, activity=activity, last_forward=forward, stirred=True
            )
        },
        leaders=play.carried(unit.id, walked.front),
    )


def _drop_rule(play: Play, reason: str) -> str:
    if reason in play.battle.units:
        return "HL-MOV-04"
    return "HL-MOV-09" if any(one.name == reason for one in play.scene.obstacles) else "HL-MOV-03"


@rule("HL-MOV-13")
def _leave_by_road(play: Play, order: say.UnitOrder, walked: Walked) -> None:
    """Infantry that was ordered to the exit and reaches it leaves the field."""
    unit, scene = play.unit(order.unit), play.scene
    if not isinstance(order, say.Move) or order.place != scene.exit_place or unit.side != scene.exit_side:
        return
    if unit.type != "infantry" or walked.stopped_by != "destination" or not order.place:
        return
    exits = {unit.side: play.battle.exits.get(unit.side, 0) + 1}
    play.add(
        UnitLeftField(
            rules=cited("HL-MOV-13"),
            side=unit.side,
            unit=unit.id,
            why="exit",
            at=unit.front,
            units={unit.id: UnitPatch(status="left_field")},
            leaders={name: replace(patch, attached_to="") for name, patch in play.carried(unit.id, unit.front).items()},
            game=GamePatch(exits=exits),
        )
    )


# ------------------------------------------------------------------ turns


@rule("HL-MOV-05", "HL-MOV-06")
def _face(play: Play, role: Role, order: say.UnitOrder) -> None:
    """Turn on the spot, or about."""
    unit = play.unit(order.unit)
    body = play.field.body(unit)
    if isinstance(order, say.About):
        body = about(body)
    else:
        assert isinstance(order, say.Face), "the other turn on the spot"
        body = replace(body, facing=order.bearing)
    front, way = rounded(play.field, unit, body.at, body.facing)
    shape = play.field.formed(unit, unit.formation, front, way).shape
    if any(overlap(shape, play.field.shape(one)) for one in play.field.others(unit)):
        play.failed(role, order, "no_room", unit.id, "HL-MOV-05")
        return
    still = Walked(
        front=front, bearing=way, path=(unit.front,), walked=0, allowed=0, dropped=(), wheeled=0, stopped_by="turned"
    )
    play.moved(moved_fact(play, unit, order, None, still))
    play.played(role, order, "done", "", unit.id)


def _about(play: Play, role: Role, order: say.UnitOrder) -> None:
    assert isinstance(order, say.About), "its own order"
    (_move if order.far else _face)(play, role, order)


# ------------------------------------------------------------------ formations


@rule("HL-FRM-01", "HL-FRM-03")
def _form(play: Play, role: Role, order: say.UnitOrder) -> None:
    """Change formation, if there is room."""
    assert isinstance(order, say.Form), "its own order"
    unit, field = play.unit(order.unit), play.field
    way = unit.bearing if order.facing is None else order.facing
    if off(unit.bearing, way) > FORMED_WITHIN * DEGREE:
        play.failed(role, order, "too_far_turn", unit.id, "HL-FRM-03")
        return
    body = field.formed(unit, order.formation, unit.front, way)
    taken = [field.shape(one) for one in field.others(unit)]
    found = slid(body, taken, SLIDE, FINE, field.scene.box)
    activity = UnitPatch(activity="changed", stirred=True)
    if found is None:
        play.failed(role, order, "no_room", unit.id, "HL-FRM-03")
        play.add(_tried(unit, activity))
        return
    front, way = rounded(field, replace(unit, formation=order.formation), found.at, found.facing)
    aside = distance(unit.front, found.at)
    left = aside and off(bearing(unit.front, found.at), turned(way, FULL // 4)) > HALF // 2
    patch = replace(activity, formation=order.formation, front=front, bearing=way, last_forward=0)
    play.add(
        FormationChanged(
            rules=cited("HL-TRN-03", "HL-FRM-03", "HL-FRM-01", "HL-GEO-01"),
            side=unit.side,
            unit=unit.id,
            before=unit.formation,
            after=order.formation,
            slid=-aside if left else aside,
            units={unit.id: patch},
            leaders=play.carried(unit.id, front),
        )
    )
    play.glance(unit.id)
    play.played(role, order, "done", "", unit.id)


def _tried(unit: Unit, patch: UnitPatch) -> UnitMoved:
    """A unit that used up its activity and stands where it stood."""
    return UnitMoved(
        rules=cited("HL-FRM-03"),
        side=unit.side,
        private=("start", "end", "facing_from", "facing_to"),
        unit=unit.id,
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
def _mark(play: Play, role: Role, order: say.UnitOrder) -> None:
    """Place a charge marker."""
    assert isinstance(order, say.Charge), "its own order"
    unit = play.unit(order.unit)
    target = play.battle.units.get(play.real(unit.side, order.target))
    reason = "target_unknown" if target is None or not target.there else ""
    if not reason and target is not None and not play.field.ahead(unit, target):
        reason = "target_not_in_arc"
    if unit.guns or unit.formation in ("square", "road_column"):
        reason = "not_able"
    if reason or target is None:
        play.failed(role, order, reason, unit.id, "HL-CHG-01")
        return
    play.add(
        ChargeMarked(
            rules=cited("HL-TRN-03", "HL-CHG-01"),
            side=unit.side,
            unit=unit.id,
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
    play.played(role, order, "done", "", unit.id)


# ------------------------------------------------------------------ chits


@rule("HL-MOR-06", "HL-CMD-04")
def _pull(play: Play, role: Role, order: say.UnitOrder) -> None:
    """Take a chit off; with a benefit a second one, or go on to act."""
    assert isinstance(order, say.Pull), "its own order"
    _take(play, order.unit, role, order, double=order.double, then=order.then)


def _take(
    play: Play, name: str, role: Role | None, order: say.Pull | None, *, double: bool, then: say.UnitOrder | None
) -> None:
    unit = play.unit(name)
    if not unit.chits:
        if role is not None and order is not None:
            play.failed(role, order, "no_chits", name, "HL-MOR-06")
        return
    patch = UnitPatch(pulled_too=True, activity="pulled", last_forward=0)
    fact = removed(unit, unit.chits - AUTOMATIC_PULL, "auto")
    play.add(replace(fact, units={name: replace(patch, chits=unit.chits - AUTOMATIC_PULL)}))
    rule_of = play.battle.options.pull_and_move
    wanted = (double and rule_of != "free_action") or (then is not None and rule_of != "second_chit")
    gifts = benefit_of(play, name, "pull", one=True, asked=wanted) if wanted or _asks_pull(play, name) else ()
    if gifts and then is not None and wanted:
        ACTIVITIES[type(then)](play, role or play.scene.role_of(unit.brigade, unit.side), then)
    elif gifts and play.unit(name).chits:
        now = play.unit(name)
        left = max(now.chits - EXTRA_CHITS, 0)
        play.add(removed(now, left, "brigadier" if gifts == ("brigadier",) else "point"))
    if role is not None and order is not None:
        reason = "no_point" if (double or then is not None) and not gifts else ""
        play.played(role, order, "in part" if reason else "done", reason, name)


def _asks_pull(play: Play, name: str) -> bool:
    """Whether the benefit is wanted without the order saying so: by a line or by a policy."""
    unit = play.unit(name)
    brigadier = play.field.brigadier(unit)
    favoured = any(
        order.benefit == "pull" and brigadier is not None and order.leader == brigadier.id
        for _, order in play.ordered(say.Favour)
    )
    spent = any(order.benefit == "pull" for _, order in play.ordered(say.Spend, name))
    return favoured or spent or policy_for(play, unit, "cp", "pull") is not None


@rule("HL-MOR-06")
def pulls_unasked(play: Play, unit: Unit) -> bool:
    """Whether a unit without an order pulls a chit: by a policy, or since it has half of its limit."""
    if not unit.chits:
        return False
    policy = policy_for(play, unit, "pull")
    if policy is not None:
        return policy.when == "chits" and unit.chits >= policy.number
    return unit.chits * PULL_FROM[1] >= play.field.limit(unit) * PULL_FROM[0]


def _hold(play: Play, role: Role, order: say.UnitOrder) -> None:
    play.played(role, order, "done", "", order.unit)


ACTIVITIES: dict[type[Order], Callable[[Play, Role, say.UnitOrder], None]] = {
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
    sent = [(role, order) for role, order in play.ordered(say.UnitOrder, name) if isinstance(order, say.ACTIVITIES)]
    role, order = sent[-1] if sent else (None, None)
    if unit.status == "routing":
        rally(play, unit, order.bearing if isinstance(order, say.Face) else None)
        if role is not None and order is not None:
            done = isinstance(order, say.Face) and play.unit(name).status == "good"
            play.played(role, order, "done" if done else "not carried out", "" if done else "routing", name)
        return
    if role is None or order is None:
        if pulls_unasked(play, unit):
            _take(play, name, None, None, double=False, then=None)
        return
    if play.field.held_back(unit) and not isinstance(order, AT_REST):
        play.failed(role, order, "reserve_held", name, "HL-OPT-01")
        return
    if unit.formation == "square" and not isinstance(order, say.Form | say.Pull | say.Hold):
        play.failed(role, order, "not_able", name, "HL-MOV-07")
        return
    ACTIVITIES[type(order)](play, role, order)
