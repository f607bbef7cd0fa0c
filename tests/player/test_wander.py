"""A short run of the player in each system; `make soak ARGS=random` is the long one."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from pbem.kernel.event import kind_of
from pbem.rules import registry
from pbem.rules.contract import Resolution, World
from tests.player.wander import Tally, Wanderer
from tests.player.watch import PASSED, Watched, tongue_of

TURNS = {"st-privat": 3, "half-league": 2, "crossroads": 4, "empire-1870": 2, "kriegsspiel": 2}
"""Of a short run; of the Kriegsspiel moves."""
SMALL = {
    "st-privat": ("ste-marie", "open-board"),
    "half-league": ("bulganak",),
    "crossroads": ("la-folie", "golden-bremm"),
    "empire-1870": ("woerth",),
    "kriegsspiel": ("kreuzweg",),
}
SEED = 1870


def run(system: str, turns: int = 0) -> Tally:
    return Wanderer(system, SEED, SMALL[system]).run(turns or TURNS[system])


@pytest.mark.parametrize("system", sorted(TURNS))
def test_a_short_run_of_whatever_may_be_ordered_breaks_no_rule(system: str) -> None:
    tally = run(system)

    assert [str(found.breach) for found in tally.found] == []
    assert tally.turns >= TURNS[system]
    assert tally.lines > tally.refused > 0


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = run("st-privat", 1), run("st-privat", 1)

    assert one == other
    assert one.lines > 50


def test_the_player_finds_what_is_planted_and_passes_over_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    system = registry.load("st-privat")

    def resolve(*args: Any) -> Resolution[Any]:
        done = system.resolve(*args)
        facts = tuple(one for one in done.facts if kind_of(one) != "st-privat.reaction_set")
        silent = tuple(one for one in facts if kind_of(one) != "st-privat.order_played")
        return msgspec.structs.replace(done, facts=silent)

    monkeypatch.setattr(registry, "load", lambda name: replace(system, resolve=resolve))
    found = {one.breach.rule.split()[0] for one in run("st-privat", 1).found}
    assert "unanswered" in found

    PASSED["unanswered"] = 0
    try:
        assert "unanswered" not in {one.breach.rule.split()[0] for one in run("st-privat", 1).found}
        assert PASSED["unanswered"] > 0
    finally:
        PASSED.clear()


@pytest.mark.parametrize(("state", "deed"), [("", ""), ("broken", "repair"), ("barricaded", "clear")])
def test_what_undoes_a_work_is_thought_of_where_the_role_knows_of_one(state: str, deed: str) -> None:
    game = Watched(registry.load("kriegsspiel"), "kreuzweg")
    role, bridge = game.roles[0], "muehlrode_bridge"
    if state:
        mind = game.world.minds[role]
        known = msgspec.structs.replace(mind, crossings={bridge: (state, 0)})
        game.world = World(game.world.truth, {**game.world.minds, role: known})
    lines = [one.partition(": ")[2] for one in tongue_of("kriegsspiel").ideas(game, role, Random(1))]  # type: ignore[attr-defined]

    assert {one for one in lines if one.startswith(("clear ", "repair "))} == ({f"{deed} {bridge}"} if deed else set())
