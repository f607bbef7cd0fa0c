"""The words of the game: arms, grounds, places, conditions and orders in plain English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pbem.ground.bearing import show_bearing
from pbem.ground.plane import Point
from pbem.orders.prose import listed
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.orders import Condition, Facing, Line, Order, Spot, Target

ARM_WORDS: Mapping[str, str] = {
    "infantry": "infantry", "cavalry": "cavalry", "artillery": "guns", "pioneers": "pioneers", "train": "trains",
}  # fmt: skip

CLASS_WORDS: Mapping[str, str] = {
    "infantry": "infantry",
    "heavy_cavalry": "cavalry",
    "light_cavalry": "cavalry",
    "horse_artillery": "horse artillery",
    "foot_12": "foot artillery",
    "foot_6": "foot artillery",
    "train": "trains",
}
"""Troops by how they march."""

AREA_WORDS: Mapping[str, str] = {
    "wood_light": "a light wood",
    "wood_thick": "a thick wood",
    "swamp": "a swamp",
    "garden": "gardens",
    "village": "houses",
    "town": "houses",
    "farm": "houses",
}

LINE_WORDS: Mapping[str, str] = {
    "hedge": "a hedge",
    "wall": "a wall",
    "ditch": "a ditch",
    "dike": "a dike",
    "sunken": "a sunken road",
    "fence": "a fence",
    "earthwork": "an earthwork",
}

BODY_WORDS: Mapping[str, str] = {
    "fresh": "fresh",
    "repulsed": "repulsed",
    "defeated": "defeated",
    "totally_defeated": "totally defeated",
    "retiring": "retiring",
    "captured": "captured",
    "remnant": "a remnant",
    "destroyed": "destroyed",
}


def form_words(formation: str) -> str:
    """A formation, a rate or another word of the language, as it is said: `attack column`.

    >>> form_words("cav_line"), form_words("battery_column_2")
    ('cav line', 'battery column 2')
    """
    return formation.replace("_", " ")


def moves_words(count: int) -> str:
    """`1 move`, `4 moves`."""
    return f"{count} move" if count == 1 else f"{count} moves"


# ------------------------------------------------------------------ places


def place_written(scene: Scene, at: Point) -> str:
    """A place as an order may write it: by the name of what lies there, or within 100 paces; else by its paces."""
    near = [(abs(one.at.x - at.x) + abs(one.at.y - at.y), one.id, one.name) for one in scene.chart.places.values()]
    far, _, name = min(near, default=(101, "", ""))
    return short_name(name) if far <= 100 else f"{at.x},{at.y}"


def short_name(name: str) -> str:
    """A name of the map without its bracketed part."""
    return name.partition("(")[0].strip()


def spot_words(scene: Scene, spot: Spot) -> str:
    """A place of an order: as it was written, with the name of the thing where that is another."""
    chart = scene.chart
    tables: tuple[Mapping[str, object], ...] = (
        chart.crossings, chart.area_of, chart.strongholds, chart.lines, chart.roads, chart.boats, chart.entries,
        chart.waters, chart.places,
    )  # fmt: skip
    thing = next((table[spot.feature] for table in tables if spot.feature in table), None)
    return short_name(str(getattr(thing, "name", ""))) or _place_called(scene, spot.text) or spot.text


def _place_called(scene: Scene, text: str) -> str:
    """The name of the place of the map that somebody wrote by its id, or without its capitals; empty: there is none."""
    names = (one.name for one in scene.chart.places.values() if text.casefold() in (one.id, one.name.casefold()))
    return short_name(next(names, ""))


def facing_words(scene: Scene, facing: Facing) -> str:
    """A direction: `N`, `the Galgenberg`."""
    if facing.toward is not None:
        return spot_words(scene, facing.toward)
    return show_bearing(facing.bearing or 0)


def target_words(scene: Scene, target: Target) -> str:
    """Whom to attack: `e3, battery last seen at 4400,3300`, `the nearest cavalry`."""
    arm = target.arm or "enemy"
    if target.entry and target.at is not None:
        return f"{target.entry}, {target.arm or 'the body'} last known at {place_written(scene, target.at.at)}"
    if target.at is None:
        return f"the nearest {arm}"
    where = spot_words(scene, target.at)
    return where if target.own else f"{arm} at {where}"


# ------------------------------------------------------------------ conditions


def condition_words(scene: Scene, one: Condition, of: str = "it") -> str:
    """A condition in words: `it is attacked by cavalry and it is not at Kreuzweg`; *of* whom, if not of a unit."""
    spot = spot_words(scene, one.spot) if one.spot is not None else ""
    match one.kind:
        case "and" | "or":
            return f" {one.kind} ".join(_inner(scene, part, one.kind, of) for part in one.parts)
        case "not":
            return f"not ({condition_words(scene, one.parts[0], of)})"
        case "at":
            return f"it is at {spot}"
        case "time":
            return f"it is {scene.clock(one.move)}"
        case "unit_at":
            return f"{one.unit} is at {spot}"
        case "word_from":
            return f"word has come from {person_name(scene, one.unit)}"
        case "attacked":
            by = {"": "", "superior": " by a superior force"}.get(one.arm, f" by {one.arm}")
            return f"it is attacked{by}"
        case "fired_on":
            return f"it is fired on{f' by {one.arm}' if one.arm else ''}"
        case "enemy_within":
            return f"an enemy is within {one.number} paces of {spot or of}"
        case "enemy_at":
            return f"an enemy is at {spot}"
        case "crosses":
            return f"the enemy crosses {spot}"
        case "losses":
            return f"it has lost more than {one.number}%"
        case "unit_does":
            return f"{one.unit} {one.arm}"
        case "crossing":
            return f"{spot} is {one.arm}"
        case "fire_seen":
            return f"fire is seen at {spot}"
        case "signal":
            return f"a signal of {one.number} shots is heard"
        case "not_attacked":
            return f"it has not been attacked by {scene.clock(one.move)}"
        case "after":
            return f"its {form_words(one.arm)} is finished"
        case "relieved":
            return "it is relieved"
        case other:
            assert_never(other)


def wake_words(scene: Scene, one: Condition) -> str:
    """A condition of a commander's own, by which he is called: `an enemy is within 600 paces of you`."""
    return condition_words(scene, one, "you")


