"""Own forces and the enemy as known, in tables."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.rules.view import Table
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import hqs_of, on_map
from pbem.systems.empire_1870.field.supply import has_loc, loc_path
from pbem.systems.empire_1870.scene.words import ADJECTIVE, ratings, statuses
from pbem.systems.empire_1870.tables.charts import MOBILIZATION
from pbem.systems.empire_1870.world.parts import ENEMY, RANKS_ORDER, SIDES, Hq
from pbem.systems.empire_1870.world.stacks import Strength, together
from pbem.systems.empire_1870.world.state import Ghost, War


def _seniors(hqs: Sequence[Hq]) -> list[Hq]:
    return sorted(hqs, key=lambda hq: (-RANKS_ORDER[hq.rank], hq.id))


def _hq(hq: Hq) -> str:
    face = " (replacement)" if hq.face == "replacement" else ""
    return f"{hq.id} {hq.name.rpartition(', ')[2]} {ratings(hq)}{face}"


def _state(strength: Strength) -> str:
    where = ((strength.inside, "inside"), (strength.entrained, "on the train"))
    marks = [f"{number} {words}" for number, words in where if number]
    return f" ({', '.join(marks)})" if marks else ""


def _loc(field: Field, side: Role, at: Hex) -> str:
    if not has_loc(field, side, at):
        return "no LOC"
    path = loc_path(field, side, at)
    return f"LOC by {'-'.join(path[1:])}" if len(path) > 1 else "LOC"


def own_table(field: Field, side: Role) -> Table:
    """Each own hex: SP by status, HQs with their ratings, LOC, whether in EZOC, what is spent."""
    rows = []
    total = Strength.of(together(*field.war.stacks.get(side, {}).values()))
    for at in sorted(field.holding(side)):
        here = Strength.of(field.stack(side, at))
        hqs = _seniors(field.hqs(side, at))
        tired = [f"{here.spent} SP"] if here.spent else []
        tired += [hq.id for hq in hqs if hq.spent]
        rows.append(
            (
                field.scene.place_name(at),
                str(here.sp),
                statuses(here) + _state(here),
                ", ".join(_hq(hq) for hq in hqs),
                _loc(field, side, at),
                "in EZOC" if field.in_ezoc(side, at) else "",
                f"spent: {', '.join(tired)}" if tired else "",
            )
        )
    return Table(
        caption="By hex: G good, D disrupted, M demoralized; of an HQ attack, defence and MA, c for cautious.",
        columns=("Place", "SP", "Status", "HQs", "LOC", "EZOC", "Spent"),
        rows=tuple(rows),
        total=("All", str(total.sp), statuses(total), "", "", "", f"{total.spent} SP" if total.spent else ""),
        numbers=(1,),
        note="LOC and EZOC by what you know of the enemy now; they are judged anew at the moment of use.",
    )


def away_table(field: Field, side: Role) -> Table | None:
    """The HQs that are not on the map."""
    chart = MOBILIZATION[side]
    rows = []
    for hq in _seniors([one for one in field.war.hqs.values() if one.side == side and not on_map(one)]):
        placed = hq.id in field.scene.sides[side].pool or field.war.turn
        where = {
            "pool": f"in the pool, {chart.hq_rp} RP" if placed else "to be set up",
            "wounded": f"wounded, back on turn {hq.return_turn}",
            "out": "gone",
        }[hq.state]
        rows.append((hq.id, hq.name, ratings(hq), where))
    if not rows:
        return None
    return Table(
        caption="HQs off the map",
        columns=("HQ", "Name", "Ratings", "Where"),
        rows=tuple(rows),
        note="MOBILIZE HQ brings one from the pool; REENTER says where one that was struck comes back.",
    )


# ------------------------------------------------------------------ the enemy


def _age(field: Field, ghost: Ghost) -> str:
    letter = "ABCD"[ghost.pulse - 1] if ghost.pulse else ""
    turns = field.war.turn - ghost.turn
    ago = "this turn" if turns <= 0 else f"{counted(turns, 'turn')} ago"
    return f"Last seen in {ghost.turn}{letter}, {ago}"


def _ghost_hqs(field: Field, names: Sequence[str]) -> str:
    table = field.scene.headquarters
    return ", ".join(f"{name} {table[name].name.rpartition(', ')[2]}" if name in table else name for name in names)


def last_seen(war: War, at: Hex) -> Ghost:
    """What was last known of a hex, without the HQs that have been seen elsewhere since."""
    ghost = war.ghosts[at]
    since = {hq.id for side in SIDES if side != war.viewer for hq in hqs_of(war, side)}
    for there, other in war.ghosts.items():
        if (other.turn, other.pulse) > (ghost.turn, ghost.pulse) and there != at:
            since |= set(other.hqs)
    return replace(ghost, hqs=tuple(name for name in ghost.hqs if name not in since))


def enemy_table(field: Field, side: Role) -> Table:
    """The enemy as known, the freshest first, with age and source of what is known."""
    war, enemy = field.war, ENEMY[side]
    open_table = war.options.fog == "open"
    rows = []
    sum_now = 0
    seen = sorted(field.holding(enemy))
    for at in seen:
        here = Strength.of(field.stack(enemy, at))
        sum_now += here.sp
        source = "Open, on the table" if open_table else "Inspected now"
        hqs = ", ".join(_hq(hq) for hq in _seniors(field.hqs(enemy, at)))
        rows.append((field.scene.place_name(at), str(here.sp), statuses(here) + _state(here), hqs, source))
    remembered = sorted(
        (at for at in war.ghosts if at not in seen), key=lambda at: (-war.ghosts[at].turn, -war.ghosts[at].pulse, at)
    )
    for at in remembered:
        ghost = last_seen(war, at)
        here = Strength.of(ghost.stack)
        still = "; the hex is held still" if at in war.occupied else ""
        rows.append(
            (
                field.scene.place_name(at),
                f"{here.sp}?" if here.sp else "?",
                statuses(here) if here.sp else "not known",
                _ghost_hqs(field, ghost.hqs),
                _age(field, ghost) + still,
            )
        )
    dark = [at for at in war.occupied if at not in seen and at not in war.ghosts]
    if dark:
        named = ", ".join(field.scene.place_name(at) for at in dark)
        rows.append((named, "?", "not known", "", "Held by the enemy, never inspected"))
    held = war.resource_points.get(enemy)
    points = f"  {ADJECTIVE[enemy]} RP: {held}." if open_table and held is not None else ""
    return Table(
        caption="You see every piece." if open_table else "What your troops see, and what they last saw.",
        columns=("Place", "SP", "Status", "HQs", "How known"),
        rows=tuple(rows),
        total=("Known now", str(sum_now), "", "", counted(len({*seen, *war.ghosts, *war.occupied}), "hex") + " in all"),
        numbers=(1,),
        note=points.strip(),
    )
