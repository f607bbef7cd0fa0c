"""What cases may ask of the clock, of papers and of sight: the tables, and what one would see."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.ground.plane import Point
from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.command.delivery import column_passes
from pbem.systems.kriegsspiel.command.papers import ride_table
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.gm.asks_march import made
from pbem.systems.kriegsspiel.gm.values import lookup, point, reckoned
from pbem.systems.kriegsspiel.knowing.sighting import LEVELS, Eye, Size, reach, rumoured, tiding_of, weather_of
from pbem.systems.kriegsspiel.mind.beliefs import after_moves, march_row
from pbem.systems.kriegsspiel.play.pauses import seals
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Piece, Terrain
from pbem.systems.kriegsspiel.scene.ways import Traveller, find
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.tables.orders import LIMITS, PATROL_SIZES, REACTIONS
from pbem.systems.kriegsspiel.turn.setup import beyond_measure, blank
from pbem.systems.kriegsspiel.world.dispatches import Glimpse
from pbem.systems.kriegsspiel.world.orders import Condition, Order
from pbem.systems.kriegsspiel.world.state import War

# ------------------------------------------------------------------ sight


def sight(_scene: Scene, war: War, what: str, size: Size, where: str = "") -> str:
    """Paces at which so much is known of a body of that size, in the weather and light that there are.

    *where*: `behind` the observer, or inside an `edge`.
    """
    behind, edge = where == "behind", where == "edge"
    factor, cap = weather_of(war)
    eye = Eye("", "red", Point(0, 0), 3, (18000, 6000) if behind else None, factor, cap, searches=False)
    return str(reach(eye, Point(0, 100), size, what, edge=edge))


def sees_at(scene: Scene, war: War, observer: str, body: str) -> str:
    """The most that an observer tells of a body in this move; `-`: he does not see it."""
    del scene
    found = next((one for one in war.glimpses.get(observer, ()) if one.body == body), None)
    return found.level if found is not None and found.last == war.clock.move else "-"


def estimate(_scene: Scene, war: War, body: str, far: int, level: str, factor: int) -> dict[str, object]:
    """A body as it would be told of at that distance, with the first, second or third guess of its strength."""
    glimpse = Glimpse(body, "x", war.clock.move, war.clock.move, far, level, factor, Point(30, 40))
    told = tiding_of(war.units[body], glimpse, Point(0, 0), "x")
    return {
        "arm": told.arm, "kind": told.kind, "blocks": told.blocks, "exact": told.exact, "formation": told.formation,
        "error": told.error, "side": told.side, "number": bool(told.number),
    }  # fmt: skip


def sight_factor(_scene: Scene, _war: War, word: str) -> str:
    """What multiplies the distances of sight, or `at most` what caps them."""
    if word in of_knowledge.SIGHT_FACTORS:
        return str(Fraction(*of_knowledge.SIGHT_FACTORS[word]))
    return f"at most {of_knowledge.SIGHT_CAPS[word]}"


SIGHT_NUMBERS: Mapping[str, int] = {
    "eye of an observer": of_knowledge.EYES["observer"],
    "eye of a person mounted": of_knowledge.EYES["person_mounted"],
    "eye of a unit": of_knowledge.EYES["unit"],
    **{f"top of {what}": top for what, top in of_knowledge.TOPS.items()},
    **{f"seen through {what}": far for what, far in of_knowledge.SEEN_THROUGH.items()},
    "edge": of_knowledge.EDGE,
    "hidden behind lines": of_knowledge.HIDDEN_BEHIND_LINES,
    "street": of_knowledge.STREET_SIGHT,
    **{f"arc of {what}": arc for what, arc in of_knowledge.VIEW_ARCS.items()},
    "on the move": of_knowledge.SIGHT_MOVING,
    "error of a place, one in": of_knowledge.POSITION_ERROR[1],
}


KNOWN_NUMBERS: Mapping[str, int] = {
    "forgotten after": of_knowledge.FORGOTTEN_AFTER,
    "one symbol within paces": of_knowledge.SAME_SYMBOL[0],
    "one symbol within moves": of_knowledge.SAME_SYMBOL[1],
    **{f"fades {i}": moves for i, moves in enumerate(of_knowledge.FADE, start=1)},
    "noise direction": of_knowledge.NOISE_DIRECTION,
    "exposure step": of_knowledge.EXPOSURE_STEP,
    "prepared seen": of_knowledge.PREPARED_SEEN,
}


def rumour(_scene: Scene, _war: War, blocks: int, arm: str, tenths: int) -> int:
    """Blocks that inhabitants make of so many, with a factor in tenths."""
    return rumoured(blocks, arm, (tenths, 10))


# ------------------------------------------------------------------ papers and command

PAPER_NUMBERS: Mapping[str, int] = {
    "words a move": of_knowledge.WRITING.words_a_move,
    "words an order": of_knowledge.WRITING.words_an_order,
    **{f"reading of a {who}": moves for who, moves in of_knowledge.READING_MOVES.items()},
    "pause with the addressee": of_knowledge.PAUSE_WITH_ADDRESSEE,
    "detour": of_knowledge.DETOUR,
    "detour moves": of_knowledge.DETOUR_MOVES,
    "addressee near": of_knowledge.ADDRESSEE_NEAR,
    **{f"met by {who}": far for who, far in of_knowledge.MET_AT.items()},
    "skirmish fire": of_knowledge.SKIRMISH_FIRE,
    "escape moves": of_knowledge.ESCAPE_MOVES,
    "second copy after": of_knowledge.COPY_AFTER,
    "report every": of_knowledge.REPORT_EVERY,
    "observer every": of_knowledge.OBSERVER_EVERY,
    "change after": of_knowledge.CHANGE_AFTER,
    "idle after": of_knowledge.IDLE_AFTER,
}


COMMAND_NUMBERS: Mapping[str, int] = {
    "captured within": of_knowledge.CAPTURED_WITHIN,
    "saved within": of_knowledge.SAVED_WITHIN,
    "successor after": of_knowledge.SUCCESSOR_AFTER,
    "wounded within": of_knowledge.WOUNDED[0],
    "wounded from points": of_knowledge.WOUNDED[1],
    "wounded for moves": of_knowledge.WOUNDED[2],
    "escort": of_knowledge.ESCORT_PACES,
    "staff support within": of_knowledge.STAFF_SUPPORT[0],
    "staff support at": of_knowledge.STAFF_SUPPORT[1],
    **of_knowledge.INITIATIVE,
    "relief within": of_knowledge.RELIEVED[0],
    "relief moves": of_knowledge.RELIEVED[1],
    "reliever behind": of_knowledge.RELIEVED[2],
    "relieved goes back": of_knowledge.RELIEVED[3],
    **{f"{arm} observes from": far for arm, far in of_knowledge.OBSERVE_FROM.items()},
    **{f"outposts: {what}": number for what, number in of_knowledge.OUTPOSTS.items()},
    **{f"demonstrate: {what}": number for what, number in of_knowledge.DEMONSTRATE.items()},
    **{f"hidden: {what}": number for what, number in of_knowledge.HIDDEN.items()},
    "column passes on": of_knowledge.COLUMN_PASSES_ON,
    "shots of a signal": of_knowledge.SIGNALS[0],
    "signal heard": of_knowledge.SIGNALS[1],
}


INTERRUPT_NUMBERS: Mapping[str, int] = {
    **of_knowledge.INTERRUPT_PACES,
    **{f"moves, {k}": v for k, v in of_knowledge.INTERRUPT_MOVES.items()},
}


def reaction(_scene: Scene, _war: War, key: str) -> dict[str, object]:
    """A standing reaction: its values, its default and what holds if that cannot be done."""
    found = REACTIONS[key]
    return {"values": list(found.values), "default": found.default, "otherwise": found.otherwise}


def rides_through(scene: Scene, war: War, *stretches: str) -> str:
    """Moves of a ride over stretches such as `even 1200`, `wood_light 800` or `slope 12 500`, to three decimals."""
    pieces = made(stretches)
    way = (Point(0, 0), Point(pieces[-1].end // 12, 0))
    whole = ride_table(_Made(terrain_of(scene), pieces), way, war.options.march_table)[-1][1]
    return str(Fraction(round(whole * 1000), 1000))


class _Made(Terrain):
    """A ground of given stretches."""

    def __init__(self, terrain: Terrain, stretches: tuple[Piece, ...]) -> None:
        super().__init__(terrain.chart)
        self._stretches = stretches

    def pieces(self, way: tuple[Point, ...]) -> tuple[Piece, ...]:
        """The stretches, whatever the way."""
        del way
        return self._stretches

    def met(self, way: tuple[Point, ...]) -> tuple[()]:
        """No lines and waters."""
        del way
        return ()


# ------------------------------------------------------------------ the clock and the scenario


def ticks(_scene: Scene, _war: War) -> dict[str, object]:
    """The ticks of a move, those at which sight is tried, and who advances first."""
    return {
        "ticks": of_knowledge.TICKS,
        "sight": list(of_knowledge.SIGHT_TICKS),
        "order": list(of_knowledge.TICK_ORDER),
    }


def option(scene: Scene, _war: War, name: str) -> object:
    """The default of an option."""
    found: object = getattr(blank(scene, {}).truth.options, name)
    return found


def sealed(_scene: Scene, war: War) -> bool:
    """Whether no seed is shown before the end."""
    return seals(war)


def over_measure(_scene: Scene, war: War, battalions: int, squadrons: int, batteries: int, players: int) -> list[str]:
    """What of a side's troops is more than so many players can well command."""
    have = {"battalions": battalions, "squadrons": squadrons, "batteries": batteries}
    return [what for what, _, _ in beyond_measure(have, players, war.options)]


