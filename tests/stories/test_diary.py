"""A diary: notes to oneself, which nobody else is shown while the game goes on, and afterwards by leave alone."""

from __future__ import annotations

import pytest

from pbem.desk.gm import history, waiting, withheld
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players import changes, enrol
from pbem.desk.post import delivery
from pbem.desk.proof.verify import verify
from pbem.desk.reading import desk
from pbem.kernel.names import Role
from pbem.kernel.office import NoteMade
from pbem.kernel.terms import Terms, changed
from pbem.reports.replay.page import unpacked
from tests.desk.pages.test_opened import opened
from tests.desk.reels.test_published import file
from tests.kit.table import Table
from tests.kit.writers import letters_of

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
SECRET = "The laden cart is the second, by the willows."
NOTE = f"note to self: {SECRET}"


def notes(table: Table) -> list[NoteMade]:
    return [one.event for one in table.dossier.log.own if isinstance(one.event, NoteMade)]


def everything(table: Table) -> str:
    """All mails that anybody was owed."""
    return "\n".join(map(table.text_of, table.mails))


def test_a_note_is_kept_and_answered_and_stands_in_no_mail(ford: Table) -> None:
    done = ford.write("smuggler", f"{NOTE}\nmove s1 to 3")
    ford.write("smuggler", "note to self:\nA long one.\n\nOf two parts.\nend letter")

    assert done.state == "applied"
    assert "Your note is kept in your diary." in ford.words_to("smuggler")
    assert [(one.role, one.text) for one in notes(ford)] == [
        (SMUGGLER, SECRET),
        (SMUGGLER, "A long one.\n\nOf two parts."),
    ]
    assert "willows" not in everything(ford)
    assert "Of two parts" not in everything(ford)
    assert verify(ford.office, "ford").sound


def test_his_own_history_and_page_show_it_and_those_of_others_do_not(ford: Table) -> None:
    ford.write("smuggler", NOTE)

    ford.write("smuggler", "history")
    [mail] = [one for one in ford.mails if one.cause.startswith("diary/")]
    assert SECRET in " ".join(ford.text_of(mail).split())
    assert "Your diary comes in a letter of its own." in ford.words_to("smuggler")
    assert "willows" not in withheld.mail_on_page(delivery.shown(ford.office, mail.id)).text
    known = {role: repr(history.entries(ford.office, "ford", role=role)) for role in (SMUGGLER, GUARD)}
    assert SECRET in known[SMUGGLER]
    assert SECRET not in known[GUARD]
    [own] = letters_of(ford, SMUGGLER).letters
    assert (own.way, own.who, own.text) == ("to", "yourself", SECRET)
    assert not letters_of(ford, GUARD).letters
    assert SECRET in repr(history.entries(ford.office, "ford"))


def test_who_comes_after_him_has_his_role_and_not_his_diary(ford: Table) -> None:
    ford.write("smuggler", NOTE)
    changes.replace_player(
        ford.office, "ford", "smuggler", name="Cyn", address="cyn@player.example", reason="He is ill."
    )

    assert SECRET not in repr(history.entries(ford.office, "ford", role=SMUGGLER))
    assert not letters_of(ford, SMUGGLER).letters


@pytest.mark.parametrize("text", [NOTE, f"Dear office,\nmove s1 to 3\n{NOTE}\n\nYours, S.", f"{NOTE}\nmvoe s1 to 3"])
def test_the_pages_of_the_gm_do_not_show_the_letter_that_it_came_in(ford: Table, text: str) -> None:
    number = ford.write("smuggler", text).letter or 0
    row, raw = waiting.read(ford.office, number)

    shown = withheld.letter_on_page(ford.office, row, raw)
    assert "willows" not in shown
    assert f"pbem mail quarantine show {number}" in shown
    assert SECRET in waiting.blotted(raw)


def test_nor_one_in_which_it_is_in_code(ford: Table) -> None:
    head = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable"
    number = ford.write("smuggler", NOTE.replace("note to", "n=6Fte to"), head=head).letter or 0
    row, raw = waiting.read(ford.office, number)

    assert notes(ford)
    assert "willows" not in withheld.letter_on_page(ford.office, row, raw)


def test_a_letter_that_waits_is_not_shown_with_it_on_the_desk(careful: Table) -> None:
    careful.write("smuggler", f"{NOTE}\nmove s1 to 3")

    [waits] = desk.held(careful.office)
    assert not any("willows" in line for line in waits.begins)


def test_a_sheet_that_is_refused_has_no_note_in_it(ford: Table) -> None:
    ford.clock.forward(80)
    ford.write("smuggler", f"move s1 to 3\n{NOTE}")
    ford.write("guard", f"{NOTE}\nwhatever this is")

    refused = [one.event for one in ford.dossier.log.own if "refused" in str(type(one.event).__struct_config__.tag)]
    assert "willows" not in repr(refused)
    assert len(notes(ford)) == 2


def test_before_the_game_begins_it_is_kept_and_is_no_answer_to_an_invitation(table: Table) -> None:
    enrol.new(table.office, "ford", find_scenario(table.office.folder, "toy/ford"), changed(Terms(trust="address"), {}))
    enrol.add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example")
    table.write("smuggler", NOTE)
    table.write("smuggler", f"umpire: when?\n{NOTE}")

    assert "willows" not in everything(table)
    assert "willows" not in repr([one.event for one in table.dossier.log.own if not isinstance(one.event, NoteMade)])


def test_over_it_is_opened_by_his_leave_at_its_place(ford: Table) -> None:
    ford.write("smuggler", NOTE)
    ford.write("guard", "note to self: I know nothing.")
    ford.write("smuggler", "publish diary yes")
    assert "your diary may be shown" in ford.words_to("smuggler")
    ford.turn()
    assert not unpacked(file(ford, "smuggler")).beside.diary
    enrol.end(ford.office, "ford", "They went home.")

    [page, *_] = opened(ford)
    assert "smuggler to himself" in page.decode()
    assert "The laden cart is the second" in page.decode()
    assert "I know nothing" not in page.decode()
    whole = unpacked(file(ford)).beside.diary
    assert [(one.role, one.moment, one.text) for one in whole] == [("smuggler", "1A", SECRET)]
    ford.write("smuggler", "publish diary no")
    assert not unpacked(file(ford)).beside.diary


def test_erased_he_is_named_nowhere_and_his_note_stays_in_the_log_as_his_letters_do(ford: Table) -> None:
    ford.write("smuggler", f"{NOTE}\nletter to guard: Farewell.")
    player = ford.dossier.campaign.players[SMUGGLER]
    changes.withdraw_player(ford.office, "ford", "smuggler", reason="He left.")
    changes.erase_player(ford.office, player)

    assert [one.text for one in notes(ford)] == [SECRET]
    assert "ann@player.example" not in repr([one.event for one in ford.dossier.log.own])
    assert verify(ford.office, "ford").sound
