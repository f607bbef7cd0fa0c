"""The charge phase: who dares, who stands, who gets there (HL-CHG)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.bearing import FULL, off, opposite, turned
from pbem.ground.body import Body, on_board
from pbem.ground.plane import Point, Shape, bearing, distance, dot, faces, gap, near, nearest, overlap, shifted
from pbem.ground.plane import line as line_of
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field, nearest_unit
from pbem.systems.half_league.field.plans import Leg, Plan
from pbem.systems.half_league.field.segments import sequence
from pbem.systems.half_league.field.sight import in_sight
from pbem.systems.half_league.march.footing import may_go
from pbem.systems.half_league.march.going import goes
from pbem.systems.half_league.march.morale import add_chits, lose_guns
from pbem.systems.half_league.march.walking import Walked, dice_count, walk
from pbem.systems.half_league.march.withdrawal import withdraw
from pbem.systems.half_league.play.command import Moment, benefit_of
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.combat import OUTNUMBERED
from pbem.systems.half_league.tables.printed import CONTACT, EXTRA_DICE, MORALE_NEED, TENTH
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import of_unit
from pbem.systems.half_league.world.patches import GamePatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, SCALE, SIDES, Unit


@rule("HL-CHG-02", "HL-TRN-02", "HL-CHG-05")
def charges(play: Play) -> None:
    """All marked units, in the sequence of the charge flank."""
    battle = play.battle
    first = battle.initiative
    if first is None or not battle.charge_flank:
        return
    for number, name in list(sequence(play.field, first, battle.charge_flank)):
        unit = play.unit(name)
        if unit.there and unit.charge_target and not unit.charged:
            play.activate(unit, number, "HL-TRN-02")
            _charge(play, name)
    play.segment = 0
    for side in SIDES:
        _markers_off(play, side)


@rule("HL-CHG-04")
def _markers_off(play: Play, side: Role) -> None:
    """All charges have been run: no marker stays, not even his who touched one that runs before they fight."""
    units = {one.id: UnitPatch(charge_target="") for one in play.battle.of(side) if one.charge_target}
    if units:
        play.note(side, "HL-CHG-04", units)


@rule("HL-CMB-10", "HL-CHG-08")
def fights(play: Play, name: str) -> bool:
    """Whether a unit is in a close combat that is to be fought."""
    return any(name in pair for pair in play.battle.fights)


def _charge(play: Play, name: str) -> None:
    """One charger: its morale, its target's, its run."""
    unit = play.unit(name)
    if unit.routing or fights(play, name):
        _unmark(play, name)
        return
    if not tested(play, name):
        return
    target = _target(play, name)
    if target is None:
        _run_to(play, name, play.unit(name).charge_place or unit.front)
        return
    if not stands(play, target.id):
        _run_to(play, name, target.front)
        return
    _run(play, name, target.id)


def _unmark(play: Play, name: str) -> None:
    play.note(play.unit(name).side, "HL-CHG-08", {name: UnitPatch(charge_target="")})


@rule("HL-CHG-02", "HL-CHG-03", "HL-MOR-02")
def dares(face: int, stands: int, chits: int) -> int:
    """What a die of the charge, or of its target, comes to: `MORALE_NEED` and it dares, or stands."""
    return face + stands - chits


@rule("HL-CHG-03")
def outnumbered(own: int, chargers: int) -> bool:
    """Whether the target of so many stands has to test."""
    return chargers * OUTNUMBERED[1] >= own * OUTNUMBERED[0]


@rule("HL-CHG-02", "HL-CMD-07", "HL-MOR-02")
def tested(play: Play, name: str) -> bool:
    """Whether a marked unit passes its test; made once."""
    unit = play.unit(name)
    if unit.charge_test:
        return unit.charge_test == "passed"
    gifts = benefit_of(play, name, "morale", one=True)
    unit = play.unit(name)
    own = play.field.limit(unit)
    throw = None if gifts else play.throw("charge_morale", name)
    total = dares(throw.faces[0], own, unit.chits) if throw else 0
    passed = bool(gifts) or total >= MORALE_NEED
    play.add(
        c.ChargeMorale(
            **of_unit(unit, "HL-CHG-02", "HL-CMD-07" if gifts else "", "HL-MOR-02" if unit.chits else ""),
            dice=(throw,) if throw else (),
            stands=own,
            chits=unit.chits,
            natural=throw.faces[0] if throw else 0,
            total=total,
            passed=passed,
            auto=bool(gifts),
            units={
                name: UnitPatch(charge_test="passed")
                if passed
                else UnitPatch(charge_test="failed", charge_target="", charged=False)
            },
        )
    )
    if not passed:
        add_chits(play, name, ("charge_morale_failed",), "HL-CHG-02")
    return passed


