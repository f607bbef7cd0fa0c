"""Studies: games of the toy by its standing orders."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.study import doctrine, study
from pbem.desk.study.findings import Study, as_json, fairness, from_json
from pbem.desk.study.study import Plan, Table
from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from tests.systems.play import SIXTH


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SIXTH))


def plan(
    *wanted: str, seed: str = "x", turns: int = 100, options: Mapping[str, Option] | None = None, scenario: str = "ford"
) -> Plan:
    found = find_scenario(None, scenario)
    orders = doctrine.choose(found.folder, study.roles_of(found), wanted)
    return Plan(scenario=found, options=options or {}, orders=orders, seed=seed, turns=turns)


def done(count: int) -> None:
    """Nobody looks."""


def played(plan: Plan, games: int = 12, jobs: int = 1) -> Study:
    return study.study(plan, games, jobs=jobs, done=done)


def test_the_same_seed_gives_the_same_study_and_another_another() -> None:
    assert as_json(played(plan())) == as_json(played(plan()))
    assert as_json(played(plan())) != as_json(played(plan(seed="y")))


def test_how_many_processes_play_makes_no_difference() -> None:
    assert as_json(played(plan(), games=5)) == as_json(played(plan(), games=5, jobs=2))


def test_a_game_depends_on_its_number_and_on_nothing_else() -> None:
    few, many = played(plan(), games=3), played(plan(), games=12)

    assert many.each[:3] == few.each
    assert Table(plan()).play(7).course == many.each[6]
    assert len({one.changed["lost"] for one in many.each}) > 1


def test_standing_orders_decide_the_game() -> None:
    none = played(plan("silence"))
    bold = played(plan("bold", "guard=silence"))

    assert {one.result for one in none.each} == {"guard"}
    assert none.share("guard").share == 1
    assert {one.result for one in bold.each} == {"smuggler", "guard"}
    assert none.length is not None
    assert none.length.mean == 3


def test_a_game_past_its_time_is_unfinished() -> None:
    found = played(plan("silence", turns=2), games=3)

    assert [(one.result, one.turns, one.how) for one in found.each] == [("unfinished", 2, "not over after turn 2")] * 3
    assert found.length is None


def test_options_of_the_game_are_those_that_are_set() -> None:
    assert played(plan("silence", options={"last_turn": 1}), games=2).each[0].turns == 1
    with pytest.raises(Refused, match="lats_turn"):
        played(plan(options={"lats_turn": 1}))


def test_a_question_is_answered_as_it_is_when_nobody_answers() -> None:
    assert played(plan(options={"disputed": "umpire"})).share("broken").games == 0


def test_changes_are_counted_from_the_end_of_set_up() -> None:
    found = played(plan())

    assert all(one.changed["men"] == -one.changed["lost"] for one in found.each)
    assert found.changed["lost"].mean > 0 > found.changed["men"].mean


def test_lines_are_counted_as_they_were_taken_or_refused() -> None:
    said = {(str(one.role), one.line): one for one in played(plan(), games=4).said}

    assert (said["smuggler", 3].sent, said["smuggler", 3].taken) == (4, 4)
    assert said["smuggler", 9].sent == 0
    assert said["guard", 1].sent == said["guard", 1].taken > 4
    assert said["guard", 3].why.startswith("2B: line 5 orders the same")


def test_a_line_of_a_kind_that_is_not_asked_for_is_not_counted() -> None:
    guard = [one for one in played(plan("smuggler=silence"), games=1).said if one.role == "guard"]

    assert [one.sent for one in guard] == [6, 3, 1]


def test_what_breaks_the_rules_ends_that_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(plan())
    whole = table.system.resolve

    def breaks(*given: Any) -> Any:
        if given[4].throw("odd", "x", sides=12).faces[0] == 1:
            raise KeyError("s9")
        return whole(*given)

    monkeypatch.setattr(table, "system", replace(table.system, resolve=breaks))
    results = [table.play(number).course for number in range(1, 9)]

    assert {one.result for one in results} > {"broken"}
    assert next(one.how for one in results if one.result == "broken").endswith("KeyError: 's9'")


def test_a_game_in_which_a_figure_is_lost_that_is_not_counted_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(plan())
    counts = table.system.counts

    def fewer(state: Any) -> Mapping[str, int | Fraction]:
        return {name: number for name, number in counts(state).items() if name != "lost"}

    monkeypatch.setattr(table, "system", replace(table.system, counts=fewer))
    results = [table.play(number).course for number in range(1, 5)]

    assert {one.result for one in results} == {"broken"}
    assert "ValueError: there were " in results[0].how


def test_an_interrupt_gives_what_was_played_so_far() -> None:
    def stop(count: int) -> None:
        if count == 3:
            raise KeyboardInterrupt

    found = study.study(plan(), 50, jobs=1, done=stop)

    assert (found.games, found.played, len(found.each)) == (50, 3, 3)
    assert found.each == played(plan(), games=3).each


def test_the_log_of_a_game_holds_orders_and_facts() -> None:
    lines: Sequence[Any] = [json.loads(line) for line in study.log_lines(Table(plan()).play(1, log=True))]

    orders = [one for one in lines if one["kind"] == "orders"]
    assert (orders[0]["turn"], orders[0]["role"]) == ("1A", "guard")
    assert orders[1]["event"][0] == {"line": 3, "text": "move s1 to 3", "refused": ""}
    assert [one["kind"] for one in lines if one["role"] is None][-1] == "toy.game_ended"


def test_a_study_reads_back() -> None:
    found = played(plan(), games=3)

    assert from_json(as_json(found), "x.json") == found
    with pytest.raises(Refused, match=r"x\.json is no study"):
        from_json(b"{}", "x.json")


def test_whether_a_side_wins_too_often_is_said_or_left_open() -> None:
    silent = played(plan("silence"), games=40)

    assert fairness(silent, 0.6) == "guard wins more than 60 %: 91 % at least."
    assert fairness(silent, 1) == "No side wins more than 100 %."
    assert fairness(played(plan("silence"), games=2), 0.6) == (
        "Whether guard or smuggler wins more than 60 % of all games cannot be told from 2 of them."
    )


@pytest.mark.parametrize("name", ["st-privat/ste-marie", "st-privat/graveyard", "empire-1870/woerth"])
def test_the_studies_that_ship_are_played_as_they_are_written(name: str) -> None:
    found = played(plan(scenario=name), games=1)

    assert {orders.doctrine for orders in found.orders.values()} == {"obvious"}
    assert found.share("broken").games == found.share("unfinished").games == 0
    taken = sum(one.taken > 0 for one in found.said)
    assert taken > len(found.said) / 2


@pytest.mark.parametrize("name", ["kriegsspiel/muehlrode", "kriegsspiel/weldau"])
def test_of_the_studies_that_take_long_every_first_order_is_taken(name: str) -> None:
    lines = Table(plan(scenario=name, turns=0)).play(1).lines

    assert len(lines) > 100
    assert [one.why for one in lines.values() if one.taken < one.sent] == []


def test_an_interrupt_of_several_processes_lets_games_end_that_have_begun() -> None:
    def stop(count: int) -> None:
        raise KeyboardInterrupt

    found = study.study(plan(), 80, jobs=2, done=stop)

    assert 0 < found.played < 80
    assert found.each == tuple(played(plan(), games=80).each[one.number - 1] for one in found.each)
