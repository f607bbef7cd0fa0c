"""Order lines in plain words, for the receipt: what the office has understood, and what it would come to now."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, show_bearing
from pbem.kernel.names import Role
from pbem.orders.prose import listed
from pbem.systems.crossroads.actions import corners_of, wheeled_body
from pbem.systems.crossroads.field import Field
from pbem.systems.crossroads.fire import Shot, fire_dice, fire_row, shot
from pbem.systems.crossroads.orders import (
    NEAREST,
    Alternative,
    AnyAction,
    AttachOfficer,
    Charge,
    Clear,
    Condition,
    Cross,
    Face,
    Fire,
    FormUp,
    GoProne,
    JokerOrder,
    Lead,
    Move,
    MoveOfficer,
    Nothing,
    Policy,
    Rally,
    Rise,
    UnitOrder,
    Wheel,
)
from pbem.systems.crossroads.scene import tenths
from pbem.systems.crossroads.state import INCHES, Unit
from pbem.systems.crossroads.tables_combat import FIRING
from pbem.systems.crossroads.tables_units import HALF
from pbem.systems.crossroads.walking import base_move, go, part

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


def inches(tenths: int) -> str:
    """A length in words: `4.5 inches`."""
    said = INCHES.show(tenths).removesuffix(".0")
    return f"{said} inch" if said == "1" else f"{said} inches"


def _way(degrees: int) -> str:
    return show_bearing(degrees * DEGREE)


def _enemy(said: str) -> str:
    return "the nearest enemy" if said == NEAREST else said


# ------------------------------------------------------------------ units


def unit_line(field: Field, order: UnitOrder | JokerOrder, *, led: bool = False) -> str:
    """What a unit does when its card comes up, and otherwise; *led*: an officer is to move it in this turn."""
    unit = field.battle.units.get(order.unit)
    first, *others = (" ".join(_alternative(field, unit, one, led=led)) for one in order.alternatives)
    when = "On its card"
    if isinstance(order, JokerOrder):
        when = "On the Joker*, if you control the deck," if order.star else "On the Joker"
    rally = ""
    if unit is not None and unit.status in ("shaken", "withdrawn", "routed"):
        rally = f" It is {unit.status} and rallies first."
    said = f"{when} {order.unit} {first}"
    for other in others:
        said += f"; if it cannot, it {other}"
    last = order.alternatives[-1]
    if last.condition is not None or not isinstance(last.action, Fire | Nothing):
        said += "; failing that, it fires at the nearest enemy that it can hit, or stands"
    return f"{said}.{rally}"


def _alternative(field: Field, unit: Unit | None, one: Alternative, *, led: bool) -> Iterator[str]:
    yield _does(field, unit, one.action, half=one.then is not None and isinstance(one.action, Fire), led=led)
    if one.then is not None:
        after = unit
        if unit is not None and isinstance(one.action, FormUp):
            after = replace(unit, formation=one.action.formation)
        if unit is not None and unit.stands and isinstance(one.action, Wheel):
            body = wheeled_body(field, unit, one.action)
            after = replace(unit, pos=tenths(body.at), facing=body.facing // DEGREE)
        yield f"and then {_does(field, after, one.then, half=not isinstance(one.action, Rally | Wheel))}"
    if one.condition is not None:
        yield _if(one.condition)


def _if(condition: Condition) -> str:
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
        case _:
            return f"if it has lost {condition.number} figures or more"


def _does(field: Field, unit: Unit | None, action: AnyAction, *, half: bool = False, led: bool = False) -> str:
    match action:
        case Fire():
            dice = _dice(field, unit, half=half, led=led)
            return f"fires{' at half' if half else ''} at {_enemy(action.enemy)}{dice}{_shot(field, unit, action)}"
        case Move():
            return _moves(field, unit, action)
        case Wheel():
            return f"wheels {action.degrees} degrees to the {action.hand}{_room(field, unit, action)}"
        case Face():
            return f"faces {_way(action.facing)}"
        case FormUp():
            change = {"deployed": "deploys", "limbered": "limbers up", "skirmish": "goes into skirmish order"}
            return change.get(action.formation, f"forms {action.formation}")
        case Charge():
            return f"charges {_enemy(action.enemy)}{_charge(field, unit, action)}"
        case GoProne():
            return "lies down"
        case Rise():
            return "gets up"
        case Rally():
            return "rallies"
        case Clear():
            return "clears its jam"
        case Cross():
            return "goes on across the obstacle before it"
        case Nothing():
            return "stands"


def _room(field: Field, unit: Unit | None, action: Wheel) -> str:
    if unit is None or not unit.stands or field.room(wheeled_body(field, unit, action), ignoring=unit.id):
        return ""
    return " (for which there is no room as they stand)"


def _dice(field: Field, unit: Unit | None, *, half: bool, led: bool) -> str:
    if unit is None or fire_row(unit) is None:
        return ""
    count = fire_dice(unit, field.battle.options, half=half).thrown
    green = fire_dice(unit, field.battle.options, half=half, green=True).thrown if led else count
    less = f", or {green} once led" if green < count else ""
    return f" with {count} dice{less}" if count != 1 else " with 1 die"


def _known(field: Field, said: str) -> Unit | None:
    enemy = field.battle.units.get(field.battle.named.get(said, said))
    return enemy if enemy is not None and enemy.stands else None


def _shot(field: Field, unit: Unit | None, action: Fire) -> str:
    """How the target lies now."""
    enemy = _known(field, action.enemy)
    row = fire_row(unit) if unit is not None else None
    if unit is None or enemy is None or row is None or not unit.stands:
        return ""
    far = f"now {inches(field.inches(unit, enemy))} off"
    found = shot(field, unit, enemy)
    if isinstance(found, Shot):
        return f" ({far}: {found.need} or more hits)" if found.need < 10 else f" ({far}: 10 hits)"
    why = {"out_of_range": f"its range is {FIRING[row].range}", "not_in_arc": "not before its front"}
    return f" ({far}; {why.get(found, 'not to be hit as they stand')})"


def _charge(field: Field, unit: Unit | None, action: Charge) -> str:
    enemy = _known(field, action.enemy)
    if unit is None or enemy is None or not unit.stands:
        return ""
    return f" (now {inches(field.inches(unit, enemy))} off)"


def _moves(field: Field, unit: Unit | None, action: Move) -> str:
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
    stopped = {
        "spent": ", which is as far as it can", "enemy": ", an inch from the enemy", "friend": ", short of a friend",
        "edge": ", the edge of the table", "closed": ", the edge of ground that it cannot enter",
        "obstacle": ", at an obstacle", "linear": ", at an obstacle", "contour": ", at a slope",
    }.get(walk.stopped_by, "")  # fmt: skip
    return f"moves {half}{goal}{facing}{end}{stopped}"


# ------------------------------------------------------------------ officers, policies, the rest


def officer_line(field: Field, order: AttachOfficer | MoveOfficer | Lead) -> str:
    """What an officer does, and when."""
    if isinstance(order, Lead):
        units = listed(order.units)
        move = _does(field, None, order.action)
        return (
            f"When the first of their cards comes up, {order.officer} leads {units}, those within his reach: "
            f"each {move}. The others then only fire on their own cards, at half."
        )
    officer = field.battle.officers.get(order.officer)
    attached = officer.attached if officer is not None else ""
    when = {
        "first": "At the start of the turn",
        "with": f"When the card of {order.of} comes up",
        "after": f"After the card of {order.of}",
    }.get(order.timing, f"When the card of {attached} comes up" if attached else "At the start of the turn")
    if isinstance(order, AttachOfficer):
        return f"{when} {order.officer} rides to {order.unit} and stays with it."
    return f"{when} {order.officer} rides to {order.place or INCHES.written(order.to)}."


def policy_line(order: Policy) -> str:
    """A policy in words."""
    if order.what == "joker_order":
        return f"Without a line for it, a joker goes to the first of {listed(order.units)} that can fire."
    return f"{_PLAIN[f'{order.what} {order.word}']} So it stays till you change it."


def without_order(field: Field, role: Role, ordered: Collection[str], led: Collection[str]) -> list[str]:
    """What the units do on their cards that have no line."""
    rest = [one for one in field.own(role) if one.id not in ordered and one.id not in led]
    rally = [one.id for one in rest if one.status in ("shaken", "withdrawn", "routed")]
    jammed = [one.id for one in rest if one.jammed]
    others = [one for one in rest if one.id not in (*rally, *jammed)]
    fire = [one.id for one in others if fire_row(one) is not None and one.formation != "limbered"]
    stand = [one.id for one in others if one.id not in fire]
    said = []
    if rally:
        said.append(f"Without an order, {listed(rally)} will rally.")
    if jammed:
        said.append(f"Without an order, {listed(jammed)} will clear the jam.")
    if fire:
        who = "each" if len(fire) > 1 else "it"
        said.append(f"Without an order, {listed(fire)} will fire at the nearest enemy {who} can hit, else stand.")
    if stand:
        said.append(f"Without an order, {listed(stand)} will stand.")
    green = [name for name in sorted(led) if name not in ordered]
    if green:
        said.append(f"{listed(green)}, led by an officer, will fire at half on their own cards if they can.")
    return said