# ------------------------------------------------------------------ the target


@rule("HL-CHG-04", "HL-CHG-07")
def _target(play: Play, name: str) -> Unit | None:
    """Whom a unit charges now: its target, or by `else nearest` another; None: it runs at where the target was."""
    unit, field = play.unit(name), play.field
    target = play.battle.units.get(unit.charge_target)
    if target is not None and target.there and target.stood != "failed" and _still_ahead(field, unit, target):
        return target
    # What withdrew or fell before the charge leaves its place to the charger; nobody else is sought then.
    gone = target is None or not target.there or target.stood == "failed" or target.engaged
    if gone or not unit.charge_else:
        return None
    other = nearest_unit(field, unit, [one for one in play.foes_in_sight(unit.side) if _still_ahead(field, unit, one)])
    if other is not None:
        play.note(unit.side, "HL-CHG-04", {name: UnitPatch(charge_target=other.id, charge_place=other.front)})
        _tests_anew(play, other.id)
        return play.unit(other.id)
    return None


@rule("HL-CHG-04")
def _still_ahead(field: Field, unit: Unit, target: Unit) -> bool:
    return field.ahead(unit, target) and in_sight(field, unit.front, unit, target)


@rule("HL-CHG-03", "HL-CHG-06")
def stands_of(field: Field, units: Sequence[Unit]) -> int:
    """Stands of units, with those of lines that support them; no leader stands."""
    found = {one.id: one.stands for unit in units for one in (unit, *field.supports(unit))}
    return sum(found.values())


def _place(play: Play, name: str) -> str:
    """Under what a unit's test stands among the dice: of those that it makes in one phase each has its own."""
    before = sum(isinstance(fact, c.DefenderMorale) and fact.unit == name and fact.tested for fact in play.facts)
    return f"{name}/{before + 1}" if before else name


@rule("HL-CHG-03", "HL-CHG-09", "HL-CMD-07")
def stands(play: Play, name: str, *, met_by: str = "") -> bool:
    """Whether the target of a charge stands; it tests once, and only when outnumbered two to one.

    *met_by*: the charger that has run into it, which counts whomever it was marked against.
    """
    target = play.unit(name)
    if target.stood:
        return target.stood == "stood"
    chargers = [
        one
        for one in play.battle.of(ENEMY[target.side])
        if one.id == met_by or (one.charge_target == name and one.charge_test != "failed" and one.in_order)
    ]
    own, theirs = stands_of(play.field, [target]), stands_of(play.field, chargers)
    tests = outnumbered(own, theirs)
    gifts = benefit_of(play, name, "morale", Moment(attacked=True, charged=True), one=True) if tests else ()
    target = play.unit(name)
    throw = play.throw("defender_morale", _place(play, name)) if tests and not gifts else None
    total = dares(throw.faces[0], play.field.limit(target), target.chits) if throw else 0
    passed = throw is None or total >= MORALE_NEED
    play.add(
        c.DefenderMorale(
            **of_unit(target, "HL-CHG-03", "HL-CHG-09" if len(chargers) > 1 else "", "HL-CMD-07" if gifts else ""),
            dice=(throw,) if throw else (),
            ratio=f"{theirs}:{own}",
            tested=tests,
            natural=throw.faces[0] if throw else 0,
            total=total,
            passed=passed,
            auto=bool(gifts),
            units={name: UnitPatch(stood="stood" if passed else "failed")},
        )
    )
    if not passed:
        # Who runs at it after this runs to where it stood.
        play.note(ENEMY[target.side], "HL-CHG-07", {one.id: UnitPatch(charge_place=target.front) for one in chargers})
        if target.unlimbered:
            lose_guns(play, name)
        else:
            withdraw(play, name, [one.id for one in chargers], "outnumbered")
    return passed


# ------------------------------------------------------------------ the run


