"""What a commander of 1824 must not know: what is out of his sight, orders, papers on the road, halts of others."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.kernel.names import Role
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.sheets.language import GRAMMAR
from pbem.systems.kriegsspiel.world.mind import Mind
from tests.systems.play import Game
from tests.systems.secret import Exchange, Secret

__all__ = ["GRAMMAR", "LARGE", "SECRETS", "likely"]

LARGE = ("muehlrode", "weldau")

ASMUS, KESSEL, REHDEN, AUER, BRANDT, DORN = map(Role, ("asmus", "kessel", "rehden", "auer", "brandt", "dorn"))

RED_TRIES = (
    "to 1/F: march to Dornach",
    "to 1/F: attack Dornach",
    "to 1/F: fire on e9",
    "letter Brandt: where are you?",
    "to H5/1: attack e1",
)
BLUE_TRIES = ("to 3/F: attack e1", "to 6F5: fire on Gruenauer Forst", "letter Rehden: x", "to 1/F: halt")


def _ruled(text: str) -> tuple[Exchange, ...]:
    return (Exchange(rulings=text),)


SECRETS: tuple[Secret, ...] = (
    Secret(
        name="where a squadron stands out of sight",
        scenario="muehlrode",
        owner=AUER,
        blind=REHDEN,
        one=_ruled("place blue U3/3 at 5020,4400 facing N\nsee all"),
        other=_ruled("place blue U3/3 at 5000,2000 facing N\nsee all"),
        silence=0,
        probes=RED_TRIES,
    ),
    Secret(
        name="whether there is a battalion behind the river",
        scenario="muehlrode",
        owner=KESSEL,
        blind=ASMUS,
        one=_ruled("remove blue 3/II\nsee all"),
        other=_ruled("see all"),
        silence=1,
        probes=RED_TRIES,
    ),
    Secret(
        name="what the enemy is ordered",
        scenario="kreuzweg",
        owner=KESSEL,
        blind=ASMUS,
        one=(
            Exchange({KESSEL: "to 3/F: march to Altenfeld by heerstrasse\nto U3: march to Altenfeld by heerstrasse"}),
        ),
        other=(Exchange({KESSEL: "to 3/F: halt\nto U3: halt\nletter higher: all is well"}),),
        silence=0,
        probes=RED_TRIES,
    ),
    Secret(
        name="that a comrade is asked at a halt of his own",
        scenario="muehlrode",
        owner=BRANDT,
        blind=REHDEN,
        one=(Exchange(), Exchange({BRANDT: "wake at 06:04\nwake at 06:24"}), Exchange()),
        other=(Exchange(), Exchange(), Exchange()),
        silence=0,
        probes=RED_TRIES,
    ),
    Secret(
        name="a paper that the enemy has under way",
        scenario="muehlrode",
        owner=BRANDT,
        blind=ASMUS,
        one=(Exchange(), Exchange({BRANDT: "letter Kessel: Come up.\nto 3/I: march to Ziegelei by heerstrasse"})),
        other=(Exchange(), Exchange()),
        silence=0,
        probes=RED_TRIES,
    ),
    Secret(
        name="losses of a battalion out of sight",
        scenario="kreuzweg",
        owner=ASMUS,
        blind=KESSEL,
        one=_ruled("place red 1/F at 3000,5960 facing S in line\nset red 1/F strength.tw 9600\nsee all"),
        other=_ruled("place red 1/F at 3000,5960 facing S in line\nset red 1/F strength.tw 7200\nsee all"),
        silence=0,
        probes=BLUE_TRIES,
    ),
)

SECRETS += (
    Secret(
        name="a patrol that nobody has seen",
        scenario="muehlrode",
        owner=AUER,
        blind=REHDEN,
        one=_ruled("new blue N uhlan troop10 at 2900,3450 facing N under auer\nsee all"),
        other=_ruled("see all"),
        silence=1,
        probes=RED_TRIES,
    ),
    Secret(
        name="a bridge made ready to be blown",
        scenario="muehlrode",
        owner=AUER,
        blind=REHDEN,
        one=_ruled("set crossing muehlrode_bridge state prepared\nsee all"),
        other=_ruled("see all"),
        silence=1,
        probes=(*RED_TRIES, "to 1/F: march to Muehlrode by heerstrasse", "to PR: repair muehlrode_bridge"),
    ),
    Secret(
        name="an order to troops out of sight",
        scenario="muehlrode",
        owner=KESSEL,
        blind=ASMUS,
        one=(Exchange(), Exchange({KESSEL: "to 3/I: march to Altenfeld by heerstrasse\nto 3/II: form line facing N"})),
        other=(Exchange(), Exchange()),
        silence=0,
        probes=RED_TRIES,
    ),
    Secret(
        name="a bridge that the enemy has broken out of sight",
        scenario="muehlrode",
        owner=AUER,
        blind=DORN,
        one=_ruled("set person auer at 6350,2900\nset crossing neuwerk_bridge state broken\nsee all"),
        other=_ruled("set person auer at 6350,2900\nsee all"),
        silence=0,
        probes=(*RED_TRIES, "to D2: march to Neuwerk by oststrasse", "to 6H1: march to 6350,2500 by oststrasse"),
    ),
)

FORMS = {
    "infantry": ("line", "attack_column", "section_column", "zug_column"),
    "cavalry": ("cav_line", "cav_threes", "squadron_column"),
    "artillery": ("battery_column_2", "battery_line_limbered"),
}


def likely(game: Game, role: Role) -> Sequence[str]:
    """Orders that a commander might well give now: for set-up, first orders; else rides, words, papers and letters."""
    scene, mind = game.scene, game.world.minds[role]
    assert isinstance(scene, Scene)
    assert isinstance(mind, Mind)
    random = Random(f"{role} {mind.move} {mind.turn} {game.luck}")
    lines = [line for unit in mind.command for line in _orders(scene, mind, unit, random)]
    lines += _own(scene, mind, random)
    if not mind.turn:
        lines.append("intention: We do what we can.")
    return lines


def _place(scene: Scene, random: Random) -> str:
    named = (
        sorted(scene.chart.places)
        + sorted(scene.chart.crossings)
        + sorted(area.id for area in scene.chart.areas if area.built)
    )
    return random.choice(named)


def _orders(scene: Scene, mind: Mind, unit: str, random: Random) -> list[str]:
    plan = scene.units.get(f"{mind.side}:{unit}")
    if plan is None:
        return []
    head = f"to {unit}: "
    if unit in mind.own and mind.turn and _near(mind, unit):
        head = random.choice([head, f"voice {unit}: "])
    return [head + order for order in _verbs(scene, plan, random)]


def _near(mind: Mind, unit: str) -> bool:
    at = mind.own[unit].state.at
    return mind.on_map and abs(at.x - mind.at.x) + abs(at.y - mind.at.y) <= 180


def _verbs(scene: Scene, plan: UnitPlan, random: Random) -> list[str]:
    place, other = _place(scene, random), _place(scene, random)
    found = [
        f"march to {place}",
        f"retire to {other}",
        "halt",
        f"hold {place}",
        "report now",
        "react enemy_seen report_and_halt",
    ]
    forms = FORMS.get(plan.arm, ())
    if forms:
        found += [
            f"form {random.choice(forms)} facing {random.choice('NESW')}",
            f"march to {place} in {random.choice(forms)}",
        ]
    match plan.arm:
        case "infantry":
            found += [
                "skirmishers out 2 100 ahead",
                "skirmishers in",
                f"occupy {place}",
                f"patrol size 10 to {place} return",
            ]
            found += ["react attacked stand", "hold fire until 100", "fire at will", "attack enemy nearest"]
            found += [f"when enemy within 600: retire to {other}", f"attack infantry at {place} after 2 moves fire"]
        case "cavalry":
            found += [
                f"march to {place} at trot",
                f"patrol size 10 to {place}, {other} return",
                f"observe {place} at 900",
            ]
            found += [
                "charge enemy nearest",
                f"post at {place} size 10",
                "react attacked countercharge",
                "react victory pursue 2",
            ]
        case "artillery":
            found += [
                "unlimber facing N wide",
                "limber",
                "fire at will",
                f"fire on {place}",
                "react attacked until 300",
            ]
        case "pioneers":
            found += [f"prepare {crossing} for blowing" for crossing in sorted(scene.chart.crossings)[:2]]
        case _:
            pass
    return found


def _own(scene: Scene, mind: Mind, random: Random) -> list[str]:
    place = _place(scene, random)
    lines = [f"ride to {place}", "stay", "look S", f"wake if enemy within 800 of {place}", f"staff: observe {place}"]
    comrades = [scene.persons[name].name for name in mind.players if name in scene.persons]
    for name in comrades:
        lines += [f"letter {name}: The enemy is before me.", f"say {name}: I take the left."]
    if mind.command:
        lines.append(f"ride with {random.choice(mind.command)}")
    return lines
