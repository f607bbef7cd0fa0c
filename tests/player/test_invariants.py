"""The invariants of each system: a fact that its ledger forbids is found, and a game as it is played is free of any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.event import kind_of
from pbem.rules import registry
from pbem.rules.contract import World, apply
from tests.player.watch import book_of
from tests.systems.play import Game
from tests.systems.secret import autoplay, plug

Plant = Callable[[Any], Any]

BOARDS = {
    "st-privat": "ste-marie",
    "half-league": "bulganak",
    "crossroads": "la-folie",
    "empire-1870": "woerth",
    "kriegsspiel": "kreuzweg",
}


def _units(**changes: object) -> Plant:
    """A fact after which every unit that it changes is otherwise than it may be."""

    def plant(fact: Any) -> Any:
        return replace(fact, units={name: replace(patch, **changes) for name, patch in fact.units.items()})

    return plant


def _changes(**changes: object) -> Plant:
    def plant(fact: Any) -> Any:
        return replace(fact, changes={name: replace(patch, **changes) for name, patch in fact.changes.items()})

    return plant


def _fields(**changes: object) -> Plant:
    return lambda fact: replace(fact, **changes)


PLANTS: Mapping[str, tuple[tuple[str, Plant, str], ...]] = {
    "st-privat": (
        ("unit_moved", _changes(men=-1), "SP-PCE-01"),
        ("unit_moved", _fields(cost=9), "SP-MOV-02"),
        ("rifle_fire_resolved", lambda fact: replace(fact, fire=(*fact.fire, fact.fire[0])), "SP-RIF-01"),
        ("phase_began", lambda fact: replace(fact, game=replace(fact.game, phase="melee", turn=4)), "SP-TRN-01"),
    ),
    "half-league": (
        ("unit_moved", _units(chits=-1), "HL-MOR-01"),
        ("unit_moved", lambda fact: replace(fact, walked=fact.allowed + 3_000, natural=(1,)), "HL-MOV-01"),
    ),
    "crossroads": (
        ("unit_moved", _changes(prone=True, acted=3), "GC-CRD-02"),
        ("unit_moved", lambda fact: replace(fact, walked=fact.allowance + 30), "GC-MOV-02"),
        ("card_turned", lambda fact: replace(fact, game=replace(fact.game, seq=40)), "GC-SEQ-01"),
    ),
    "empire-1870": (
        ("phase_began", lambda fact: replace(fact, game=replace(fact.game, vp=21)), "WE-VIC-01"),
        ("force_moved", _fields(mp=0), "WE-MOV-01"),
        ("sub_activated", _fields(limit=99), "WE-HQ-03"),
    ),
    "kriegsspiel": (
        ("unit_moved", _fields(paces=2_000), "KS-MOV-01"),
        ("person_moved", lambda fact: replace(fact, path=(*fact.path, type(fact.path[0])(0, 0))), "KS-MSG-03"),
    ),
}
"""By system, a kind of fact, what is done to one, and the rule that this breaks."""

CASES = [(system, *plant) for system, plants in PLANTS.items() for plant in plants]


@cache
def played(system: str) -> Game:
    """A game of likely orders; nobody may change it."""
    game = Game(registry.load(system), BOARDS[system])
    for _ in autoplay(game, plug(system), Random(1871), 6 if system == "kriegsspiel" else 8):
        pass
    return game


def broken(system: str, kind: str, plant: Plant) -> set[str]:
    """The rules that a planted fact breaks, of the first of its kind that can be planted so."""
    game, book, found = played(system), book_of(system), set[str]()
    world: World[Any, Any] = game.blank
    for fact in game.facts:
        if kind_of(fact) == f"{system}.{kind}":
            bad = plant(fact)
            after = apply(game.system, world, bad)
            found |= {said.partition(":")[0] for said in book.breaches(game.scene, world, bad, after)}
        world = apply(game.system, world, fact)
    return found


@pytest.mark.parametrize(
    ("system", "kind", "plant", "rule"), CASES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_what_the_ledger_forbids_is_found(system: str, kind: str, plant: Plant, rule: str) -> None:
    assert rule in broken(system, kind, plant)


@pytest.mark.parametrize("system", sorted(PLANTS))
def test_what_is_planted_breaks_no_rule_as_it_was(system: str) -> None:
    for kind, _, rule in PLANTS[system]:
        assert rule not in broken(system, kind, lambda fact: fact)
