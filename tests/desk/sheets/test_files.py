"""Order files that the GM or a player hands in: whose they are, what they are, and who is told."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from pbem.desk.intake.handed import rehearse
from pbem.desk.intake.receive import submit
from pbem.desk.sheets import check
from pbem.kernel.errors import Refused
from tests.kit.table import Table

SHEET = b"game ford\nrole smuggler\nturn 1A\n\nmove s1 to 3\n"


def packed() -> bytes:
    """A small packed file, as a Word document is one."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("word/document.xml", "<w:t>move s1 to 3</w:t>")
    return data.getvalue()


NO_ORDERS = {
    "orders.docx": (packed(), "a Word document"),
    "orders.zip": (packed(), "a packed file"),
    "orders.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
    "field.png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
    "orders.html": (b"<!DOCTYPE html><p>move s1 to 3</p>", "a web page"),
    "orders.rtf": (b"{\\rtf1 move s1 to 3}", "rich text"),
    "office.sqlite": (b"SQLite format 3\0\x10\0\1", "no text"),
    "letter.eml": (b"move s1 to 3", "mail receive"),
    "letter.txt": (b"From: Ann <ann@player.example>\nMIME-Version: 1.0\n\nmove s1 to 3", "mail receive"),
}


@pytest.mark.parametrize(("name", "raw", "said"), [(name, *case) for name, case in NO_ORDERS.items()], ids=NO_ORDERS)
def test_no_receipt_quotes_me_a_file_that_was_never_orders(ford: Table, name: str, raw: bytes, said: str) -> None:
    before = len(ford.mails), ford.dossier.seq

    with pytest.raises(Refused, match=said) as refused:
        submit(ford.office, "ford", "smuggler", raw, name=f"/office/{name}")
    assert str(refused.value).startswith(f"{name} is ")
    with pytest.raises(Refused, match=said):
        check.in_campaign(ford.office, "ford", "smuggler", raw, name)
    assert (len(ford.mails), ford.dossier.seq) == before


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_file_is_read_in_whatever_character_set_my_editor_wrote_it(ford: Table, codec: str) -> None:
    raw = "# à l'aube\r\nmove s1 to 3\r\n".encode(codec)

    assert submit(ford.office, "ford", "smuggler", raw, name="orders.txt").state == "applied"


def test_a_sheet_that_names_another_game_or_role_is_not_entered_for_me(ford: Table) -> None:
    before = len(ford.mails), ford.dossier.seq
    for raw, said in ((SHEET.replace(b"ford", b"fort"), "game fort"), (SHEET.replace(b"smuggler", b"guard"), "guard")):
        for door in (submit, rehearse, check.in_campaign):
            args = ("smuggler", raw)
            with pytest.raises(Refused, match=said):
                door(ford.office, "ford", *args)

    assert (len(ford.mails), ford.dossier.seq) == before
    assert submit(ford.office, "ford", "SMUGGLER", SHEET).state == "applied"


def test_whose_a_sheet_is_need_not_be_said_twice(ford: Table) -> None:
    assert check.in_campaign(ford.office, None, None, SHEET).refused == 0
    assert submit(ford.office, "ford", None, SHEET).role == "smuggler"
    with pytest.raises(Refused, match="game NAME"):
        check.in_campaign(ford.office, None, "smuggler", b"move s1 to 3")
    with pytest.raises(Refused, match="--as ROLE"):
        submit(ford.office, "ford", None, b"move s1 to 3")


ENTERED = {
    "orders": "move s1 to 3",
    "orders of which none is one": "mvoe s1 too 3",
    "orders for a turn that is over": "turn S1\nmove s1 to 3",
    "the same orders again": "move s2 to 4",
    "a word to the office": "wait on",
    "a preview": "preview\nmove s1 to 3",
}


@pytest.mark.parametrize("text", ENTERED.values(), ids=ENTERED)
def test_i_am_told_when_the_umpire_writes_in_my_name_and_what(ford: Table, text: str) -> None:
    ford.submit("smuggler", "move s2 to 4")
    before = len(ford.mails)
    ford.submit("smuggler", text)

    answer = "\n".join(map(ford.text_of, ford.mails[before:]))
    assert "The umpire entered th" in answer
    assert all(line in answer for line in text.splitlines() if not line.startswith(("turn", "preview")))


def test_what_i_hand_in_myself_is_not_called_the_umpires(ford: Table) -> None:
    for text in ("move s1 to 3", "wait on", "mvoe"):
        ford.submit("smuggler", text, source="upload")

        assert "umpire entered" not in ford.last_to("smuggler")


@pytest.mark.parametrize("word", ["resign ford", "stop"])
def test_nobody_hands_my_role_back_or_stops_my_letters_by_a_file(ford: Table, word: str) -> None:
    with pytest.raises(Refused, match="letter of its player alone"):
        ford.submit("smuggler", f"move s1 to 3\n{word}")


@pytest.mark.parametrize("text", ENTERED.values(), ids=ENTERED)
def test_a_dry_run_says_what_the_receipt_would_and_enters_nothing(ford: Table, text: str) -> None:
    ford.submit("smuggler", "move s2 to 4")
    before = len(ford.mails), ford.dossier.seq
    done = rehearse(ford.office, "ford", "smuggler", text.encode())

    assert (len(ford.mails), ford.dossier.seq) == before
    received = ford.submit("smuggler", text)
    assert (received.reason, received.state == "refused") == (done.outcome, done.refused)
    there = "\n".join(map(ford.text_of, ford.mails[before[0] :]))
    assert len(done.answers) == len(ford.mails) - before[0]
    for subject, said in done.answers:
        told = [line.strip() for line in said.splitlines() if not line.strip().startswith(("Received", "Due"))]
        assert [line for line in (f"Subject: {subject}", *told) if line not in there] == []
