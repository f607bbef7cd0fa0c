"""Orders in a file beside the letter: they are read where the letter has none, and of each file it is said so."""

from __future__ import annotations

import base64

import pytest

from pbem.kernel.office import OrdersAccepted
from tests.kit.table import Table

ORDERS = "game ford\nrole smuggler\nturn 1A\n\nmove s1 to 3"
WORD = b"PK\x03\x04 and more"


def letter(ford: Table, body: str, *files: tuple[str, str | bytes]) -> bytes:
    """A letter of the smuggler with *files*, each a name and what is in it, declared as a mere stream of bytes."""
    head, _, _ = ford.letter("smuggler", "").partition(b"\n\n")
    parts = [f"Content-Type: text/plain; charset=utf-8\n\n{body}\n".encode()]
    for name, said in files:
        data = said.encode() if isinstance(said, str) else said
        field = f'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="{name}"\n'
        parts.append(field.encode() + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(data))
    body_of = b"".join(b"--b\n" + part for part in parts)
    return head + b"\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" + body_of + b"--b--\n"


def stands(ford: Table) -> str:
    """The sheet that was taken last; nothing, if none was."""
    events = [one.event for one in ford.dossier.log if isinstance(one.event, OrdersAccepted)]
    return events[-1].text if events else ""


@pytest.mark.parametrize(
    "body",
    ["My orders are in the file.", "Orders attached.", "Orders attached for p1 and s1", "", "See attachment\n\nAnn\n"],
)
@pytest.mark.parametrize("name", ["orders.txt", "orders.md", "ORDERS.TXT"])
def test_orders_in_a_file_are_read_whatever_the_letter_says_of_them(ford: Table, body: str, name: str) -> None:
    received = ford.receive(letter(ford, body, (name, ORDERS)))

    assert (received.reason, stands(ford)) == ("accepted", "move s1 to 3")
    assert f'Your orders were read from the file "{name}".' in ford.words_to("smuggler")
    assert body.partition("\n")[0] in ford.words_to("smuggler")


def test_words_to_the_office_beside_a_file_of_orders_are_obeyed(ford: Table) -> None:
    ford.receive(letter(ford, "Orders attached.\nwait on\n", ("orders.txt", "move s1 to 3\nwait on\n")))

    assert stands(ford) == "move s1 to 3"
    assert all(ford.dossier.campaign.waits.values())
    assert ford.kinds.count("wait_set") == 1


def test_where_both_have_orders_the_letter_counts_and_the_file_is_named(ford: Table) -> None:
    ford.receive(letter(ford, "move s1 to 2", ("old.txt", ORDERS), ("notes.txt", "wind from the west today.")))
    said = ford.words_to("smuggler")

    assert stands(ford) == "move s1 to 2"
    assert 'The file "old.txt" has orders too, and was not read: the letter itself has orders.' in said
    assert 'Files "notes.txt" has no order in it' in said


def test_of_several_files_with_orders_the_first_is_read_and_the_others_are_named(ford: Table) -> None:
    files = [("readme.txt", "How to play this."), ("one.txt", "move s1 to 3"), ("two.txt", "move s1 to 2")]
    ford.receive(letter(ford, "As attached", *files))
    said = ford.words_to("smuggler")

    assert stands(ford) == "move s1 to 3"
    assert 'The file "two.txt" has orders too, and was not read: of several files with orders the first' in said


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("orders.docx", WORD, "a Word document"),
        ("orders.pdf", b"%PDF-1.7", "a PDF"),
        ("map.png", b"\x89PNG", "a picture"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_what_to_send(ford: Table, name: str, data: bytes, kind: str) -> None:
    ford.receive(letter(ford, "My orders are in the file.", (name, data)))
    said = ford.words_to("smuggler")

    assert f'The file "{name}" is {kind}, and was not read. Write the orders into the letter itself, or attach' in said
    ford.receive(letter(ford, "move s1 to 3", (name, data)))
    said = ford.words_to("smuggler")
    assert stands(ford) == "move s1 to 3"
    assert f'Files "{name}" is {kind}: not read' in said
    assert "Please look" not in said


def test_a_mistyped_order_in_a_file_is_refused_with_its_hint(ford: Table) -> None:
    ford.receive(letter(ford, "My orders are in the file.", ("orders.txt", "mvoe s1 to 3")))

    assert "No order taken" in ford.last_to("smuggler")
    assert "mvoe s1 to 3" in ford.words_to("smuggler")


def test_a_mistyped_order_in_the_letter_beside_a_good_file_is_named(ford: Table) -> None:
    ford.receive(letter(ford, "mvoe s1 to 2", ("orders.txt", ORDERS)))

    assert stands(ford) == "move s1 to 3"
    assert "Not read as orders mvoe s1 to 2" in ford.words_to("smuggler")


def test_a_hostile_name_of_a_file_stands_escaped_and_bounded(ford: Table) -> None:
    ford.receive(letter(ford, "I wrote a file.", ("<script>alert(1)</script>" + "x" * 300 + ".txt", ORDERS)))
    page = ford.last_to("smuggler")

    assert "<script>alert" not in page.partition("<html")[2]
    assert "x" * 80 not in page


def test_the_game_of_a_letter_may_be_named_in_its_file_alone(ford: Table) -> None:
    ford.name = "other"
    ford.open()
    received = ford.receive(letter(ford, "Orders attached.", ("orders.txt", ORDERS)).replace(b"[other]", b""))

    assert (received.campaign, received.reason) == ("ford", "accepted")
