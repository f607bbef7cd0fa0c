"""A role changes hands: a full time for the newcomer, nothing of the old man's sheets, and nothing more for him."""

from __future__ import annotations

import pytest

from pbem.desk.books.led_by_rules import missing
from pbem.desk.house.clock import tick
from pbem.desk.office.office import HOUR
from pbem.desk.pages.pages import pause_at
from pbem.desk.players.changes import replace_player, withdraw_player
from pbem.desk.players.enrol import add_player
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, exchange, pausing, publish
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeResolved
from pbem.storage import outbox
from tests.kit.table import PLAYERS, Table
from tests.kit.writers import answering, code_to, mails_to

SMUGGLER = Role("smuggler")
HOURS = 72


def cid(table: Table) -> None:
    replace_player(table.office, "ford", "smuggler", name="Cid", address="cid@player.example", reason="He is ill.")


def resigned(table: Table, more: str = "") -> None:
    """The smuggler gives up, by a letter that he confirms."""
    assert table.write("smuggler", f"resign ford\n{more}".strip()).state == "held"
    table.write("smuggler", code_to(table, "smuggler"))
    assert SMUGGLER not in table.dossier.campaign.players


def sent(table: Table) -> dict[tuple[str, str], str]:
    return {(str(at), role): one.text for (at, role), one in table.dossier.campaign.sheets.items()}


@pytest.mark.parametrize("gone", [10, 71, 100])
def test_a_newcomer_has_all_the_hours_of_the_terms_whenever_he_comes(ford: Table, gone: int) -> None:
    before = ford.dossier.exchange().deadline
    ford.clock.forward(gone)

    cid(ford)

    now = ford.dossier.exchange().deadline
    assert now >= ford.clock.at + HOURS * HOUR
    assert now >= before
    assert "has a full time for his orders" in ford.words_to("guard")
    assert not [did for did in tick(ford.office) if "nothing from" in did.what]


def test_a_newcomer_answers_his_briefing_and_what_he_writes_counts_for_what_is_open(ford: Table) -> None:
    ford.turn()
    ford.turn()
    cid(ford)
    briefing = next(one for one in reversed(ford.mails) if one.cause.startswith("briefing/smuggler/"))
    answer = f"In-Reply-To: {briefing.message_id}"
    subject = f"Re: {briefing.subject}"

    ford.write("cid@player.example", "move s1 to 3", subject=subject, head=answer)
    assert ("2A", "smuggler") in sent(ford), ford.words_to("smuggler")

    ford.turn()
    ford.turn()
    late = ford.write("cid@player.example", "move s1 to 4", subject=subject, head=answer)
    assert late.reason == "refused: 2A is over, and 3A is open"


def test_an_hour_that_gives_him_more_stays_as_it_is(ford: Table) -> None:
    exchange.extend(ford.office, "ford", ford.clock.at + 200 * HOUR, "It is summer.")
    before = ford.dossier.exchange().deadline

    cid(ford)

    assert ford.dossier.exchange().deadline == before
    assert "Deadlines stay as they are" in ford.words_to("guard")


def test_a_newcomer_to_a_game_that_is_paused_has_them_when_it_goes_on(ford: Table) -> None:
    ford.clock.forward(70)
    pausing.pause(ford.office, "ford", "Christmas.")
    ford.clock.forward(24)
    cid(ford)
    ford.clock.forward(24)

    pausing.resume(ford.office, "ford")

    assert ford.dossier.exchange().deadline >= ford.clock.at + HOURS * HOUR


def test_the_old_man_s_sheet_is_not_the_newcomer_s_nor_are_those_that_he_kept(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "turn 2A\nmove s1 to 2")
    ford.write("guard", "watch g1 3")
    assert {role for _, role in sent(ford)} == {"smuggler", "guard"}

    cid(ford)

    assert {role for _, role in sent(ford)} == {"guard"}
    with ford.office.read() as connection:
        now = ford.dossier.exchange()
        pause = pause_at(ford.office, connection, ford.dossier, now.stands, now.moment)
    assert SMUGGLER in missing(ford.dossier, pause)
    assert ford.write("cid@player.example", "orders?").state == "applied"
    assert "You have no orders for 1A" in ford.words_to("smuggler")


