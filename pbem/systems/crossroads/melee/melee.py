"""Melee: dice, modifiers, rounds, and what the winner does (GC-MEL)."""

from __future__ import annotations

from typing import NamedTuple

from pbem.ground.bearing import opposite
from pbem.ground.plane import Point
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.able import in_order, routed, shaken
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.fire.fire import Kind, Shot, shot, targets, volley
from pbem.systems.crossroads.fire.flight import STOPS, withdraw
from pbem.systems.crossroads.fire.losses import CAUSE_OF, lose
from pbem.systems.crossroads.fire.morale import check, officer_fell, suffer
from pbem.systems.crossroads.march.gate import Gate
from pbem.systems.crossroads.march.riders import going
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.scene import Cover, grains, tenths
from pbem.systems.crossroads.tables import combat
from pbem.systems.crossroads.tables.morale import LOSSES_ROW
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.fact import SEEN, Modifier
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.patches import Status, placed
from pbem.systems.crossroads.world.state import Officer, Unit


class Ground(NamedTuple):
    """Where the defender stands, as seen from the attacker."""

    cover: Cover
    woods: bool
    higher: bool


class Strength(NamedTuple):
    """The dice of one side of a round."""

    base: int
    mods: tuple[Modifier, ...]
    thrown: int


@rule("GC-MEL-01")
def melee_dice(unit: Unit) -> int:
    """The dice of a unit's level."""
    zouaves = unit.nation == "french" and unit.subtype == "zouave"
    row = "Cavalry" if unit.type == "cavalry" else "French Zouaves" if zouaves else "All other infantry"
    return combat.MELEE_DICE[row][min(unit.level, 3)]


@rule("GC-MEL-02")
def ground_of(field: Field, attacker: Unit, defender: Unit, came: Point | None = None) -> Ground:
    """The cover and the height of a defender, against one who *came* from a place (in tenths), or stands as he is."""
    start = grains(came) if came is not None else field.body(attacker).at
    higher = field.level(defender) > field.level_at(start)
    return Ground(field.cover_from(defender, attacker), field.in_woods(defender), higher)


