from __future__ import annotations

import pytest

from pbem.desk.gm import ruling
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.players.enrol import add_player, new
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import LetterSent, WaitSet
from pbem.kernel.terms import Terms
from pbem.mail.wire.reply_address import Meaning, Purpose, make_address
from pbem.orders.commands import WORDS
from tests.kit.table import Table
from tests.kit.writers import code_to


def test_every_word_has_its_deed() -> None:
    from pbem.desk.intake.commands import WHAT_TO_DO

    assert set(WHAT_TO_DO) | {"add", "preview"} == set(WORDS)


def test_help_lists_every_word_and_an_example_of_each_order(ford: Table) -> None:
    ford.write("smuggler", "help")

    said = ford.words_to("smuggler")
    assert all(word.says in said for word in WORDS.values())
    assert "move s1 to 3 fire g1 at 3 watch g1 4" in said
    assert "letter to guard: I ask for a truce." in said
    assert "Letters between players are signed" in said


def test_status_says_what_is_owed_and_when(ford: Table) -> None:
    ford.write("smuggler", "status")
    said = ford.words_to("smuggler")

    assert "1A, the carts" in said
    assert "due Monday 23 November 2026, 22:00 UTC, in 2 days 23 hours when this was written" in said
    assert "you owe: movement" in said


def test_orders_are_sent_back_as_they_stand(ford: Table) -> None:
    ford.write("smuggler", "orders?")
    assert "You have no orders for 1A" in ford.words_to("smuggler")
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "orders?")
    assert "receipt 1: move s1 to 3" in ford.words_to("smuggler")


def test_a_report_is_sent_again(ford: Table) -> None:
    ford.write("smuggler", "report S0")

    assert {mail.cause.split("/")[0] for mail in ford.mails[2:]} == {"again", "answer"}
    ford.write("smuggler", "report 4B")
    assert "There is no report 4B to send" in ford.words_to("smuggler")


def test_wait_holds_the_run_and_is_written_once(ford: Table) -> None:
    ford.write("smuggler", "wait on")
    ford.write("smuggler", "wait on")
    waits = [one.event for one in ford.dossier.log if isinstance(one.event, WaitSet)]
    assert [one.on for one in waits] == [True]
    ford.write("smuggler", "wait off\nmove s1 to 3")
    assert not any(ford.dossier.campaign.waits.values())


