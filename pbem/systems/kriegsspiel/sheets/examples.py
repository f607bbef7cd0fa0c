"""The examples of orders in the names of one commander: his own troops, his comrades, the places of this map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.sheet import Complaint
from pbem.rules.lately import lately
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES, WORDS
from pbem.systems.kriegsspiel.world.mind import Mind

_IN_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "infantry": ("1/F", "1/I", "1/II", "3/I", "3/F", "J2/b"),
    "pioneers": ("PB", "PT", "PR"),
    "cavalry": ("U3/1", "H5/1", "H5/4", "C4", "D2/1"),
    "artillery": ("6F3", "12F2"),
    "brigade": ("brigade_asmus", "advance_guard"),
    "person": ("Kessel", "Brandt", "Dorn"),
    "road": ("heerstrasse", "nordquer", "oststrasse", "weststrasse", "hagenweg"),
    "bridge": ("muehlrode_bridge", "neuwerk_bridge"),
    "entry": ("ost_hagen",),
    "wood": ("hagen", "Birkenbusch"),
    "boats": ("m_faehren",),
    "wall": ("oberhofmauer",),
    "stronghold": ("Neuwerk",),
    "village": ("Muehlrode", "Dornach", "Ziegelei", "Kreuzweg", "Altenfeld", "Lohe"),
    "hill": ("Galgenberg", "Ostberg"),
}
"""The names in the examples of the language, by what they name."""

_NAMES = sorted((name for names in _IN_EXAMPLES.values() for name in names), key=lambda name: -len(name))
_NAME = re.compile(rf"(?<![\w/])(?:{'|'.join(map(re.escape, _NAMES))})(?=b?(?![\w/]))")
"""One of them; a detachment is called by its unit and a letter."""


def own_forms(scene: Scene, mind: Mind, role: Role) -> Mapping[str, str]:
    """The examples of all orders, in the names of *role*."""
    names = _own(scene, mind)
    return {verb: _renamed(example, names) for verb, example in EXAMPLES.items()}


def in_own_words(scene: Scene, mind: Mind, complaint: Complaint) -> Complaint:
    """A complaint, with names of its reader in the examples that it gives."""
    why = complaint.why
    for word, own in _own_words(scene, mind):
        why = why.replace(word, own)
    return replace(complaint, why=why, example=_renamed(complaint.example, _own(scene, mind)))


@lately(4)
def _own_words(scene: Scene, mind: Mind) -> tuple[tuple[str, str], ...]:
    names = _own(scene, mind)
    return tuple((word, _renamed(word, names)) for word in WORDS.values())


def _renamed(example: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: names.get(found[0], found[0]), example)


@lately(4)
def _own(scene: Scene, mind: Mind) -> dict[str, str]:
    """Names of a commander and of the map by those in the examples; what he has none of is called as it was."""
    found = {kind: list(dict.fromkeys(names)) for kind, names in _there(scene, mind)}
    return {
        name: found[kind][at % len(found[kind])]
        for kind, names in _IN_EXAMPLES.items()
        if found.get(kind)
        for at, name in enumerate(names)
    }


def _there(scene: Scene, mind: Mind) -> Iterator[tuple[str, Iterable[str]]]:
    chart = scene.chart
    units = sorted(
        (one for one in scene.units.values() if one.side == mind.side), key=lambda one: one.commander != mind.role
    )
    for arm in ("infantry", "cavalry", "artillery"):
        yield arm, (one.id for one in units if one.arm == arm and not one.parent)
    yield "pioneers", (one.id for one in units if one.arm in ("pioneers", "train"))
    groups = sorted(
        (one for one in scene.groups.values() if one.side == mind.side), key=lambda one: one.commander != mind.role
    )
    yield "brigade", (one.id for one in groups)
    yield "person", (one.name for one in scene.persons.values() if one.side == mind.side and one.id != mind.role)
    yield "road", (one.id for one in chart.roads.values())
    yield "bridge", (one.id for one in chart.crossings.values() if "bridge" in one.kind)
    yield "entry", (chart.entries)
    yield "wood", _one_word(one.name or one.id for one in chart.areas if one.kind.startswith("wood"))
    yield "boats", (chart.boats)
    yield "wall", (one.id for one in chart.lines.values() if one.kind == "wall")
    yield "stronghold", (chart.strongholds)
    yield "village", _one_word(one.name for one in chart.areas if one.kind in ("village", "town"))
    yield "hill", _one_word(one.name for one in chart.places.values())


def _one_word(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if name.replace("-", "").isalpha())
