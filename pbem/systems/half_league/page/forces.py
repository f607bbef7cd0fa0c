"""Own brigades and the enemy as known, in tables; what counts for victory, as far as known."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.orders.names import name_key
from pbem.orders.prose import cap, counted, listed, number
from pbem.rules.view import Course, Fact, Table
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.play.victory import holder
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.world.pieces import ENEMY, Leader, Unit, side_of
from pbem.systems.half_league.world.state import Battle

ACTIVITIES = {"charging": "charged", "rallied": "rallied", "pulled": "pulled a chit", "changed": "changed formation"}
FATES = {
    "destroyed": "destroyed",
    "left_field": "left the field",
    "guns_abandoned": "gone, its guns abandoned",
}


# ------------------------------------------------------------------ own forces


def _state(unit: Unit, *, own: bool) -> str:
    if unit.routing:
        return "routing"
    if unit.charge_target:
        return f"marked to charge {unit.charge_target}" if own else "marked to charge"
    return ""


def _weapon(unit: Unit) -> str:
    arm = "" if unit.arm in ("none", "gun") else f", {unit.arm}s"
    kind = words.TYPES[unit.type]
    return f"{words.CLASSES[unit.cls]} {kind}{arm}"


def _unit_row(field: Field, unit: Unit) -> tuple[str, ...]:
    limit = field.limit(unit)
    state = _state(unit, own=True)
    return (
        unit.id,
        unit.name,
        words.FORMATIONS[unit.formation].removeprefix("in "),
        f"{words.at(unit.front)} {words.facing(unit)}",
        f"{unit.stands} ({unit.figures})",
        f"{unit.chits} of {limit}",
        str(unit.command_points),
        state or ACTIVITIES.get(unit.activity, "") or "good",
    )


COLUMNS = ("Unit", "Name", "Formation", "Place, facing", "Stands (figures)", "Chits", "Points", "State")


def _leaders(battle: Battle, brigade: str, side: Role) -> str:
    there = [one for _, one in sorted(battle.leaders.items()) if one.side == side and one.brigade == brigade]
    return listed([_leader(battle, one) for one in there]) if there else ""


def _leader(battle: Battle, one: Leader) -> str:
    lost = {"killed_replaced": " (a successor)", "dead": " (killed)"}.get(one.status, "")
    place = "" if one.fallen else f", {words.leader_place(battle, one)}"
    return f"{one.name} ({one.id}){lost}{place}"


def own_tables(field: Field, role: Role) -> Iterator[Table]:
    """A table for each of the side's brigades; one's own first."""
    battle, scene, side = field.battle, field.scene, side_of(role)
    brigades = [one for one in scene.brigades.values() if one.side == side]
    brigades.sort(key=lambda one: (not scene.commands(role, one.id, side), list(scene.brigades).index(one.id)))
    for brigade in brigades:
        units = [one for one in battle.units.values() if one.side == side and one.brigade == brigade.id]
        if not units:
            continue
        there = sorted((one for one in units if one.there), key=lambda one: words.natural(one.id))
        gone = [f"{one.id} {FATES.get(one.status, one.status)}" for one in units if not one.there]
        foreign = "" if scene.commands(role, brigade.id, side) else ", another’s command"
        yield Table(
            caption=f"{brigade.id}, {brigade.name}{foreign}: {_leaders(battle, brigade.id, side)}",
            columns=COLUMNS,
            rows=tuple(_unit_row(field, one) for one in there),
            numbers=(4, 5, 6),
            note=f"Gone: {', '.join(gone)}." if gone else "",
        )
    staff = _leaders(battle, "", side)
    guns = []
    for one in battle.guns.values():
        held = cap(words.side_name(one.held_by)) if one.held_by else "nobody"
        guns.append((f"Guns of {one.owner_unit}", one.state, words.at(one.front), held))
    if guns:
        yield Table(caption="Guns without gunners", columns=("Guns", "State", "Place", "Held by"), rows=tuple(guns))
    if staff:
        name, _, place = staff.partition(", ")
        yield Table(columns=("Army command", "Where"), rows=((name, place or "–"),))


# ------------------------------------------------------------------ the enemy


def _seen(battle: Battle, unit: Unit) -> str:
    if not unit.last_seen:
        return "in sight"
    return "lost this turn" if unit.last_seen >= battle.turn else f"turn {unit.last_seen}"


def _chits(battle: Battle, unit: Unit) -> str:
    if not unit.chits_known:
        return "?"
    return str(unit.chits) if unit.chits_known >= battle.told_turn else f"{unit.chits} (turn {unit.chits_known})"


def enemy_table(field: Field, role: Role) -> Table:
    """What is known of each enemy: those in sight first, the freshest of the others next."""
    battle, enemy = field.battle, ENEMY[side_of(role)]
    known = [one for one in battle.units.values() if one.side == enemy and one.there]
    known.sort(key=lambda one: (one.last_seen != 0, -one.last_seen, not one.identified, words.natural(one.id)))
    rows = [
        (
            cap(one.id),
            one.name or "not known",
            (_weapon(one) if one.identified else words.TYPES[one.type])
            + f", {words.FORMATIONS[one.formation].removeprefix('in ')}",
            f"{words.at(one.front)} {words.facing(one)}",
            f"{one.stands}" + (f" ({one.figures})" if one.identified and one.chits_known else ""),
            _chits(battle, one),
            ", ".join(filter(None, (_seen(battle, one), _state(one, own=False)))),
        )
        for one in known
    ]
    leaders = [one for one in battle.leaders.values() if one.side == enemy and not one.fallen]
    for one in leaders:
        rank, seen = "army commander" if one.kind == "army" else "brigadier", f"turn {one.last_seen}"
        place = words.leader_place(battle, one)
        rows.append((one.id, one.name, rank, place, "", "", seen if one.last_seen else "in sight"))
    sight = sum(not one.last_seen for one in known)
    before = f", {number(len(known) - sight)} lost from sight" if len(known) > sight else ""
    return Table(
        caption=f"{cap(number(sight)) if sight else 'None'} in sight{before}",
        columns=("Enemy", "Name", "What", "Place, facing", "Stands (figures)", "Chits", "Seen"),
        rows=tuple(rows),
        numbers=(4, 5),
    )


# ------------------------------------------------------------------ what counts


def aims_table(field: Field) -> Table | None:
    """The places that count, and whose they would be now."""
    rows = []
    for aim in field.scene.aims:
        place = words.where(field.scene, field.scene.places[name_key(aim.place)].pos)
        rows.append((place, str(aim.points), cap(words.side_name(holder(field, aim)))))
    if not rows:
        return None
    columns = ("Place", "Points", "Held by now, as far as you know")
    return Table(caption="Places that count at the end", columns=columns, rows=tuple(rows), numbers=(1,))


def strip(field: Field, role: Role) -> tuple[Fact, ...]:
    """The three figures at the top."""
    battle, side = field.battle, side_of(role)
    mine = [one for one in battle.units.values() if one.side == side]
    there = [one for one in mine if one.there]
    routing = sum(one.routing for one in there)
    chits = sum(one.chits for one in there)
    marked = sum(one.chits > 0 for one in there)
    fallen = sum(one.fallen for one in mine)
    start = sum(sum(one.full) for one in mine)
    places = [aim for aim in field.scene.aims if holder(field, aim) == side]
    total = sum(aim.points for aim in field.scene.aims)
    good, gone = len(there) - routing, len(mine) - len(there)
    worn = f"{counted(chits, 'chit')} on {counted(marked, 'unit')}" if chits else "no chits"
    return (
        Fact("Units", f"{good} of {len(mine)} good", f"{routing} routing, {gone} gone"),
        Fact("Figures", f"{start - fallen} of {start}", worn),
        Fact("Places", f"{sum(aim.points for aim in places)} of {total} points", f"{len(places)} held, as you know"),
    )


def course(scene: Scene, battle: Battle) -> tuple[Course, ...]:
    """Figures lost, turn by turn."""
    if not battle.course:
        return ()
    lines = []
    for one in scene.commanders:
        side = side_of(one.role)
        if scene.senior(one.role):
            points = ((0, 0), *((mark.turn, mark.fallen.get(side, 0)) for mark in battle.course))
            lines.append((cap(words.ADJECTIVE[side]), one.style, points))
    last = battle.course[-1]
    said = " and ".join(f"{words.ADJECTIVE[side]} {last.fallen.get(side, 0)}" for side in sorted(last.fallen))
    return (Course("Figures lost", tuple(lines), f"Figures lost after turn {last.turn}, as known: {said}."),)
