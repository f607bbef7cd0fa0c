"""What holds of every system: one suite for all, and for every scenario that ships.

That its cases hold, prove every rule and try every option, each system shows beside this.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Union

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.desk.sheets.sheets import Reader
from pbem.ground.picture import STYLES
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.orders.sheet import Line, Reading, lines_of
from pbem.orders.words import split_sheet
from pbem.rules import registry
from pbem.rules.contract import World, apply, form
from pbem.rules.coverage import cover
from tests.systems.boards import BOARDS, LARGE
from tests.systems.digest import digest
from tests.systems.play import SIXTH, SYSTEMS, Apart, Game, scenarios
from tests.systems.reels import reel_of
from tests.systems.secret import SEAL, Secret, autoplay, known, played, plug, sheet
from tests.systems.toy.secrets import SECRETS as TOY_SECRETS

ROOT = Path(__file__).parents[2]
JUNK = ("", "#", "\x00", "ß²", "=1+1", "<b>", "'; drop table event; --", "move " * 500, "+" * 1000, "9" * 400)


def together(name: str) -> pytest.MarkDecorator:
    """What is asked of one system is asked by one process: games and grounds are then there from the test before."""
    return pytest.mark.xdist_group(f"contract of {name}")


every_system = pytest.mark.parametrize("name", [pytest.param(name, marks=together(name)) for name in SYSTEMS])
every_board = pytest.mark.parametrize(
    ("name", "scenario"), [pytest.param(*board, marks=together(board[0])) for board in BOARDS]
)
patient = settings(max_examples=15, suppress_health_check=list(HealthCheck))


@cache
def autoplayed(name: str, scenario: str) -> Game:
    """A game of likely orders, played a good way; nobody may change it."""
    game = Game(registry.load(name), scenario)
    for _ in autoplay(game, plug(name), Random(1870), 12):
        pass
    return game


@cache
def started(name: str, scenario: str) -> Game:
    return Game(registry.load(name), scenario)


def codec(kinds: tuple[type[Any], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007 - a union of a tuple has no other notation


# ------------------------------------------------------------------ facts and orders


@every_board
def test_replay_from_the_log_gives_the_same_truth_and_minds(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    system, decoder = game.system, codec(game.system.facts)
    world: World[Any, Any] = game.blank
    for fact in game.facts:
        world = apply(system, world, decoder.decode(msgspec.json.encode(fact)))

    assert game.facts
    assert world == game.world
    assert msgspec.json.encode(world.truth) == msgspec.json.encode(game.world.truth)


@every_board
def test_truth_and_minds_survive_the_codec(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    system = game.system

    assert msgspec.json.decode(msgspec.json.encode(game.world.truth), type=system.state) == game.world.truth
    for mind in game.world.minds.values():
        assert msgspec.json.decode(msgspec.json.encode(mind), type=system.mind) == mind


@every_board
def test_every_order_that_is_read_survives_the_codec(name: str, scenario: str) -> None:
    game = Game(registry.load(name), scenario)
    decoder, seen = codec(game.system.orders), 0
    for pause in autoplay(game, plug(name), Random(4), 6):
        for call in pause.calls:
            orders, _ = game.read(call.role, "\n".join(plug(name).likely(game, call.role)))
            for order in orders:
                assert decoder.decode(msgspec.json.encode(order)) == order
                seen += 1

    assert seen


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
def test_a_look_of_its_own_is_named_after_the_system(name: str) -> None:
    """All systems stand in one style sheet of the web."""
    looks = registry.load(name).looks

    assert len({look.style for look in looks}) == len(looks)
    assert all(look.style in STYLES or look.style.startswith(f"{name}-") for look in looks)


@every_system
def test_facts_are_named_after_the_system_and_no_two_alike(name: str) -> None:
    system = registry.load(name)
    kinds = [kind_of(fact) for fact in system.facts]

    assert len(set(kinds)) == len(kinds)
    assert all(kind.startswith(f"{name}.") for kind in kinds)
    assert all(issubclass(fact, Outcome) for fact in system.facts)


@every_board
def test_a_fact_is_known_to_roles_of_the_game_and_its_form_to_one_alone(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    for fact in game.facts:
        assert set(fact.known) <= set(game.roles), fact
        for role in fact.known:
            seen = form(game.system, fact, role)
            assert seen is None or set(seen.known) == {role}


@every_board
def test_no_two_throws_of_a_turn_bear_one_name(name: str, scenario: str) -> None:
    names = [throw.name for fact in autoplayed(name, scenario).facts for throw in fact.dice]
    once = {throw for throw in names if names.count(throw) == 1}
    repeated = {throw for throw in names if throw not in once}

    # One throw may stand in several facts that it decided; then it shows the same faces in each.
    for throw in repeated:
        faces = {one.faces for fact in autoplayed(name, scenario).facts for one in fact.dice if one.name == throw}
        assert len(faces) == 1


# ------------------------------------------------------------------ rules


@every_system
def test_what_is_cited_stands_in_the_ledger_and_what_the_engine_plays_has_code(name: str) -> None:
    ledger = registry.ledger_of(name)
    coverage = cover(ledger, registry.package_of(name), ())

    assert coverage.unknown == ()
    assert coverage.unplayed == ()


def test_the_rules_of_a_system_have_one_head_and_no_other_has_it() -> None:
    heads = {name: {rule.partition("-")[0] for rule in registry.ledger_of(name).rules} for name in SYSTEMS}

    assert all(len(found) == 1 for found in heads.values())
    assert len(set.union(*heads.values())) == len(heads)


@every_board
def test_every_rule_that_facts_pages_and_complaints_cite_stands_in_the_ledger(name: str, scenario: str) -> None:
    game, ledger = autoplayed(name, scenario), registry.ledger_of(name)
    cited = {rule for fact in game.facts for rule in fact.rules}
    cited |= {rule for told in game.told.values() for one in told for note in one.notes for rule in note.rules}
    fresh = Game(game.system, scenario)
    for pause in autoplay(fresh, plug(name), Random(5), 6):
        for call in pause.calls:
            text = "\n".join([*plug(name).likely(fresh, call.role), *plug(name).GRAMMAR.examples.values()])
            cited |= {one.rule for one in fresh.read(call.role, text)[1] if one.rule}

    assert cited
    assert sorted(rule for rule in cited if rule not in ledger) == []


# ------------------------------------------------------------------ what there is, is conserved


@pytest.mark.parametrize(("name", "scenario"), [pytest.param(*board, marks=together(board[0])) for board in LARGE])
def test_a_large_board_begins_is_replayed_conserves_what_there_is_and_hides_no_open_throw(
    name: str, scenario: str
) -> None:
    game = Game(registry.load(name), scenario, luck="one")
    see_open_throws(game, Random("one"), 2)
    system, decoder = game.system, codec(game.system.facts)
    world: World[Any, Any] = game.blank
    for fact in game.facts:
        world = apply(system, world, decoder.decode(msgspec.json.encode(fact)))

    assert msgspec.json.encode(world.truth) == msgspec.json.encode(game.world.truth)
    assert_conserved(game)


def assert_conserved(game: Game) -> None:
    """From the muster on, what leaves one count enters another with the same fact."""
    world: World[Any, Any] = game.blank
    totals: dict[int | Fraction, Outcome] = {}
    mustered = len(Game(game.system, game.scenario, luck=game.luck, options=game.options).facts)
    for number, fact in enumerate(game.facts, start=1):
        world = apply(game.system, world, fact)
        if number >= mustered:
            totals.setdefault(sum(game.system.counts(world.truth).values()), fact)

    assert len(totals) == 1, totals


# ------------------------------------------------------------------ sheets


@every_system
def test_every_example_is_an_order_in_full_and_shortened(name: str) -> None:
    language = plug(name).GRAMMAR
    for example in language.examples.values():
        reading = language.read([Line(1, example), Line(2, example.upper())])
        assert not reading[1], reading[1]


@every_board
def test_a_line_is_understood_alone_as_it_is_among_others(name: str, scenario: str) -> None:
    game = started(name, scenario)
    if game.system.opens or game.system.nests:
        return
    for role in game.roles:
        mind = game.world.minds[role]
        said = [
            *game.system.forms.values(),
            "Hello all",
            "mvoe p1 to J-9",
            "begin",
            "# a note",
            "move",
            "hold everything",
        ]
        lines = [Line(number, text) for number, text in enumerate(said, start=1)]
        together = Reader(game.system, game.scene, mind, role)
        together.prepare(lines)
        assert [together(line) for line in lines] == [
            Reader(game.system, game.scene, mind, role)(line) for line in lines
        ]


@every_system
def test_a_word_of_the_office_and_of_the_system_is_read_by_the_system_where_it_is_its_order(name: str) -> None:
    game = started(name, scenarios(name)[0])

    def reads(line: Line) -> bool:
        mind = game.world.minds[game.roles[0]]
        reading = game.system.read(game.scene, [line], mind, game.roles[0], None)
        return not any(one.judgement.value == "not understood" for one in reading.complaints)

    for example in plug(name).GRAMMAR.examples.values():
        sheet = split_sheet(lines_of(example), reads)
        assert [line.text for line in sheet.orders] == [example]
        assert not sheet.commands


@cache
def grown(name: str, scenario: str, seed: int, age: int) -> tuple[Game, Random]:
    """A game of likely orders that is so many exchanges old, and its chance; nobody may change them."""
    if not age:
        return Game(registry.load(name), scenario, luck="hostile"), Random(seed)
    younger, chance = grown(name, scenario, seed, age - 1)
    game, random = younger.fork(), copy(chance)
    for _ in autoplay(game, plug(name), random, 1):
        pass
    return game, random


@every_board
@patient
@given(data=st.data())
def test_no_sheet_makes_the_reader_raise_nor_what_it_passed_the_rules(
    name: str, scenario: str, data: st.DataObject
) -> None:
    game = grown(name, scenario, data.draw(st.integers(0, 3)), data.draw(st.integers(0, 5)))[0].fork()
    for _ in range(2):
        if game.over:
            return
        orders = {}
        for role in game.roles:
            text = data.draw(hostile(game, name, role))
            reading: Reading[Any] = game.system.read(
                game.scene, lines_of(text), game.world.minds[role], role, game.pause.call(role)
            )
            numbers = {line.number for line in lines_of(text)}
            assert all(one.line in numbers | {0} and one.column >= 0 for one in reading.complaints)
            orders[role] = reading.items
        game.resolve(orders)
    assert_conserved(game)


def hostile(game: Game, name: str, role: Role) -> st.SearchStrategy[str]:
    """Likely lines and examples as they are, with words dropped, doubled and exchanged, among junk."""
    lines = [*plug(name).likely(game, role), *plug(name).GRAMMAR.examples.values()]
    words = sorted({word for line in lines for word in line.split()})

    def mangled(line: str, at: int, word: str, how: int) -> str:
        parts = line.split()
        at %= len(parts)
        parts[at : at + 1] = [[word], [], [parts[at], parts[at]], [parts[at], word]][how]
        return " ".join(parts)

    mutants = st.builds(mangled, st.sampled_from(lines), st.integers(0, 20), st.sampled_from(words), st.integers(0, 3))
    one = st.one_of(st.sampled_from(lines), mutants, st.sampled_from(JUNK), st.text(max_size=40))
    return st.lists(one, max_size=12).map("\n".join)


@every_board
def test_a_huge_sheet_is_read(name: str, scenario: str) -> None:
    game = started(name, scenario)
    role = game.roles[0]
    lines = [*plug(name).likely(game, role), *JUNK] * 30
    _, complaints = game.read(role, "\n".join(lines))

    assert complaints


@every_board
def test_the_umpire_reads_the_facts_of_the_truth_in_words_and_none_makes_them_fail(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    system = game.system
    if system.recount is None:
        assert name not in registry.BUILT_IN, "it has no words for the GM"
        return
    world: World[Any, Any] = game.blank
    kinds, said = set(), set()
    for fact in game.facts:
        kinds.add(kind_of(fact))
        said |= {kind_of(fact) for one in system.recount(game.scene, fact, world.truth) if one.text}
        world = apply(system, world, fact)

    assert len(said) > len(kinds) // 3, kinds - said


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


# ------------------------------------------------------------------ fog


@every_system
def test_what_a_role_cannot_see_changes_nothing_that_reaches_it(name: str) -> None:
    for secret in plug(name).SECRETS:
        games, steps = twice(name, secret)
        for number, (one, other) in enumerate(steps, start=1):
            for part in one[secret.blind]:
                assert one[secret.blind][part] == other[secret.blind][part], f"{secret}, after step {number}: {part}"
        assert any(one[secret.owner] != other[secret.owner] for one, other in steps), f"{secret} is empty"
        reels = [SEAL.sub(b"a seal", msgspec.json.encode(reel_of(game, [secret.blind]).beats)) for game in games]
        assert reels[0] == reels[1], f"{secret}: the reel"


@every_system
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


CLOUDS: tuple[tuple[str, dict[str, Option]], ...] = (
    *((name, {}) for name in SYSTEMS),
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
def test_an_open_seed_hides_nothing(name: str, options: dict[str, Option], luck: str) -> None:
    """It is printed, and names can be guessed: whoever is not shown one of its throws whole works out that it fell."""
    for scenario in scenarios(name):
        large = (name, scenario) in LARGE
        # As it is by default a large board is played where it is seen to begin.
        if not large or (options and luck == "one"):
            see_open_throws(
                Game(registry.load(name), scenario, options=options, luck=luck), Random(luck), 2 if large else 6
            )


def see_open_throws(game: Game, random: Random, exchanges: int) -> None:
    """Play likely orders, and see that every role is shown every throw of the open seed."""
    checked = set[str]()
    for pause in autoplay(game, plug(game.system.name), random, exchanges):
        opened = {throw for key, throw in game.thrown.items() if throw.seed == "open" and key not in checked}
        for role in game.roles if opened else ():
            page = game.page(role)
            notes = [note for told in (*page.happened, *page.ordered) for note in told.notes]
            missing = opened - {throw for note in notes for throw in note.dice}
            assert not missing, f"{game.scenario} {pause.moment}: {role} is not shown {missing}"
        checked |= game.thrown.keys()
    assert not game.shuffled


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


@every_board
def test_reading_a_sheet_again_and_again_tells_nothing_new(name: str, scenario: str) -> None:
    game = started(name, scenario)
    for role in game.roles:
        text = "\n".join(plug(name).likely(game, role))
        assert game.read(role, text) == game.read(role, text)
        assert known(game, role, ()) == known(game, role, ())


@every_board
def test_hashing_changes_nothing(name: str, scenario: str) -> None:
    """Nor does what a process has played before: this one hashes by a seed of its own, and has played a lot."""
    environment = os.environ | {"PYTHONHASHSEED": "1870", "PYTHONPATH": os.pathsep.join((str(SIXTH), *sys.path))}
    elsewhere = subprocess.run(
        [sys.executable, "-m", "tests.systems.digest", name, scenario],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment,
    ).stdout.strip()

    assert digest(name, scenario) == elsewhere


def test_a_system_that_leaks_is_found_out() -> None:
    """The suite itself: where the guard hears of losses, the secret of a cart's men is out."""
    secret = next(one for one in TOY_SECRETS if "men" in one.name)
    leaking = replace(secret, owner=secret.blind)

    assert any(one[secret.blind] != other[secret.blind] for one, other in twice("toy", leaking)[1])


def test_a_secret_that_hides_nothing_is_found_out() -> None:
    empty = replace(TOY_SECRETS[0], other=TOY_SECRETS[0].one)

    assert all(one[empty.owner] == other[empty.owner] for one, other in twice("toy", empty)[1])