def dike(_scene: Scene, _war: War) -> dict[str, object]:
    """How a dike is crossed."""
    return dict(of_knowledge.DIKE)


def wading(_scene: Scene, _war: War) -> dict[str, object]:
    """The part of the rate over the width of a wadeable water, and moves of disorder after it."""
    return {"rate": str(Fraction(*of_knowledge.WADING[0])), "disorder": of_knowledge.WADING[1]}


def queue(_scene: Scene, war: War, unit: str) -> list[str]:
    """The orders that a unit has before it, as they were written."""
    return [order.text for order in war.units[unit].duty.queue]


def verbs(_scene: Scene, war: War, unit: str) -> list[str]:
    """The same by their verbs."""
    return [order.verb for order in _queue(war, unit)]


def _queue(war: War, unit: str) -> tuple[Order, ...]:
    return war.units[unit].duty.queue


def following(_scene: Scene, war: War, unit: str) -> dict[str, object]:
    """The order that a unit carries out: its verb, the unit that it follows, and at how many paces."""
    orders = _queue(war, unit)
    return {"verb": orders[0].verb, "unit": orders[0].unit, "number": orders[0].number} if orders else {"verb": ""}


def should_be(scene: Scene, war: War, kind: str, start: str, end: str, moves: int) -> str:
    """Where a march that was ordered should have come to, by the map and the table alone."""
    row = march_row(kind, "")
    way = find(terrain_of(scene), point(start), point(end), Traveller(row, "infantry", table=war.options.march_table))
    assert way is not None
    at = after_moves(terrain_of(scene), way, row, moves, war.options.march_table)
    return f"{at.x},{at.y}"


