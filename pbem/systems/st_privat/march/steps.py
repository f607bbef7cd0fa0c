"""A march, step by step: what each step costs, what bars it, and where it ends.

The same code judges an order by what its writer knows and plays it on the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.ground.square import OPPOSITE, ORTHOGONAL, Edge, Square, corner_squares, direction, edge, is_diagonal
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.bodies import Arm, Body
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.streams import Bank, bank_entered, is_crossing, is_two_banked
from pbem.systems.st_privat.march.gate import deep_in_woods, lurking, shut_corner, walled
from pbem.systems.st_privat.march.retreat import OFF
from pbem.systems.st_privat.scene.words import names
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world.fact import StopReason
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, Facing


class Hindrance(NamedTuple):
    """Why a march goes no farther."""

    reason: StopReason
    why: str
    rules: tuple[str, ...]
    refuses: bool = False
    """An order that asks for the step is none; otherwise it is carried out as far as it goes."""


class Step(NamedTuple):
    """One square of a march."""

    start: Square
    end: Square
    cost: int
    road: bool = False
    wall: Edge | None = None
    """The wall that it goes over."""
    fords: bool = False
    """Leaves a stream square by the far bank."""


class Terms(Struct, frozen=True):
    """How a body marches this turn."""

    body: Body
    rate: Arm
    column: bool = False
    """Walks in column: the way it faces."""
    before: int = 0
    """Points spent before the first step."""


class Walk(Struct, frozen=True):
    """A march so far."""

    at: Square
    facing: Facing | None
    bank: Bank | None
    spent: int
    """Points, the road bonus not yet taken off."""
    steps: tuple[Step, ...] = ()
    costs: tuple[int, ...] = ()
    """What the march had cost after each step, the road bonus taken off as soon as it was earned."""
    run: int = 0
    """Road steps made one after another up to now."""
    saved: int = 0
    """What the road has saved."""
    end: Hindrance | None = None
    """What ends the march in this square."""
    dummies: bool = False
    """Entered a square of dummies."""
    found: bool = False
    """Came upon the hidden siege gun."""

    @property
    def cost(self) -> int:
        """Points spent, the road bonus taken off."""
        return self.spent - self.saved


def begin(terms: Terms, facing: Facing | None) -> Walk:
    """A march before its first step."""
    return Walk(terms.body.square, facing, terms.body.bank, terms.before)


@rule("SP-MOV-01", "SP-MOV-02", "SP-TER-02")
def allowance(field: Field, rate: Arm, start: Square, first: Square | None) -> int | None:
    """Points for a turn, by the ground at the start; None: not even that step.

    Who starts on a hill or in woods and steps out of both has the open figure.
    """
    ground = field.ground(start)
    rough = ground.is_rough and not (field.options.road_negates_terrain and ground.road)
    out = first is not None and first != OFF and not field.ground(first).is_rough
    kind = ground.terrain if rough and not out else "open"
    points = charts.MOVEMENT[rate][charts.GROUNDS.index(kind)]
    return charts.MOVEMENT[rate][0] if points is None and first is None else points


@rule("SP-MOV-07")
def saving(rate: Arm, run: int, at_least: int) -> int:
    """Points that *run* road steps in a row save: two for a column or a limbered gun, once a turn.

    >>> [saving("column", run, 2) for run in (1, 2, 5)], saving("line", 4, 2)
    ([0, 2, 2], 0)
    """
    return min(run, charts.MOVEMENT[rate][3]) if run >= at_least else 0


def advance(field: Field, terms: Terms, walk: Walk, end: Square) -> Walk | Hindrance:
    """Take one step, or say why not."""
    body = terms.body
    if wrong := barred(field, terms, walk, end) or cut(field, terms, walk, end):
        return wrong
    step = _step(field, terms, walk, end)
    run = walk.run + 1 if step.road else 0
    saved = max(walk.saved, saving(terms.rate, run, field.options.road_bonus_min_steps))
    spent = walk.spent + step.cost
    off = end == OFF
    return Walk(
        at=end,
        facing=walk.facing,
        bank=walk.bank if off else bank_entered(field, walk.at, end, walk.bank),
        spent=spent,
        steps=(*walk.steps, step),
        costs=(*walk.costs, spent - saved),
        run=run,
        saved=saved,
        end=walk.end if off else _ends(field, terms, step),
        found=walk.found or (not off and lurking(field, body.side, end) is not None),
        dummies=walk.dummies if off else field.cards(end, ENEMY[body.side]) > 0,
    )


def _step(field: Field, terms: Terms, walk: Walk, end: Square) -> Step:
    start, body = walk.at, terms.body
    if end == OFF:
        return Step(start, OFF, 1, road=True)
    border = None if is_diagonal(start, end) else edge(start, end)
    wall = border if border is not None and field.solid_wall(border) else None
    fords = _crosses(field, terms, walk, end)
    free = body.on_foot or (body.arm == "general" and not field.options.generals_stop)
    jump = 0 if free or wall is None else 1
    ford = 0 if free or not fords else field.options.ford_cost
    return Step(start, end, 1 + jump + ford, field.road_step(start, end), wall, fords)


def _crosses(field: Field, terms: Terms, walk: Walk, end: Square) -> bool:
    """Whether a step leaves a stream square by the far bank, and not by the road."""
    if not is_two_banked(field.ground(walk.at)):
        return False
    return is_crossing(field, walk.at, end, walk.bank, on_road=_on_road(terms, walk))


# ------------------------------------------------------------------ what makes a step unlawful


def barred(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    """Why nobody could order this step, from what is known: an order that holds it is refused."""
    if end == OFF:
        return _exit(field, terms, walk)
    for test in _BARS:
        if wrong := test(field, terms, walk, end):
            return wrong
    return None


def _no(why: str, *rules: str, reason: StopReason = "stopped_by_terrain") -> Hindrance:
    return Hindrance(reason, why, rules, refuses=True)


@rule("SP-TER-05")
def _on_road(terms: Terms, walk: Walk) -> bool:
    """Whether a body is on the road of its square: it came by it, or stands there and not in the water."""
    if walk.steps:
        return walk.steps[-1].road
    return all(piece.ford_wait is None and not piece.ford_owed for piece in terms.body.pieces)


@rule("SP-VIC-05", "SP-MOV-10")
def _exit(field: Field, terms: Terms, walk: Walk) -> Hindrance | None:
    numbers = field.scene.numbers
    if terms.body.side != FRENCH:
        return _no("only the French leave the board", "SP-MOV-10", "SP-VIC-05")
    if numbers.exit_from > numbers.last_turn and field.options.exit_before_t10 == "forbidden":
        return _no("nobody leaves the board in this battle", "SP-MOV-10", "SP-VIC-05")
    if walk.at != numbers.exit_square:
        return _no(f"the board is left from {numbers.exit_square}", "SP-VIC-05", "SP-MOV-10")
    if not field.road_is_open:
        why = f"the road to Metz is open from turn {numbers.exit_from} on; this is turn {field.battle.turn}"
        return _no(why, "SP-VIC-05")
    if terms.column and walk.facing != "s":
        return _no(f"a column leaves {walk.at} facing s, not {walk.facing}", "SP-MOV-05", "SP-VIC-05")
    return None


@rule("SP-MOV-03", "SP-MOV-05")
def _direction(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    way = direction(walk.at, end)
    if way is None:
        return _no(f"{end} is not next to {walk.at}", "SP-MOV-03")
    if terms.column and way != walk.facing:
        if way not in ORTHOGONAL:
            return _no(f"a column does not march diagonally: {walk.at} to {end}", "SP-MOV-03", "SP-MOV-05")
        why = f"a column marches the way it faces: at {walk.at} it faces {walk.facing}, and {end} lies {way}"
        return _no(why, "SP-MOV-05", "SP-MOV-03")
    if way not in ORTHOGONAL and not field.options.diagonal_moves:
        return _no(f"diagonal steps are not allowed in this game: {walk.at} to {end}", "SP-MOV-03")
    return None


@rule("SP-TER-04", "SP-TER-02", "SP-MOV-09")
def _ground(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start, body = walk.at, terms.body
    if is_diagonal(start, end) and walled(field, start, end):
        return _no(f"a wall touches the corner between {start} and {end}", "SP-TER-04", "SP-MOV-03")
    if not body.is_heavy:
        return None
    if walled(field, start, end):
        return _no(f"artillery never crosses a wall: {edge(start, end)}", "SP-TER-04")
    if deep_in_woods(field, end):
        return _no(f"artillery enters only the edge of woods, and {end} lies deep in them", "SP-TER-02")
    wet = field.ground(end).stream or _crosses(field, terms, walk, end)
    if body.arm == "prolonged" and wet and not field.road_step(start, end):
        return _no(f"a gun pushed by its crew does not go through a stream: {start} to {end}", "SP-MOV-09", "SP-TER-05")
    if not walk.steps and allowance(field, terms.rate, start, end) is None:
        why = f"limbered artillery can only step out of hill and woods: not from {start} to {end}"
        return _no(why, "SP-TER-02", "SP-MOV-02")
    return None


@rule("SP-MOV-04")
def _enemy(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    side = terms.body.side
    if not field.bars(end, side):
        return None
    there = [piece.id for piece in field.visible(end, ENEMY[side]) if not piece.hidden]
    return _no(
        f"{names(there)} of the enemy hold{'s' if len(there) == 1 else ''} {end}", "SP-MOV-04", reason="enemy_met"
    )


@rule("SP-TER-05")
def _ford_wait(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start, body, needed = walk.at, terms.body, field.options.ford_infantry_wait_turns
    if not _crosses(field, terms, walk, end):
        return None
    if not field.options.ford_anywhere and not field.ground(start).bridge:
        return _no(f"the stream cannot be forded at {start}", "SP-TER-05")
    if walk.steps or not body.on_foot:
        return None
    waited = min(piece.ford_wait or 0 for piece in body.pieces)
    if waited >= needed:
        return None
    turns = f"{needed - waited} whole turn{'' if needed - waited == 1 else 's'}"
    return _no(f"{body} must first stand {turns} in the ford at {start}", "SP-TER-05", reason="ford")


_BARS = (_direction, _ground, _enemy, _ford_wait)


# ------------------------------------------------------------------ what ends a march before a step


def cut(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    """Why a march ends here though its order goes on to *end*; such an order is carried out so far."""
    if end == OFF:
        return None
    for test in _CUTS:
        if wrong := test(field, terms, walk, end):
            return wrong
    return None


@rule("SP-ZOC-03")
def _corner(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start = walk.at
    if not shut_corner(field, terms.body.side, start, end):
        return None
    one, other = corner_squares(start, end)
    why = f"the enemy holds or controls both {one} and {other}, so nobody slips through from {start} to {end}"
    return Hindrance("diagonal_blocked", why, ("SP-ZOC-03",))


@rule("SP-TER-04")
def _wall_later(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start = walk.at
    if not (terms.body.on_foot and walk.steps) or is_diagonal(start, end) or not field.solid_wall(edge(start, end)):
        return None
    why = f"men on foot cross the wall {edge(start, end)} only if they start the turn in front of it"
    return Hindrance("stopped_by_terrain", why, ("SP-TER-04",))


@rule("SP-TER-03")
def _town_later(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start = walk.at
    both = field.ground(start).terrain == field.ground(end).terrain == "town"
    if not (both and walk.steps) or field.road_step(start, end):
        return None
    why = f"a step through the town off the road, from {start} to {end}, is the only one of its turn"
    return Hindrance("stopped_by_terrain", why, ("SP-TER-03",))


@rule("SP-TER-05")
def _ford_later(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    start, body, options = walk.at, terms.body, field.options
    if not _crosses(field, terms, walk, end):
        return None
    if body.on_foot:
        if not walk.steps or not options.ford_infantry_wait_turns:
            return None
        return Hindrance("ford", f"men on foot stop in the ford at {start} before they cross", ("SP-TER-05",))
    if body.arm == "general" and not options.generals_stop:
        return None
    points = allowance(field, terms.rate, body.square, walk.steps[0].end if walk.steps else end) or 0
    if points - walk.cost > options.ford_cost:
        return None
    return Hindrance("ford", f"{body.has} too few points left to cross the stream at {start}", ("SP-TER-05",))


@rule("SP-HID-06", "SP-CAP-03")
def _cards(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    """Cards bar a stand if troops are among them, and a general, who is no stand, whatever they are."""
    if terms.body.arm == "general" and field.cards(end, ENEMY[terms.body.side]):
        why = f"a general alone does not go among the cards at {end}"
        return Hindrance("general_alone", why, ("SP-HID-06", "SP-CAP-03"))
    real = [p for p in field.at(end, ENEMY[terms.body.side]) if p.is_troops_face_down]
    if not real:
        return None
    return Hindrance(
        "entry_blocked", f"the cards at {end} bar the way: troops are among them", ("SP-HID-06", "SP-MOV-04")
    )


@rule("SP-SGE-03")
def _gun_itself(field: Field, terms: Terms, walk: Walk, end: Square) -> Hindrance | None:
    if not any(p.kind == "siege_gun" and not p.on_table for p in field.at(end, ENEMY[terms.body.side])):
        return None
    return Hindrance("gun_found", f"a siege gun stands at {end}", ("SP-SGE-03",))


_CUTS = (_corner, _wall_later, _town_later, _ford_later, _cards, _gun_itself)


# ------------------------------------------------------------------ what ends a march after a step


def _ends(field: Field, terms: Terms, step: Step) -> Hindrance | None:
    body, end = terms.body, step.end
    if gun := lurking(field, body.side, end):
        return Hindrance("gun_found", f"a siege gun came into view at {gun.square}", ("SP-SGE-03",))
    if field.cards(end, ENEMY[body.side]):
        return Hindrance("entry_blocked", f"a move into the cards at {end} ends there or before it", ("SP-HID-06",))
    return _zone(field, body, end) or _rough(field, body, step) or _town(field, step) or _over_wall(terms, step)


@rule("SP-ZOC-02")
def _zone(field: Field, body: Body, at: Square) -> Hindrance | None:
    enemy = ENEMY[body.side]
    if not field.in_zone(at, enemy):
        return None
    by_cards = "SP-HID-08" if not field.controllers(at, enemy) else "SP-ZOC-01"
    return Hindrance(
        "stopped_by_zoc", f"{at} lies in the zone of control of {masters(field, body, at)}", ("SP-ZOC-02", by_cards)
    )


def masters(field: Field, body: Body, at: Square) -> str:
    """Who of the enemy controls a square, in words."""
    found = field.controllers(at, ENEMY[body.side])
    squares = sorted({piece.square for piece in found if piece.square is not None})
    if not squares:
        return "face-down cards"
    return " and ".join(f"{names(p.id for p in found if p.square == one)} at {one}" for one in squares)


@rule("SP-TER-01")
def _rough(field: Field, body: Body, step: Step) -> Hindrance | None:
    here, before = field.ground(step.end), field.ground(step.start)
    if not here.is_rough or here.terrain == before.terrain:
        return None
    if field.options.road_negates_terrain and step.road:
        return None
    if body.arm == "general" and not field.options.generals_stop:
        return None
    named = "a hill" if here.terrain == "hill" else "woods"
    return Hindrance("stopped_by_terrain", f"{step.end} is {named}: whoever enters stops there", ("SP-TER-01",))


@rule("SP-TER-03")
def _town(field: Field, step: Step) -> Hindrance | None:
    if field.ground(step.end).terrain != "town" or step.road:
        return None
    why = f"{step.end} is town: whoever enters it off the road stops there"
    return Hindrance("stopped_by_terrain", why, ("SP-TER-03",))


@rule("SP-TER-04")
def _over_wall(terms: Terms, step: Step) -> Hindrance | None:
    if step.wall is None or not terms.body.on_foot:
        return None
    return Hindrance(
        "stopped_by_terrain", f"whoever crosses the wall {step.wall} on foot stops behind it", ("SP-TER-04",)
    )


@rule("SP-MOV-06")
def is_quarter(start: Facing | None, end: Facing) -> bool:
    """Whether a turn is of 90 degrees, or none."""
    return start is not None and end != OPPOSITE[start]


def ends(steps: Sequence[Step], start: Square) -> tuple[Square, ...]:
    """The squares of a march, the start first."""
    return (start, *(step.end for step in steps if step.end != OFF))
