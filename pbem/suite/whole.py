"""Whole games: they come to their end, every page can be read, every order is answered; and cases, and sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Judgement, lines_of
from pbem.reports.maps.maps import draw
from pbem.rules import registry
from pbem.rules.cases import load_cases
from pbem.rules.contract import World, apply
from pbem.rules.telling import WORDS
from pbem.rules.view import Table, View
from pbem.suite.cases import idle_options, see_asked, see_case, see_proven
from pbem.suite.contract import JUNK, autoplayed, started
from pbem.suite.games import plans, play
from pbem.suite.places import case_files, place_of
from pbem.suite.play import Game
from pbem.suite.secret import autoplay, plug, sheet

GAMES, SEED = 3, 7
"""So many games of each scenario are played to their end: options by lot, likely orders, silence."""

EXCHANGES = 3
"""So many exchanges of each board are looked at closely."""

HEADLINE, FIGURES, PARAGRAPHS = 7, 3, 2
"""What a title has of words, the head of a page of figures and of paragraphs, at most."""

OUT = (Judgement.SUPERSEDED, Judgement.NOT_USED)
"""What is said of lines that are no orders though nothing is wrong with them."""

Line = tuple[Role, Moment, int]


# ------------------------------------------------------------------ games


def test_a_game_comes_to_its_end_with_everything_conserved(name: str, scenario: str) -> None:
    for plan in plans(name, scenario, GAMES, seed=SEED):
        played = play(plan)

        assert played.game.over
        assert played.orders > 0 or plan.silent


def test_no_fact_breaks_what_must_always_hold(name: str, scenario: str) -> None:
    breaches: Any = getattr(plug(name), "breaches", None)
    if breaches is None:
        return
    game = autoplayed(name, scenario)
    world: World[Any, Any] = game.blank
    for fact in game.facts:
        after = apply(game.system, world, fact)
        assert list(breaches(game.scene, world, fact, after)) == [], fact
        world = after


def answers(order: Any, told: set[Line], role: Role, moment: Moment) -> bool:
    """Whether an order has been answered for: by its line, or of one of several by all of those."""
    inner = [one for one in getattr(order, "lines", ()) if isinstance(one, Struct)]
    by_parts = bool(inner) and all(answers(one, told, role, moment) for one in inner)
    return (role, moment, order.line) in told or by_parts


def test_every_order_that_was_read_is_answered_for_by_its_line(name: str, scenario: str) -> None:
    game, random = Game(registry.load(name), scenario), Random(11)
    waiting: Any = getattr(plug(name), "waiting", lambda game: ())
    read: list[tuple[Role, Moment, Any]] = []
    told: set[Line] = set()
    left = EXCHANGES
    while left and not game.over:
        pause = game.pause
        left -= not pause.moment.halt
        orders: dict[Role, list[Any]] = {}
        for call in pause.calls:
            orders[call.role], complaints = game.read(call.role, sheet(game, call.role, plug(name), random))
            read += [(call.role, pause.moment, order) for order in orders[call.role]]
            out = [one for one in complaints if one.judgement.refuses or one.judgement in OUT]
            told |= {(call.role, pause.moment, one.line) for one in out}
        before = {role: len(game.told[role]) for role in game.roles}
        game.resolve(orders)
        for role in game.roles:
            news = game.told[role][before[role] :]
            page = game.system.view(game.scene, game.world.minds[role], role, news, game.pause)
            told |= {(role, one.moment, one.line) for one in page.ordered if one.result}
    told |= set(waiting(game))

    assert read
    assert [str(order) for role, moment, order in read if not answers(order, told, role, moment)] == []


# ------------------------------------------------------------------ pages


def amiss(page: View) -> Iterator[str]:
    """What is not as `View` has it, in words."""
    if len(page.title.split()) > HEADLINE:
        yield f"the title has more than {HEADLINE} words: {page.title}"
    if len(page.brief) > PARAGRAPHS or sum(len(one.split()) for one in page.brief) > WORDS:
        yield f"the summary has more than {PARAGRAPHS} paragraphs, or {WORDS} words: {page.brief}"
    if len(page.strip) > FIGURES:
        yield f"more than {FIGURES} figures stand at the head"
    for told in (*page.happened, *page.ordered):
        if not (told.text or told.lead or told.quote or told.notes or told.tables):
            yield f"nothing is said in a line of {told.phase}"
        if told.line < 0 or (told.line and told.result is None):
            yield f"it is not said what became of line {told.line}"
    for table in (*page.own, *page.enemy, *page.score, *(one for told in page.happened for one in told.tables)):
        yield from _ragged(table)
    there = (*page.picture.blocks, *page.picture.stacks, *page.picture.troops)
    if there and not page.picture.words:
        yield "the map is not told in words, for those who cannot see it"


def _ragged(table: Table) -> Iterator[str]:
    wide = len(table.columns)
    for row in (*table.rows, *((table.total,) if table.total else ())):
        if len(row) != wide:
            yield f"a row has {len(row)} cells under {wide} columns: {row}"
    if any(number >= wide for number in table.numbers):
        yield f"the table {table.caption or table.columns} has no column {max(table.numbers)}"


def test_every_page_is_as_it_must_be_and_its_map_can_be_drawn(name: str, scenario: str) -> None:
    game = Game(registry.load(name), scenario)
    for _ in autoplay(game, plug(name), Random(3), EXCHANGES):
        for role in game.roles:
            page = game.page(role)

            assert page.role == role
            assert list(amiss(page)) == []
            assert msgspec.json.decode(msgspec.json.encode(page), type=View) == page
            assert draw(page.picture).whole.startswith("<svg")


def test_no_ruling_makes_the_rules_raise(name: str) -> None:
    rulings = [line for case in load_cases(case_files(name)) for line in case.position.splitlines()][:20]
    scenario = next(iter(sorted(case.scenario for case in load_cases(case_files(name))))).partition("/")[2]
    game, random = started(name, scenario), Random(5)
    words = sorted({word for line in rulings for word in line.split()})
    for line in (*JUNK, *rulings):
        parts = line.split()
        if parts and words:
            parts[random.randrange(len(parts))] = random.choice(words)
        for text in (line, " ".join(parts), " ".join(parts[:-1])):
            reading = game.system.direct(game.scene, game.world, lines_of(text), {})
            assert all(one.line == 1 and one.why for one in reading.complaints)


# ------------------------------------------------------------------ cases and sources


def test_the_case_holds_and_an_open_seed_hides_nothing_in_it(name: str, case: str) -> None:
    see_case(name, case)


def test_every_rule_is_played_and_proven_and_nothing_is_denied_in_vain(name: str) -> None:
    see_proven(name)


def test_every_question_is_asked_by_a_case(name: str) -> None:
    see_asked(name)


def test_every_option_matters_in_a_case(name: str) -> None:
    elsewhere: Any = getattr(plug(name), "ELSEWHERE", ())

    assert [one for one in idle_options(name) if one not in elsewhere] == []


OURS = ("ground", "kernel", "orders", "rules")
"""What a system may import of pbem."""
OUTSIDE = frozenset(
    (
        *("asyncio", "http", "io", "locale", "multiprocessing", "os", "pathlib", "pickle", "platform", "random"),
        *("requests", "secrets", "shelve", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile"),
        *("threading", "time", "urllib", "uuid"),
    )
)
"""Chance, clocks, and the machine."""
SHAKY = frozenset(("hash", "id", "input", "open", "print"))
"""What answers otherwise from run to run, or reaches outside."""


def impure(source: str) -> Iterator[str]:
    """What in a module of rules an answer may depend on besides its arguments.

    >>> list(impure("import random\\nfrom pbem.desk.office import office\\nhash('x')"))
    ['line 1: random', 'line 2: pbem.desk.office', 'line 3: hash']
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                named = [one.name for one in node.names]
            case ast.ImportFrom():
                named = [node.module or ""]
            case ast.Call(func=ast.Name(id=name)) if name in SHAKY:
                yield f"line {node.lineno}: {name}"
                continue
            case ast.Attribute(attr="now" | "today" | "utcnow"):
                yield f"line {node.lineno}: {ast.unparse(node)}"
                continue
            case _:  # all else says nothing of what it takes
                continue
        for name in named:
            top, *rest = name.split(".")
            if top in OUTSIDE or (top == "pbem" and rest and rest[0] not in OURS):
                yield f"line {node.lineno}: {name}"


def test_the_rules_are_pure(name: str) -> None:
    """No clock, no files, no chance but `Dice`; of pbem what `OURS` names."""
    folder = registry.folder_of(registry.package_of(name))
    found = [
        f"{path.relative_to(folder)}, {why}"
        for path in sorted(folder.rglob("*.py"))
        if registry.SUITE not in path.relative_to(folder).parts and not place_of(name).told_by
        for why in impure(path.read_text("utf-8"))
    ]

    assert found == []