def order_places(_scene: Scene, war: War, unit: str) -> list[str]:
    """The places of the order that a unit carries out, as they were written, blanks left out."""
    return [spot.text.replace(" ", "") for spot in _queue(war, unit)[0].to]


def condition(_scene: Scene, war: War, unit: str) -> dict[str, object]:
    """How the first condition beside a unit's queue was read: its kind, and those of its parts."""
    test = war.units[unit].duty.triggers[0].line.test
    assert test is not None
    return {"kind": test.kind, "parts": [one.kind for one in test.parts], "first": _kinds(test.parts)}


def _kinds(parts: tuple[Condition, ...]) -> list[str]:
    return [one.kind for one in parts[0].parts] if parts else []


def triggers(_scene: Scene, war: War, unit: str) -> list[str]:
    """The conditions that a unit waits for beside its queue."""
    return [one.line.test.text for one in war.units[unit].duty.triggers if one.line.test is not None]


KNOWLEDGE_ASKS: Mapping[str, Ask] = {
    "sight": ask(sight, "KS-SIT-02", "KS-SIT-03", "KS-SIT-04", "KS-NIG-01"),
    "sees_at": ask(sees_at, "KS-SIT-02", "KS-SIT-03", "KS-SIT-04", "KS-SIT-06", "KS-SIT-07"),
    "estimate": ask(estimate, "KS-SIT-02", "KS-SIT-10"),
    "levels": lookup(LEVELS, "KS-SIT-02"),
    "sight_factor": ask(sight_factor, "KS-SIT-02", "KS-SIT-03", "KS-SIT-04"),
    "sight_number": lookup(SIGHT_NUMBERS, "KS-SIT-02", "KS-SIT-03", "KS-SIT-04"),
    "known_number": lookup(KNOWN_NUMBERS, "KS-SIT-05", "KS-SIT-07", "KS-SIT-08", "KS-SIT-10", "KS-GM-06"),
    "rumour": ask(rumour, "KS-GM-03"),
    "reliability": lookup(of_knowledge.RELIABILITY, "KS-GM-03"),
    "paper_number": lookup(PAPER_NUMBERS, "KS-MSG-03", "KS-MSG-04", "KS-MSG-05", "KS-MSG-07", "KS-MSG-08", "KS-MSG-09"),
    "met_die": lookup(of_knowledge.MET_DIE, "KS-MSG-07"),
    "command_number": lookup(COMMAND_NUMBERS, "KS-CMD-01", "KS-CMD-06", "KS-CMD-09", "KS-CMD-10", "KS-CMD-11",
    "KS-CMD-13", "KS-CMD-14",
        "KS-MSG-10",
    ),
    "interrupt_number": lookup(INTERRUPT_NUMBERS, "KS-TUR-08"),
    "reaction": ask(reaction, "KS-CMD-08"),
    "limit": lookup(LIMITS, "KS-ORD-01", "KS-ORD-02"),
    "patrol_sizes": lookup(PATROL_SIZES, "KS-ORD-01"),
    "rides_through": ask(rides_through, "KS-MSG-03"),
    "sequence": lookup(of_knowledge.STEPS, "KS-TUR-02"),
    "ticks": ask(ticks, "KS-TUR-02", "KS-TUR-06"),
    "option": ask(
        option, "KS-GM-04", "KS-TUR-03", "KS-TUR-05", "KS-TUR-08", "KS-CMD-02", "KS-CMD-05", "KS-MSG-02", "KS-FRM-08",
        "KS-MOV-07", "KS-ORD-12",
    ),
    "seals": ask(sealed, "KS-TUR-05"),
    "one_player": lookup(of_knowledge.ONE_PLAYER, "KS-GM-04"),
    "over_measure": ask(over_measure, "KS-GM-04"),
    "dike": ask(dike, "KS-MAP-05"),
    "gap_party": lookup(of_knowledge.GAP_PARTY, "KS-MAP-05"),
    "wading": ask(wading, "KS-MAP-06"),
    "queue": ask(queue, "KS-CMD-08", "KS-CMD-15"),
    "verbs": ask(verbs, "KS-CMD-08", "KS-CMD-15"),
    "following": ask(following, "KS-CMD-11", "KS-GM-01"),
    "passes_on": reckoned(column_passes, "KS-CMD-11"),
    "should_be": ask(should_be, "KS-SIT-09"),
    "order_places": ask(order_places, "KS-ORD-11"),
    "condition": ask(condition, "KS-ORD-11", "KS-CMD-15"),
    "triggers": ask(triggers, "KS-CMD-15", "KS-ORD-11"),
}  # fmt: skip
"""Asked of the clock, of papers and of sight, by name."""
