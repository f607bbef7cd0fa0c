from __future__ import annotations

import pytest

from pbem.desk.gm import waiting as gm_waiting
from pbem.desk.intake.keeping import take_in
from pbem.desk.intake.receive import deal_with, submit
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import SECOND
from pbem.desk.players.enrol import add_player, new, start
from pbem.desk.post.printed import LABEL
from pbem.desk.turns import adjudicate, publish
from pbem.desk.ways import quarantine
from pbem.kernel.errors import Refused, UnknownCampaign, UnknownRole
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersRefused
from pbem.kernel.terms import Terms
from pbem.storage import letters
from pbem.storage.outbox import Mail
from tests.kit.table import START, Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def standing(table: Table, role: Role = SMUGGLER, moment: Moment | None = None) -> str | None:
    """The sheet of a role as it stands for the open exchange."""
    campaign = table.dossier.campaign
    sheet = campaign.sheets.get((moment or campaign.now or Moment(0), role))
    return sheet.text if sheet else None


def test_a_letter_becomes_orders_and_is_answered_line_by_line(ford: Table) -> None:
    received = ford.write("smuggler", "turn 1A\n\nmove s1 to 3\nmvoe s2 to 4  # away\n")

    assert (received.state, received.moment) == ("applied", Moment(1, 1))
    assert ford.kinds[-2:] == ["message_received", "orders_accepted"]
    assert standing(ford) == "move s1 to 3\nmvoe s2 to 4  # away"
    answer = ford.last_to("smuggler")
    assert "Subject: [ford] 1A orders received - 1 problem" in answer
    assert 'did you mean "move"?' in answer
    assert "In-Reply-To: <1@player.example>" in answer
    assert "Auto-Submitted: auto-replied" in answer
    accepted = ford.dossier.log[-1].event
    assert isinstance(accepted, OrdersAccepted)
    assert (len(accepted.orders), [one.line for one in accepted.told]) == (1, [2])


