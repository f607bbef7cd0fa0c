"""The fire phase: artillery first, then small arms, each at once (HL-FIR)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.ground.plane import gap
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.fire.losses import LeaderTests, fire_losses
from pbem.systems.half_league.fire.shooting import Shot, Sub, Wish, able, bombardment, is_short, long_range, shots
from pbem.systems.half_league.play.command import Moment, benefit_of
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables import combat as table
from pbem.systems.half_league.tables.charts import COLUMNS, Column
from pbem.systems.half_league.tables.printed import CHITS
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Modifier
from pbem.systems.half_league.world.patches import UnitPatch
from pbem.systems.half_league.world.pieces import Unit

BUSY = ("moved", "changed", "pulled", "charging", "rallied", "prolonged")


class Row(NamedTuple):
    """Where on the fire chart a shot stands."""

    row: str
    column: Column
    cover: bool
    skirmish: bool
    need: int
    halved: bool

    @property
    def shifted(self) -> bool:
        """Whether the right-hand column is used: cover and skirmish order both."""
        return self.cover and self.skirmish


@rule("HL-FIR-03", "HL-FIR-04", "HL-FIR-07", "HL-FRM-02", "HL-FRM-04")
def row_of(field: Field, unit: Unit, target: Unit, *, bombards: bool = False) -> Row:
    """What a unit needs to hit a target, and whether its hits are halved."""
    found = gap(field.shape(unit), field.shape(target))
    square = (found.number, found.by)
    weapon: str = unit.arm
    if unit.arm == "gun":
        canister = field.within(unit, target, field.charts.ranges["canister"])
        weapon = "canister" if canister else "artillery"
    long = field.charts.ranges[weapon] if not bombards else long_range(field, unit, bombards=True)
    short = is_short(square, long) or bool(target.charge_target)
    row = "bombardment" if bombards else f"{weapon}_{'short' if short else 'long'}"
    column = field.charts.target[target.type][target.formation]
    if target.formation == "line" and field.double_line(target) and field.aspect(target, unit) != "flank":
        column = "dense"
    cover, skirmish = field.in_cover(target, unit), target.formation == "skirmish"
    need = needed(field, row, column, cover=cover, skirmish=skirmish)
    return Row(row, column, cover, skirmish, need, not short and not bombards)


@rule("HL-FIR-03")
def needed(field: Field, row: str, column: Column, *, cover: bool, skirmish: bool) -> int:
    """The number on the fire chart."""
    if cover and skirmish:
        right = COLUMNS[min(COLUMNS.index(column) + 1, len(COLUMNS) - 1)]
        return field.charts.fire[row][right][1]
    return field.charts.fire[row][column][1 if cover or skirmish else 0]


@rule("HL-FIR-06", "HL-CMD-05", "HL-MOR-02")
def fire_modifiers(unit: Unit, gifts: Sequence[str]) -> tuple[Modifier, ...]:
    """What is added to each die of a unit's fire."""
    found = [
        Modifier(gift, table.FIRE_MODIFIERS[gift], RuleId("HL-CMD-05" if gift == "command_point" else "HL-CMD-10"))
        for gift in sorted(gifts)
    ]
    if unit.activity in BUSY or unit.pulled_too:
        found.append(Modifier("busy", table.FIRE_MODIFIERS["busy"], RuleId("HL-FIR-06")))
    if unit.chits:
        found.append(Modifier("chit", table.FIRE_MODIFIERS["chit"] * unit.chits, RuleId("HL-MOR-02")))
    return tuple(found)


class Fired(NamedTuple):
    """A shot that is to be thrown for."""

    unit: Unit
    shot: Shot
    gifts: tuple[str, ...]


# ------------------------------------------------------------------ orders


def _wish(play: Play, unit: Unit) -> tuple[Wish, list[tuple[Role, say.Fire]]]:
    sent = play.ordered(say.Fire, unit.id)
    targets = [(play.real(unit.side, part.target), part.stands) for _, order in sent for part in order.parts]
    return Wish([(name, count) for name, count in targets if name]), sent


