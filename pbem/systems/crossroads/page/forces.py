"""Own forces, the enemy as known, and the score, in tables."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.orders.prose import counted, number
from pbem.rules.view import Table
from pbem.systems.crossroads.field.able import in_order
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.page.landscape import whereabouts
from pbem.systems.crossroads.scene.words import adjective, compass, formation, kind, natural, place
from pbem.systems.crossroads.world.state import Battle, Unit

GONE_AS = {"destroyed": "destroyed", "surrendered": "surrendered", "left_field": "gone from the table"}


def _units(battle: Battle, side: Role) -> list[Unit]:
    return sorted((one for one in battle.units.values() if one.side == side), key=lambda one: natural(one.id))


def lost_now(battle: Battle, turn: int) -> dict[str, int]:
    """The figures that each unit lost this turn, as seen."""
    found: dict[str, int] = {}
    for trace in battle.traces:
        if trace.turn == turn and trace.kind == "loss":
            found[trace.unit] = found.get(trace.unit, 0) + trace.count
    return found


def _spot(field: Field, unit: Unit) -> str:
    if unit.pos is None:
        return ""
    near = whereabouts(field.scene, unit.pos)
    return f"{place(unit.pos)} facing {compass(unit.facing)}{f', {near}' if near else ''}"


def _state(unit: Unit) -> str:
    marks = [
        *([] if in_order(unit) else [unit.status]),
        *(["jammed"] if unit.jammed else []),
        *(["crossing"] if unit.crossing else []),
    ]
    return ", ".join(marks)


def _named(battle: Battle, unit: Unit) -> str:
    officer = next((one for one in battle.officers.values() if one.attached == unit.id and one.stands), None)
    elite = ", elite" if unit.elite else ""
    return f"{unit.name}{elite}{f', with {officer.name}' if officer is not None else ''}"


def own_table(field: Field, side: Role, turn: int) -> Table:
    """The side's units on the table: where, how, figures left, level, lost this turn."""
    battle, lost = field.battle, lost_now(field.battle, turn)
    here = [unit for unit in _units(battle, side) if unit.stands]
    rows = tuple(
        (
            unit.id,
            _named(battle, unit),
            f"{formation(unit)}, {_spot(field, unit)}",
            f"{unit.strength - unit.losses} of {unit.strength}",
            str(unit.level),
            str(lost.get(unit.id, 0)),
            _state(unit) or "good",
        )
        for unit in here
    )
    gone = [unit for unit in _units(battle, side) if unit.gone]
    left, whole = sum(one.strength - one.losses for one in here), sum(one.strength for one in here)
    total = sum(lost.get(one.id, 0) for one in _units(battle, side))
    return Table(
        caption="Figures left of full strength, and the morale level.",
        columns=("Unit", "Name", "How and where", "Figures", "Level", f"Lost in T{turn}", "Status"),
        rows=rows,
        total=("All", counted(len(here), "unit"), "", f"{left} of {whole}", "", str(total), ""),
        numbers=(3, 4, 5),
        note=_notes(battle, side, gone),
    )


def _notes(battle: Battle, side: Role, gone: list[Unit]) -> str:
    riders = [
        f"{one.id} {one.name} at {place(one.pos)}{f' with {one.attached}' if one.attached else ''}"
        for _, one in sorted(battle.officers.items())
        if one.side == side and one.stands and one.pos is not None
    ]
    killed = [one.name for _, one in sorted(battle.officers.items()) if one.side == side and one.killed]
    parts = [
        *([f"Officers: {'; '.join(riders)}."] if riders else []),
        *([f"Killed: {', '.join(killed)}."] if killed else []),
        *([f"Gone: {', '.join(f'{one.id} {GONE_AS[one.status]}' for one in gone)}."] if gone else []),
    ]
    return " ".join(parts)


def arrivals_table(field: Field, side: Role) -> Table | None:
    """The side's units that are still to come; None: there are none in the time that is left."""
    due = [
        unit
        for unit in sorted(_units(field.battle, side), key=lambda one: one.arrive)
        if unit.pos is None and not unit.gone and field.battle.turn <= unit.arrive <= field.scene.turns
    ]
    if not due:
        return None
    rows = []
    for unit in due:
        at = field.scene.units[unit.id].pos
        rows.append((f"turn {unit.arrive}", unit.id, _named(field.battle, unit), place(at) if at is not None else ""))
    return Table(caption="Still to come.", columns=("When", "Unit", "Name", "Where"), rows=tuple(rows))


def _enemies(field: Field, side: Role, turn: int) -> Iterator[tuple[str, ...]]:
    battle, lost = field.battle, lost_now(field.battle, turn)
    enemy = battle.enemy(side)
    for unit in _units(battle, enemy):
        if unit.stands:
            known = f"{unit.strength - unit.losses} of {unit.strength}, level {unit.level}" if unit.known else "?"
            state = _state(unit)
            where = f"{formation(unit)}, {_spot(field, unit)}{f', {state}' if state else ''}"
            fallen = f", {number(lost[unit.id])} fell this turn" if unit.id in lost else ""
            yield unit.id, unit.name or kind(unit), where, known, f"In sight{fallen}"
    for name, ghost in sorted(battle.ghosts.items(), key=lambda one: natural(one[0])):
        unit = ghost.unit
        age = max(turn - ghost.turn, 0)
        seen = "Seen this turn" if not age else f"Last seen {counted(age, 'turn')} ago"
        known = f"{unit.strength - unit.losses} of {unit.strength}" if unit.known else "?"
        yield name, unit.name or kind(unit), f"{formation(unit)}, {_spot(field, unit)}", known, seen
    for unit in _units(battle, enemy):
        if unit.gone:
            left = "0" if unit.losses >= unit.strength else "-"
            yield unit.id, unit.name or kind(unit), GONE_AS[unit.status], left, ""


def enemy_table(field: Field, side: Role, turn: int) -> Table:
    """The enemy as known, those in sight first, with the age of what is known."""
    rows = tuple(_enemies(field, side, turn))
    return Table(
        caption="What your troops see, and where they last saw the rest.",
        columns=("Unit", "What", "How and where", "Figures", "Certainty and age"),
        rows=rows or (("-", "nobody is in sight", "", "", ""),),
        numbers=(3,),
    )


def places_table(field: Field) -> Table | None:
    """The places that count, and who holds them as far as is known; None if there are none."""
    rows = tuple(
        (one.place, str(one.points), adjective(field.scene, field.battle.holders.get(one.place, one.by)))
        for one in field.scene.held
    )
    if not rows:
        return None
    return Table(caption="Places", columns=("Place", "Points", "Held by"), rows=rows, numbers=(1,))


def figures_lost(battle: Battle, side: Role, turn: int) -> tuple[int, int]:
    """Figures that a side has lost so far, as known, and in *turn*, as seen."""
    units = [one for one in battle.units.values() if one.side == side]
    ghosts = [ghost.unit for ghost in battle.ghosts.values() if ghost.unit.side == side]
    fallen = sum(one.count for one in battle.traces if (one.turn, one.kind, one.side) == (turn, "loss", side))
    return sum(one.losses for one in (*units, *ghosts)), fallen