def test_the_answer_goes_to_the_registered_address(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3", head="Reply-To: spy@elsewhere.example")

    assert "To: Smuggler <ann@player.example>" in ford.last_to("smuggler")
    assert "spy@elsewhere.example" not in ford.last_to("smuggler")


def test_a_new_sheet_replaces_the_one_before(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    received = ford.write("smuggler", "move s2 to 4")

    assert standing(ford) == "move s2 to 4"
    assert received.receipt is not None
    assert (received.receipt.number, received.receipt.replaced) == (2, (1, START + SECOND))


def test_add_puts_lines_after_those_that_stand(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "turn 1A\nadd\nmove s2 to 4")

    assert standing(ford) == "move s1 to 3\nmove s2 to 4"


def test_a_sheet_of_which_nothing_can_be_taken_leaves_the_one_before(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    received = ford.write("smuggler", "move s1 to 99\nfire s1 at 2")

    assert received.state == "refused"
    assert isinstance(ford.dossier.log[-1].event, OrdersRefused)
    assert standing(ford) == "move s1 to 3"
    assert received.receipt is not None
    assert received.receipt.stand == ("move s1 to 3",)


def test_withdraw_takes_a_sheet_back(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "withdraw")

    assert standing(ford) is None
    assert ford.kinds[-1] == "orders_withdrawn"
    assert "are withdrawn" in ford.last_to("smuggler")


def test_the_same_letter_twice_changes_nothing_and_is_answered_once_more(ford: Table) -> None:
    raw = ford.letter("smuggler", "move s1 to 3")
    ford.receive(raw)
    before, mails = ford.dossier.seq, len(ford.mails)
    for _ in range(3):
        assert ford.receive(raw).state == "ignored"

    assert ford.dossier.seq == before
    assert len(ford.mails) == mails + 1
    assert "came twice" in ford.last_to("smuggler")


def test_the_same_text_in_another_letter_is_unchanged(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    received = ford.write("smuggler", "game ford\nturn 1 A\nmove s1 to 3")

    assert received.reason == "unchanged"
    assert ford.kinds.count("orders_accepted") == 1
    assert "unchanged" in ford.last_to("smuggler")


def test_orders_for_a_turn_that_is_over_are_refused_and_the_report_is_sent_again(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    received = ford.write("smuggler", "turn 1A\nmove s1 to 4")

    assert received.state == "refused"
    assert "1A is over, and 1B is open" in received.reason
    assert standing(ford, moment=Moment(1, 1)) == "move s1 to 3"
    assert [mail.cause.split("/")[0] for mail in ford.mails[-2:]].count("again") == 1


def test_a_turn_without_a_letter_is_what_is_open_of_it(ford: Table) -> None:
    ford.turn()
    assert ford.write("guard", "Turn: 1\nfire g1 at 1").moment == Moment(1, 2)
    assert ford.write("guard", "turn 1A\nfire g1 at 2").state == "refused"


def test_orders_for_a_later_turn_wait_and_are_read_when_it_opens(ford: Table) -> None:
    received = ford.write("guard", "turn 1B\nfire g1 at 3\nfire g2 at 99\n")
    assert received.receipt is not None
    assert received.receipt.kept
    assert isinstance(ford.dossier.log[-1].event, OrdersKept)
    ford.turn()

    accepted = ford.dossier.log[-1].event
    assert isinstance(accepted, OrdersAccepted)
    assert (accepted.role, accepted.moment, len(accepted.orders)) == (GUARD, Moment(1, 2), 1)
    assert "before 1B was opened" in ford.last_to("guard")


def test_what_comes_after_the_deadline_is_refused_with_the_time(ford: Table) -> None:
    ford.clock.forward(72.5)
    received = ford.write("smuggler", "move s1 to 3")

    assert (received.state, standing(ford)) == ("refused", None)
    assert "it came at Mon 23 Nov 2026, 22:30 UTC, and 1A was due at Mon 23 Nov 2026, 22:00 UTC" in received.reason
    assert ford.kinds[-2:] == ["message_received", "orders_refused"]


def test_a_letter_counts_as_come_when_it_was_kept(ford: Table) -> None:
    kept = take_in(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    ford.clock.forward(100)

    assert deal_with(ford.office, kept).state == "applied"


def test_a_sheet_before_the_hour_voids_a_run_that_was_made_early(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    received = ford.write("smuggler", "move s2 to 4")

    assert received.state == "applied"
    assert ford.kinds[-3:] == ["message_received", "exchange_annulled", "orders_accepted"]
    assert ford.dossier.exchange().state == "open"
    adjudicate.run(ford.office, "ford", early=True)
    assert ford.dossier.facts()[-2].event.piece == "s2"  # type: ignore[attr-defined]  # a toy.cart_moved


def test_a_sheet_of_which_nothing_is_taken_voids_no_run(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    ford.write("smuggler", "move s1 to 99")
    ford.write("smuggler", "status")

    assert ford.dossier.exchange().state == "resolved"


def test_a_staged_run_cannot_be_felt_by_writing(ford: Table) -> None:
    ford.clock.forward(73)

    def asked() -> tuple[str, str, int, str]:
        mails = len(ford.mails)
        received = ford.write("smuggler", "move s1 to 3\nstatus")
        words, _, _ = ford.words_to("smuggler").partition(LABEL)  # what follows it is another for every receipt
        return received.state, received.reason, len(ford.mails) - mails, words

    before = asked()
    adjudicate.run(ford.office, "ford", early=True)
    assert asked() == before


def test_who_may_send_nothing_is_told_so(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    received = ford.write("smuggler", "move s1 to 4")

    assert "1B asks nothing of smuggler" in received.reason


def test_an_empty_letter_is_answered_with_how_to_write_one(ford: Table) -> None:
    received = ford.write("smuggler", "game ford\n\n# nothing today\n")

    assert received.reason == "refused: there is no order in it"
    assert "takes from you: movement" in ford.last_to("smuggler").replace("\n", " ")


def test_quoted_lines_are_not_orders_and_the_writer_is_told(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\n\n> move s2 to 4\n")

    assert standing(ford) == "move s1 to 3"
    assert "looks like an order but stands in a quote" in ford.last_to("smuggler").replace("\n", " ")


def test_a_stranger_is_kept_and_not_answered_and_the_gm_hears_of_him_once_a_day(ford: Table) -> None:
    mails = len(ford.mails)
    for _ in range(2):
        received = ford.write("spy@elsewhere.example", "move s1 to 3")
        assert (received.state, received.campaign) == ("refused", None)

    assert len(ford.mails) == mails + 1
    assert "To: gm@office.example" in ford.last_to("gm")
    assert "spy@elsewhere.example" in ford.last_to("gm")


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("Auto-Submitted: auto-replied", "the answer of somebody who is away"),
        ("X-Pbem-Loop: office.example", "one of our own, come round"),
        ("X-Pbem-Loop: another.example", "that of another office"),
        ("Precedence: bulk", "from a machine"),
        ("List-Id: <players.example>", "from a list"),
    ],
)
def test_what_no_person_wrote_is_kept_and_never_answered(ford: Table, head: str, why: str) -> None:
    mails = len(ford.mails)
    for _ in range(2):
        received = ford.write("smuggler", "move s1 to 3", head=head)
        assert (received.state, why in received.reason) == ("ignored", True)

    assert [mail.player for mail in ford.mails[mails:]] == [None]
    assert standing(ford) is None


@pytest.mark.parametrize("head", ["Precedence: bulk", "List-Id: <players.example>"])
def test_the_gm_hears_of_what_a_list_sends_on_if_it_may_be_a_players_and_of_no_other(ford: Table, head: str) -> None:
    mails = len(ford.mails)
    ford.write("news@elsewhere.example", "move s1 to 3", head=head)
    assert len(ford.mails) == mails

    ford.write("smuggler", "move s1 to 3", head=head)

    assert "A player writes from there." in ford.words_to("gm")
    assert "pbem orders submit" in ford.words_to("gm")


def test_a_letter_that_cannot_be_read_is_kept_listed_and_answered(ford: Table) -> None:
    raw = ford.letter("smuggler", "x" * (2 * 1024 * 1024))
    received = ford.receive(raw)

    assert received.state == "unreadable"
    [waiting] = gm_waiting.listing(ford.office)
    assert gm_waiting.read(ford.office, waiting.id)[1] == raw
    assert "too big" in ford.last_to("smuggler")
    assert "could not be read" in ford.last_to("gm")


def answers_of(table: Table) -> list[Mail]:
    return [mail for mail in table.mails if mail.kind == "receipt"]


def test_two_machines_that_answer_each_other_come_to_an_end(ford: Table) -> None:
    for count in range(35):
        ford.write("smuggler", f"I am away from my desk.\nTicket {count}.")

    answers = answers_of(ford)
    assert len(answers) == 30
    assert "this is the last answer that you get today" in ford.text_of(answers[-1])
    assert "the last answer" not in ford.text_of(answers[-2])
    assert ford.kinds.count("message_received") == 35
    assert ["is not answered any more" in ford.text_of(mail) for mail in ford.mails].count(True) == 1
    ford.clock.forward(24)
    ford.write("smuggler", "move s2 to 3")
    assert len(answers_of(ford)) == 31


def test_even_two_that_change_something_each_time(ford: Table) -> None:
    for count in range(110):
        ford.write("smuggler", f"move s1 to {1 + count % 3}")

    assert len(answers_of(ford)) == 100


def test_who_has_asked_much_today_is_still_told_what_became_of_his_orders_and_how_he_may_leave(ford: Table) -> None:
    for count in range(35):
        ford.write("smuggler", f"status\n# {count}")
    for text, said in (
        ("move s1 to 3", "1A orders received"),
        ("vacation 24 dec to 2 jan", "vacation"),
        ("Resign.", "resign"),
        ("withdraw", "withdraw"),
    ):
        ford.write("smuggler", text)
        assert said in answers_of(ford)[-1].subject


def test_what_is_asked_in_one_game_costs_no_answer_in_another(ford: Table) -> None:
    for count in range(35):
        ford.write("smuggler", f"status\n# {count}")
    ford.name = "weir"
    ford.open()
    ford.write("smuggler", "status", subject="[weir] status")

    assert answers_of(ford)[-1].campaign == "weir"


def test_every_letter_is_accounted_for(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "# nothing")
    ford.write("spy@elsewhere.example", "move s1 to 3")
    ford.write("guard", "fire g1 at 2", head="Precedence: bulk")
    with ford.office.read() as connection:
        counted = letters.counted(connection)
        every = letters.listing(connection)

    assert sum(counted.values()) == len(every) == 4
    assert counted == {"applied": 1, "refused": 2, "ignored": 1}


def test_under_the_rule_of_the_table_a_letter_waits_for_the_gm(table: Table) -> None:
    table.open(trust="table")
    received = table.write("smuggler", "move s1 to 3")
    assert received.state == "held"
    assert standing(table) is None
    assert "To: gm@office.example" in table.last_to("gm")

    accepted = quarantine.accept(table.office, received.letter)
    assert (accepted.state, standing(table)) == ("applied", "move s1 to 3")
    with pytest.raises(Refused, match="does not wait"):
        quarantine.accept(table.office, received.letter)


def test_a_held_letter_can_be_put_away(table: Table) -> None:
    table.open(trust="table")
    received = table.write("smuggler", "move s1 to 3")
    gm_waiting.discard(table.office, received.letter, "forged")

    assert gm_waiting.listing(table.office) == []
    assert standing(table) is None


def test_before_the_start_nothing_is_taken(table: Table) -> None:
    new(table.office, "ford", find_scenario(None, "toy/ford"), Terms(trust="address"))
    add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example")
    received = table.write("smuggler", "move s1 to 3")

    assert received.reason == "refused: the campaign has not started"


def test_after_the_end_nothing_is_taken(table: Table) -> None:
    table.open(options={"last_turn": 1})
    table.turn()
    table.turn()
    assert table.dossier.campaign.ended
    received = table.write("smuggler", "move s1 to 3")

    assert "the game is over" in received.reason


def second(table: Table) -> None:
    """Ann plays the guard of a second campaign too."""
    new(table.office, "bridge", find_scenario(None, "toy/ford"), Terms(trust="address"))
    add_player(table.office, "bridge", "smuggler", name="Carl", address="carl@player.example")
    add_player(table.office, "bridge", "guard", name="Ann", address="ann@player.example")
    start(table.office, "bridge")


def test_the_campaign_is_that_of_the_subject_or_of_the_head(ford: Table) -> None:
    second(ford)

    assert ford.write("smuggler", "move s1 to 3").campaign == "ford"
    assert ford.write("smuggler", "watch g1 4", subject="Re: [bridge] report").campaign == "bridge"
    assert ford.write("smuggler", "game bridge\nwatch g2 4", subject="orders").campaign == "bridge"


def test_who_plays_in_two_campaigns_and_names_none_is_asked(ford: Table) -> None:
    second(ford)
    received = ford.write("smuggler", "move s1 to 3", subject="orders")

    assert received.state == "refused"
    assert "You play in: bridge, ford" in ford.last_to("smuggler")


@pytest.mark.parametrize("text", ["zone Europe/Paris", "Zeitzone Europe/Paris", "also\nzone"])
def test_what_he_says_of_himself_needs_no_campaign(ford: Table, text: str) -> None:
    second(ford)

    assert ford.write("smuggler", text, subject="my clock").state in ("applied", "held")
    assert "You play in" not in ford.last_to("smuggler")
    assert ford.write("smuggler", f"{text}\nmove s1 to 3", subject="my clock").state == "refused"


def test_a_campaign_that_is_not_his_is_told_no_more_than_one_that_is_not(ford: Table) -> None:
    new(ford.office, "bridge", find_scenario(None, "toy/ford"), Terms(trust="address"))
    answers = []
    for game in ("bridge", "brigde"):
        assert ford.write("smuggler", f"game {game}\nmove s1 to 3", subject="x").state == "refused"
        answers.append(ford.words_to("smuggler").replace(game, "GAME"))

    assert answers[0] == answers[1]


def test_a_role_that_is_not_his_is_refused(ford: Table) -> None:
    received = ford.write("smuggler", "role guard\nwatch g1 4")

    assert received.reason == "the role guard is not yours"
    assert ford.kinds.count("message_received") == 0


def test_who_plays_both_roles_says_which(table: Table) -> None:
    new(table.office, "ford", find_scenario(None, "toy/ford"), Terms(trust="address"))
    for role in ("smuggler", "guard"):
        add_player(table.office, "ford", role, name="Ann", address="ann@player.example")
    start(table.office, "ford")

    assert "does not say which role" in table.write("smuggler", "move s1 to 3").reason
    assert table.write("smuggler", "role guard\nwatch g1 4").role == GUARD


def test_a_file_is_taken_as_a_letter_is(ford: Table) -> None:
    received = submit(ford.office, "ford", "smuggler", b"turn 1A\r\nmove s1 to 3\r\n", source="upload")

    assert (received.state, standing(ford)) == ("applied", "move s1 to 3")
    with pytest.raises(UnknownRole):
        submit(ford.office, "ford", "miller", b"move s1 to 3")
    with pytest.raises(UnknownCampaign):
        submit(ford.office, "fort", "smuggler", b"move s1 to 3")


def test_the_same_file_after_another_stands_again(ford: Table) -> None:
    for text in ("move s1 to 3", "move s2 to 4", "move s1 to 3"):
        ford.submit("smuggler", text)

    assert standing(ford) == "move s1 to 3"


def test_what_the_gm_enters_is_told_to_the_player(ford: Table) -> None:
    ford.submit("smuggler", "move s1 to 3", source="gm")

    assert "move s1 to 3" in ford.last_to("smuggler")
    assert {one.actor for one in ford.dossier.log[-2:]} == {"gm"}


def test_a_receipt_says_when_it_is_due_in_the_players_zone(table: Table) -> None:
    new(table.office, "ford", find_scenario(None, "toy/ford"), Terms(trust="address", hours=24))
    add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example", zone="Asia/Tokyo")
    add_player(table.office, "ford", "guard", name="Ben", address="ben@player.example")
    start(table.office, "ford")
    table.write("smuggler", "move s1 to 3")

    assert "Sun 22 Nov 2026, 07:00 in Tokyo (Sat 21 Nov, 22:00 UTC)" in table.last_to("smuggler").replace("\n", " ")


def test_reports_that_are_released_move_the_horizon(ford: Table) -> None:
    before = ford.dossier.campaign.horizon(SMUGGLER)
    adjudicate.run(ford.office, "ford", early=True)
    assert ford.dossier.campaign.horizon(SMUGGLER) == before
    publish.release(ford.office, "ford")
    assert ford.dossier.campaign.horizon(SMUGGLER) > before
