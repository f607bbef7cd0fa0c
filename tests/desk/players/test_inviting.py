"""A campaign that invites its players begins when they have answered, and nobody can choose how its field is set up."""

from __future__ import annotations

import pytest

from pbem.desk.library.scenarios import find_scenario
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import enrol
from pbem.desk.players.changes import replace_player
from pbem.desk.players.enrol import start
from pbem.desk.players.inviting import answers, unanswered
from pbem.desk.proof.audit import audit
from pbem.desk.proof.verify import verify
from pbem.kernel.dice import given, word
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome
from pbem.kernel.names import Role
from pbem.kernel.office import CampaignStarted
from pbem.kernel.terms import Terms
from pbem.storage import secrets
from pbem.storage.blobs import digest_of
from tests.kit.forger import Event, forge, only
from tests.kit.table import PLAYERS, Table

GUARD, SMUGGLER = Role("guard"), Role("smuggler")
CONTENDERS = {"french": "ann@player.example", "prussian": "ben@player.example"}


def invited(table: Table, scenario: str = "toy/ford", players: dict[str, str] = PLAYERS) -> Table:
    """A campaign whose players are invited."""
    found = find_scenario(table.office.folder, scenario)
    enrol.new(table.office, "ford", found, Terms(trust="address"), words="of answers and sheets")
    for role, address in players.items():
        enrol.add_player(table.office, "ford", role, name=role.title(), address=address)
    return table


def began(table: Table) -> CampaignStarted:
    """How the field was set up."""
    [event] = [one.event for one in table.dossier.log if isinstance(one.event, CampaignStarted)]
    return event


def test_an_invitation_promises_the_dice_before_anybody_has_answered(table: Table) -> None:
    invited(table)
    promises = table.dossier.opened.muster

    assert promises is not None
    for role in PLAYERS:
        assert {promises.open, promises.closed} <= set(table.words_to(role).split())
        assert f"will you play {role}?" in table.last_to(role)
    assert answers(table.dossier) == "not yet: smuggler and guard"


def test_play_begins_when_all_have_answered_and_not_before(table: Table) -> None:
    invited(table)
    assert table.write("guard", "Yes, gladly.").reason == "answered"
    assert unanswered(table.dossier) == [SMUGGLER]
    with pytest.raises(Refused, match="smuggler has not answered the invitation"):
        start(table.office, "ford")
    assert "No answer yet from smuggler." in table.words_to("gm")
    table.write("smuggler", "I am in.")
    assert "All have answered." in table.words_to("gm")
    assert "I am in." in table.words_to("gm")
    assert start(table.office, "ford").campaign.started
    assert verify(table.office, "ford").sound
    assert audit(table.office, "ford").wrong == 0


def test_his_answer_is_his_first_word_and_his_page_prints_it(table: Table) -> None:
    invited(table)
    table.write("guard", "Yes, gladly.")
    promises = table.dossier.opened.muster
    assert promises is not None
    with table.office.read() as connection:
        closed = secrets.get(connection, table.dossier.id, promises).closed
    text = "Yes, gladly."
    own = word(closed, SET_UP, GUARD, given("<1@player.example>", digest_of(text.encode())))
    assert own in table.words_to("guard").split()
    table.write("smuggler", "I am in.")
    start(table.office, "ford")

    assert began(table).words[GUARD] == own
    assert began(table).promises == promises
    assert own in table.last_to("smuggler")
    assert {(one.role, one.whose, one.fall) for one in audit(table.office, "ford").words} == {
        (GUARD, "the role's", "fits"),
        (SMUGGLER, "the role's", "fits"),
    }


def test_the_field_hangs_on_what_the_players_answered(twins: tuple[Table, Table]) -> None:
    fields = []
    for table, said in zip(twins, ("Yes.", "Yes!"), strict=True):
        invited(table, "st-privat/graveyard", CONTENDERS)
        for role in CONTENDERS:
            assert table.receive(_from(table, role, CONTENDERS[role], said)).reason == "answered"
        start(table.office, "ford")
        fields.append([one.event for one in table.dossier.log if isinstance(one.event, Outcome)])
    assert twins[0].dossier.opened.muster == twins[1].dossier.opened.muster
    assert fields[0] != fields[1]
    assert verify(twins[1].office, "ford").sound


def _from(table: Table, role: str, address: str, text: str) -> bytes:
    return table.letter(role, text).replace(b"<" + role.encode() + b">", b"<" + address.encode() + b">")


def test_the_gm_can_begin_without_an_answer_and_page_and_audit_say_so(table: Table) -> None:
    invited(table)
    table.write("guard", "Yes.")
    start(table.office, "ford", anyhow=True)

    assert began(table).unanswered == (SMUGGLER,)
    assert "No answer had come from smuggler: there the dice are the office" in " ".join(table.last_to("guard").split())
    assert {(one.role, one.whose) for one in audit(table.office, "ford").words} == {
        (GUARD, "the role's"),
        (SMUGGLER, "the office's"),
    }


def test_without_invitations_play_begins_as_ever_and_the_page_says_whose_dice_they_were(table: Table) -> None:
    table.open()

    assert began(table).words == {}
    assert "the dice of the set-up are the office" in " ".join(table.last_to("guard").split())
    assert audit(table.office, "ford").words == ()
    assert "will you play" not in "".join(table.text_of(mail) for mail in table.mails)


def test_a_question_to_the_umpire_is_no_answer_and_a_second_letter_changes_no_word(table: Table) -> None:
    invited(table)
    table.write("guard", "umpire: how long will it take?")
    assert GUARD in unanswered(table.dossier)
    table.write("guard", "Yes, then.")
    first = table.dossier.campaign.given
    assert table.write("guard", "Or perhaps not.").state == "refused"
    assert table.dossier.campaign.given == first


def test_who_takes_another_s_place_before_the_start_is_invited_and_answers_for_himself(table: Table) -> None:
    invited(table)
    table.write("guard", "Yes.")
    replace_player(table.office, "ford", "guard", name="Carl", address="carl@player.example", reason="Ben is ill.")

    assert unanswered(table.dossier) == [SMUGGLER, GUARD]
    assert "will you play guard?" in table.last_to("guard")


def swapped(events: list[Event]) -> None:
    only(events, "invitation_answered")["data"]["word"] = "ab" * 32


@pytest.mark.sqlite
def test_an_answer_changed_in_the_log_is_found(table: Table) -> None:
    invited(table)
    table.write("guard", "Yes.")
    table.write("smuggler", "Yes.")
    start(table.office, "ford")
    forge(table, swapped)

    assert "dice" in [row.name for row in verify(table.office, "ford").rows if row.found]
