"""What is counted on a page: resource points, the national morale, what decides the war, fortresses, the programme."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.hexes import Hex
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, signed
from pbem.rules.view import Course, Table
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.page.forces import last_seen
from pbem.systems.empire_1870.page.landscape import style
from pbem.systems.empire_1870.page.sentences import Line
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import ADJECTIVE
from pbem.systems.empire_1870.tables.charts import EXIT_CORPS, VP_ENDS
from pbem.systems.empire_1870.world.orders import in_one_row
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War, remaining

ACCOUNT = ("Collected", "Mobilization", "Artillery", "Rally", "Railway", "Recovery")
"""The entries of the RP account, in order."""


# ------------------------------------------------------------------ resource points


def rp_moved(lines: Sequence[Line]) -> dict[str, int]:
    """RP by what they were for."""
    sums: dict[str, int] = {}
    for line in lines:
        if line.rp is not None:
            sums[line.rp[0]] = sums.get(line.rp[0], 0) + line.rp[1]
    return sums


def rp_table(war: War, role: Role, lines: Sequence[Line], turn: int) -> Table:
    """The account of a turn so far: held, collected, spent on what, left."""
    sums = rp_moved(lines)
    left = war.resource_points.get(role, 0)
    rows = [("Held at the beginning", str(left - sum(sums.values())))]
    rows += [(name, signed(sums[name])) for name in ACCOUNT if name in sums]
    return Table(
        caption=f"Resource points in turn {turn}",
        columns=("RP", "Points"),
        rows=tuple(rows),
        total=("Left", str(left)),
        numbers=(1,),
    )


# ------------------------------------------------------------------ national morale


def vp_table(war: War, lines: Sequence[Line], turn: int) -> Table:
    """The moves of the marker this turn, with their reasons."""
    moves = [line.vp for line in lines if line.vp is not None]
    still = (("No change", "0", str(war.vp)),)
    return Table(
        caption=f"National morale of the Empire: {war.vp}",
        columns=(f"In turn {turn}" if turn else "So far", "Change", "Morale"),
        rows=tuple((cap(reason), signed(delta), str(vp)) for reason, delta, vp in moves) or still,
        numbers=(1, 2),
        note=f"{VP_ENDS[GERMAN]} is a German victory, {VP_ENDS[FRENCH]} a French one.",
    )


def course(scene: Scene, war: War) -> tuple[Course, ...]:
    """The marker over the turns."""
    if not war.course:
        return ()
    start = war.options.free_vp if war.options.setup == "free" else scene.game.vp
    points = ((0, start), *((mark.turn, mark.vp) for mark in war.course))
    drawn = style(scene, FRENCH)
    last = war.course[-1]
    words = f"National morale after turn {last.turn}: {last.vp}, from {start} at the beginning."
    return (Course("National morale", (("Morale", "second" if drawn == "second" else "first", points),), words),)


def _held(field: Field, hexes: Sequence[Hex], side: Role) -> str:
    mine = [field.scene.place_name(at) for at in hexes if field.controller(at) == side]
    return f"{len(mine)} of {len(hexes)}" + (f": {', '.join(mine)}" if mine else "")


def aims_table(field: Field) -> Table | None:
    """What would decide the war at once, and how far it has come (WE-VIC-04 to WE-VIC-06)."""
    scene, war, aims = field.scene, field.war, field.scene.aims
    rows = []
    if aims.german_major_hexes:
        named = ", ".join(scene.place_name(at) for at in aims.german_major_hexes)
        rows.append(("German", f"hold {named} together", _held(field, aims.german_major_hexes, GERMAN), "WE-VIC-06"))
    french = (*aims.french_major_german_hexes, *aims.border_french)
    if french and aims.southeast_exit_hexes:
        rows.append(
            ("French", "hold the listed German places and the border", _held(field, french, FRENCH), "WE-VIC-04")
        )
        gone = ", ".join(war.exited) or "none"
        rows.append(("", f"and {EXIT_CORPS} corps gone by the south-east", gone, "WE-VIC-05"))
    if not rows:
        return None
    return Table(
        caption="What would decide the war at once", columns=("Side", "Must", "So far", "Rule"), rows=tuple(rows)
    )


# ------------------------------------------------------------------ fortresses


def fortress_table(field: Field, role: Role) -> Table:
    """The fortresses by what has become of them, each with its SR and the SP that are known to be in it."""
    found: dict[tuple[str, str], list[str]] = {}
    for at in field.scene.fortresses:
        state = "destroyed" if not field.sr(at) else "besieged" if field.besieged(at) else "whole"
        owner = field.fortress_of(at) or field.controller(at)
        found.setdefault((ADJECTIVE.get(owner or "", "nobody's"), state), []).append(_fortress(field, role, at))
    order = ("besieged", "destroyed", "whole")
    rows = sorted(found.items(), key=lambda item: (order.index(item[0][1]), item[0][0]))
    return Table(
        caption="Fortresses, each with its SR",
        columns=("Side", "State", "Fortresses"),
        rows=tuple((who, state, ", ".join(names)) for (who, state), names in rows),
        note="A fortress is its country's until it is destroyed, whoever has its hex. After the SR: the other side, if "
        "it has the hex; the SP there, as far as known, with ? as they were last seen.",
    )


def _fortress(field: Field, role: Role, at: Hex) -> str:
    owner, holder = field.fortress_of(at), field.controller(at)
    lost = f", the hex {ADJECTIVE[holder]}" if owner and holder and holder != owner else ""
    parts = [f"{field.sp(side, at)} {ADJECTIVE[side]}" for side in (role, ENEMY[role]) if field.sp(side, at)]
    shut = count(field.garrison(at))
    inside = f", {shut} of them inside" if shut else ""
    troops = f" ({' and '.join(parts)} SP{inside})" if parts else _unseen(field, role, at)
    return f"{field.scene.place_name(at)} SR {field.cell(at).fortress}{lost}{troops}"


def _unseen(field: Field, role: Role, at: Hex) -> str:
    """Who is known to hold a fortress that cannot be looked into now."""
    enemy = ENEMY[role]
    if at not in field.war.occupied or field.hqs(enemy, at):
        return ""
    ghost = field.war.ghosts.get(at)
    seen = count(last_seen(field.war, at).stack) if ghost else 0
    return f" ({seen}? {ADJECTIVE[enemy]} SP)" if seen else f" ({ADJECTIVE[enemy]} SP, not known how many)"


# ------------------------------------------------------------------ programme and standing orders


def programme_table(war: War, role: Role) -> Table | None:
    """What of the programme is still to be run, numbered as DROP and INSERT count it."""
    queue = remaining(war, role)
    if not queue:
        return None
    rows = [
        (str(place), in_one_row(one.order), "waits for its condition" if one.waiting else "queued")
        for place, one in enumerate(queue, start=1)
    ]
    return Table(
        caption="Your programme, as it still stands",
        columns=("Entry", "Order", "State"),
        rows=tuple(rows),
        note="DROP and INSERT count the entries so.",
    )


def skipped_table(lines: Sequence[Line], moment: Moment) -> Table | None:
    """Entries and lines that were not carried out in this exchange, and why."""
    found = [line.skipped for line in lines if line.skipped is not None and line.moment == moment]
    if not found:
        return None
    return Table(
        caption="What of it was skipped, and why",
        columns=("Entry", "Line", "Order", "Why"),
        rows=tuple((str(entry or "–"), str(line or "–"), text, why) for entry, line, text, why in found),
        numbers=(1,),
    )


# ------------------------------------------------------------------ the whole score


def score(field: Field, role: Role, lines: Sequence[Line], turn: int) -> tuple[Table, ...]:
    """What is won and lost of the war."""
    tables = (vp_table(field.war, lines, turn), aims_table(field), fortress_table(field, role))
    return tuple(table for table in tables if table is not None)