def test_after_a_resignation_the_old_orders_do_not_run(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("guard", "watch g1 3")
    resigned(ford)

    adjudicate.run(ford.office, "ford", early=True)

    [resolved] = [one.event for one in ford.dossier.log if isinstance(one.event, ExchangeResolved)]
    assert resolved.defaults == (SMUGGLER,)
    assert "Nobody plays smuggler for now" in ford.words_to("guard")
    assert verify(ford.office, "ford").sound


@pytest.mark.parametrize("role", ["guard", "smuggler"])
def test_a_resignation_that_waited_gives_up_nothing_that_came_to_him_since(ford: Table, role: str) -> None:
    assert ford.write("smuggler", "resign ford").state == "held"
    code, head = code_to(ford, "smuggler"), answering(ford, "smuggler")
    withdraw_player(ford.office, "ford", "smuggler", reason="He does not answer.")
    if role == "guard":
        withdraw_player(ford.office, "ford", "guard", reason="He is ill.")
    add_player(ford.office, "ford", role, name="Ann", address=PLAYERS["smuggler"])

    ford.write("smuggler", code, head=head)

    assert role in ford.dossier.campaign.players
    assert "and stays yours" in ford.words_to(role)


def test_orders_in_the_letter_that_resigns_are_not_entered(ford: Table) -> None:
    resigned(ford, "move s1 to 3")

    assert sent(ford) == {}


def test_who_follows_one_who_resigned_is_briefed_and_has_a_full_time(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    resigned(ford)
    ford.clock.forward(60)

    add_player(ford.office, "ford", "smuggler", name="Cid", address="cid@player.example")

    [briefed] = mails_to(ford, "smuggler")
    assert briefed.kind == "briefing"
    assert "move s1 to 3" in ford.text_of(briefed)
    assert ford.dossier.exchange().deadline >= ford.clock.at + HOURS * HOUR
    assert "smuggler is played by somebody else from now on" in ford.words_to("guard")
    assert verify(ford.office, "ford").sound


def test_what_was_run_before_he_left_stays_played_and_is_not_played_again_when_it_is_opened_anew(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("guard", "watch g1 3")
    adjudicate.run(ford.office, "ford", early=True)
    cid(ford)
    assert ("1A", "smuggler") in sent(ford)
    publish.release(ford.office, "ford")

    exchange.annul(ford.office, "ford", Moment(1), "A slip.", reopen=True)

    assert {role for at, role in sent(ford) if at == "1A"} == {"guard"}
    assert verify(ford.office, "ford").sound


def test_an_exchange_that_is_run_again_as_it_was_has_the_orders_that_it_had(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("guard", "watch g1 3")
    adjudicate.run(ford.office, "ford", early=True)
    cid(ford)

    exchange.annul(ford.office, "ford", None, "A slip.")

    assert ("1A", "smuggler") in sent(ford)
    adjudicate.run(ford.office, "ford", early=True)
    assert verify(ford.office, "ford").sound


def test_who_leaves_gets_nothing_more_of_what_waits_in_the_outbox(ford: Table) -> None:
    former = ford.dossier.campaign.players[SMUGGLER]
    ford.turn()
    waiting = [one.id for one in mails_to(ford, "smuggler") if one.state == "queued"]
    assert waiting

    cid(ford)

    his = [one for one in ford.mails if one.player == former]
    assert {one.state for one in his if one.id in waiting} == {"dropped"}
    [told] = [one for one in his if one.state == "queued"]
    assert told.subject == "[ford] you no longer play smuggler"
    with ford.office.write() as connection:
        assert not [
            one
            for one in outbox.claim(connection, at=ford.clock.at, until=ford.clock.at + HOUR, by="x")
            if one.id in waiting
        ]
    ford.clock.forward(1)
    ford.turn()
    assert [one.id for one in ford.mails if one.player == former] == [one.id for one in his]


def test_the_letters_of_another_role_of_his_still_come(table: Table) -> None:
    table.open()
    replace_player(table.office, "ford", "smuggler", name="Ben", address="ben@player.example", reason="Alone.")
    table.turn()

    withdraw_player(table.office, "ford", "smuggler", reason="One is enough.")

    states = {one.cause: one.state for one in mails_to(table, "guard")}
    assert states["report/1A/guard/1"] == "queued"
    assert states["report/1A/smuggler/1"] == "dropped"


def test_a_letter_of_his_that_waits_for_his_word_is_worth_nothing_when_he_has_left(careful: Table) -> None:
    held = careful.write("smuggler", "report")
    line = code_to(careful, "smuggler")
    cid(careful)

    careful.write("smuggler", line)

    assert held.state == "held"
    former = [one for one in careful.mails if "ann@player.example" in careful.text_of(one)]
    assert former[-1].subject != "report"
    assert "you play in no campaign ford" in careful.text_of(former[-1]).replace("\n", " ").casefold()


@pytest.mark.parametrize("state", ["open", "resolved"])
def test_a_game_in_which_a_role_changed_hands_is_proven(ford: Table, state: str) -> None:
    ford.write("smuggler", "move s1 to 3")
    if state == "resolved":
        adjudicate.run(ford.office, "ford", early=True)
    cid(ford)
    if state == "open":
        ford.write("cid@player.example", "move s1 to 2")
        adjudicate.run(ford.office, "ford", early=True)
    publish.release(ford.office, "ford")
    ford.turn()

    assert verify(ford.office, "ford").sound


def test_a_run_that_another_voids_in_time_is_made_anew_without_the_old_man_s_orders(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    cid(ford)

    ford.write("guard", "watch g1 3")

    assert {role for _, role in sent(ford)} == {"guard"}
    assert ford.dossier.exchange().state == "open"
    assert verify(ford.office, "ford").sound
