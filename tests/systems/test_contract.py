"""What holds of every system: one suite for all, and for every scenario that ships.

It is the suite that outsiders have; what is asked of our own systems alone stands below it.  That their cases hold,
prove every rule and try every option, each shows beside this.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from pbem.kernel.office import Option
from pbem.orders.sheet import Line, lines_of
from pbem.rules import registry
from pbem.rules.contract import form
from pbem.suite.boards import of_each, together
from pbem.suite.contract import *  # noqa: F403 - its tests are tests of this module
from pbem.suite.contract import autoplayed, started
from pbem.suite.fog import *  # noqa: F403
from pbem.suite.fog import twice
from pbem.suite.secret import see_open_throws
from pbem.suite.whole import (
    test_every_order_that_was_read_is_answered_for_by_its_line,
    test_every_page_is_as_it_must_be_and_its_map_can_be_drawn,
    test_no_ruling_makes_the_rules_raise,
)
from tests.systems.boards import LARGE, every_system
from tests.systems.play import SYSTEMS, Game, scenarios
from tests.systems.secret import plug
from tests.systems.toy.secrets import SECRETS as TOY_SECRETS

__all__ = [
    "test_every_order_that_was_read_is_answered_for_by_its_line",
    "test_every_page_is_as_it_must_be_and_its_map_can_be_drawn",
    "test_no_ruling_makes_the_rules_raise",
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of the suite is asked of every system here, the toy among them."""
    of_each(metafunc, SYSTEMS)


AT_HOME = {
    "scene": "scene.scene", "blank": "turn.setup", "muster": "turn.setup", "counts": "turn.setup",
    "evolve": "world.state", "learn": "mind.memory", "seen": "world.fact", "awaits": "play.pauses",
    "read": "sheets.reading", "resolve": "turn.turn", "view": "page.view", "tell": "page.telling",
    "verdict": "play.victory", "direct": "gm.direct", "forecast": "sheets.forecast", "idle": "sheets.forecast",
}  # fmt: skip
"""In which module of a system each function of the contract stands."""


@pytest.mark.parametrize("name", sorted(registry.BUILT_IN))
def test_the_same_thing_stands_in_the_same_place_in_each_system(name: str) -> None:
    system, package = registry.load(name), registry.package_of(name)
    found = {part: getattr(system, part).__module__.removeprefix(f"{package}.") for part in AT_HOME}
    # The form of a fact of St. Privat is told by the kinds of facts, which stand in `outcomes`.
    assert found == AT_HOME | ({"seen": "world.outcomes"} if name == "st-privat" else {})


@every_system
def test_every_example_of_the_language_is_an_order_in_full_and_shortened(name: str) -> None:
    language = plug(name).GRAMMAR
    for example in language.examples.values():
        reading = language.read([Line(1, example), Line(2, example.upper())])
        assert not reading[1], reading[1]


UNKNOWN = {
    "crossroads": ("golden-bremm", ("set PR-99 losses 2", "place PR-99 at 10,10", "remove PR-99 destroyed")),
    "empire-1870": ("france-1870", ("set PR-99 face front", "remove PR-99 wounded")),
    "half-league": ("great-redoubt", ("set PR-99 chits 2", "place PR-99 at 10,10", "remove PR-99 destroyed")),
    "kriegsspiel": (
        "kreuzweg",
        ("set red PR-99 strength.points 2", "place red PR-99 at 3000,3000", "remove red PR-99"),
    ),
    "st-privat": ("graveyard", ("set PR-99 men 2", "set p99 men 2", "place p99 at Q-10", "remove p99 killed")),
}
"""Rulings on a unit that is not there, by system, with a scenario for them."""


@pytest.mark.parametrize(
    ("name", "scenario", "ruling"),
    [(name, scenario, ruling) for name, (scenario, rulings) in UNKNOWN.items() for ruling in rulings],
)
def test_a_unit_that_is_not_there_is_said_not_to_be_there(name: str, scenario: str, ruling: str) -> None:
    game = started(name, scenario)
    [complaint] = game.system.direct(game.scene, game.world, lines_of(ruling), {}).complaints
    [unit] = [word for word in ruling.split() if word.endswith("99")]

    assert re.search(rf"\bno (red unit |unit |HQ )?\"?{unit}\b", complaint.why), complaint.why


CLOUDS: tuple[tuple[str, dict[str, Option]], ...] = (
    ("crossroads", {"hidden_reserves": True, "card_mode": "side"}),
    ("crossroads", {"identify_range": 0, "exchanges_per_turn": 2}),
    ("empire-1870", {"fog": "open"}),
    ("empire-1870", {"fog": "blind", "bridges": True, "mitrailleuse": True, "civilian_resistance": True}),
    ("half-league", {"identify_range": 0, "sight_limit": 100}),
    ("half-league", {"chits_visible": "always", "command_points_open": True, "activation_interleave": True}),
    ("st-privat", {"fog_of_war": "los"}),
    ("st-privat", {"cards_zoc": "none", "casualty_value": "enemy_total"}),
)
"""Options under which sides see more or less than by default."""


@pytest.mark.parametrize(("name", "options"), [pytest.param(*cloud, marks=together(cloud[0])) for cloud in CLOUDS])
@pytest.mark.parametrize("luck", ["one", "two"])
def test_an_open_seed_hides_nothing_under_other_options(name: str, options: dict[str, Option], luck: str) -> None:
    for scenario in scenarios(name):
        large = (name, scenario) in LARGE
        if not large or luck == "one":
            see_open_throws(
                Game(registry.load(name), scenario, options=options, luck=luck), Random(luck), 2 if large else 6
            )


@every_system
def test_a_throw_of_the_open_seed_shown_to_one_alone_is_found_out(name: str) -> None:
    """The suite itself: with all its throws on the open seed, whatever a system hides would be out."""
    if not plug(name).SECRETS:
        pytest.skip("it hides nothing")
    games = [autoplayed(name, scenario) for scenario in scenarios(name) if (name, scenario) not in LARGE]
    hidden = [
        throw.name
        for game in games
        for fact in game.facts
        for throw in fact.dice
        if throw.seed == "closed"
        for role in game.roles
        if throw not in getattr(form(game.system, fact, role), "dice", ())
    ]

    assert hidden


def test_a_system_that_leaks_is_found_out() -> None:
    """The suite itself: where the guard hears of losses, the secret of a cart's men is out."""
    secret = next(one for one in TOY_SECRETS if "men" in one.name)
    leaking = replace(secret, owner=secret.blind)

    assert any(one[secret.blind] != other[secret.blind] for one, other in twice("toy", leaking)[1])


def test_a_secret_that_hides_nothing_is_found_out() -> None:
    empty = replace(TOY_SECRETS[0], other=TOY_SECRETS[0].one)

    assert all(one[empty.owner] == other[empty.owner] for one, other in twice("toy", empty)[1])