def _shots(play: Play, unit: Unit) -> list[Shot]:
    """What a unit fires, by its orders and by priority; what became of the orders is said."""
    for role, hold in play.ordered(say.HoldFire, unit.id):
        play.came_of(role, hold, "done", "", unit.id)
        return []
    for role, order in play.ordered(say.Bombard, unit.id):
        target = play.battle.units.get(play.real(unit.side, order.target))
        found = bombardment(play.field, unit, target)
        if isinstance(found, Shot):
            play.came_of(role, order, "done", "", unit.id)
            return [found]
        play.failed(role, order, found, unit.id, "HL-FIR-10")
    wish, sent = _wish(play, unit)
    found_shots = shots(play.field, unit, wish)
    hit = {shot.target for shot in found_shots}
    for role, fire in sent:
        wanted = [play.real(unit.side, part.target) for part in fire.parts]
        lower = any(name in wish.dropped for name in wanted)
        if lower:
            play.failed(role, fire, "lower_priority", unit.id, "HL-FIR-05")
        elif not any(name in hit for name in wanted):
            play.failed(role, fire, "not_eligible" if any(wanted) else "target_unknown", unit.id, "HL-FIR-05")
        else:
            play.came_of(role, fire, "done" if all(name in hit for name in wanted) else "in part", "", unit.id)
    return found_shots


# ------------------------------------------------------------------ the phase


@rule("HL-FIR-01", "HL-SEQ-01", "HL-FIR-05")
def fire(play: Play, sub: Sub) -> None:
    """One sub-phase: all fire, then all is counted, saved and taken off."""
    fired: list[Fired] = []
    units = [unit for _, unit in sorted(play.battle.units.items()) if able(unit, sub)]
    plans = [(unit, _shots(play, unit)) for unit in units]
    for unit, found in plans:
        if found:
            # Of a charger whom nobody sees nothing is known yet.
            charged = any(one.charge_target == unit.id for one in play.foes_in_sight(unit.side))
            moment = Moment(attacked=charged, charged=charged)
            # A bombardment hits by natural sixes alone: nothing is given for what cannot be bettered.
            gifts = () if all(shot.bombards for shot in found) else benefit_of(play, unit.id, "fire", moment)
            fired += [Fired(unit, shot, gifts) for shot in found]
    # Whom a stand sees and fires at is known to its side, though nobody's front centre sees him.
    play.reveal(dict.fromkeys(one.shot.target for one in fired))
    field = play.field
    hits: dict[str, int] = {}
    sixes: dict[str, list[int]] = {}
    for one in fired:
        fact = _fired(play, field, one, sub)
        hits[fact.target] = hits.get(fact.target, 0) + fact.hits
        sixes.setdefault(fact.target, []).append(fact.sixes)
    # Who was fired at by a stand alone is lost from sight when his losses have been seen.
    play.look(hits)
    tests = LeaderTests(play, "fire", sub, sorted(hits))
    due = {name: _count_sixes(play, name, found) for name, found in sorted(sixes.items())}
    for name in sorted(hits):
        fire_losses(play, name, hits[name], sub)
    for name, count in due.items():
        tests.test(name, count)


@rule("HL-FIR-01", "HL-FIR-10")
def hits_by(row: Row, face: int, modifier: int, *, bombards: bool) -> bool:
    """Whether a die of fire hits: with what is added to it; a bombardment by natural sixes alone."""
    return face == table.SIX if bombards else face + modifier >= row.need