def _summed(unit: Unit, names: list[str]) -> Strength:
    """The dice with their modifiers; halved last, and at least one."""
    base = melee_dice(unit)
    mods = [Modifier(name, combat.MELEE_MODIFIERS[name], cited("GC-MEL-02")[0]) for name in names]
    count = base + sum(one.value for one in mods)
    if unit.status in combat.MELEE_HALVES:
        half = int(-(-count * combat.MELEE_HALVES[unit.status] // 1))
        mods.append(Modifier(unit.status, half - count, cited("GC-MOR-06")[0]))
        count = half
    return Strength(base, tuple(mods), max(count, combat.FEWEST_MELEE))


def _own_modifiers(unit: Unit, other: Unit, number: int) -> list[str]:
    """What counts for either side."""
    found = []
    if unit.type == "cavalry" and other.type == "infantry":
        found.append("cavalry_against_infantry")
    if shaken(unit):
        found.append("shaken")
    if unit.nation == "prussian" and unit.type == "infantry" and number >= combat.PRUSSIAN_ROUND:
        found.append("prussian_later_rounds")
    return found


@rule("GC-MEL-02")
def attack(unit: Unit, other: Unit, ground: Ground, number: int) -> Strength:
    """The dice of the one who charged, in a round from 1."""
    names = ["charging"] if number == 1 else []
    names += _own_modifiers(unit, other, number)
    if ground.cover != "none":
        names.append("against_cover")
    if ground.higher:
        names.append("against_elevation")
    return _summed(unit, names)


@rule("GC-MEL-02")
def defence(unit: Unit, other: Unit, ground: Ground, number: int, options: Options) -> Strength:
    """The dice of the one who was charged."""
    names = _own_modifiers(unit, other, number)
    french = unit.nation == "french" and unit.type == "infantry" and (ground.woods or ground.cover == "hard")
    if french:
        names.append("french_cover")
    if ground.cover != "none" and (not french or options.french_cover_stacks):
        names.append(f"{ground.cover}_cover")
    if ground.higher:
        names.append("elevation")
    return _summed(unit, names)


# ------------------------------------------------------------------ rounds


@rule("GC-MEL-03", "GC-MEL-04")
def fight(play: Play, au: str, du: str, line: int, came: Point) -> str:
    """A melee to its end; the winner, or an empty text if there is none.

    *line*: the bearing of the charge, on which the target gives way, and the charger back; *came*: where it began.
    """
    away = {au: opposite(line), du: line}
    for number in range(1, play.battle.options.max_rounds + 1):
        since = len(play.facts)
        worse, fallen = _round(play, au, du, number, came)
        if worse and play.unit(worse).stands:
            _after_worse(play, worse, au if worse == du else du, away[worse])
        for officer in fallen:
            officer_fell(play, officer)
        left = [name for name in (au, du) if fights_on(play, name, since)]
        if len(left) < 2:
            return _ended(play, left[0] if left else "", au, du, number)
    _ended(play, "", au, du, play.battle.options.max_rounds)
    withdraw(play, au, away[au], combat.DRAWN_FALL_BACK)
    return ""


@rule("GC-MEL-04", "GC-MOR-06", "GC-MOR-07")
def fights_on(play: Play, name: str, since: int) -> bool:
    """Whether a unit is still in a melee: not who has gone, fallen back or fled since there were *since* facts."""
    went = any(isinstance(fact, c.WentBack) and fact.unit == name for fact in play.facts[since:])
    return play.unit(name).stands and not went


def _round(play: Play, au: str, du: str, number: int, came: Point) -> tuple[str, list[Officer]]:
    """One round; who took more hits, if one did, and the officers who fell in it."""
    one, other = play.unit(au), play.unit(du)
    ground = ground_of(play.field, one, other, came)
    mine = attack(one, other, ground, number)
    theirs = defence(other, one, ground, number, play.battle.options)
    thrown = [
        play.throw("melee", name, "GC-MEL-01", sides=combat.HIT_DIE, count=dice.thrown)
        for name, dice in ((au, mine), (du, theirs))
    ]
    hits = [sum(face >= combat.MELEE_HIT for face in throw.faces) for throw in thrown]
    play.add(
        c.MeleeRound(
            rules=cited("GC-MEL-01", "GC-MEL-02", "GC-MEL-03"), dice=tuple(thrown), side=one.side, round=number, au=au,
            du=du, au_dice=thrown[0].faces, du_dice=thrown[1].faces, au_base=mine.base, du_base=theirs.base,
            au_mods=mine.mods, du_mods=theirs.mods, au_count=mine.thrown, du_count=theirs.thrown, au_hits=hits[0],
            du_hits=hits[1],
        ),
        meets=(au, du),
    )  # fmt: skip
    fallen = [*lose(play, du, hits[0], "melee", au), *lose(play, au, hits[1], "melee", du)]
    return "" if hits[0] == hits[1] else du if hits[0] > hits[1] else au, fallen


@rule("GC-MEL-04")
def _after_worse(play: Play, name: str, by: str, line: int) -> None:
    """The check of the one who had the worse of a round: it stands, or gives way."""
    unit, other = play.unit(name), play.unit(by)
    row = "Inf after cav melee" if unit.type == "infantry" and other.type == "cavalry" else "Melee Lost"
    suffer(play, name, check(play, name, row, by, "GC-MEL-04"), line=line)


def _gave_way(unit: Unit) -> Status:
    """The status in which a unit gave way: what became of it on its flight nobody may have seen."""
    return unit.was if unit.status in ("left_field", "surrendered") else unit.status


def _ended(play: Play, winner: str, au: str, du: str, rounds: int) -> str:
    loser = "" if not winner else du if winner == au else au
    status = _gave_way(play.unit(loser)) if loser else "good"
    play.add(
        c.MeleeEnded(
            rules=cited("GC-MEL-04" if winner else "GC-MEL-03"), known=dict.fromkeys(play.battle.sides, SEEN),
            side=play.unit(winner or au).side, winner=winner, loser=loser, loser_status=status, rounds=rounds,
        )
    )  # fmt: skip
    return winner


# ------------------------------------------------------------------ the winner


@rule("GC-MEL-05")
def follow_up(play: Play, winner: str, loser: Unit, *, charged: bool) -> None:
    """The winner takes the place of the loser (as he was), if it will, and fires at half."""
    unit = play.unit(winner)
    if not unit.stands or routed(unit):
        return
    policies = play.policies(unit.side)
    wanted = charged if policies.advance is None else policies.advance
    if not charged and play.battle.options.defender_advance == "never":
        wanted = False
    if wanted and may_follow(unit):
        _advance(play, unit, loser)
    if policies.after_melee == "fire":
        _fire_after(play, winner, loser.id)


@rule("GC-MEL-05", "GC-MOR-05")
def may_follow(unit: Unit) -> bool:
    """Whether a winner can move into the loser's space: who bears a marker does not advance, nor do guns in battery."""
    return in_order(unit) and unit.formation != "deployed"


@rule("GC-MEL-05", "GC-MOV-05")
def _advance(play: Play, unit: Unit, loser: Unit) -> None:
    """Come onto the ground of the loser, or as near to it as the way is free and there is room."""
    assert unit.pos is not None, "it stands"
    ours, theirs = play.field.body(unit), play.field.body(loser)
    whole = Point(theirs.middle.x + (ours.at.x - ours.middle.x), theirs.middle.y + (ours.at.y - ours.middle.y))
    gate = Gate(play.field, unit)
    way = gate.straight(whole)
    to = next((tenths(body.at) for body in reversed(way.bodies) if gate.free(body)), unit.pos)
    if to != unit.pos:
        head = about(unit, "GC-MEL-05", STOPS.get(way.barred, ""))
        play.add(c.AdvancedIntoSpace(**head, start=unit.pos, to=to, **going(play, unit, placed(to))))


def _fire_after(play: Play, winner: str, loser: str) -> None:
    unit, target = play.unit(winner), play.unit(loser)
    near_by = [loser] if target.stands and isinstance(shot(play.field, unit, target), Shot) else targets(play, unit)
    if near_by:
        shoot(play, winner, near_by[0], "after_melee", half=True)


@rule("GC-FIR-05", "GC-MOR-03")
def shoot(play: Play, name: str, at: str, kind: Kind = "fire", *, half: bool = False, green: bool | None = None) -> str:
    """A volley with all that comes of it; empty, or the reason why there was none."""
    hits = volley(play, name, at, kind, half=half, green=green)
    if isinstance(hits, str):
        return hits
    if hits:
        sort = play.unit(name).type
        fallen = lose(play, at, hits, CAUSE_OF[sort], name)
        if play.unit(at).stands:
            suffer(play, at, check(play, at, LOSSES_ROW[sort], name))
        for officer in fallen:
            officer_fell(play, officer)
    return ""
