"""What a sheet would come to, by what its writer knows, in plain words: what each line does now, and otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, show_bearing
from pbem.ground.plane import Point, distance
from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.prose import listed
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.able import may_fire, must_rally
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.fire.fire import Shot, fire_dice, fire_row, shot
from pbem.systems.crossroads.march.walking import Walk, base_move, go, part, wheel
from pbem.systems.crossroads.melee.charge import onset
from pbem.systems.crossroads.scene.scene import Scene, tenths
from pbem.systems.crossroads.scene.words import inches
from pbem.systems.crossroads.sheets.chances import clauses, known, nearest
from pbem.systems.crossroads.tables.combat import FIRING
from pbem.systems.crossroads.tables.units import HALF, OFFICER_MOVES
from pbem.systems.crossroads.turn.actions import corners_of, degrees_of
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import INCHES, Battle, Officer, Unit

_PLAIN = {
    "shaken cover": "Shaken units make for cover close by, and lie down if there is none.",
    "shaken prone": "Shaken units lie down where they are.",
    "defensive_fire yes": "Units that are charged fire at the chargers.",
    "defensive_fire no": "Units that are charged hold their fire.",
    "advance yes": "Who wins a melee takes the loser's place, defenders too.",
    "advance no": "Who wins a melee stays where he is.",
    "after_melee fire": "Who wins a melee fires, at half.",
    "after_melee hold": "Who wins a melee holds his fire.",
}


_HINDERS = {
    "out_of_reach": "out of its reach as they stand",
    "obstacle": "an obstacle lies between",
    "not_in_arc": "not before its front",
    "not_in_sight": "not in its sight as they stand",
    "no_room": "no room to come to it",
    "level_3": "who has lost three quarters does not charge",
    "prone": "it is prone",
}
"""Why a charge could not be made now."""
_STOPPED = {
    "spent": ", which is as far as it can", "room": ", where there is no room to turn",
    "facing": ", with nothing left to turn", "enemy": ", an inch from the enemy", "friend": ", short of a friend",
    "edge": ", the edge of the table", "closed": ", the edge of ground that it cannot enter",
    "obstacle": ", at an obstacle", "linear": ", at an obstacle", "contour": ", at a slope",
}  # fmt: skip
"""What ends a move now."""


def _way(degrees: int) -> str:
    return show_bearing(degrees * DEGREE)


def _enemy(said: str) -> str:
    return "the nearest enemy" if said == say.NEAREST else said


# ------------------------------------------------------------------ lines


@rule("GC-ACT-04", "GC-ACT-05")
def forecast(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[tuple[int, str]]:
    """A sentence or two for each line: what its unit does on its card, and what if that cannot be."""
    field = field_of(scene, mind)
    led = {name for order in orders if isinstance(order, say.Lead) for name in order.units}
    told = ((order.line, f"{_line(field, order, led)}{clauses(field, order)}") for order in orders)
    return sorted(told, key=lambda one: one[0])


def _line(field: Field, order: say.AnyOrder, led: Collection[str]) -> str:
    """An order in words; *led*: whom an officer is to move in this turn."""
    match order:
        case say.UnitOrder() | say.JokerOrder():
            return _unit_line(field, order, led=order.unit in led)
        case say.AttachOfficer() | say.MoveOfficer():
            return _rides(field, order)
        case say.Lead():
            return _leads(field, order)
        case say.Policy(what="joker_order"):
            return f"Without a line for it, a joker goes to the first of {listed(order.units)} that can fire."
        case say.Policy():
            return f"{_PLAIN[f'{order.what} {order.word}']} So it stays till you change it."


@rule("GC-ACT-05")
def idle(scene: Scene, mind: Battle, role: Role, orders: Sequence[say.AnyOrder], call: Call) -> Sequence[str]:
    """What the units without an order do on their cards."""
    ordered = {order.unit for order in orders if isinstance(order, say.UnitOrder)}
    led = {name for order in orders if isinstance(order, say.Lead) for name in order.units}
    rest = [one for one in field_of(scene, mind).own(role) if one.id not in ordered and one.id not in led]
    rally = [one.id for one in rest if must_rally(one)]
    jammed = [one.id for one in rest if one.jammed]
    others = [one for one in rest if one.id not in (*rally, *jammed)]
    fire = [one.id for one in others if may_fire(one)]
    stand = [one.id for one in others if not may_fire(one)]
    each = "each" if len(fire) > 1 else "it"
    does = {
        "rally": rally, "clear the jam": jammed, f"fire at the nearest enemy {each} can hit, else stand": fire,
        "stand": stand,
    }  # fmt: skip
    said = [f"Without an order, {listed(names)} will {what}." for what, names in does.items() if names]
    green = [name for name in sorted(led) if name not in ordered]
    if green:
        cards = "its own card if it" if len(green) == 1 else "their own cards if they"
        said.append(f"{listed(green)}, led by an officer, will fire at half on {cards} can.")
    return said


# ------------------------------------------------------------------ units


def _unit_line(field: Field, order: say.CardOrder, *, led: bool) -> str:
    """What a unit does when its card comes up, and otherwise; *led*: an officer is to move it in this turn."""
    unit = field.battle.units.get(order.unit)
    first, *others = (" ".join(_alternative(field, unit, one, led=led)) for one in order.alternatives)
    when = "On its card"
    if isinstance(order, say.JokerOrder):
        when = "On the Joker*, if you control the deck," if order.star else "On the Joker"
    said = f"{when} {order.unit} {first}" + "".join(f"; if it cannot, it {other}" for other in others)
    last = order.alternatives[-1]
    if last.condition is not None or not isinstance(last.action, say.Fire | say.Nothing):
        said += "; failing that, it fires at the nearest enemy that it can hit, or stands"
    only = led and not all(isinstance(one.action, say.Fire | say.Nothing | say.Rally) for one in order.alternatives)
    rally = f" It is {unit.status} and rallies first." if unit is not None and must_rally(unit) else ""
    return f"{said}.{' Once led it only fires, at half.' if only else ''}{rally}"


def _alternative(field: Field, unit: Unit | None, one: say.Alternative, *, led: bool) -> Iterator[str]:
    yield _does(field, unit, one.action, half=one.then is not None and isinstance(one.action, say.Fire), led=led)
    if one.then is not None:
        after = unit
        if unit is not None and isinstance(one.action, say.FormUp):
            after = replace(unit, formation=one.action.formation)
        if unit is not None and unit.stands and isinstance(one.action, say.Wheel):
            walk = _wheeled(field, unit, one.action)
            after = replace(unit, pos=walk.to, facing=walk.facing)
        half = not isinstance(one.action, say.Rally | say.Wheel)
        yield f"and then {_does(field, after, one.then, half=half, later=isinstance(one.action, say.Move))}"
    if one.condition is not None:
        yield _if(one.condition)


def _if(condition: say.Condition) -> str:
    of = _enemy(condition.of) if condition.of else "its target"
    match condition.test:
        case "within":
            return f"if {of} is within {inches(condition.number)}"
        case "in range":
            return f"if {of} is in range"
        case "target":
            return f"if its target is {condition.status}"
        case "not seen":
            return "if there is no such enemy in sight"
        case "loss":
            return f"if it has lost {condition.number} figures or more"


def _does(
    field: Field,
    unit: Unit | None,
    action: say.AnyAction,
    *,
    half: bool = False,
    led: bool = False,
    later: bool = False,
) -> str:
    """An action in words; *later*: after a move, from another place than where the unit stands now."""
    match action:
        case say.Fire():
            dice = _dice(field, unit, half=half, led=led)
            lies = "" if later and action.enemy == say.NEAREST else _shot(field, unit, action)
            return f"fires{' at half' if half else ''} at {_enemy(action.enemy)}{dice}{lies}"
        case say.Move():
            return _moves(field, unit, action)
        case say.Wheel():
            return f"wheels {action.degrees} degrees to the {action.hand}{_room(field, unit, action)}"
        case say.Face():
            return f"faces {_way(action.facing)}"
        case say.FormUp():
            change = {"deployed": "deploys", "limbered": "limbers up", "skirmish": "goes into skirmish order"}
            return change.get(action.formation, f"forms {action.formation}")
        case say.Charge():
            return f"charges {_enemy(action.enemy)}{_charge(field, unit, action)}"
        case say.GoProne():
            return "lies down"
        case say.Rise():
            return "gets up"
        case say.Rally():
            return "rallies"
        case say.Clear():
            return "clears its jam"
        case say.Cross():
            return "goes on across the obstacle before it"
        case say.Nothing():
            return "stands"


def _room(field: Field, unit: Unit | None, action: say.Wheel) -> str:
    if unit is None or not unit.stands or unit.formation == "deployed":
        return ""
    walk = _wheeled(field, unit, action)
    if walk.stopped_by == "arrived":
        return ""
    return f" (as they stand as far as {_way(walk.facing)}{_STOPPED.get(walk.stopped_by, '')})"


def _wheeled(field: Field, unit: Unit, action: say.Wheel) -> Walk:
    return wheel(field, unit, degrees_of(action), base_move(unit, field.battle.options))


def _dice(field: Field, unit: Unit | None, *, half: bool, led: bool) -> str:
    if unit is None or fire_row(unit) is None:
        return ""
    count = fire_dice(unit, field.battle.options, half=half).thrown
    green = fire_dice(unit, field.battle.options, half=half, green=True).thrown if led else count
    less = f", or {green} once led" if green < count else ""
    return f" with {count} dice{less}" if count != 1 else " with 1 die"


def _shot(field: Field, unit: Unit | None, action: say.Fire) -> str:
    """How the target lies now."""
    row = fire_row(unit) if unit is not None else None
    if unit is None or row is None or not unit.stands or unit.formation == "limbered":
        return ""
    if action.enemy == say.NEAREST:
        hits = ((one, shot(field, unit, one)) for one in nearest(field, unit))
        lies = (f"{_lies(field, unit, one)}: {_faces(hit)}" for one, hit in hits if isinstance(hit, Shot))
        return f" (now {next(lies, 'there is none that it can hit')})"
    enemy = known(field, action.enemy)
    if enemy is None:
        return ""
    far, hit = f"now {inches(field.inches(unit, enemy))} off", shot(field, unit, enemy)
    if isinstance(hit, Shot):
        return f" ({far}: {_faces(hit)})"
    why = {"out_of_range": f"its range is {FIRING[row].range}", "not_in_arc": "not before its front"}
    return f" ({far}; {why.get(hit, 'not to be hit as they stand')})"


def _lies(field: Field, unit: Unit, enemy: Unit) -> str:
    return f"{enemy.id}, {inches(field.inches(unit, enemy))} off"


def _faces(hit: Shot) -> str:
    return f"{hit.need} or more hits" if hit.need < 10 else "10 hits"


def _charge(field: Field, unit: Unit | None, action: say.Charge) -> str:
    """How the target of a charge lies now, and what stands between."""
    if unit is None or not unit.stands:
        return ""
    near = nearest(field, unit)
    enemy = known(field, action.enemy) if action.enemy != say.NEAREST else near[0] if near else None
    if enemy is None:
        return " (now there is none)" if action.enemy == say.NEAREST else ""
    far = _lies(field, unit, enemy) if action.enemy == say.NEAREST else f"{inches(field.inches(unit, enemy))} off"
    found = onset(field, replace(unit, status="good"), enemy)
    return f" (now {far}{f'; {_HINDERS[found]}' if isinstance(found, str) and found in _HINDERS else ''})"


def _moves(field: Field, unit: Unit | None, action: say.Move) -> str:
    """Where a move would end, as the field is known."""
    half = "with half of its move " if action.half else ""
    where = action.place or (INCHES.written(action.to) if action.to is not None else "")
    goal = f"to {where}" if where else f"{_way(action.direction or 0)} {inches(action.inches)}"
    facing = f", to face {_way(action.facing)}" if action.facing is not None else ""
    if unit is None or not unit.stands or unit.formation == "deployed" or unit.prone:
        return f"moves {half}{goal}{facing}"
    base = base_move(unit, field.battle.options)
    far = part(base, HALF) if action.half else base
    walk = go(field, unit, corners_of(field, unit, action), far, facing=action.facing)
    end = f"; from where it is now it comes to {INCHES.written(walk.to)}"
    stopped = _STOPPED.get(walk.stopped_by, "")
    return f"moves {half}{goal}{facing}{end}{stopped}"


# ------------------------------------------------------------------ officers


def _rides(field: Field, order: say.Ride) -> str:
    """Where an officer rides, and when."""
    officer = field.battle.officers.get(order.officer)
    attached = officer.attached if officer is not None else ""
    when = {
        "first": "At the start of the turn",
        "with": f"When the card of {order.of} comes up",
        "after": f"After the card of {order.of}",
    }.get(order.timing, f"When the card of {attached} comes up" if attached else "At the start of the turn")
    far = OFFICER_MOVES.get(officer.nation) if officer is not None and officer.nation else None
    if isinstance(order, say.AttachOfficer):
        unit = field.battle.units.get(order.unit)
        known = officer is not None and officer.pos is not None and unit is not None and unit.stands
        goal = tenths(field.body(unit).rear) if known and unit is not None else None
        too_far = f", if he can: now it is more than {far} inches off" if _beyond(officer, goal, far) else ""
        return f"{when} {order.officer} rides to {order.unit} and stays with it{too_far}."
    too_far = f", as far as {far} inches take him" if _beyond(officer, order.to, far) else ""
    return f"{when} {order.officer} rides to {order.place or INCHES.written(order.to)}{too_far}."


def _beyond(officer: Officer | None, to: Point | None, far: int | None) -> bool:
    """Whether a place is farther off than an officer rides in a turn, from where he is now."""
    if officer is None or officer.pos is None or to is None or far is None:
        return False
    return distance(officer.pos, to) > far * 10


def _leads(field: Field, order: say.Lead) -> str:
    """What a group does, and who of it is out of reach now."""
    officer = field.battle.officers.get(order.officer)
    move = _does(field, None, order.action)
    at = officer.pos if officer is not None else None
    units = [field.battle.units[name] for name in order.units if name in field.battle.units]
    away = [
        one.id
        for one in units
        if officer is not None and at is not None and one.stands and not field.reaches(at, one, officer.zoc * 10)
    ]
    out = f" Now {listed(away)} {'is' if len(away) == 1 else 'are'} out of his reach." if away else ""
    if len(order.units) == 1:
        card = f"When the card of {order.units[0]} comes up"
        return f"{card}, {order.officer} leads it, if it is in his reach: it {move}.{out}"
    return (
        f"When the first of their cards comes up, {order.officer} leads {listed(order.units)}, those within his reach: "
        f"each {move}. The others then only fire on their own cards, at half.{out}"
    )
