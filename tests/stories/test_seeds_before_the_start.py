"""Dice that are promised before a game begins are promised anew where it is brought back, or carried to."""

from __future__ import annotations

from pathlib import Path

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import enrol, joining
from pbem.desk.players.inviting import unanswered
from pbem.desk.proof.audit import audit
from pbem.desk.proof.safekeeping import back_up, bring_back
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.proof.verify import verify
from pbem.kernel.lot import LOT
from pbem.kernel.names import Role
from pbem.kernel.office import RolesDrawn
from pbem.kernel.terms import Terms
from tests.kit.table import PLAYERS, Table, again
from tests.kit.table import table as make
from tests.stories.test_joining import ANN, BEN, joins, mails_to, opened, read


def invited(table: Table) -> Table:
    scenario = find_scenario(table.office.folder, "toy/ford")
    enrol.new(table.office, "ford", scenario, Terms(trust="address"), words="of answers and sheets")
    for role, address in PLAYERS.items():
        enrol.add_player(table.office, "ford", role, name=role.title(), address=address)
    return table


def brought_back(table: Table, folder: Path) -> Path:
    back_up(table.office, folder / "copy.tar", with_key=True)
    (folder / "new").mkdir()
    bring_back(folder / "new", folder / "copy.tar")
    return folder / "new"


def drawn(table: Table) -> RolesDrawn:
    """The lot, drawn, with a log in which all fits."""
    found = joining.draw(table.office, "ford")
    assert verify(table.office, "ford").sound
    assert audit(table.office, "ford").wrong == 0
    return found


def test_the_lot_of_an_office_that_was_brought_back_falls_by_other_seeds(table: Table, tmp_path: Path) -> None:
    opened(table)
    joins(table, ANN), joins(table, BEN)
    folder = brought_back(table, tmp_path)
    before = joining.draw(table.office, "ford")
    with again(folder, 1000, "other") as back:
        anew = drawn(back)
    assert {anew.open_seed, anew.closed_seed}.isdisjoint({before.open_seed, before.closed_seed})


def test_who_is_on_the_list_is_told_the_new_promise_and_may_give_it_a_word(table: Table, tmp_path: Path) -> None:
    opened(table)
    joins(table, ANN), joins(table, BEN)
    with again(brought_back(table, tmp_path), 1000, "other") as back:
        sign_up = back.dossier.campaign.sign_up
        assert sign_up is not None
        assert [sign_up.promises.open in read(back, one) for one in (ANN, BEN)] == [True, True]
        assert "brought back from a backup" in read(back, ANN)
        # What they gave was known when the new seeds were made.
        assert not back.dossier.campaign.given
        back.written = 100
        assert back.write(BEN, "join ford as any").state == "applied"
        assert set(back.dossier.campaign.given) == {(LOT, Role("2"))}
        assert len(back.dossier.campaign.candidates) == 2
        drawn(back)


def test_a_sign_up_is_drawn_where_it_was_carried_to(table: Table, tmp_path: Path) -> None:
    opened(table)
    joins(table, ANN), joins(table, BEN)
    with make(tmp_path / "there", "another") as there:
        take_in(there.office, export(table.office, "ford", people=True), "ford.jsonl")
        assert len(drawn(there).roles) == 2
        assert "carried over from another office" in there.text_of(mails_to(there, ANN)[0])


def test_players_are_invited_anew_where_their_game_was_carried_to(table: Table, tmp_path: Path) -> None:
    invited(table)
    table.write("guard", "Yes, gladly.")
    assert unanswered(table.dossier) == ["smuggler"]
    with make(tmp_path / "there", "another") as there:
        take_in(there.office, export(table.office, "ford", people=True), "ford.jsonl")
        promises = there.dossier.campaign.muster
        assert promises not in (None, there.dossier.opened.muster)
        assert promises is not None
        assert unanswered(there.dossier) == ["smuggler", "guard"]
        assert promises.open in there.words_to("guard")
        assert "Your answer is asked for once more." in there.words_to("guard")
        there.written = 100
        for role in PLAYERS:
            assert there.write(role, "I am in.").state == "applied"
        assert {moment for moment, _ in there.dossier.campaign.given} == {SET_UP}
        assert enrol.start(there.office, "ford").campaign.muster == promises
        assert verify(there.office, "ford").sound
        assert audit(there.office, "ford").wrong == 0


def test_a_game_that_was_brought_back_before_it_began_is_set_up_by_other_seeds(table: Table, tmp_path: Path) -> None:
    invited(table)
    folder = brought_back(table, tmp_path)
    with again(folder, 1000, "other") as back:
        assert enrol.start(back.office, "ford", anyhow=True).campaign.muster != table.dossier.opened.muster
        enrol.end(back.office, "ford", "Enough.")
        assert verify(back.office, "ford").sound
        assert audit(back.office, "ford").wrong == 0
