"""One letter's fate is one letter's: whatever it does, the next one is dealt with, and no answer undoes an intake."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.house import doctor
from pbem.desk.intake.receive import TRIES
from pbem.desk.post import rendering, writing
from pbem.desk.ways import arrivals
from pbem.kernel.names import Role
from pbem.mail.leaving.compose import BadDraft, Draft, compose
from pbem.storage import claims, letters, owed
from tests.kit.table import Table
from tests.kit.writers import answering, code_to, row, sheet

SMUGGLER, GUARD = Role("smuggler"), Role("guard")

POISON = {
    "an id with a letter outside ASCII": "Message-ID: <é@player.example>",
    "an id with a host outside ASCII": "Message-ID: <x@mac-büro.local>",
    "an id with a NUL": "Message-ID: <x\0y@player.example>",
    "an id without a host": "Message-ID: <4711>",
    "an id of bytes that are no text": "Message-ID: <\udcff\udcfe@player.example>",
    "a thread with a letter outside ASCII": "References: <a@x> <ü@mac-büro.local>",
    "an answer to an id outside ASCII": "In-Reply-To: <ﬁ@ｘ.example>",
    "a subject with a NUL": "Subject: [ford] 1A\0 orders",
    "a subject of broken encoded words": "Subject: =?utf-8?q?=0D=0ABcc:_x@y.example?= [ford]",
}


def poisoned(table: Table, field: str, text: str = "move s1 to 3") -> bytes:
    """A letter of the smuggler with a field that is not as it should be."""
    table.written += 1
    name = field.partition(":")[0]
    head = {
        "From": "From: Ann <ann@player.example>",
        "To": "To: office@office.example",
        "Subject": "Subject: Re: [ford] orders",
        "Message-ID": f"Message-ID: <p{table.written}@player.example>",
    }
    head[name] = field
    return "\n".join((*head.values(), "", text)).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("field", POISON.values(), ids=POISON)
def test_a_header_that_cannot_be_quoted_costs_neither_the_letter_nor_the_next_one(ford: Table, field: str) -> None:
    received = ford.receive(poisoned(ford, field))
    other = ford.write("guard", "watch g1 4")

    assert received.state == "applied", received.reason
    assert sheet(ford) == "move s1 to 3"
    assert "1A orders received - OK" in ford.last_to("smuggler")
    assert other.state == "applied"


def test_a_maildir_is_read_past_every_one_of_them(ford: Table, tmp_path: Path) -> None:
    box = tmp_path / "box"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True)
    for number, field in enumerate(POISON.values()):
        (box / "new" / f"{number:03}.host").write_bytes(poisoned(ford, field))
    (box / "new" / "999.host").write_bytes(ford.letter("guard", "watch g1 4"))
    ford.clock.forward(1)

    found = list(arrivals.from_place(ford.office, box))

    assert len(found) == len(POISON) + 1
    assert (found[-1].role, found[-1].state) == (GUARD, "applied")


@pytest.mark.parametrize("sender", ["ａnn@player.example", "ann\0@player.example", '"ann\udcff"@player.example', "<>"])
def test_a_sender_that_is_no_address_is_a_stranger_and_stops_nothing(ford: Table, sender: str) -> None:
    received = ford.receive(poisoned(ford, f"From: {sender}"))

    assert received.state in ("refused", "unreadable", "ignored")
    assert ford.write("guard", "watch g1 4").state == "applied"


# --------------------------------------------------------------------------------- what answers and what decides fails


def broken(*given: object, **named: object) -> None:
    raise RuntimeError("a template is broken")


def test_orders_stand_though_their_receipt_cannot_be_rendered_and_are_answered_in_plain_words(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendering, "receipt_letter", broken)
    received = ford.write("smuggler", "move s1 to 3\nmvoe s2 to 4")

    assert received.state == "applied"
    assert sheet(ford) == "move s1 to 3\nmvoe s2 to 4"
    said = ford.words_to("smuggler")
    assert "Your orders as they stand: move s1 to 3" in said
    assert "Refused: 2 mvoe s2 to 4" in said


def test_so_are_commands(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "short_letter", broken)
    ford.write("smuggler", "status")

    assert "How things stand:" in ford.words_to("smuggler")


def test_an_answer_that_cannot_be_composed_is_set_aside_and_the_gm_told_and_all_others_leave(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = compose

    def refusing(draft: Draft) -> bytes:
        if draft.to.address == "ann@player.example":
            raise BadDraft("it cannot stand in a letter")
        return plain(draft)

    monkeypatch.setattr(writing, "compose", refusing)
    assert ford.write("smuggler", "move s1 to 3").state == "applied"
    assert ford.write("guard", "watch g1 4").state == "applied"

    assert sheet(ford) == "move s1 to 3"
    assert "1A orders received" in ford.last_to("guard")
    assert [mail.subject for mail in ford.mails if mail.player is None] == ["[ford] a mail could not be written"]
    with ford.office.read() as connection:
        [failed] = owed.failed(connection)
    assert failed.fault == "it cannot stand in a letter"
    found = {one.what: one.says for one in doctor.examine(ford.office.folder) if one.state == "wrong"}
    assert "1 could not be written" in found["outbox"]

    monkeypatch.undo()
    assert writing.rewrite(ford.office) == (1, 0)
    assert "1A orders received - OK" in ford.last_to("smuggler")


def test_an_answer_that_the_outbox_does_not_take_does_not_have_the_orders_entered_twice(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(writing, "queue", broken)
        received = ford.write("smuggler", "move s1 to 3")
        assert (received.state, row(ford, received.letter).state) == ("applied", "applied")
        assert list(arrivals.sweep(ford.office)) == []

    assert ford.kinds.count("orders_accepted") == 1
    assert writing.rewrite(ford.office) == (2, 0)  # the GM could not be told either
    assert "1A orders received - OK" in ford.last_to("smuggler")


def test_whoever_dies_before_the_answer_leaves_it_to_the_next_one(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(office: object, *, of: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writing, "_write_new", dies)
        with pytest.raises(KeyboardInterrupt):
            ford.write("smuggler", "move s1 to 3")
    assert sheet(ford) == "move s1 to 3"
    before = len(ford.mails)

    assert list(arrivals.sweep(ford.office)) == []
    assert "1A orders received - OK" in ford.last_to("smuggler")
    assert len(ford.mails) == before + 1
    assert list(arrivals.sweep(ford.office)) == []
    assert len(ford.mails) == before + 1


def test_an_answer_that_brings_its_writer_down_is_given_up(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rendering, "receipt_letter", dies)
        with pytest.raises(KeyboardInterrupt):
            ford.write("smuggler", "move s1 to 3")
        for _ in range(writing.TRIES - 1):
            with pytest.raises(KeyboardInterrupt):
                writing.write_owed(ford.office)
        writing.write_owed(ford.office)
    assert ford.write("guard", "watch g1 4").state == "applied"

    assert "1A orders received" in ford.last_to("guard")
    assert any(mail.subject == "[ford] a mail could not be written" for mail in ford.mails)


@pytest.mark.parametrize("step", ["recipient.where", "recipient.addressed", "deciding.entered", "deciding.decided"])
def test_a_letter_over_which_the_office_breaks_is_put_off_and_then_set_aside(
    ford: Table, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    letter = ford.letter("smuggler", "move s1 to 3")
    first = arrivals.keep(ford.office, letter, way="pipe")
    with monkeypatch.context() as patch:
        patch.setattr(f"pbem.desk.intake.{step}", broken)
        states = [[one.state for one in arrivals.sweep(ford.office)] for _ in range(TRIES)]
    assert states == [["new"]] * (TRIES - 1) + [["unreadable"]]
    assert ford.write("guard", "watch g1 4").state == "applied"
    assert f"it could not be dealt with in {TRIES} attempts" in row(ford, first.id).reason


# ------------------------------------------------------------------------------------------- a fate for each part of it


def test_a_letter_may_confirm_one_thing_and_order_another(careful: Table) -> None:
    held = careful.write("smuggler", "move s1 to 3")
    text = f"{code_to(careful, 'smuggler')}\n\nadd\nmove s2 to 4\n"
    received = careful.write("smuggler", text, head=answering(careful, "smuggler"))

    assert received.state == "applied"
    assert received.reason == f"it confirmed letter {held.letter}: accepted; accepted"
    assert sheet(careful) == "move s1 to 3\nmove s2 to 4"


def test_thanks_beside_a_code_are_no_orders(careful: Table) -> None:
    held = careful.write("smuggler", "move s1 to 3")
    text = f"{code_to(careful, 'smuggler')}\n\nThanks,\nSmuggler\n"
    received = careful.write("smuggler", text, head=answering(careful, "smuggler"))

    assert received.reason == f"it confirmed letter {held.letter}: accepted"


def test_a_line_that_confirms_nothing_costs_the_good_lines_nothing(careful: Table) -> None:
    text = "confirm abcd-efgh-abcd-efgh\nmove s1 to 3"
    received = careful.write("smuggler", text, head=answering(careful, "smuggler"))

    assert received.state == "applied"
    assert received.reason == "the line in it confirms nothing; accepted"
    assert sheet(careful) == "move s1 to 3"
    with careful.office.read() as connection:
        assert letters.balance(connection).even


def test_a_report_that_is_asked_for_again_does_not_hold_up_the_next_letter(ford: Table) -> None:
    ford.turn()
    before = len(ford.mails)
    arrivals.keep(ford.office, ford.letter("smuggler", "report 1A"), way="lmtp")
    arrivals.keep(ford.office, ford.letter("guard", "watch g1 4"), way="lmtp")

    assert [one.state for one in arrivals.sweep(ford.office)] == ["applied", "applied"]
    assert [mail.kind for mail in ford.mails[before:]] == ["receipt", "receipt", "report"]


def test_a_machine_that_writes_half_a_sign_is_no_riddle(ford: Table) -> None:
    raw = ford.letter("smuggler", "I am away").replace(b"\n\n", b"\nAuto-Submitted: auto-\xc5replied\n\n", 1)

    assert ford.receive(raw).state == "ignored"


def test_an_answer_that_another_writes_just_now_is_left_to_him_and_not_counted_against_it(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(writing, "_write_new", lambda office, *, of: 0)
        ford.write("smuggler", "move s1 to 3")
    with ford.office.read() as connection:
        waits = owed.due(connection, limit=9, at=ford.clock.at)
    [row] = waits

    with claims.claimed(ford.office.engine, claims.WRITER, row.id):
        for _ in range(writing.TRIES + 1):
            assert writing.write_owed(ford.office) == 0
            assert not writing.write_next(ford.office)
        with ford.office.read() as connection:
            assert owed.due(connection, limit=9, at=ford.clock.at) == waits
    assert writing.write_owed(ford.office) == 1
    assert "1A orders received - OK" in ford.last_to("smuggler")
