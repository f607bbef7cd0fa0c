"""A game of a study as a campaign: the same game, in an office, from letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.books import dossiers
from pbem.desk.house import by_letters
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import open_office
from pbem.desk.post.delivery import listing
from pbem.desk.proof.verify import verify
from pbem.desk.study import doctrine, study
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome
from tests.kit.table import Table


def script(scenario: str, number: int, turns: int) -> tuple[study.Plan, by_letters.Script]:
    found = find_scenario(None, scenario)
    orders = doctrine.choose(found.folder, study.roles_of(found))
    plan = study.Plan(scenario=found, options={}, orders=orders, seed="x", turns=turns)
    return plan, by_letters.Script(
        campaign="game",
        scenario=found,
        options={},
        turns=turns,
        sheet=lambda role, moment: [line.text for line in orders[role].sheet(moment)],
        seeds=lambda moment: study.seeds_of(plan, number, moment),
    )


@pytest.mark.parametrize(
    ("scenario", "turns"), [("toy/ford", 9), ("st-privat/ste-marie", 1), ("half-league/bulganak", 1)]
)
def test_it_is_the_game_that_the_study_plays(table: Table, tmp_path: Path, scenario: str, turns: int) -> None:
    plan, written = script(scenario, 4, turns)
    played = study.Table(plan).play(4, log=True)
    told = list(by_letters.play(tmp_path / "game", written))

    with open_office(tmp_path / "game") as office, office.read() as connection:
        dossier = dossiers.load(office, connection, "game")
        thrown = [one.event.dice for one in dossier.facts(after=0) if isinstance(one.event, Outcome)]
        sheets = dossier.campaign.sheets
    assert thrown == [one.event.dice for one in played.log if one.role is None]
    assert {role for _, role in sheets} == {role for role in plan.orders if plan.orders[role].lines}
    assert (played.course.result == "unfinished") or told[-1].what.endswith(
        f"{played.course.result} has won: {played.course.how}"
    )


def test_it_is_sound_and_mails_nobody(table: Table, tmp_path: Path) -> None:
    told = list(by_letters.play(tmp_path / "game", script("toy/ford", 1, 9)[1]))

    assert all(path.is_file() for one in told for path in one.reports)
    with open_office(tmp_path / "game") as office:
        assert verify(office, "game").first is None
        assert {mail.state for mail in listing(office)} == {"dropped"}


def test_a_folder_that_is_an_office_is_left_alone(table: Table, tmp_path: Path) -> None:
    list(by_letters.play(tmp_path / "game", script("toy/ford", 1, 1)[1]))

    with pytest.raises(Refused):
        list(by_letters.play(tmp_path / "game", script("toy/ford", 2, 1)[1]))
