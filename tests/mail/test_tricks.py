"""Letters that try to be from somebody else, to slip a line into a header, or to leave something on the disk."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.reading.letter import Letter, read_head, read_letter
from pbem.mail.wire.addresses import normalise, read_addresses
from pbem.mail.wire.limits import MAX_PARTS, UnreadableLetter

ANTON = "anton@vogel.example"


def sender(value: str) -> str:
    """The address in which a letter with that From is believed to be from."""
    return read_letter(f"From: {value}\nTo: gpw@office.example\n\nhold\n".encode()).sender.address


# ------------------------------------------------------------------------------------------------ who it is from


@pytest.mark.parametrize(
    "value",
    [
        "anton@vogel.example",
        "<anton@vogel.example>",
        "Anton <Anton@Vogel.Example>",
        '"Vogel, Anton" <anton@vogel.example>',
        "anton@vogel.example (Anton (the elder) Vogel)",
        "=?utf-8?q?evil=40x=2Eexample?= <anton@vogel.example>",
        '"evil@x.example" <anton@vogel.example>',
        "(evil@x.example) anton@vogel.example",
        "Anton\n <anton@vogel.example>",
    ],
)
def test_who_it_is_from_stands_in_the_address_alone(value: str) -> None:
    assert sender(value) == ANTON


@pytest.mark.parametrize(
    "value",
    [
        '"anton@vogel.example" <evil@x.example>',
        "anton@vogel.example <evil@x.example>",
        "=?utf-8?q?anton=40vogel=2Eexample?= <evil@x.example>",
        "=?utf-8?b?YW50b25Adm9nZWwuZXhhbXBsZQ==?= <evil@x.example>",
        "evil@x.example (anton@vogel.example)",
        '"\\"anton@vogel.example\\" <anton@vogel.example>" <evil@x.example>',
        '"Anton <anton@vogel.example>" <evil@x.example>',
        "<anton@vogel.example> <evil@x.example>",
    ],
)
def test_an_address_in_the_name_is_nobodys(value: str) -> None:
    assert sender(value) in ("evil@x.example", "")


@pytest.mark.parametrize(
    "value",
    [
        "anton@vogel.example, evil@x.example",
        "evil@x.example, anton@vogel.example",
        "Staff: anton@vogel.example, evil@x.example;",
        "anton@vogel.example\nFrom: evil@x.example",
        "evil@x.example\nfrom: anton@vogel.example",
        "anton@vogel.example; evil@x.example",
    ],
)
def test_of_two_senders_neither_is_believed(value: str) -> None:
    assert sender(value) == ""


@pytest.mark.parametrize(
    "value",
    [
        '"anton@vogel.example"@x.example',
        '"anton@vogel.example\\""@x.example',
        "anton@vogel.example@x.example",
        "anton%vogel.example@x.example",
        "x.example!anton@vogel.example.x.example",
        "<@vogel.example:anton@x.example>",
        "anton@vogel.example.",
        "anton@vogel.example\x00@x.example",
        "anton @vogel.example.x.example",
        "anton@[192.0.2.1]",
        "\u0430nton@vogel.example",
        "anton@v\u043egel.example",
        "anton@vogel。example.x.example",
        "\uff41nton@vogel.example",
        "anton\u200b@vogel.example",
        "ant\u00f6n@vogel.example",
        "anton@xn--vgel-0qa.example",
    ],
)
def test_what_only_looks_like_an_address_is_another(value: str) -> None:
    assert sender(value) != ANTON


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_about_an_address_makes_it_another(before: str, after: str) -> None:
    """Whatever stands beside it, an address is read as itself or not at all."""
    found = [one.address for one in read_addresses(f'"{before}" <evil@x.example> ({after})')]

    assert ANTON not in found


@given(st.text(max_size=80) | st.text(max_size=30).map("anton@{}.example".format))
@example("anton@off\u00a8ice.example")
@example("anton@off\x0eice.example")
def test_an_address_that_is_stored_is_found_again(text: str) -> None:
    stored = normalise(text)

    assert normalise(stored) == stored
    assert not set(stored) & set(" \t\r\n<>,;\x00\x0e")


# ------------------------------------------------------------------------------------------------ header injection


@pytest.mark.parametrize(
    "value",
    [
        "=?utf-8?q?orders=0D=0ABcc:_evil@x.example?=",
        "=?utf-8?b?b3JkZXJzDQpCY2M6IGV2aWxAeC5leGFtcGxl?=",
        "=?utf-8?q?orders=0ABcc:_evil@x.example?=",
        "=?utf-16?b?bwByAGQADQAKAEIA?=",
        "orders\x0bBcc: evil@x.example",
        "orders =?utf-8?q?=E2=80=A8?= Bcc: evil@x.example",
        "orders =?utf-8?q?=C2=85?= Bcc: evil@x.example",
    ],
)
def test_what_is_read_of_a_header_is_one_line(value: str) -> None:
    raw = f"From: {value} <a@x.example>\nSubject: {value}\nMessage-ID: <{value}@x>\n\nhold\n".encode()
    for head in (read_head(raw), read_letter(raw)):
        for read in (head.subject, head.sender.name, head.message_id, *head.references):
            assert len(read.splitlines()) <= 1


# ------------------------------------------------------------------------------------------------ bombs, and paths


def bomb(parts: int, inner: str) -> bytes:
    head = "From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n"
    return (head + f"--b\n{inner}\n" * parts + "--b--\n").encode()


def test_parts_in_parts_are_all_counted() -> None:
    inner = "Content-Type: multipart/mixed; boundary=c\n\n" + "--c\n\nhold\n" * 9 + "--c--\n"

    assert isinstance(read_letter(bomb(MAX_PARTS // 10, inner)), Letter)
    with pytest.raises(UnreadableLetter, match="110 parts"):
        read_letter(bomb(11, inner))


def test_a_letter_in_a_letter_in_a_letter_is_not_opened() -> None:
    inner = "Content-Type: message/rfc822\n\n" * 15 + "Content-Type: text/plain\n\nmarch to Paris\n"
    read = read_letter(bomb(1, "Content-Type: text/plain\n\nhold\n--b\n" + inner))

    assert [line.text for line in read.lines] == ["hold"]
    assert read.attachments == ("message/rfc822",)


def test_parts_that_borrow_the_boundary_of_the_whole_end_it() -> None:
    inner = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhold\n"

    assert "hold" in [line.text for line in read_letter(bomb(3, inner)).lines]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("../../etc/passwd", "passwd"),
        ("/etc/passwd", "passwd"),
        ("..\\\\..\\\\windows\\\\win.ini", "win.ini"),
        ("C:\\\\orders.pdf", "orders.pdf"),
        ("orders.pdf/", "application/pdf"),
        ("..", "application/pdf"),
        (".", "application/pdf"),
        ("orders\x00.pdf.exe", "orders.pdf.exe"),
        ("=?utf-8?q?=2E=2E=2Fpasswd?=", "passwd"),
        ("=?utf-8?q?a=0D=0AX-Evil:_1?=", "a X-Evil: 1"),
        ("o\u202efdp.exe", "ofdp.exe"),
        ("x" * 1_000 + ".pdf", "x" * 40 + "…" + "x" * 35 + ".pdf"),
        ("", "application/pdf"),
    ],
)
def test_a_name_of_an_attachment_is_a_name_and_no_path(written: str, read: str) -> None:
    field = f'Content-Type: application/pdf\nContent-Disposition: attachment; filename="{written}"\n\nx'
    letter = read_letter(bomb(1, f"\nhold\n--b\n{field}"))

    assert letter.attachments == (read,)


def test_a_type_that_is_a_path_is_not_shown() -> None:
    letter = read_letter(bomb(1, "\nhold\n--b\nContent-Type: ../passwd\n\nx"))

    assert letter.attachments == ("a part without a name",)