def _dice(play: Play, name: str, plan: Plan) -> tuple[Walked, c.ChargeMoved]:
    """Throw for a run, and walk; what is told of it, so far."""
    unit = play.unit(name)
    count = dice_count(play.field, unit, plan)
    gifts = benefit_of(play, name, "move") if count else ()
    throw = play.throw("charge", name, count=count + EXTRA_DICE * len(gifts)) if count else None
    unit = play.unit(name)
    walked = walk(play.field, unit, plan, throw.faces if throw else ())
    also = "HL-CMD-03" if gifts else "", "HL-MOV-10" if unit.chits else "", _cavalry(unit)
    fact = c.ChargeMoved(
        **of_unit(unit, "HL-CHG-04", "HL-CHG-05", "HL-GEO-02", *also),
        dice=(throw,) if throw else (),
        target="",
        start=unit.front,
        end=walked.front,
        path=walked.path,
        natural=throw.faces if throw else (),
        allowed=walked.allowed,
        walked=walked.walked,
        connected=False,
        dice_dropped=walked.dropped,
        wheeled=walked.wheeled,
        stopped_by=walked.stopped_by,
        stopped_at=walked.stopped_at,
    )
    return walked, fact


def _cavalry(unit: Unit) -> str:
    return "HL-MOV-11" if unit.type == "cavalry" else ""


@rule("HL-CHG-07")
def _run_to(play: Play, name: str, place: Point) -> None:
    """Run to where the target stood; whoever is touched on the way is fought, but not the target that ran from it."""
    unit = play.unit(name)
    target = unit.charge_target
    if place == unit.front:
        _unmark(play, name)
        return
    legs = (Leg(bearing(unit.front, place), distance(unit.front, place)),)
    walked, fact = _dice(play, name, Plan(legs=legs, charging=True))
    fled = target in play.battle.units and play.unit(target).stood == "failed"
    walked = replace(walked, contact=tuple(one for one in walked.contact if not (fled and one == target)))
    if walked.contact:
        _touch(play, name, walked, replace(fact, needed=distance(unit.front, place)))
        return
    rules, needed = cited(*fact.rules, "HL-CHG-07"), distance(unit.front, place)
    _arrive(play, name, walked, replace(fact, target=target, vacated=True, needed=needed, rules=rules))


@rule("HL-CHG-04", "HL-CHG-06")
def _run(play: Play, name: str, target: str) -> None:
    """Go straight for the nearest point of the target."""
    unit, field = play.unit(name), play.field
    shape = field.shape(field.unit(target))
    needed = gap(field.shape(unit), shape).far
    aim = nearest(shape, unit.front)
    way = bearing(unit.front, aim) if aim != unit.front else unit.bearing
    far = distance(unit.front, aim) + CONTACT
    if needed <= CONTACT:
        here = unit.front
        walked = Walked(here, unit.bearing, (here,), 0, 0, (), 0, stopped_by="enemy", contact=(target,))
        fact = c.ChargeMoved(**of_unit(unit, "HL-CHG-04"), target=target, start=here, end=here, connected=True)
        _touch(play, name, walked, fact)
        return
    walked, fact = _dice(play, name, Plan(legs=(Leg(way, far),), charging=True))
    fact = replace(fact, needed=needed, target=target)
    if walked.contact:
        _touch(play, name, walked, fact)
    else:
        _arrive(play, name, walked, fact)


def _arrive(play: Play, name: str, walked: Walked, fact: c.ChargeMoved) -> None:
    """It fell short: it halts where the dice end, and the marker comes off."""
    patch = UnitPatch(
        front=walked.front, bearing=walked.bearing, charge_target="", last_forward=walked.walked, stirred=True
    )
    fact = replace(fact, units={name: patch}, leaders=play.carried(name, walked.front))
    goes(play, fact, name, walked.path)