@rule("HL-FIR-07")
def counted(row: Row, raw: int) -> int:
    """What is left of so many hits at this range."""
    return -(-raw * table.LONG_RANGE_SHARE[0] // table.LONG_RANGE_SHARE[1]) if row.halved else raw


@rule("HL-FIR-01", "HL-FIR-02", "HL-FIR-06", "HL-FIR-07", "HL-FIR-10")
def _fired(play: Play, field: Field, one: Fired, sub: Sub) -> c.FireResolved:
    """Throw for one unit at one target."""
    unit, shot = one.unit, one.shot
    target = field.unit(shot.target)
    found = row_of(field, unit, target, bombards=shot.bombards)
    modifiers = () if shot.bombards else fire_modifiers(unit, one.gifts)
    modifier = sum(added.value for added in modifiers)
    throw = play.throw("fire", f"{unit.id}/{target.id}", count=shot.dice)
    totals = tuple(face + modifier for face in throw.faces)
    raw = sum(hits_by(found, face, modifier, bombards=shot.bombards) for face in throw.faces)
    hits = counted(found, raw)
    sixes = sum(face == table.SIX for face in throw.faces)
    turn, now, aimed = play.battle.turn, play.unit(unit.id), play.unit(target.id)
    fact = c.FireResolved(
        rules=cited(*_rules(found, shot, unit, target, modifiers)),
        dice=(throw,),
        side=unit.side,
        firer=unit.id,
        target=target.id,
        sub_phase=sub,
        priority=table.PRIORITIES[shot.priority],
        row=found.row.replace("_", ", "),
        range=shot.far,
        column=found.column,  # type: ignore[arg-type] # a target's own column is dense or line
        cover=found.cover,
        skirmish=found.skirmish,
        shifted=found.shifted,
        stands=shot.stands,
        natural=throw.faces,
        modifiers=modifiers,
        modifier=modifier,
        need=found.need,
        totals=totals,
        raw_hits=raw,
        halved=found.halved,
        hits=hits,
        sixes=sixes,
        canister=shot.dice > shot.stands,
        units={
            unit.id: UnitPatch(fired=True, fired_at=(*now.fired_at, target.id), shown_turn=turn),
            target.id: UnitPatch(shown_turn=turn, sixes=aimed.sixes + sixes),
        },
    )
    play.add(fact)
    return fact


def _rules(found: Row, shot: Shot, unit: Unit, target: Unit, modifiers: Sequence[Modifier]) -> list[str]:
    named = ["HL-FIR-01", "HL-FIR-02", "HL-FIR-03", "HL-FIR-04", "HL-FIR-05", "HL-GEO-03"]
    if shot.bombards:
        named.append("HL-FIR-10")
    if shot.dice > shot.stands:
        named.append("HL-FIR-09")
    if found.halved or target.charge_target:
        named.append("HL-FIR-07")
    if found.skirmish:
        named.append("HL-FRM-02")
    if modifiers:
        named.append("HL-FIR-06")
    return [*named, *(one.rule for one in modifiers)]


@rule("HL-FIR-08", "HL-MOR-01")
def _count_sixes(play: Play, name: str, found: Sequence[int]) -> int:
    """Count the sixes against a target; gives the possible leader kills that they make."""
    unit = play.unit(name)
    total, new = unit.sixes, sum(found)
    if not new:
        return 0
    if play.battle.options.sixes_scope == "unit":
        chits = sum(sixes // table.SIXES_PER_CHIT for sixes in found)
        kills = sum(sixes // table.SIXES_PER_LEADER for sixes in found)
    else:
        chits = total // table.SIXES_PER_CHIT - (total - new) // table.SIXES_PER_CHIT
        kills = total // table.SIXES_PER_LEADER - (total - new) // table.SIXES_PER_LEADER
    owed = ("pair_of_sixes",) * chits
    play.add(
        c.SixesCounted(
            rules=cited("HL-FIR-08", "HL-MOR-01"),
            side=unit.side,
            target=name,
            total_sixes=total,
            chits=chits * CHITS["pair_of_sixes"],
            leader_tests=kills,
            units={name: UnitPatch(owed_chits=(*unit.owed_chits, *owed))},
        )
    )
    return kills
