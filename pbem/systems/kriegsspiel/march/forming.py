"""Changes of form and front, skirmishers, guns limbered and unlimbered (KS-FRM, KS-MOV-10)."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from pbem.ground.bearing import off
from pbem.ground.plane import Point, root, shifted
from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import terrain_of, toward
from pbem.systems.kriegsspiel.knowing.conditions import visible
from pbem.systems.kriegsspiel.march import carrying_out as carry
from pbem.systems.kriegsspiel.play.losses import come_in
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.scene.terrain import Piece, Terrain, cell
from pbem.systems.kriegsspiel.tables.formation import CHAIN_AHEAD, MOST_ZUGS, ONE_HALF_OUT, THIRD_RANK, TWO_PIECES
from pbem.systems.kriegsspiel.tables.knowledge import INITIATIVE, SLOPE_STEP
from pbem.systems.kriegsspiel.tables.march import ACTIVITY_ROWS, MARCH, OUTRIDERS, REFORMING, RUN_LIMITS
from pbem.systems.kriegsspiel.world import forms
from pbem.systems.kriegsspiel.world.bodies import is_beaten
from pbem.systems.kriegsspiel.world.forms import IN_BATTERY
from pbem.systems.kriegsspiel.world.orders import Facing, Order
from pbem.systems.kriegsspiel.world.outcomes import FastRateRefused, FormationChanged, SkirmishersIn, SkirmishersOut
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Chain, Change, Unit, UnitPatch

ZUG_TW = 900

ABREAST = "battery_line_limbered"


def bearing_of(unit: Unit, facing: Facing | None) -> int:
    """The facing that an order means; as it is, if it names none."""
    if facing is None:
        return unit.place.facing
    if facing.bearing is not None:
        return facing.bearing
    return toward(unit.place.at, facing.toward.at) if facing.toward is not None else unit.place.facing


@rule("KS-MOV-10")
def slowed(troops: str, piece: Piece) -> Fraction:
    """Paces of a move in which troops change their form: on difficult ground in the proportion of the march table."""
    rate, row = REFORMING[troops]
    return Fraction(rate * cell(row, piece), MARCH[row]["even"] or 1)


@rule("KS-MOV-10")
def reforming_rate(terrain: Terrain, unit: Unit) -> Fraction:
    """The same for a unit on the ground where it stands."""
    at = unit.place.at
    area = terrain.area(at)
    road = terrain.road_at(at)
    steep = terrain.slope(at, shifted(at, unit.place.facing, SLOPE_STEP))
    piece = Piece(0, 1, area.kind if area is not None else "", steep, road.width if road is not None else "", "")
    troops = forms.rate_class(unit)
    return slowed(REFORMS_AS.get(troops, troops), piece)


REFORMS_AS = {"foot_6": "foot_artillery", "foot_12": "foot_artillery", "train": "foot_artillery"}


def _no_faster(ticks: int, paces: int, rate: Fraction) -> int:
    """So many ticks, or as many as that many paces need at the rate."""
    return max(ticks, -(-12 * paces * rate.denominator // rate.numerator)) if rate else max(ticks, 60)


@rule("KS-FRM-05")
def reforming_paces(unit: Unit, to: str) -> int:
    """Paces of the last element from its place in a column to its place in line, or back; 0: it stays in its place."""
    there = replace(unit, place=replace(unit.place, formation=to))
    if forms.is_column(unit) == forms.is_column(there):
        return 0
    column, line = (unit, there) if forms.is_column(unit) else (there, unit)
    return root((forms.depth_of(column) // 2) ** 2 + (forms.front_of(line) * 3 // 4) ** 2)


@rule("KS-MOV-10", "KS-FRM-05")
def wheel_ticks(unit: Unit, facing: int, rate: Fraction) -> int:
    """Ticks of a turn: the outer wing marches its arc at the rate of re-forming; turning about takes two."""
    turn = off(unit.place.facing, facing)
    if not turn:
        return 0
    if forms.is_column(unit) or turn > 17000:
        return 2
    return _no_faster(1, forms.front_of(unit) * turn * 22 // (7 * 18000), rate)


@rule("KS-FRM-04", "KS-FRM-05", "KS-FRM-06", "KS-FRM-07", "KS-MOV-10")
def begin_change(
    play: Play, unit: Unit, to: str, facing: int, *, limber: bool | None = None, at: Point | None = None
) -> bool:
    """Begin a change of formation or front; False: there is nothing to change.

    Guns that go into a form of the march are limbered, and into one to fire from unlimbered.
    """
    if unit.arm == "artillery" and limber is None and unit.place.limbered == (to in IN_BATTERY):
        limber = to not in IN_BATTERY
    rate = reforming_rate(terrain_of(play.scene), unit)
    ticks = forms.change_twelfths(unit, to, limber=limber)
    if ticks and limber is None:
        ticks = _no_faster(ticks, reforming_paces(unit, to), rate)
        there = replace(unit, place=replace(unit.place, formation=to))
        if forms.is_column(unit) and forms.is_column(there) and forms.front_of(unit) == forms.front_of(there):
            # The tail closes up to a head that halts; to open out costs the head nothing.
            row = ACTIVITY_ROWS["march"][forms.rate_class(unit)]
            ticks = max(
                1, 12 * forms.closing_moves(forms.depth_of(unit), forms.depth_of(there), MARCH[row]["even"] or 1)
            )
    if not ticks:
        ticks = wheel_ticks(unit, facing, rate)
    if not ticks:
        return False
    change = Change(
        to=to,
        at=at or unit.place.at,
        facing=facing,
        begun=play.move,
        ready=play.move * 12 + min(ticks, 60),
        limber=limber,
    )
    place = replace(unit.place, changed=play.move)
    play.add(
        FormationChanged(
            unit=unit.key,
            start=unit.place.formation,
            to=to,
            done=False,
            rules=changed_by(unit.arm),
            changes=one(unit, UnitPatch(change=change, place=place)),
        )
    )
    return True


@rule("KS-ART-07", "KS-FRM-07")
def limber_first(play: Play) -> None:
    """Guns that stand unlimbered and are to go somewhere limber first, unless they are hauled by ropes."""
    for unit in list(play.on_map()):
        place, march = unit.place, unit.march
        if unit.arm != "artillery" or place.limbered or not march.way or unit.change is not None:
            continue
        if not place.ropes and march.row != "ropes":
            begin_change(play, unit, ABREAST if march.keeps else "battery_column_2", place.facing, limber=True)


def changed_by(arm: str) -> tuple[RuleId, ...]:
    """The rules of a change of form."""
    special = {"artillery": "KS-FRM-07", "infantry": "KS-FRM-06"}.get(arm)
    return cited("KS-FRM-05", "KS-FRM-04", "KS-MOV-10", *([special] if special else []))


@rule("KS-FRM-05", "KS-TUR-04")
def formed(unit: Unit, order: Order) -> carry.Did:
    """How an order to form stands once the change has begun: where an enemy is too near for it, it fails."""
    if unit.change is not None:
        return carry.GOING
    if order.formation and order.formation != unit.place.formation:
        return carry.failed("the enemy leaves us no room to form")
    return carry.DONE


def do_form(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`form`, `face`: go to the place named first, then form there."""
    if unit.duty.stage == "forming":
        return formed(unit, order)
    if unit.change is not None:
        return carry.GOING
    if order.to and not carry.is_at(unit, order.to[-1].at):
        if unit.duty.stage != "going" or not unit.march.way:
            way = carry.way_for(play, unit, order.to[-1].at)
            if way is None:
                return carry.failed(f"there is no way to {order.to[-1].text}")
            unit = carry.stage(play, unit, "going")
            carry.set_off(play, unit, way)
        return carry.GOING
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    to = order.formation or unit.place.formation
    if unit.trial.contact >= 0:
        return carry.GOING
    if not begin_change(play, unit, to, bearing_of(unit, order.facing)):
        return carry.DONE
    carry.stage(play, play.unit(unit.key), "forming")
    return carry.GOING