def test_after_the_deadline_nothing_can_be_withdrawn_or_held(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(73)
    for word in ("withdraw", "wait on"):
        received = ford.write("smuggler", word)
        assert received.state == "refused"
        assert "was due at" in ford.words_to("smuggler")

    assert ford.kinds[-1] == "message_received"


def test_a_word_to_the_umpire_reaches_him_and_nobody_else(ford: Table) -> None:
    ford.write("smuggler", "umpire: may carts swim?\nmove s1 to 3")

    assert "may carts swim?" in ford.last_to("gm")
    assert "may carts swim?" not in ford.last_to("guard")
    [sent] = [one.event for one in ford.dossier.log if isinstance(one.event, LetterSent)]
    assert (sent.sender, sent.to, sent.text) == ("smuggler", None, "may carts swim?")


def test_a_preview_judges_and_enters_nothing(ford: Table) -> None:
    ford.write("smuggler", "preview\nmove s1 to 3\nmove s1 to 99")

    assert ford.kinds[-1] == "message_received"
    assert "there is no place 99" in ford.words_to("smuggler")
    assert "Nothing was entered" in ford.words_to("smuggler")
    assert "s1 goes from 1 to 3" in ford.words_to("smuggler")
    assert "s2 stays as it is." in ford.words_to("smuggler")


def test_a_preview_of_nothing_is_answered(ford: Table) -> None:
    assert ford.write("smuggler", "preview").reason == "refused: there is no order in it"


@pytest.mark.parametrize("letter", [("preview", ""), ("", "preview")], ids=["in the letter", "as its subject"])
def test_a_preview_without_orders_is_of_those_that_stand(ford: Table, letter: tuple[str, str]) -> None:
    ford.write("smuggler", "move s1 to 3")
    text, subject = letter

    assert ford.write("smuggler", text, subject=subject).reason == "previewed"
    assert ford.kinds[-1] == "message_received"
    assert "Your orders for 1A as they stand: move s1 to 3" in ford.words_to("smuggler")
    assert "s1 goes from 1 to 3" in ford.words_to("smuggler")


@pytest.mark.parametrize("letter", [("wait", ""), ("", "wait")], ids=["in the letter", "as its subject"])
def test_wait_alone_is_wait_on(ford: Table, letter: tuple[str, str]) -> None:
    text, subject = letter
    ford.write("smuggler", text, subject=subject)

    assert any(ford.dossier.campaign.waits.values())
    assert "Your wait for 1A is on" in ford.words_to("smuggler")


def test_a_word_that_is_wrong_is_said_in_the_receipt(ford: Table) -> None:
    received = ford.write("smuggler", "wait maybe\nmove s1 to 3")

    assert received.state == "applied"
    assert 'after "wait" stands "on" or "off"' in ford.words_to("smuggler")


def test_what_is_wrong_beside_a_command_is_said_with_its_answer(ford: Table) -> None:
    ford.write("smuggler", "status\nwait maybe")

    assert "How things stand" in ford.words_to("smuggler")
    assert '"wait maybe" was not done: after "wait" stands' in ford.words_to("smuggler")


def test_ready_takes_the_wait_flag_back(ford: Table) -> None:
    ford.write("smuggler", "wait on")
    ford.write("smuggler", "ready")

    assert not any(ford.dossier.campaign.waits.values())
    assert "You have no orders for 1A that could be played" in ford.words_to("smuggler")


@pytest.mark.parametrize("said", ["ready", "wait off"])
def test_what_lets_nobody_wait_for_one_exchange_does_not_for_the_next(ford: Table, said: str) -> None:
    """It lay on a server while 1A was run; what he sent ahead for 1B would be played before he saw his report."""
    opening = next(mail for mail in ford.mails if mail.player == ford.dossier.campaign.players[Role("smuggler")])
    ford.write("smuggler", "turn 1B\nmove s1 to 3")
    ford.turn()
    ford.write("smuggler", "wait on")
    before = ford.kinds
    ford.write("smuggler", said, subject=f"Re: {opening.subject}", head=f"In-Reply-To: {opening.message_id}")

    assert ford.kinds[len(before) :] == ["message_received"]
    assert "1A is over, and 1B is open" in ford.words_to("smuggler")
    ford.write("smuggler", f"turn 2A\n{said}")
    assert "2A is not open yet" in ford.words_to("smuggler")
    assert ford.dossier.campaign.waits[(Moment(1, 2), Role("smuggler"))]


def test_a_report_is_named_by_its_turn(ford: Table) -> None:
    ford.turn()
    ford.turn()
    ford.write("smuggler", "report 1")
    assert "Report 1B is on its way" in ford.words_to("smuggler")
    ford.write("smuggler", "report yesterday")
    assert '"yesterday" is no turn' in ford.words_to("smuggler")


def test_history_lists_reports_receipts_and_the_rulings_that_he_knows_of(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "withdraw")
    ford.write("guard", "watch g1 4")
    ruling.rule(ford.office, "ford", ["set s1 men 1"], "A wheel broke.", make=True)
    ford.turn()
    ford.write("smuggler", "history")
    his = ford.words_to("smuggler")
    ford.write("guard", "history")
    other = ford.words_to("guard")

    assert "report S0" in his
    assert "report 1A" in his
    assert "receipt 1 Fri 20 Nov 2026, 22:00 UTC, 1A, accepted" in his
    assert "receipt 2 Fri 20 Nov 2026, 22:00 UTC, 1A, withdrawn" in his
    assert "receipt 3" not in his
    assert "men" in his.partition("What the umpire ruled")[2]
    assert "men" not in other.partition("What the umpire ruled")[2].partition("Questions")[0]
    assert "wheel" not in his + other


def test_status_names_what_is_kept_for_later(ford: Table) -> None:
    ford.write("guard", "turn 1B\nfire g1 at 3")
    ford.write("guard", "status")

    assert "kept for 1B: receipt 1" in ford.words_to("guard")


class TestSubject:
    """A command as the subject of a letter."""

    @pytest.mark.parametrize("subject", ["status", "[ford] Status", "#ford status", "[ford] #ford/smuggler status:"])
    def test_it_is_obeyed_if_the_letter_has_no_lines_of_its_own(self, ford: Table, subject: str) -> None:
        received = ford.write("smuggler", "\n# nothing\n", subject=subject)

        assert (received.state, received.reason) == ("applied", "answered")
        assert "1A, the carts" in ford.words_to("smuggler")

    @pytest.mark.parametrize("subject", ["Re: status", "Re: [ford] status", "AW: help", "[ford] Re: withdraw"])
    def test_that_of_an_answer_is_none(self, ford: Table, subject: str) -> None:
        assert ford.write("smuggler", "", subject=subject).state in ("refused", "unreadable")

    def test_it_takes_what_follows_it(self, ford: Table) -> None:
        ford.write("smuggler", "wait on")
        ford.write("smuggler", "\n", subject="[ford] report S0")
        assert "Report S0 is on its way" in ford.words_to("smuggler")
        ford.write("smuggler", "\n", subject="wait off")
        assert not any(ford.dossier.campaign.waits.values())

    def test_words_below_it_that_are_no_orders_are_named_and_not_refused(self, ford: Table) -> None:
        ford.write("smuggler", "Dear office,\nwhere do I stand?", subject="status")

        assert "1A, the carts" in ford.words_to("smuggler")
        assert "Not read as orders: Dear office, where do I stand?" in ford.words_to("smuggler")

    def test_it_is_not_obeyed_above_orders_and_the_writer_is_told(self, ford: Table) -> None:
        ford.write("smuggler", "move s1 to 3")
        received = ford.write("smuggler", "move s1 to 2", subject="withdraw")

        assert received.reason == "accepted"
        assert ford.kinds[-1] == "orders_accepted"
        assert 'Your subject says "withdraw". It was not obeyed' in ford.words_to("smuggler")

    def test_preview_and_add_are_of_the_orders_below(self, ford: Table) -> None:
        assert ford.write("smuggler", "move s1 to 3", subject="[ford] preview").reason == "previewed"
        ford.write("smuggler", "move s1 to 3")
        ford.write("smuggler", "move s2 to 4", subject="add")
        assert ford.dossier.campaign.sheets[Moment(1, 1), Role("smuggler")].text == "move s1 to 3\nmove s2 to 4"


def test_a_secret_address_is_in_no_echo(ford: Table) -> None:
    secret = make_address(Meaning(Purpose.REPLY, "ford", "ann", 1), bytes(32), "office.example")
    ford.write("smuggler", f"letter to guard: write to {secret}\numpire: {secret}\nmove s1 to {secret}")
    mac = secret.partition("@")[0].rpartition(".")[2]

    assert not any(mac in ford.text_of(mail) for mail in ford.mails)
    assert mac not in repr(ford.dossier.log)


def test_to_the_umpire_one_can_write_before_the_start(table: Table) -> None:
    new(table.office, "ford", find_scenario(None, "toy/ford"), Terms(trust="address"))
    add_player(table.office, "ford", "smuggler", name="Ann", address="ann@player.example")
    table.write("smuggler", "umpire: when do we begin?")

    assert "when do we begin?" in table.last_to("gm")


class TestLeaving:
    """Away for a while, or for good."""

    def test_an_absence_is_booked_and_moves_what_falls_into_it(self, ford: Table) -> None:
        before = ford.dossier.exchange().deadline
        ford.write("smuggler", "vacation 22 nov to 25 nov")

        assert [one.days for one in ford.dossier.campaign.absences] == [4]
        assert ford.dossier.exchange().deadline > before
        assert "Days that you may still be away: 10" in ford.words_to("smuggler")
        assert "smuggler is away from 2026-11-22 to 2026-11-25" in ford.last_to("gm")
        assert "smuggler" not in ford.words_to("guard").partition("Questions")[0].replace("A player", "")

    def test_it_can_be_asked_for_and_taken_back(self, ford: Table) -> None:
        ford.write("smuggler", "vacation 24 dec to 26 dec")
        ford.write("smuggler", "vacation")
        assert "You are away from Thu 24 Dec 2026, 00:00 UTC" in ford.words_to("smuggler")
        ford.write("smuggler", "vacation off")
        assert ford.dossier.campaign.absences == ()
        assert "taken back" in ford.words_to("smuggler")
        assert "not away after all" in ford.last_to("gm")

    @pytest.mark.parametrize(
        ("asked", "why"),
        [
            ("vacation next week", "does not say from which day to which"),
            ("vacation 1 dec to 31 dec", "of the 14 in a campaign, 14 are left"),
            ("vacation 2026-11-01 to 2026-11-03", "is past"),
            ("vacation off", "there is no absence to cancel"),
        ],
    )
    def test_what_cannot_be_booked_is_refused_with_the_reason(self, ford: Table, asked: str, why: str) -> None:
        assert ford.write("smuggler", asked).state == "refused"
        assert why in ford.words_to("smuggler")
        assert ford.kinds[-1] == "message_received"

    def test_to_resign_is_asked_once_more_and_then_done(self, ford: Table) -> None:
        ford.write("smuggler", "resign")
        assert "resign ford" in ford.words_to("smuggler")
        ford.write("smuggler", "resign bridge")
        assert ford.kinds.count("player_withdrew") == 0
        ann = ford.dossier.campaign.players[Role("smuggler")]
        ford.write("smuggler", "resign ford")
        assert ford.kinds.count("player_withdrew") == 0
        ford.write("smuggler", code_to(ford, "smuggler"))

        assert Role("smuggler") not in ford.dossier.campaign.players
        assert "smuggler has resigned" in ford.last_to("gm")
        assert "Nobody plays smuggler for now" in ford.last_to("guard")
        assert "Ann" not in ford.last_to("guard")
        assert [mail.subject for mail in ford.mails if mail.player == ann][-1] == "[ford] you no longer play smuggler"
        assert ford.write("smuggler", "move s1 to 3").state == "refused"


LETTER = """\
Hi! Here are my first orders.

begin
move s1 to 3
# my boat
status
end
move s2 to 2
Yours, Ann

> an old letter
"""


def test_a_receipt_accounts_for_every_line_of_the_letter(ford: Table) -> None:
    ford.write("smuggler", LETTER + "\n".join(["status"] * 3))
    said = ford.words_to("smuggler")

    assert "Outside begin and end, and not read Hi! Here are my first orders. move s2 to 2 Yours, Ann status" in said
    assert "one quoted line and one comment" in said
    assert "looks like an order but stands in what is outside begin and end, and was not read" in said


def test_a_refusal_accounts_for_what_was_no_order_as_well(ford: Table) -> None:
    ford.write("smuggler", "I have been ill, sorry!\n\nturn S0\nmove s1 to 3\n\n> old\n")
    said = [" ".join(ford.text_of(mail).split()) for mail in ford.mails]

    assert any("What you wrote: move s1 to 3 Not read as orders: I have been ill, sorry!" in one for one in said)


def test_a_word_said_fifty_times_is_answered_once(ford: Table) -> None:
    before = len(ford.mails)
    ford.write("smuggler", "\n".join(["help", "report", "status"] * 50))
    said = ford.words_to("smuggler")

    assert said.count("How things stand") == 1
    assert 'said again, or overtaken by a later line: "help" (49 times), "report" (49 times)' in said
    assert len(ford.mails) <= before + 2


def test_two_hundred_words_to_the_umpire_are_one_mail_to_him(ford: Table) -> None:
    before = [mail.id for mail in ford.mails if mail.player is None]
    ford.write("smuggler", "\n".join(f"umpire: question {n}" for n in range(200)))
    new = [mail for mail in ford.mails if mail.player is None and mail.id not in before]

    assert len(new) == 1
    assert "question 199" in ford.text_of(new[0])


def test_wait_on_and_off_two_hundred_times_is_one_event(ford: Table) -> None:
    ford.write("smuggler", "wait off\nwait on\n" * 200)

    assert ford.kinds.count("wait_set") == 1
    assert all(ford.dossier.campaign.waits.values())


def test_what_is_asked_beyond_the_bound_is_named_as_not_done(ford: Table) -> None:
    ford.write("smuggler", "\n".join(f"report {n}A" for n in range(1, 40)))

    assert "Not done: more than 20 words to the office, or too long: report 21A" in ford.words_to("smuggler")
