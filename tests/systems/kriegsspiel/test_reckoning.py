"""Scenarios whose reckoning or end names what is not there are refused as they are read."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pbem.kernel.errors import BadScenario
from pbem.systems.kriegsspiel.play.reckoning import COUNTERS
from pbem.systems.kriegsspiel.scene.scene import parse_scene

SCENARIOS = Path("campaigns/kriegsspiel")


def _files(name: str) -> dict[str, dict[str, object]]:
    return {path.stem: tomllib.loads(path.read_text()) for path in (SCENARIOS / name).glob("*.toml")}


@pytest.mark.parametrize("name", ["kreuzweg", "muehlrode", "weldau"])
def test_every_item_of_a_scenario_has_a_counter(name: str) -> None:
    scene = parse_scene(_files(name))
    assert scene.prizes
    assert {prize.counts for prize in scene.prizes} <= set(COUNTERS)


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({"item": "the moon", "counts": "moon", "red": 1}, "score 1 .*moon"),
        ({"item": "the moon", "red": 1}, "score 1 .*counts"),
        ({"item": "the mill", "counts": "held", "at": "mill"}, 'at = "mill" is no place or crossing of the map'),
        ({"item": "the mill", "counts": "held_area", "at": "weldau_bridge"}, "is no area of the map"),
        ({"item": "the mill", "counts": "own_bridges", "at": "mill"}, "is no crossing of the map"),
    ],
)
def test_an_item_that_cannot_be_counted_is_refused(item: dict[str, object], why: str) -> None:
    files = _files("weldau")
    files["scenario"]["score"] = [item]
    with pytest.raises(BadScenario, match=why):
        parse_scene(files)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ({"offers": ["nobody"]}, 'no person "nobody"'),
        ({"secured": {"side": "red", "crossing": "none", "half_battalions": 8, "moves": 15}}, 'no crossing "none"'),
    ],
)
def test_an_end_that_names_what_is_not_there_is_refused(end: dict[str, object], why: str) -> None:
    files = _files("weldau")
    files["scenario"]["end"] = end
    with pytest.raises(BadScenario, match=why):
        parse_scene(files)
