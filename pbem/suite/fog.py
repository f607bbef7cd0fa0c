"""Fog: what a role must not know changes nothing that reaches it, and no die tells it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import msgspec
import pytest

from pbem.kernel.event import kind_of
from pbem.kernel.names import Role
from pbem.rules import registry
from pbem.suite.contract import started
from pbem.suite.digest import digest
from pbem.suite.places import place_of
from pbem.suite.play import Apart, Game
from pbem.suite.reels import reel_of
from pbem.suite.secret import SEAL, Secret, known, played, plug, see_open_throws, sheet


def test_what_a_role_cannot_see_changes_nothing_that_reaches_it(name: str) -> None:
    for secret in plug(name).SECRETS:
        games, steps = twice(name, secret)
        for number, (one, other) in enumerate(steps, start=1):
            for part in one[secret.blind]:
                assert one[secret.blind][part] == other[secret.blind][part], f"{secret}, after step {number}: {part}"
        assert any(one[secret.owner] != other[secret.owner] for one, other in steps), f"{secret} is empty"
        if games[0].system.past is None:
            continue
        reels = [SEAL.sub(b"a seal", msgspec.json.encode(reel_of(game, [secret.blind]).beats)) for game in games]
        assert reels[0] == reels[1], f"{secret}: the reel"


@pytest.mark.parametrize("luck", [f"game {number}" for number in range(6)])
def test_a_secret_comes_out_only_by_what_reveals_it(name: str, luck: str) -> None:
    """He who is kept in the dark marches, fires and charges as he likes in both games."""
    for secret in plug(name).SECRETS:
        if not secret.revealed_by:
            continue
        random = Random(luck)
        one, other = (Apart(registry.load(name), secret.scenario, options=secret.options, luck=luck) for _ in range(2))
        for game, story in ((one, secret.one), (other, secret.other)):
            for _ in played(game, replace(secret, silence=0), story):
                pass
        facts = len(one.facts), len(other.facts)
        while not (one.over or other.over):
            call = one.pause.call(secret.blind)
            text = sheet(one, secret.blind, plug(name), random) if call else ""
            for game in (one, other):
                game.play({secret.blind: text})
                game.settle(secret.blind)
            if known(one, secret.blind, secret.probes) != known(other, secret.blind, secret.probes):
                break
        told = {
            kind_of(fact).rpartition(".")[2]
            for game, before in zip((one, other), facts, strict=True)
            for fact in game.facts[before:]
            if secret.blind in fact.known
        }
        same = known(one, secret.blind, secret.probes) == known(other, secret.blind, secret.probes)
        assert same or told & set(secret.revealed_by), f"{secret}: {sorted(told)}"


Reached = Mapping[Role, Mapping[str, bytes]]


def twice(name: str, secret: Secret) -> tuple[tuple[Game, Game], list[tuple[Reached, Reached]]]:
    """Both games of a secret, and what reaches its owner and who is blind in them, step by step."""

    def reached(game: Game) -> Reached:
        return {role: known(game, role, secret.probes) for role in (secret.owner, secret.blind)}

    one, other = (Apart(registry.load(name), secret.scenario, options=secret.options) for _ in range(2))
    steps = zip(played(one, secret, secret.one), played(other, secret, secret.other), strict=True)
    return (one, other), [(reached(left), reached(right)) for left, right in steps]


def test_reading_a_sheet_again_and_again_tells_nothing_new(name: str, scenario: str) -> None:
    game = started(name, scenario)
    for role in game.roles:
        text = "\n".join(plug(name).likely(game, role))
        assert game.read(role, text) == game.read(role, text)
        assert known(game, role, ()) == known(game, role, ())


def test_hashing_changes_nothing(name: str, scenario: str) -> None:
    """Nor does what a process has played before: this one hashes by a seed of its own, and has played a lot."""
    environment = os.environ | {"PYTHONHASHSEED": "1870", "PYTHONPATH": os.pathsep.join(sys.path)}
    elsewhere = subprocess.run(
        [sys.executable, "-m", "pbem.suite.digest", name, scenario, place_of(name).told_by],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    ).stdout.strip()

    assert digest(name, scenario) == elsewhere


@pytest.mark.parametrize("luck", ["one", "two"])
def test_an_open_seed_hides_nothing(name: str, scenario: str, luck: str) -> None:
    """It is printed, and names can be guessed: whoever is not shown one of its throws whole works out that it fell."""
    see_open_throws(Game(registry.load(name), scenario, luck=luck), Random(luck), 6)