def do_guns(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`limber`, `unlimber`: half a move, or a whole one for 12-pounders and howitzers."""
    if unit.arm != "artillery":
        return carry.failed("we are no battery")
    if unit.duty.stage == "forming":
        return carry.DONE if unit.change is None else carry.GOING
    if unit.trial.contact >= 0:
        return carry.failed("the enemy is upon us")
    carry.stop(play, unit)
    unit = play.unit(unit.key)
    limber = order.verb == "limber"
    to = "battery_column_2" if limber else ("battery_narrow" if "narrow" in order.manner else "battery_wide")
    if "refused" in order.manner:
        play.change(unit, "refused", place=replace(unit.place, refused=True))
        unit = play.unit(unit.key)
    if unit.place.limbered == limber and not (unit.place.formation != to or order.facing is not None):
        return carry.DONE
    if not begin_change(play, unit, to, bearing_of(unit, order.facing), limber=limber):
        return carry.DONE
    carry.stage(play, play.unit(unit.key), "forming")
    return carry.GOING


def do_shift(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`shift left|right|back|forward N`: the front as it is; guns in battery limber, go, and unlimber there."""
    if unit.duty.stage == "unlimbering":
        return carry.DONE if unit.change is None else carry.GOING
    if unit.duty.stage in ("shifting", "shifting guns"):
        if unit.march.way or unit.change is not None:
            return carry.GOING
        if unit.duty.stage == "shifting" or not begin_change(play, unit, "battery_wide", unit.place.facing):
            return carry.DONE
        carry.stage(play, play.unit(unit.key), "unlimbering")
        return carry.GOING
    if unit.change is not None:
        return carry.GOING
    ways = {"forward": 0, "right": 9000, "back": 18000, "left": 27000}
    way = next((turn for name, turn in ways.items() if name in order.manner), 0)
    target = shifted(unit.place.at, (unit.place.facing + way) % 36000, order.number or 0)
    row, most = carry.row_for(play, unit, activity="in_action")
    unit = carry.stage(play, unit, "shifting guns" if unit.place.formation in IN_BATTERY else "shifting")
    carry.set_way(play, unit, (unit.place.at, target), row, most, keeps=True)
    return carry.GOING


def do_prolonge(play: Play, unit: Unit, order: Order) -> carry.Did:
    """Guns hauled forward or back by ropes, unlimbered all the while."""
    if unit.duty.stage == "hauling":
        if unit.march.way:
            return carry.GOING
        play.change(unit, "hauled", place=replace(unit.place, ropes=False))
        return carry.DONE
    turn = 18000 if "back" in order.manner else 0
    target = shifted(unit.place.at, (unit.place.facing + turn) % 36000, order.number or 0)
    unit = carry.stage(play, unit, "hauling")
    play.change(unit, "ropes", place=replace(unit.place, ropes=True))
    carry.set_way(play, play.unit(unit.key), (unit.place.at, target), "ropes", keeps=True)
    return carry.GOING


# ------------------------------------------------------------------ skirmishers


@rule("KS-FRM-08", "KS-FRM-09", "KS-MOV-06", "KS-MOV-11")
def do_skirmishers_out(play: Play, unit: Unit, order: Order) -> carry.Did:
    """Zugs of the third rank go out, or as many as are named; cavalry a mounted screen."""
    if unit.arm == "cavalry":
        if not unit.strength.chain.recalled and unit.strength.chain.ahead != 100:
            return carry.DONE
        chain = replace(unit.strength.chain, ahead=order.second or 200)
        play.add(
            SkirmishersOut(
                unit=unit.key, zugs=0, ahead=chain.ahead, rules=cited("KS-FIR-08"),
                changes=one(unit, UnitPatch(strength=replace(unit.strength, chain=chain))),
            )
        )  # fmt: skip
        return carry.DONE
    if is_beaten(unit):
        return carry.failed("the battalion is not in order")
    if any(enemy.arm == "cavalry" and far <= INITIATIVE["recall_skirmishers"] for enemy, far, _ in visible(play, unit)):
        return carry.failed("enemy cavalry is too near for skirmishers")
    most = MOST_ZUGS.get(unit.size, 0)
    half = "half" in order.manner
    wanted = 6 if half else order.number or THIRD_RANK.get(unit.size, most)
    out = unit.strength.chain
    more = min(wanted, most) - len(out.zugs)
    ahead = 0 if "in intervals" in order.manner else order.second or CHAIN_AHEAD[0]
    take = max(0, min(more, unit.strength.tw // ZUG_TW))
    zugs = (*out.zugs, *([ZUG_TW] * take))
    rate, ran = _run(play, unit)
    strength = replace(
        unit.strength,
        tw=unit.strength.tw - ZUG_TW * take,
        ranks=3 if half else 2,
        chain=Chain(
            zugs=zugs,
            points=out.points,
            ahead=ahead,
            moved=min(ahead or 100, rate),
            half=half,
            ran=ran,
            front=_kept_front(play, unit, len(zugs), half=half),
        ),
    )
    play.add(
        SkirmishersOut(
            unit=unit.key,
            zugs=len(zugs),
            ahead=ahead,
            rules=cited("KS-FRM-08", "KS-FRM-09", "KS-MOV-11"),
            changes=one(unit, UnitPatch(strength=strength)),
        )
    )
    return carry.DONE


@rule("KS-FRM-08")
def _kept_front(play: Play, unit: Unit, out: int, *, half: bool) -> int:
    """The front of the line behind its zugs, where the table does not have it; 0: it has."""
    if half and unit.size == "battalion":
        return ONE_HALF_OUT[2]
    return TWO_PIECES.get(out, 0) if play.war.options.extra_zug_pieces == "two" else 0


@rule("KS-MOV-05", "KS-MOV-06", "KS-MOV-11")
def _run(play: Play, unit: Unit) -> tuple[int, tuple[int, ...]]:
    """Paces at which zugs go out or come in, at the run or, where that is used up, at the pace; and when they ran."""
    number, of = RUN_LIMITS["skirm_run"]
    ran = tuple(move for move in unit.strength.chain.ran if move > play.move - of)
    if len(ran) < number:
        return OUTRIDERS["infantry"], (*ran, play.move)
    play.add(
        FastRateRefused(
            unit=unit.key, row="skirm_run", counter=f"{number} in {of}", rules=cited("KS-MOV-05", "KS-MOV-06"),
            changes=Changes(),
        )
    )  # fmt: skip
    return MARCH["inf_action"]["even"] or 0, ran


@rule("KS-FRM-09", "KS-MOV-06")
def bring_in(play: Play, unit: Unit) -> None:
    """The chain comes in and takes its place in the ranks."""
    chain = unit.strength.chain
    if not chain.zugs:
        return
    _, ran = _run(play, unit)
    strength = replace(come_in(unit), chain=Chain(ran=ran))
    play.add(
        SkirmishersIn(
            unit=unit.key,
            zugs=len(chain.zugs),
            rules=cited("KS-FRM-09"),
            changes=one(unit, UnitPatch(strength=strength)),
        )
    )


def do_skirmishers_in(play: Play, unit: Unit, order: Order) -> carry.Did:
    """`skirmishers in`."""
    del order
    bring_in(play, unit)
    return carry.DONE


def do_dismount(play: Play, unit: Unit, order: Order) -> carry.Did:
    """Dragoons and mounted jager fight on foot, or mount again (KS-STR-06)."""
    on_foot = order.verb == "dismount"
    if on_foot and any(far <= 300 for _, far, _ in visible(play, unit)):
        return carry.failed("the enemy is too near to dismount")
    play.change(unit, order.verb, place=replace(unit.place, dismounted=on_foot))
    return carry.DONE