@rule("HL-CHG-06", "HL-CHG-07", "HL-CHG-08")
def _touch(play: Play, name: str, walked: Walked, fact: c.ChargeMoved) -> None:
    """It touches an enemy: it aligns to his face, and fights him and whom else it touches so."""
    unit = play.unit(name)
    first = walked.contact[0]
    if unit.charge_target in walked.contact:
        first = unit.charge_target
    body = aligned(play.field, unit, walked, play.unit(first))
    foes = [one for one in play.field.enemies(unit.side) if one.id != first]
    touched = [first, *(one.id for one in foes if near(body.shape, play.field.shape(one), CONTACT))]
    play.reveal(touched)
    rear = tuple(one for one in touched if play.field.aspect(play.unit(one), unit) == "rear")
    pairs = tuple((name, one) for one in touched)
    others = "HL-CHG-07" if first != unit.charge_target else "HL-CHG-06"
    goes(
        play,
        replace(
            fact,
            rules=cited(*fact.rules, others, "HL-GEO-03"),
            target=first,
            end=body.at,
            connected=True,
            units={
                name: UnitPatch(
                    front=body.at,
                    bearing=body.facing,
                    charged=True,
                    charge_target=first,
                    last_forward=walked.walked,
                    stirred=True,
                    charged_from=unit.front,
                    from_rear=rear,
                )
            },
            leaders=play.carried(name, body.at),
            game=GamePatch(fights=(*play.battle.fights, *pairs)),
        ),
        name,
        walked.path,
    )
    play.reveal([name])
    for one in touched:
        enemy = play.unit(one)
        # A target out of sight behind a friend has not been tested before the run.
        untested = one != unit.charge_target or not enemy.stood
        if untested and not _stands_when_met(play, one, name):
            _part(play, name, one)
        elif enemy.charge_target and enemy.charge_target == name and not enemy.charged:
            _counter(play, one, name)


@rule("HL-CHG-07")
def _stands_when_met(play: Play, name: str, by: str) -> bool:
    """Whether a unit stands that a charger has run into: it tests now, though it has run from another before."""
    _tests_anew(play, name)
    return stands(play, name, met_by=by)


def _tests_anew(play: Play, name: str) -> None:
    """Who has run from one charger has to stand or run again before another who comes at him where he is now."""
    if play.unit(name).stood == "failed":
        play.note(play.unit(name).side, "HL-CHG-07", {name: UnitPatch(stood="")})


def _part(play: Play, name: str, gone: str) -> None:
    """An enemy who was met on the way did not stand: there is no fight with him, and with nobody else no charge."""
    left = tuple(pair for pair in play.battle.fights if pair != (name, gone))
    engaged = any(name in pair for pair in left)
    units = {} if engaged else {name: UnitPatch(charge_target="", charged=False)}
    play.note(play.unit(name).side, "HL-CHG-07", units, GamePatch(fights=left))


@rule("HL-CHG-08")
def _counter(play: Play, name: str, by: str) -> None:
    """Two charge each other: the one that was run at counts as charging if it has passed its test, or passes it now."""
    if not tested(play, name):
        return
    unit, enemy = play.unit(name), play.unit(by)
    play.add(
        c.ChargeMoved(
            **of_unit(unit, "HL-CHG-08", _cavalry(unit)),
            target=by,
            start=unit.front,
            end=unit.front,
            connected=True,
            counter=True,
            units={name: UnitPatch(charged=True, last_forward=enemy.last_forward, stirred=True)},
        )
    )


@rule("HL-CHG-04", "HL-GEO-01")
def aligned(field: Field, unit: Unit, walked: Walked, target: Unit) -> Body:
    """The charger with its front along the face that it touched; as it came, if there is no room or no way so."""
    came = field.formed(unit, unit.formation, walked.front, walked.bearing)
    shape = field.shape(target)
    a, b, outward = min(
        (side for side in faces(shape) if off(opposite(side[2]), walked.bearing) <= FULL // 4),
        key=lambda side: _far(line_of((side[0], side[1])), walked.front),
        default=faces(shape)[0],
    )
    foot = nearest(line_of((a, b)), walked.front)
    at = SCALE.on_grid(shifted(foot, outward, TENTH))
    there = field.formed(unit, unit.formation, at, turned(opposite(outward), 0))
    others = [field.shape(one) for one in field.others(unit)]
    touches = gap(there.shape, shape).far <= CONTACT + TENTH
    room = not any(overlap(there.shape, one) for one in others)
    board = on_board(there, field.scene.box) or not on_board(came, field.scene.box)
    return there if touches and room and board and may_go(field, unit, came.at, there.at) else came


def _far(shape: Shape, at: Point) -> int:
    return gap(shape, dot(at)).far
