"""Chits, rout and rally, and what is done at the end of every phase (HL-SEQ-02, HL-MOR)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.bearing import HALF, opposite
from pbem.ground.body import Body, away, faced, passes, resultant
from pbem.ground.plane import Point, Shape, bearing, holds, line, near, overlap, shifted, to_shape
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field, nearest_unit
from pbem.systems.half_league.march.going import goes, ride_back
from pbem.systems.half_league.march.walking import rounded, with_chits
from pbem.systems.half_league.mind.fog import sees_guns
from pbem.systems.half_league.play.command import army_removal, removed
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.combat import BLOCKED_AT, SPIKED_FROM
from pbem.systems.half_league.tables.printed import CHITS, INCH, MORALE_NEED, RALLY_CHITS, ROUT_DICE, ROUT_NEAR, TENTH
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Fact, of_unit
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, SIDES, Guns, Unit, side_of

HOLDS_GUNS = INCH
"""How near to abandoned guns a unit is that holds their place."""


# ------------------------------------------------------------------ chits


@rule("HL-MOR-01")
def add_chits(play: Play, name: str, reasons: Sequence[str], *rules: str) -> None:
    """Put chits on a unit, for one reason or several; what was owed to it is then placed."""
    for reason, times in Counter(reasons).items():
        unit = play.unit(name)
        if not unit.there:
            return
        count = CHITS[reason] * times
        play.add(
            o.ChitAdded(
                **of_unit(unit, "HL-MOR-01", *rules),
                private=("reason",) if _out_of_sight(play, unit.side, reason) else (),
                reason=reason,
                count=count,
                now=unit.chits + count,
                limit=play.field.limit(unit),
                units={name: UnitPatch(chits=unit.chits + count, owed_chits=())},
            )
        )


CAUSES: Mapping[str, type[Fact]] = {
    "friend_routed": c.UnitRouted,
    "friend_withdrew_through": c.UnitWithdrew,
    "brigadier_killed": c.LeaderKilled,
    "army_commander_killed": c.LeaderKilled,
}
"""What befalls somebody else, and gives a unit a chit."""


@rule("HL-MOR-01", "HL-LOS-01")
def _out_of_sight(play: Play, side: Role, reason: str) -> bool:
    """Whether a chit comes of something that the enemy did not see: then what it is for would tell him of it."""
    kind = CAUSES.get(reason)
    if kind is None:
        return False
    cause = next((fact for fact in reversed(play.facts) if isinstance(fact, kind) and fact.side == side), None)
    return cause is not None and not any(side_of(role) == ENEMY[side] for role in cause.known)


# ------------------------------------------------------------------ running away


class Flight(Struct, frozen=True):
    """Where one comes who runs: *gone* off the map; *blocked* by an enemy or an edge at once."""

    front: Point
    bearing: int
    walked: int
    through: tuple[str, ...] = ()
    gone: bool = False
    blocked: bool = False


def _turned(body: Body, way: int) -> Body:
    """*body* turned to a bearing about its middle: it covers the same ground as nearly as may be."""
    there = faced(body, way)
    middle = body.middle
    return replace(there, at=shifted(middle, way, body.depth // 2))


@rule("HL-MOR-03", "HL-CMB-07", "HL-MOV-13")
def flight(field: Field, unit: Unit, way: int, far: int) -> Flight:
    """A unit turns to *way* and goes *far*, through friends, and on until it is clear of them."""
    body = _turned(field.body(unit), way)
    # Who stands aside of its way is neither come to nor passed through.
    met = [one for one in field.others(unit) if not passes(body, way, field.shape(one), BLOCKED_AT)]
    foes = [field.shape(one) for one in met if one.side != unit.side]
    friends = [(one.id, field.shape(one)) for one in met if one.side == unit.side]
    barred = [one.shape for one in field.scene.areas if field.burns(one)]
    gone, through = 0, dict.fromkeys(name for name, shape in friends if overlap(body.shape, shape))
    started = set(through)
    here, blocked = body, False
    while True:
        covered = [name for name, shape in friends if overlap(here.shape, shape)]
        through |= dict.fromkeys(covered)
        if gone >= far and not covered and not any(overlap(here.shape, shape) for shape in foes):
            break
        after = replace(body, at=shifted(body.at, way, gone + TENTH))
        if not field.scene.on_map(after.at):
            return Flight(after.at, way, gone, tuple(through), gone=True)
        if _runs_into(here, after, foes) or any(holds(shape, after.at) for shape in barred):
            if gone >= far or covered:
                here = _clear_before(body, way, gone, [shape for _, shape in friends])
            blocked = not gone
            break
        here, gone = after, gone + TENTH
    passed = tuple(name for name in through if name not in started)
    return _settled(field, unit, Flight(here.at, way, gone, passed, blocked=blocked))


def _clear_before(body: Body, way: int, gone: int, friends: Sequence[Shape]) -> Body:
    """The last place on the way that is clear of friends."""
    for far in range(gone, -1, -TENTH):
        here = replace(body, at=shifted(body.at, way, far))
        if not any(overlap(here.shape, shape) for shape in friends):
            return here
    return body


@rule("HL-CMB-07")
def _runs_into(here: Body, after: Body, foes: Iterable[Shape]) -> bool:
    """Whether the next step comes within an inch of an enemy, its middle nearer to him than it was.

    Its outline may reach over an enemy from whom it goes away: it has turned about where it touched him.
    """
    for shape in foes:
        if near(after.shape, shape, BLOCKED_AT - 1):
            now, then = to_shape(here.middle, shape), to_shape(after.middle, shape)
            if then.number * now.by < now.number * then.by:
                return True
    return False


def _settled(field: Field, unit: Unit, came: Flight) -> Flight:
    """A flight with its end on the grid."""
    front, bearing_now = rounded(field, unit, came.front, came.bearing)
    there = field.formed(unit, unit.formation, front, bearing_now).shape
    if any(overlap(there, field.shape(one)) for one in field.others(unit)):
        # There is no way on, and no room to turn: it stays as it stood.
        return Flight(unit.front, unit.bearing, 0, blocked=True)
    return replace(came, front=front, bearing=bearing_now)


@rule("HL-GEO-03", "HL-CMB-07")
def away_from(field: Field, unit: Unit, enemies: Sequence[Unit]) -> int:
    """The bearing directly away from enemies; straight back if they cancel.

    From those in contact straight back from the faces that they touch; from others away from each one's front centre.
    """
    touching = [opposite(field.touched_face(unit, one)) for one in enemies if field.touching(unit, one)]
    found = resultant(touching) if touching else away(unit.front, [one.front for one in enemies])
    return opposite(unit.bearing) if found is None else found


# ------------------------------------------------------------------ rout


@rule("HL-MOR-03")
def rout_way(play: Play, unit: Unit) -> int:
    """Where a unit runs: away from the nearest enemy in sight of its side, else towards its own edge."""
    foe = nearest_unit(play.field, unit, play.foes_in_sight(unit.side))
    if foe is not None:
        return away_from(play.field, unit, [foe])
    return 0 if play.scene.edges[unit.side] == "north" else HALF


def flight_dice(play: Play, unit: Unit, natural: Sequence[int]) -> int:
    """How far a unit flees with these dice, in grains (HL-MOV-10, option `chits_on_flight`)."""
    dice = with_chits(natural, unit.chits) if play.battle.options.chits_on_flight else natural
    return sum(dice) * INCH


@rule("HL-MOR-03", "HL-MOR-04", "HL-MOR-02")
def rout(play: Play, name: str, *, again: bool = False) -> None:
    """A unit breaks, or runs on."""
    unit = play.unit(name)
    if unit.unlimbered:
        lose_guns(play, name, rout=True)
        return
    throw = play.throw("rout", f"{name}/{play.battle.phase}", count=ROUT_DICE)
    inches = flight_dice(play, unit, throw.faces)
    way = rout_way(play, unit)
    came = flight(play.field, unit, way, inches)
    walked = line((unit.front, came.front))
    ran_by = ("HL-MOR-05",) if again else ("HL-MOR-04", "HL-SEQ-02")
    close = [
        one.id
        for one in play.field.others(unit)
        if one.side == unit.side and near(walked, play.field.shape(one), ROUT_NEAR)
    ]
    goes(
        play,
        c.UnitRouted(
            **of_unit(unit, "HL-MOR-03", *ran_by, "HL-MOR-02", "HL-MOV-13" if came.gone else ""),
            dice=(throw,),
            chits=unit.chits,
            limit=play.field.limit(unit),
            natural=throw.faces,
            inches=inches,
            start=unit.front,
            end=came.front,
            near=tuple(close),
            again=again,
            units={
                name: UnitPatch(
                    status="left_field" if came.gone else "routing",
                    front=came.front,
                    bearing=came.bearing,
                    charge_target="",
                    charged=False,
                    last_forward=0,
                    stirred=True,
                )
            },
            leaders=with_flight(play, name, came),
        ),
        name,
        (unit.front, came.front),
    )
    if came.gone:
        left_field(play, name, "rout")
    for friend in close:
        add_chits(play, friend, ("friend_routed",), "HL-MOR-03")
    play.glance(name)


def with_flight(play: Play, name: str, came: Flight) -> dict[str, LeaderPatch]:
    """Where the leaders of a unit are after its flight: they go with it, but not off the field."""
    return play.left_by(name) if came.gone else play.carried(name, came.front)


def left_field(play: Play, name: str, why: str) -> None:
    """A unit has left the field in flight."""
    unit = play.unit(name)
    play.add(
        o.UnitLeftField(
            **of_unit(unit, "HL-MOV-13", "HL-MOR-03" if why == "rout" else "HL-CMB-07"),
            why=why,  # type: ignore[arg-type] # one of its words
            at=unit.front,
        )
    )


@rule("HL-MOR-05", "HL-MOR-02")
def rally(play: Play, unit: Unit, facing: int | None) -> None:
    """A routing unit tries to rally in its place in the sequence; *facing*: as ordered."""
    throw = play.throw("rally", unit.id)
    limit = play.field.limit(unit)
    total = throw.faces[0] + limit
    passed = total >= MORALE_NEED
    left = max(unit.chits - RALLY_CHITS, 0) if passed else unit.chits
    good = passed and left < limit
    patch = UnitPatch(last_forward=0)
    if passed:
        patch = replace(patch, activity="rallied", pulled_too=True)
    if good:
        foe = nearest_unit(play.field, unit, play.foes_in_sight(unit.side))
        way = facing if facing is not None else bearing(unit.front, foe.front) if foe else opposite(unit.bearing)
        front, way = _room_to_face(play.field, unit, way)
        patch = replace(patch, status="good", front=front, bearing=way, stirred=True)
    play.add(
        o.RallyRolled(
            **of_unit(unit, "HL-MOR-05", "HL-TRN-03", "HL-MOR-02"),
            dice=(throw,),
            natural=throw.faces[0],
            stands=limit,
            total=total,
            passed=passed,
            good=good,
            units={unit.id: patch},
        )
    )
    if passed:
        play.add(removed(play.unit(unit.id), left, "rally"))
        play.glance(unit.id)
    else:
        rout(play, unit.id, again=True)


def _room_to_face(field: Field, unit: Unit, way: int) -> tuple[Point, int]:
    """The unit turned about its middle, if there is room so; else as it stands."""
    body = _turned(field.body(unit), way)
    front, way = rounded(field, unit, body.at, way)
    shape = field.formed(unit, unit.formation, front, way).shape
    if any(overlap(shape, field.shape(one)) for one in field.others(unit)):
        return unit.front, unit.bearing
    return front, way


# ------------------------------------------------------------------ guns


@rule("HL-CMB-08")
def lose_guns(play: Play, name: str, *, rout: bool = False) -> None:
    """The gunners run; the guns stay, spiked or not."""
    unit = play.unit(name)
    throw = play.throw("spike", name)
    spiked = throw.faces[0] >= SPIKED_FROM
    guns = Guns(
        id=name,
        front=unit.front,
        bearing=unit.bearing,
        models=-(-unit.stands // 2),
        owner_unit=name,
        side=unit.side,
        state="spiked" if spiked else "abandoned",
    )
    play.add(
        c.GunsLost(
            rules=cited("HL-CMB-08", "HL-MOR-03" if rout else ""),
            dice=(throw,),
            side=unit.side,
            battery=name,
            at=unit.front,
            spike_die=throw.faces[0],
            spiked=spiked,
            units={name: UnitPatch(status="guns_abandoned", stirred=True)},
            leaders=play.left_by(name),
            game=GamePatch(guns={name: guns}),
        )
    )


@rule("HL-CMB-08")
def capture_guns(play: Play) -> None:
    """Guns whose gunners ran are his who holds the place."""
    for name, guns in sorted(play.battle.guns.items()):
        if guns.state == "spiked":
            continue
        spot = line((guns.front, guns.front))
        for side in SIDES:
            if side == (guns.held_by or guns.side):
                continue
            holder = next(
                (
                    unit
                    for unit in play.battle.of(side)
                    if unit.in_order and near(play.field.shape(unit), spot, HOLDS_GUNS)
                ),
                None,
            )
            own = guns.held_by or guns.side
            kept = any(near(play.field.shape(unit), spot, HOLDS_GUNS) for unit in play.battle.of(own))
            if holder is not None and not kept:
                state = "abandoned" if side == guns.side else "captured"
                now = replace(guns, state=state, held_by=None if side == guns.side else side)
                play.add(
                    c.GunsCaptured(
                        rules=cited("HL-CMB-08"),
                        side=side,
                        battery=name,
                        by=holder.id,
                        holder=side,
                        game=GamePatch(guns={name: now}),
                    ),
                    told=sees_guns(play.field, ENEMY[side], guns),
                )
                break


# ------------------------------------------------------------------ the end of a phase


def destroyed(play: Play, name: str, why: str, *rules: str) -> None:
    """A unit is no more; leaders with it stay where they are."""
    unit = play.unit(name)
    play.add(
        o.UnitDestroyed(
            **of_unit(unit, *rules),
            why=why,  # type: ignore[arg-type] # one of its words
            at=unit.front,
            units={name: UnitPatch(status="destroyed", charge_target="")},
            leaders=play.left_by(name),
        )
    )


def routs_now(play: Play, side: Role) -> list[str]:
    """The units of a side that have come to their limit."""
    return [unit.id for unit in play.battle.of(side) if unit.in_order and unit.chits >= play.field.limit(unit)]


@rule("HL-CMD-12")
def _relieve(play: Play, side: Role, phase: str) -> None:
    """The army commander takes off what is due, and again if by option he may and a unit would still rout."""
    while True:
        routs, before = routs_now(play, side), play.field.army_commander(side)
        army_removal(play, side, phase=phase, routs=routs)
        if not routs or play.field.army_commander(side) == before:
            return


@rule("HL-SEQ-02", "HL-MOR-03", "HL-MOR-04", "HL-CMD-12")
def end_of_phase(play: Play) -> None:
    """Place what chits are owed, let army commanders take off what is due, then rout until nobody more routs."""
    phase = play.battle.phase
    for name, unit in sorted(play.battle.units.items()):
        if unit.owed_chits:
            add_chits(play, name, unit.owed_chits, "HL-SEQ-02", "HL-FIR-08")
    ran: set[str] = set()
    for side in SIDES:
        _relieve(play, side, phase)
    while True:
        due = [name for side in SIDES for name in routs_now(play, side) if name not in ran]
        if not due:
            break
        for name in due:
            if play.unit(name).in_order:
                ran.add(name)
                rout(play, name)
        for side in SIDES:
            _relieve(play, side, phase)
    capture_guns(play)
    ride_back(play)
    play.look()
