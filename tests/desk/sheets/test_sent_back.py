"""What a letter only sends back is no order, and its writer is told when it looks like one."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from pbem.desk.sheets.sent_back import sent, worded
from pbem.kernel.names import Moment, Role
from tests.kit.table import Table
from tests.kit.writers import mails_to

WARNING = "PLEASE LOOK"


def test_an_office_letter_quoted_whole_is_no_cause_for_a_warning(ford: Table) -> None:
    ford.write(
        "smuggler", "move s1 to 3\n\n> FORD, REPORT S0\n>\n> Nothing happened.\n> begin\n> # move s2 to ...\n> end\n"
    )

    assert WARNING not in ford.last_to("smuggler")


def test_orders_typed_into_the_letter_that_is_answered_are_not_read_and_the_writer_is_told(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\n\n-----Original Message-----\nFrom: Office\n\nmove s2 to 4\n")

    told = ford.last_to("smuggler").replace("\n", " ")
    assert WARNING in told
    assert "looks like an order but stands in the letter that you answer" in told


def report_to(ford: Table, role: str) -> str:
    """The id of the newest report to *role*."""
    who = ford.dossier.campaign.players[Role(role)]
    return [mail for mail in ford.mails if mail.player == who and mail.kind in ("report", "briefing")][-1].message_id


def test_a_late_answer_to_an_old_report_is_not_for_the_exchange_that_is_open_now(ford: Table) -> None:
    asked = report_to(ford, "smuggler")
    ford.write("smuggler", "move s1 to 3")
    ford.turn()

    received = ford.write("smuggler", "move s1 to 4", head=f"In-Reply-To: {asked}")

    assert received.state == "refused"
    assert "1A is over, and 1B is open" in received.reason


def test_an_answer_to_the_newest_report_is_for_the_exchange_that_is_open_now(ford: Table) -> None:
    ford.turn()

    ford.turn()
    received = ford.write("smuggler", "move s1 to 3", head=f"In-Reply-To: {report_to(ford, 'smuggler')}")

    assert received.state == "applied"
    assert received.moment == Moment(2, 1)


def quoted(ford: Table, role: str, cause: str, mark: str = "> ") -> tuple[str, str]:
    """The text of the newest letter to *role* that is owed for *cause*, quoted whole, and the field that answers it."""
    mail = [mail for mail in mails_to(ford, role) if mail.cause.startswith(cause)][-1]
    body = message_from_bytes(ford.bytes_of(mail), policy=default).get_body(("plain",))
    assert body
    lines = [f"{mark}{line}".rstrip() for line in str(body.get_content()).splitlines()]
    return "\n".join(lines), f"In-Reply-To: {mail.message_id}"


@pytest.mark.parametrize("mark", ["> ", ">", "> > ", "  "])
def test_a_receipt_quoted_whole_is_no_news_to_the_office(ford: Table, mark: str) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    receipt, answers = quoted(ford, "smuggler", "receipt/", mark)
    assert f"{mark}     move s1 to 3\n" in receipt
    above = "" if mark.strip() else "-----Original Message-----\n"
    ford.write("smuggler", f"add\nhide s2\n\n{above}{receipt}", head=answers)

    assert "YOUR LINES" in ford.last_to("smuggler")
    assert WARNING not in ford.last_to("smuggler")


def test_lines_of_ours_are_known_in_a_letter_that_answers_none(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 4")
    ford.write("smuggler", "add\nhide s2\n\n> move s2 to 4\n")

    assert WARNING not in ford.last_to("smuggler")


def test_lines_that_a_mail_program_broke_are_known(ford: Table) -> None:
    ford.write("smuggler", "umpire: " + "may the boats cross by night " * 2 + "or\n\nmove s1 to 3")
    answer, answers = quoted(ford, "smuggler", "receipt/")
    broken = answer.replace("> game    ford", "> game\n> ford").replace("     move s1 to 3", "     move s1\n> to 3")
    ford.write("smuggler", f"add\nhide s2\n\n{broken}", head=answers)

    assert broken != answer
    assert WARNING not in ford.last_to("smuggler")


def test_lines_of_a_page_of_ours_are_known(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\nmove s2 to 9")
    mail = mails_to(ford, "smuggler")[-1]
    page = message_from_bytes(ford.bytes_of(mail), policy=default).get_body(("html",))
    assert page
    kind = 'Content-Type: text/html; charset="utf-8"'
    text = f"<html><body><p>add</p><p>hide s2</p><blockquote>{page.get_content()}</blockquote></body></html>"
    ford.write("smuggler", text, head=f"In-Reply-To: {mail.message_id}\n{kind}")

    assert "YOUR LINES" in ford.last_to("smuggler")
    assert WARNING not in ford.last_to("smuggler")


@pytest.mark.parametrize("typed", ["move s1 to 4", "move s2 to 3", "move s1 to 3 move", "move s2"])
def test_what_is_new_in_a_quotation_is_told(ford: Table, typed: str) -> None:
    ford.write("smuggler", "move s1 to 3")
    receipt, answers = quoted(ford, "smuggler", "receipt/")
    ford.write("smuggler", f"hide s2\n\n{receipt}\n> {typed}\n", head=answers)

    told = " ".join(ford.last_to("smuggler").split())
    assert ("looks like an order but stands in a quote, and was not read:" in told) is typed.endswith(("3", "4"))


def test_a_line_of_the_template_that_was_freed_of_its_mark_or_shortened_is_none_of_ours() -> None:
    template = sent(["# ride to PLACE   # or: look N", "to 1/F: march to Ahlheim at trot", "hold"])

    assert template.holds(worded("> hold"), "", "")
    assert not template.holds(worded("> look N"), worded("> hold"), "")
    assert not template.holds(worded("> to 1/F: march to Ahlheim"), "", worded("> hold"))


def test_what_was_sent_to_another_player_is_news(ford: Table) -> None:
    ford.write("guard", "move g1 to 3")
    ford.write("smuggler", "move s1 to 3\n\n> move s2 to 4\n")

    assert WARNING in ford.last_to("smuggler")


def test_a_signature_is_called_a_signature(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3\n\n> move s2 to 4\n\n-- \nAnn\nmove s2 to 3\n")

    told = " ".join(ford.last_to("smuggler").split())
    read = "looks like an order but stands in"
    assert f'Line 3 of your letter {read} a quote, and was not read: "move s2 to 4".' in told
    assert f'Line 7 of your letter {read} your signature, and was not read: "move s2 to 3".' in told


def test_lines_that_were_not_read_are_quoted_in_part_and_not_all_of_them(ford: Table) -> None:
    quoted = "".join(f"> move s2 to {square}\n" for square in (3, 4) * 6)
    ford.write("smuggler", f"move s1 to 3\n\n> > move s2 to 3  # {'long ' * 20}\n{quoted}")

    told = " ".join(ford.last_to("smuggler").split())
    assert "Lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 3 more of your letter look like orders" in told
    assert 'were not read: "move s2 to 3 # long long long long long…", "move s2 to 3", "move s2 to 4",' in told
    assert '"move s2 to 3", and others.' in told
