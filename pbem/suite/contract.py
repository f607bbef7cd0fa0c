"""What holds of every system: facts and orders, sheets, rules, what there is.

Each test takes the `name` of a system, and most a `scenario` of it: `boards.of_each` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, Union

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.desk.sheets.sheets import Reader
from pbem.ground.picture import STYLES
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement, Line, Reading, lines_of
from pbem.orders.suggest import patience
from pbem.orders.words import split_sheet
from pbem.rules import registry
from pbem.rules.contract import World, apply, form
from pbem.rules.coverage import cover
from pbem.suite.places import scenarios
from pbem.suite.play import Game
from pbem.suite.secret import autoplay, plug, see_open_throws

JUNK = ("", "#", "\x00", "ß²", "=1+1", "<b>", "'; drop table event; --", "move " * 500, "+" * 1000, "9" * 400)


FEW = 3
"""Of so many lines of a sheet it is looked into what they may have meant: it takes longer than all else."""
FIRST = 8
"""So many stages of a game are read in."""
patient = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@cache
def stages(name: str, scenario: str) -> tuple[Game, ...]:
    """A game of likely orders as it stood at first and after each pause, a good way on; nobody may change them."""
    game = Game(registry.load(name), scenario)
    return (game.fork(), *(game.fork() for _ in autoplay(game, plug(name), Random(1870), 12)))


def autoplayed(name: str, scenario: str) -> Game:
    """The last stage of the game."""
    return stages(name, scenario)[-1]


def early(name: str, scenario: str) -> Sequence[Game]:
    """The first stages in which somebody is asked for orders."""
    return [game for game in stages(name, scenario) if not game.over][:FIRST]


@cache
def started(name: str, scenario: str) -> Game:
    return Game(registry.load(name), scenario)


def codec(kinds: tuple[type[Any], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007 - a union of a tuple has no other notation


# ------------------------------------------------------------------ facts and orders


def test_replay_from_the_log_gives_the_same_truth_and_minds(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    system, decoder = game.system, codec(game.system.facts)
    world: World[Any, Any] = game.blank
    for fact in game.facts:
        world = apply(system, world, decoder.decode(msgspec.json.encode(fact)))

    assert game.facts
    assert world == game.world
    assert msgspec.json.encode(world.truth) == msgspec.json.encode(game.world.truth)


def test_truth_and_minds_survive_the_codec(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    system = game.system

    assert msgspec.json.decode(msgspec.json.encode(game.world.truth), type=system.state) == game.world.truth
    for mind in game.world.minds.values():
        assert msgspec.json.decode(msgspec.json.encode(mind), type=system.mind) == mind


def test_every_order_that_is_read_survives_the_codec(name: str, scenario: str) -> None:
    decoder, seen = codec(registry.load(name).orders), 0
    for game in early(name, scenario):
        for call in game.pause.calls:
            orders, _ = game.read(call.role, "\n".join(plug(name).likely(game, call.role)))
            for order in orders:
                assert decoder.decode(msgspec.json.encode(order)) == order
                seen += 1

    assert seen


def test_a_look_of_its_own_is_named_after_the_system(name: str) -> None:
    """All systems stand in one style sheet of the web."""
    looks = registry.load(name).looks

    assert len({look.style for look in looks}) == len(looks)
    assert all(look.style in STYLES or look.style.startswith(f"{name}-") for look in looks)


def test_facts_are_named_after_the_system_and_no_two_alike(name: str) -> None:
    system = registry.load(name)
    kinds = [kind_of(fact) for fact in system.facts]

    assert len(set(kinds)) == len(kinds)
    assert all(kind.startswith(f"{name}.") for kind in kinds)
    assert all(issubclass(fact, Outcome) for fact in system.facts)


def test_a_fact_is_known_to_roles_of_the_game_and_its_form_to_one_alone(name: str, scenario: str) -> None:
    game = autoplayed(name, scenario)
    for fact in game.facts:
        assert set(fact.known) <= set(game.roles), fact
        for role in fact.known:
            seen = form(game.system, fact, role)
            assert seen is None or set(seen.known) == {role}


def test_no_two_throws_of_a_turn_bear_one_name(name: str, scenario: str) -> None:
    names = [throw.name for fact in autoplayed(name, scenario).facts for throw in fact.dice]
    once = {throw for throw in names if names.count(throw) == 1}
    repeated = {throw for throw in names if throw not in once}

    # One throw may stand in several facts that it decided; then it shows the same faces in each.
    for throw in repeated:
        faces = {one.faces for fact in autoplayed(name, scenario).facts for one in fact.dice if one.name == throw}
        assert len(faces) == 1


# ------------------------------------------------------------------ rules


def test_what_is_cited_stands_in_the_ledger_and_what_the_engine_plays_has_code(name: str) -> None:
    ledger = registry.ledger_of(name)
    coverage = cover(ledger, registry.package_of(name), ())

    assert coverage.unknown == ()
    assert coverage.unplayed == ()


def test_the_rules_of_a_system_have_one_head_and_no_other_has_it(name: str) -> None:
    systems = {*registry.names(), name}
    heads = {one: {rule.partition("-")[0] for rule in registry.ledger_of(one).rules} for one in systems}
    own = heads.pop(name)

    assert len(own) == 1
    assert not own & set().union(*heads.values())


def test_every_rule_that_facts_pages_and_complaints_cite_stands_in_the_ledger(name: str, scenario: str) -> None:
    game, ledger = autoplayed(name, scenario), registry.ledger_of(name)
    cited = {rule for fact in game.facts for rule in fact.rules}
    cited |= {rule for told in game.told.values() for one in told for note in one.notes for rule in note.rules}
    for young in early(name, scenario):
        for call in young.pause.calls:
            text = "\n".join([*plug(name).likely(young, call.role), *game.system.forms.values()])
            cited |= {one.rule for one in young.read(call.role, text)[1] if one.rule}

    assert cited
    assert sorted(rule for rule in cited if rule not in ledger) == []


# ------------------------------------------------------------------ what there is, is conserved


def test_a_large_board_begins_is_replayed_conserves_what_there_is_and_hides_no_open_throw(
    name: str, large: str
) -> None:
    game = Game(registry.load(name), large, luck="one")
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


def test_every_example_is_an_order_as_it_is_and_in_capitals(name: str) -> None:
    game = started(name, scenarios(name)[0])
    role, system = game.roles[0], game.system
    if system.opens or system.nests:
        return
    own = system.own_forms(game.scene, game.world.minds[role], role) if system.own_forms else system.forms
    for example in own.values():
        for text in (example, example.upper()):
            said = game.system.read(game.scene, lines_of(text), game.world.minds[role], role, None).complaints
            assert not [one for one in said if one.judgement is Judgement.NOT_UNDERSTOOD], text


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


def test_a_word_of_the_office_and_of_the_system_is_read_by_the_system_where_it_is_its_order(name: str) -> None:
    game = started(name, scenarios(name)[0])

    def reads(line: Line) -> bool:
        mind = game.world.minds[game.roles[0]]
        reading = game.system.read(game.scene, [line], mind, game.roles[0], None)
        return not any(one.judgement.value == "not understood" for one in reading.complaints)

    for example in game.system.forms.values():
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
            with patience(FEW):
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
    lines = [*plug(name).likely(game, role), *game.system.forms.values()]
    words = sorted({word for line in lines for word in line.split()})

    def mangled(line: str, at: int, word: str, how: int) -> str:
        parts = line.split()
        at %= len(parts)
        parts[at : at + 1] = [[word], [], [parts[at], parts[at]], [parts[at], word]][how]
        return " ".join(parts)

    mutants = st.builds(mangled, st.sampled_from(lines), st.integers(0, 20), st.sampled_from(words), st.integers(0, 3))
    one = st.one_of(st.sampled_from(lines), mutants, st.sampled_from(JUNK), st.text(max_size=40))
    return st.lists(one, max_size=12).map("\n".join)


def test_a_huge_sheet_is_read(name: str, scenario: str) -> None:
    game = started(name, scenario)
    role = game.roles[0]
    lines = [*plug(name).likely(game, role), *JUNK] * 30
    _, complaints = game.read(role, "\n".join(lines))

    assert complaints


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
