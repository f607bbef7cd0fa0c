"""Order lines to begin from.  What would change anything stands behind `#`; what is in force stands as it is.

Sent back whole, a template gives no order that its owner did not write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Role
from pbem.kernel.owed import Pause
from pbem.orders.sheet import offered
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.field.fitness import hqs_of, may_act, outranks
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.play.picking import unspent
from pbem.systems.empire_1870.play.standing import standing_lines
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables.charts import MOBILIZATION, RP_COLLECTED
from pbem.systems.empire_1870.turn.administration import place_refused, room_under_cap
from pbem.systems.empire_1870.turn.setup import as_orders, placed, troops
from pbem.systems.empire_1870.world.orders import in_one_row
from pbem.systems.empire_1870.world.parts import RANKS_ORDER, Hq
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War, remaining

PLACES = 8
"""Places of mobilization that are listed line by line at most."""

COLUMN = 38
"""Where the second mark of a line stands, if the order is no longer."""


def _line(order: str, why: str = "", *, deep: int = 0) -> str:
    return offered(f"{'  ' * deep}{order}", why, column=COLUMN)


# ------------------------------------------------------------------ set-up


def _setup(field: Field, side: Role) -> Iterator[str]:
    yield "# Set-up: this is the default; change what you like.  What you leave out is placed by default."
    for group in troops(field.scene, field.war.options, side):
        fixed = not group.area
        for order in as_orders([(group, placed(group, ()))]):
            yield _line(order, "stands there in any case") if fixed else order


# ------------------------------------------------------------------ administration


def _administration(field: Field, side: Role) -> Iterator[str]:
    chart, war = MOBILIZATION[side], field.war
    held = war.resource_points.get(side, 0)
    if not field.scene.game.mobilization:
        return
    yield f"# Mobilization: {held} RP held, {RP_COLLECTED[side]} to come.  To give an order take its first mark away."
    candidates = sorted({*field.scene.fortresses, *(field.scene.towns if chart.towns else ())})
    fit = [at for at in candidates if not place_refused(field, side, at)]
    sp = chart.sp_per_hex
    full = room_under_cap(field, side) == 0
    if full:
        yield "# You have as many SP as you may raise; what is lost can be raised again."
    elif not fit:
        yield "# As things stand there is no place for it."
    for at in () if full else fit[:PLACES]:
        yield _line(f"MOBILIZE {sp}SP AT {at}", f"{field.scene.place_name(at)}, {sp * chart.sp_rp} RP")
    if fit[PLACES:] and not full:
        yield f"# also at {', '.join(fit[PLACES:])}"
    pool = [hq for hq in war.hqs.values() if hq.side == side and hq.state == "pool"]
    for hq in pool if fit else ():
        yield _line(f"MOBILIZE HQ {hq.id} AT {fit[0]}", f"{hq.name}, {chart.hq_rp} RP")
    for hq in war.hqs.values():
        if hq.side == side and hq.state == "wounded" and fit:
            yield _line(f"REENTER {hq.id} AT {fit[0]}", f"{hq.name}, back on turn {hq.return_turn}")


# ------------------------------------------------------------------ programme


def _free(field: Field, side: Role, at: Hex) -> int:
    return count(unspent(field.stack(side, at)))


def _self(field: Field, hq: Hq, at: Hex) -> str:
    number = min(_free(field, hq.side, at), command_limit(hq.side, hq.rank))
    return f"SELF {number}SP MARCH ..."


def _block(field: Field, hq: Hq, under: Sequence[Hq]) -> Iterator[str]:
    """An HQ with those that it can activate, to be filled in."""
    scene = field.scene
    assert hq.hex is not None, "an HQ in a block stands on the map"
    yield _line(f"ACT {hq.id}", f"{hq.name}, at {scene.place_name(hq.hex)}")
    for lower in under:
        if lower.hex is not None:
            yield _line(f"SUB {lower.id}", f"{lower.name}, at {scene.place_name(lower.hex)}", deep=1)
            yield _line(_self(field, lower, lower.hex), deep=2)
            yield _line("END", deep=1)
    yield _line(_self(field, hq, hq.hex), deep=1)
    yield "# END"


def _programme(field: Field, side: Role) -> Iterator[str]:
    """Unspent HQs with those in their reach, and the forces that have none."""
    queue = remaining(field.war, side)
    yield "# Programme: entries are run in the order written; what is not written is passed."
    for number, entry in enumerate(queue, start=1):
        yield f"# Remaining entry {number}: {in_one_row(entry.order)}"
    if queue:
        yield "# Any entry below replaces all of these; DROP 1 or INSERT 1 edit them instead."
    ready = [hq for hq in hqs_of(field.war, side) if may_act(hq)]
    ready.sort(key=lambda hq: (-RANKS_ORDER[hq.rank], hq.hex or "", hq.id))
    told: set[str] = set()
    for hq in ready:
        if hq.id in told or hq.hex is None or (hq.rank != "army" and not _free(field, side, hq.hex)):
            continue
        under = [
            one
            for one in ready
            if one.id not in told
            and one.hex is not None
            and outranks(hq, one)
            and hq.rank == "army"
            and (one.hex == hq.hex or are_neighbours(hq.hex, one.hex))
            and _free(field, side, one.hex)
        ]
        told |= {hq.id, *(one.id for one in under)}
        yield from _block(field, hq, under)
    led = {hq.hex for hq in ready}
    for at in field.occupied(side):
        number = min(_free(field, side, at), command_limit(side, None))
        if number and at not in led:
            yield _line(f"DIV {at} {number}SP MARCH ...", field.scene.place_name(at))


def template(scene: Scene, mind: War, role: Role, pause: Pause) -> tuple[str, ...]:
    """The lines for what *role* may send now; none if it may send nothing."""
    call = pause.call(role)
    if call is None:
        return ()
    field = field_of(scene, mind)
    parts = {"setup": _setup, "administration": _administration, "programme": _programme}
    lines = [line for sort in call.sorts if sort in parts for line in (*parts[sort](field, role), "")]
    lines.append("# Standing orders, in force until you change them; those behind # are the defaults.")
    return (*lines, *standing_lines(mind, role))