def _inner(scene: Scene, one: Condition, kind: str, of: str) -> str:
    words = condition_words(scene, one, of)
    return f"({words})" if one.kind in ("and", "or") and one.kind != kind else words


def person_name(scene: Scene, person: str) -> str:
    """A commander by his name."""
    plan = scene.persons.get(person)
    return plan.name if plan is not None else person


# ------------------------------------------------------------------ orders


def order_words(scene: Scene, order: Order) -> str:
    """An order in full words; one that is plain enough, as it was written."""
    deed = _deed_words(scene, order)
    if not deed:
        return order.text
    parts = [deed]
    if order.by:
        parts.append(f"by {listed([spot_words(scene, spot) for spot in order.by])}")
    if order.across:
        parts.append("straight across")
    if order.formation and order.verb != "form":
        parts.append(f"in {form_words(order.formation)}")
    if order.rate:
        parts.append(f"at the {order.rate}")
    if order.facing is not None and order.verb != "face":
        parts.append(f"facing {facing_words(scene, order.facing)}")
    if order.until is not None:
        parts.append(f"{'until' if order.verb.startswith('hold') else 'when'} {condition_words(scene, order.until)}")
    return ", ".join(parts)


def _deed_words(scene: Scene, order: Order) -> str:
    to = listed([spot_words(scene, spot) for spot in order.to]) if order.to else ""
    target = target_words(scene, order.target) if order.target is not None else ""
    number = f" {order.number}" if order.number is not None else ""
    match order.verb:
        case "march":
            return f"march{' concealed' if order.concealed else ''} to {to}"
        case "follow" | "support":
            return f"{order.verb} {order.unit}{f' at {order.number} paces' if order.number is not None else ''}"
        case "form":
            return f"form {form_words(order.formation)}{f' on {to}' if to else ''}"
        case "face":
            return f"face {facing_words(scene, order.facing)}" if order.facing is not None else "face"
        case "attack" | "charge" | "pursue":
            return f"{order.verb} {target}"
        case "observe":
            return f"observe {target}{f' from {order.number} paces' if order.number is not None else ''}"
        case "fire_on":
            return f"fire on {target}{f' with {order.manner[0]}' if order.manner else ''}"
        case "retire":
            return f"retire to {to}"
        case "skirmishers_out" if "half" in order.manner:
            return "send half of it out as skirmishers"
        case "skirmishers_out":
            ahead = f", {order.second} paces ahead" if order.second is not None else ""
            return f"send{number or ' the usual'} zugs out as skirmishers{ahead}"
        case "patrol":
            who = f"of {order.number}" if order.number else "with all of it"
            return f"patrol {who} to {to}{', and come back' if 'return' in order.manner else ''}"
        case "post":
            return f"set a post {f'of {order.number} ' if order.number else ''}at {to}"
        case "detach":
            return f"detach a part as {order.unit}"
        case "order_of_march":
            return f"march in the order {listed(list(order.units))}"
        case "guard":
            return f"guard the {' '.join(order.manner)} of {order.unit} at {order.number} paces"
        case "words":
            return f"in words: {order.text.partition(':')[2].strip()}"
        case _:  # what is plain enough as it was written
            return ""


def line_words(scene: Scene, line: Line) -> str:
    """A line for a unit in full words: `when it is at Kreuzweg: form line, facing S`."""
    if line.lapse and line.test is not None:
        return f"its conditions lapse when {condition_words(scene, line.test)}"
    if line.react is not None:
        what = f"reaction {line.react[0].replace('_', ' ')}: {line.react[1].replace('_', ' ')}"
    elif line.order is not None:
        what = order_words(scene, line.order)
    else:
        what = line.text
    link = "then " if line.then else "at once " if line.now else ""
    return f"when {condition_words(scene, line.test)}: {link}{what}" if line.test is not None else f"{link}{what}"
