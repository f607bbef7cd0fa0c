from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes

import pytest

from pbem.desk.books import dossiers
from pbem.desk.gm import history
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from tests.kit.grounds import ruled_by
from tests.kit.table import Table

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
LETTER = "letter to guard:\nShall we talk?\nAt the mill.\n\nmove s1 to 3"


def test_a_letter_goes_through_the_office_and_shows_no_address(ford: Table) -> None:
    ford.write("smuggler", LETTER)
    letter = ford.last_to("guard")

    assert "Subject: [ford] A letter from smuggler" in letter
    assert "Shall we talk?" in letter
    assert "At the mill." in letter
    assert "letter to smuggler:" in letter
    for own in ("ann@player.example", "1@player.example", "Smuggler <"):
        assert own not in letter
    assert ford.kinds[-3:] == ["message_received", "letter_sent", "orders_accepted"]


def test_it_is_answered_to_the_office_at_the_readers_own_address(ford: Table) -> None:
    ford.write("smuggler", LETTER)
    guard = ford.dossier.campaign.players[GUARD]
    mails = [message_from_bytes(ford.bytes_of(mail)) for mail in ford.mails if mail.player == guard]

    assert len({mail["Reply-To"] for mail in mails}) == 1
    assert mails[-1]["In-Reply-To"] is None


@pytest.mark.parametrize(
    ("press", "line", "signed"),
    [
        ("white", "letter to guard: hello", True),
        ("white", "letter to guard signed: hello", True),
        ("grey", "letter to guard: hello", True),
        ("grey", "letter to guard signed: hello", True),
        ("grey", "letter to guard, unsigned: hello", False),
        ("anonymous", "letter to guard: hello", False),
        ("anonymous", "letter to guard signed: hello", False),
    ],
)
def test_it_says_who_wrote_it_as_the_press_has_it(table: Table, press: str, line: str, signed: bool) -> None:
    table.open(press=press)
    table.write("smuggler", line)

    letter = table.last_to("guard")
    assert "hello" in letter
    assert ("smuggler" in letter) is signed
    assert ("signed" if signed else "without your name") in table.words_to("smuggler")
    [sent] = [one.event for one in table.dossier.log if isinstance(one.event, LetterSent)]
    assert sent.signed is signed


def test_a_letter_without_a_name_is_refused_where_all_are_signed(ford: Table) -> None:
    mails = len(ford.mails)
    assert ford.write("smuggler", "letter to guard unsigned: hello").state == "refused"

    assert len(ford.mails) == mails + 1
    assert "Send it again without unsigned" in ford.words_to("smuggler").replace("`", "")


def test_the_umpire_answers_a_player_at_his_own_address(ford: Table) -> None:
    ford.write("smuggler", "umpire: may I?")

    assert "Reply-To: ann@player.example" in ford.last_to("gm")
    assert "goes from you to ann@player.example, and not through the office" in " ".join(ford.last_to("gm").split())


def test_without_press_the_umpire_alone_is_reached(table: Table) -> None:
    table.open(press="none")
    before = len(table.mails)
    table.write("smuggler", "letter to guard: hello\nletter to umpire: is that so?\numpire: and this?")

    assert "There are no letters between players" in table.words_to("smuggler")
    assert [mail.player for mail in table.mails[before:]].count(None) == 2
    assert "and this?" in table.last_to("gm")
    assert "hello" not in table.last_to("guard")


def test_where_the_game_carries_letters_the_office_carries_none(ford: Table) -> None:
    with ford.office.read() as connection:
        dossier = dossiers.load(ford.office, connection, "ford")
    carries = ruled_by(ford.office, dossier, replace(dossier.system, carries_letters=True))
    ford.office.kept_of("campaigns", "ford")["dossier"] = carries
    ford.write("smuggler", "letter to guard: hello\nletter to umpire: hello too")

    assert "letters travel as its rules say" in ford.words_to("smuggler")
    assert "hello too" in ford.last_to("gm")
    assert "letter_sent" in ford.kinds
    assert "hello" not in ford.last_to("guard")


def test_who_wrote_without_his_name_is_not_in_the_readers_history(table: Table) -> None:
    table.open(press="anonymous")
    table.write("smuggler", "letter to guard: hello")
    [his] = [one for one in history.entries(table.office, "ford", role=GUARD) if isinstance(one.event, LetterSent)]
    [own] = [one for one in history.entries(table.office, "ford", role=SMUGGLER) if isinstance(one.event, LetterSent)]

    assert his.what == "somebody to guard: hello"
    assert "smuggler" not in repr(his.event)
    assert isinstance(his.event, LetterSent)
    assert his.event.message == ""
    assert own.what == "smuggler to guard: hello"


def test_a_letter_is_the_same_whoever_wrote_it_and_how_much_he_wrote_before(table: Table) -> None:
    """Nothing in the bytes counts what its writer did; the ids of the letters are keyed."""
    table.open(press="anonymous")
    table.write("smuggler", "letter to guard: one")
    first = table.last_to("guard")
    for _ in range(3):
        table.write("smuggler", "status")
    table.write("smuggler", "letter to guard: two")
    second = table.last_to("guard")

    def kept(letter: str) -> list[str]:
        volatile = ("Message-ID", "Date:", "X-", "boundary", "DKIM")
        return [line for line in letter.splitlines() if not any(word in line for word in volatile)]

    assert [one.replace("two", "one") for one in kept(second)] == kept(first)


def test_the_writers_own_address_is_taken_out_of_his_words(ford: Table) -> None:
    ford.write("smuggler", "letter to guard:\nAnswer me at Ann@Player.Example\nYours, S.")

    assert "player.example" not in ford.words_to("guard").lower().replace("ben@player.example", "")
    assert "Answer me at (address withheld) Yours, S." in ford.words_to("guard")


def test_so_many_letters_a_day_are_enough(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.desk.intake.press.LETTERS_A_DAY", 2)
    mails = [ford.write("smuggler", f"letter to guard: {count}\numpire: and you").state for count in range(3)]
    assert mails == ["applied", "applied", "refused"]
    assert "2 letters within 24 hours are enough" in ford.words_to("smuggler")
    ford.clock.forward(25)

    assert ford.write("smuggler", "letter to guard: 4").state == "applied"


@pytest.mark.parametrize("to", ["miller", "smuggler"])
def test_a_letter_to_nobody_is_not_delivered(ford: Table, to: str) -> None:
    mails = len(ford.mails)
    ford.write("smuggler", f"letter to {to}: hello")

    assert "Not delivered" in ford.words_to("smuggler")
    assert "There are: guard" in ford.words_to("smuggler")
    assert len(ford.mails) == mails + 1


def test_a_long_letter_is_delivered_whole(ford: Table) -> None:
    ford.write("smuggler", "letter to guard:\nDear Sir,\n\nwait on\n\nYours, S.\nend letter\nmove s1 to 3")

    assert "Dear Sir, wait on Yours, S." in ford.words_to("guard")
    assert ford.kinds[-1] == "orders_accepted"
    assert "wait_set" not in ford.kinds
