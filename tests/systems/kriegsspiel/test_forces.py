"""The forces: places inside the map, numbers as the order of battle has them, commanders that are there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shapely import Point

from pbem.kernel.errors import Refused
from pbem.resources import resources
from pbem.rules.ledger import load_ledger
from pbem.systems import kriegsspiel
from pbem.systems.kriegsspiel.tables import formation as tables_formation
from pbem.systems.kriegsspiel.tables import knowledge as tables_knowledge
from pbem.systems.kriegsspiel.tables import orders as tables_orders
from tests.systems.kriegsspiel.ground import SCENARIOS, files, in_water, line, named, polygon

LEDGER = load_ledger(Path(kriegsspiel.__path__[0]) / "ledger.toml")

every = pytest.mark.parametrize("name", SCENARIOS)


def bodies(name: str) -> list[dict[str, Any]]:
    """Everything that stands or comes: units, regiments, their parts, what is detached."""
    forces = files(name)["forces"]
    parts = [part | {"id": part["squadrons"][0]} for one in forces["regiment"] for part in one.get("part", [])]
    return [*forces["unit"], *forces["regiment"], *parts, *forces.get("detached", [])]


def strength(name: str, side: str) -> Counter[str]:
    """Battalions in half battalions, squadrons and guns of a side."""
    found = Counter[str]()
    forces = files(name)["forces"]
    for one in forces["unit"]:
        if one["side"] == side:
            found["guns"] += one.get("guns", 0)
            if one["arm"] == "infantry":
                found["infantry"] += one["men"]
    found["squadrons"] = sum(len(one["squadrons"]) for one in forces["regiment"] if one["side"] == side)
    return found


def test_the_strengths_are_those_of_the_order_of_battle() -> None:
    assert strength("muehlrode", "red") == {"infantry": 5625, "squadrons": 8, "guns": 16}
    assert strength("muehlrode", "blue") == {"infantry": 5400, "squadrons": 8, "guns": 16}
    assert strength("weldau", "red") == strength("weldau", "blue") == {"infantry": 21600, "squadrons": 24, "guns": 64}
    assert strength("kreuzweg", "red") == strength("kreuzweg", "blue") == {"infantry": 900, "squadrons": 2, "guns": 4}


def test_a_player_commands_no_more_than_the_measure_and_one_battery_more() -> None:
    most = tables_knowledge.ONE_PLAYER
    for side in ("red", "blue"):
        found = strength("muehlrode", side)
        assert found["infantry"] // tables_formation.MEN["battalion"] <= most["battalions"]
        assert found["squadrons"] <= most["squadrons"]
        assert found["guns"] // tables_formation.GUNS_OF["battery"] == most["batteries"] + 1


def test_more_players_a_side_than_may_play_are_refused() -> None:
    scene = kriegsspiel.SYSTEM.scene(files("weldau"))

    with pytest.raises(Refused, match="red has 4 players; at most 3 play a side"):
        kriegsspiel.SYSTEM.blank(scene, {"max_players_per_side": 3})


@every
def test_no_id_stands_twice_on_a_side(name: str) -> None:
    forces = files(name)["forces"]
    for side in ("red", "blue"):
        ids = [
            one["id"]
            for one in (*forces["unit"], *forces["regiment"], *forces.get("detached", []))
            if one["side"] == side
        ]
        ids += [squadron for one in forces["regiment"] if one["side"] == side for squadron in one["squadrons"]]
        ids += [one["id"] for one in (*forces["person"], *forces["group"]) if one["side"] == side]
        assert [one for one, times in Counter(ids).items() if times > 1] == []


@every
def test_every_unit_has_a_commander_and_stands_or_comes(name: str) -> None:
    forces = files(name)["forces"]
    sides = {one["id"]: one["side"] for one in forces["person"]}
    for one in (*forces["unit"], *forces["regiment"]):
        assert sides[one["commander"]] == one["side"], one["id"]
        stands = "at" in one or "part" in one or ("behind" in one and "along" in one)
        assert stands != ("move" in one), one["id"]
        if "move" in one:
            assert one["entry"] in named(name, "entry"), one["id"]
        for other in one.get("or_by", []):
            assert other in named(name, "entry"), one["id"]


@every
def test_kinds_forms_and_sizes_are_those_of_the_tables(name: str) -> None:
    forces = files(name)["forces"]
    kinds = {kind: arm for arm, kinds in tables_formation.KINDS.items() for kind in kinds}
    for one in forces["unit"]:
        assert kinds[one["kind"]] == one["arm"], one["id"]
        if one["arm"] == "infantry":
            assert one["men"] == tables_formation.MEN[one["size"]], one["id"]
        if one["arm"] == "artillery":
            assert one["guns"] == tables_formation.GUNS_OF[one["size"]], one["id"]
            assert one["wagons"]["blocks"] == tables_formation.WAGON_BLOCKS[one["kind"]], one["id"]
    for one in forces["regiment"]:
        assert kinds[one["kind"]] == "cavalry", one["id"]
    for one in bodies(name):
        if "formation" in one:
            assert one["formation"] in tables_formation.FORMATIONS, one["id"]
            assert one["facing"] in ("N", "S"), one["id"]


@every
def test_positions_lie_on_the_map_and_on_dry_ground(name: str) -> None:
    head = files(name)["map"]["map"]
    for one in (*bodies(name), *files(name)["forces"]["person"]):
        if "at" not in one:
            continue
        x, y = one["at"]
        assert 0 <= x <= head["width"], one["id"]
        assert 0 <= y <= head["height"], one["id"]
        on_crossing = any(
            Point(crossing["at"]).distance(Point(x, y)) < 1 for crossing in named(name, "crossing").values()
        )
        assert on_crossing or not in_water(name, (x, y)), one["id"]
        for area in named(name, "area").values():
            if area["kind"] in ("wood_thick", "swamp"):
                assert not polygon(area).contains(Point(x, y)), one["id"]


@every
def test_columns_stand_on_their_road(name: str) -> None:
    for one in bodies(name):
        if "along" in one and "at" in one:
            assert line(named(name, "road")[one["along"]]).distance(Point(one["at"])) < 1, one["id"]


@every
def test_sides_stand_in_their_zones_or_where_they_are_listed(name: str) -> None:
    zones = files(name)["scenario"]["zones"]
    forces = files(name)["forces"]
    side = {one["id"]: one["side"] for one in (*forces["unit"], *forces["regiment"], *forces.get("detached", []))}
    side |= {squadron: one["side"] for one in forces["regiment"] for squadron in one["squadrons"]}
    for one in bodies(name):
        if "at" in one:
            _, y = one["at"]
            if side[one["id"]] == "red":
                assert y >= zones["red"]["north_of"], one["id"]
            else:
                listed = zones["blue"]["near_listed"].get(one["id"])
                assert y <= zones["blue"]["south_of"] or listed is not None, one["id"]
                assert y + (listed or 0) < zones["red"]["north_of"], one["id"]
    assert set(zones["blue"]["near_listed"]) <= set(side)


def test_the_posts_are_taken_from_their_squadron() -> None:
    forces = files("muehlrode")["forces"]
    rest = next(part["men"] for one in forces["regiment"] for part in one.get("part", []) if "men" in part)
    sizes = [one["size"] for one in forces["detached"] if one["parent"] == "U3/4"]
    # an officer or a sergeant rides with each post beside its men
    out = sum(tables_formation.MEN[size] + 1 for size in sizes)
    assert rest + out == tables_formation.MEN["squadron"]
    parts = [
        squadron
        for one in forces["regiment"]
        if one["id"] == "U3"
        for part in one["part"]
        for squadron in part["squadrons"]
    ]
    assert sorted(parts) == sorted(next(one["squadrons"] for one in forces["regiment"] if one["id"] == "U3"))


@every
def test_groups_and_successions_name_who_is_there(name: str) -> None:
    forces = files(name)["forces"]
    units = {(one["side"], one["id"]) for one in (*forces["unit"], *forces["regiment"])}
    persons = {(one["side"], one["id"]) for one in forces["person"]}
    for group in forces["group"]:
        assert {(group["side"], unit) for unit in group["units"]} <= units, group["id"]
        assert (group["side"], group["commander"]) in persons, group["id"]
    every_unit = [(group["side"], unit) for group in forces["group"] for unit in group["units"]]
    assert len(every_unit) == len(set(every_unit))
    for side, one in forces["side"].items():
        assert {(side, person) for person in one["succession"]} == {who for who in persons if who[0] == side}
        assert one["succession"][0] == one["c_in_c"]
        assert one["line_of_retreat"] in named(name, "entry")


@every
def test_every_role_is_a_person_with_a_briefing(name: str) -> None:
    scenario = files(name)["scenario"]
    roles = [one["role"] for one in scenario["roles"]]
    assert sorted(roles) == sorted(one["id"] for one in files(name)["forces"]["person"])
    for role in roles:
        text = (resources("campaigns") / "kriegsspiel" / name / f"briefing-{role}.md").read_text("utf-8")
        assert text.startswith("# To ")
        assert "**First letter due from you**" in text
    assert set(scenario["staff"]["roles"]) == set(roles) - {
        one["c_in_c"] for one in files(name)["forces"]["side"].values()
    }


@every
def test_options_are_those_of_the_ledger(name: str) -> None:
    options = files(name)["scenario"]["options"]
    assert sorted(options) == sorted(LEDGER.options)
    changed = {option for option, value in options.items() if value != LEDGER.options[option].default}
    assert changed == ({"turn_moves"} if name == "kreuzweg" else set())
    assert options["turn_moves"] % options["step_moves"] == 0


@every
def test_messages_and_ends_name_what_is_there(name: str) -> None:
    scenario, forces = files(name)["scenario"], files(name)["forces"]
    persons = {one["id"] for one in forces["person"]}
    for one in scenario.get("timed_messages", []):
        assert one["to"] in persons
        assert one["entry"] in named(name, "entry")
        assert 0 < one["move"] < scenario["clock"]["last_move"]
    for report in scenario["separate_report"].values():
        assert report["to"] in persons
        for item in report["information"]:
            assert item["source"] in tables_knowledge.RELIABILITY
    if secured := scenario["end"].get("secured"):
        assert secured["crossing"] in named(name, "crossing")
    assert set(scenario["end"]["offers"]) <= persons


@every
def test_no_name_is_a_word_of_the_orders(name: str) -> None:
    keywords = {key.split()[0] for key in tables_orders.REACTIONS} | set(tables_formation.FORMATIONS)
    keywords |= {
        "march",
        "halt",
        "hold",
        "form",
        "attack",
        "charge",
        "retire",
        "occupy",
        "fire",
        "patrol",
        "post",
        "stay",
    }
    for kind in ("area", "water", "crossing", "road", "line", "stronghold", "boats", "entry", "place"):
        for one in named(name, kind).values():
            assert one["id"] not in keywords
            assert one.get("name", "").lower().replace(" ", "_") not in keywords


SAMPLES = [
    (name, path)
    for name in SCENARIOS
    for path in sorted((resources("campaigns") / "kriegsspiel" / name / "sample-orders").glob("*.txt"))
]


@pytest.mark.parametrize(("name", "path"), SAMPLES, ids=lambda value: getattr(value, "stem", value))
def test_sample_letters_are_from_a_role_to_units_and_comrades_of_its_side(name: str, path: Path) -> None:
    forces = files(name)["forces"]
    text = path.read_text("utf-8")
    exchange, role = path.stem.split("-")
    head = dict(re.findall(r"^(game|role|turn) +(\S+)$", text, re.M))
    assert head == {"game": name, "role": role, "turn": {"s1": "S1", "t1a": "1"}[exchange]}
    side = next(one["side"] for one in forces["person"] if one["id"] == role)
    units = {one["id"]: one for kind in ("unit", "regiment", "group") for one in forces[kind] if one["side"] == side}
    units |= {one["id"]: one for one in forces.get("detached", []) if one["side"] == side}
    units |= {squadron: one for one in forces["regiment"] if one["side"] == side for squadron in one["squadrons"]}
    for addressee in re.findall(r"^(?:to|voice|start|enter) ([^\s:]+)", text, re.M):
        assert addressee in units, (path.name, addressee)
    comrades = {one["name"] for one in forces["person"] if one["side"] == side}
    assert set(re.findall(r"^letter (\w+):", text, re.M)) <= comrades
