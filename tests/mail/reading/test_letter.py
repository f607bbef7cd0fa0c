"""A letter read: its header, its limits, and that nothing whatever makes the reader fail otherwise than by refusing."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, datetime
from email.header import Header

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.reading.letter import Letter, read_head, read_letter
from pbem.mail.wire import limits
from pbem.mail.wire.addresses import Address
from pbem.mail.wire.limits import UnreadableLetter
from tests.kit.hostile import LETTERS

HEAD = b"From: a@x.example\nSubject: orders\n"


def letter(body: str, *fields: str) -> Letter:
    return read_letter("\n".join([*fields, "", body]).encode())


def typed(read: Letter) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in read.lines]


def read_or_refused(raw: bytes) -> Letter | str:
    """The letter, or the reason why there is none."""
    try:
        return read_letter(raw)
    except UnreadableLetter as refused:
        return refused.reason


# ------------------------------------------------------------------------------------------------------- header


def test_the_header_is_decoded() -> None:
    read = letter(
        "hold",
        "Delivered-To: GPW+french.1.k3x@Office.example",
        'From: =?utf-8?q?Zo=C3=AB?= "von" =?iso-8859-1?q?M=FCller?= <Zoe@X.Example>',
        "To: Office <gpw+french.1.k3x@office.example>, Staff: b@x.example;",
        "Cc: c@x.example, C@X.EXAMPLE",
        "Subject: =?utf-8?b?UmU6IFtncHdd?=\n =?utf-8?q?_Gr=C3=BC=C3=9Fe?=",
        "Date: Fri, 12 Jun 2026 18:20:00 +0200",
        "Message-ID: <one@x.example>",
        "In-Reply-To: <gpw.3@office.example> (sent by the office)",
        "References: <root@office.example>\n <gpw.3@office.example>",
    )

    assert read.sender == Address("zoe@x.example", "Zoë von Müller")
    assert read.recipients == ("gpw+french.1.k3x@office.example", "b@x.example", "c@x.example")
    assert read.subject == "Re: [gpw] Grüße"
    assert read.date == datetime(2026, 6, 12, 16, 20, tzinfo=UTC)
    assert read.message_id == "<one@x.example>"
    assert read.in_reply_to == "<gpw.3@office.example>"
    assert read.references == ("<root@office.example>", "<gpw.3@office.example>")
    assert read.auto == ""
    assert read.warnings == ()


def test_a_letter_without_a_header_has_no_sender_and_no_date() -> None:
    read = read_letter(b"\nhold\n")

    assert (read.sender, read.date, read.message_id, read.subject) == (Address(""), None, "", "")
    assert typed(read) == [(1, "hold")]


@pytest.mark.parametrize(
    "fields",
    [
        ("From: a@x.example", "From: b@x.example"),
        ("From: a@x.example, b@x.example",),
        ('From: "gm@office.example" <a@x.example>, gm@office.example',),
    ],
)
def test_of_two_senders_none_is_believed(fields: tuple[str, ...]) -> None:
    read = letter("hold", *fields)

    assert read.sender == Address("")
    assert read.warnings == ("The letter names more than one sender, so none of them is believed.",)


def test_an_address_in_the_name_is_not_the_sender() -> None:
    assert letter("hold", 'From: "gm@office.example" <a@x.example>').sender.address == "a@x.example"
    assert letter("hold", "From: a@x.example (gm@office.example)").sender.address == "a@x.example"


@pytest.mark.parametrize(
    "date", ["yesterday", "Fri, 99 Jun 2026 18:20:00 +0200", "Fri, 12 Jun 99999 18:20:00 +9900", ""]
)
def test_a_date_that_is_none_is_left_out(date: str) -> None:
    assert letter("hold", f"Date: {date}").date is None


def test_raw_bytes_in_a_header_are_read_as_utf_8_or_windows_1252() -> None:
    assert read_letter("Subject: Grüße\n\nhold".encode()).subject == "Grüße"
    assert read_letter("Subject: Grüße\n\nhold".encode("cp1252")).subject == "Grüße"


def test_a_thread_that_is_too_long_keeps_its_end() -> None:
    ids = [f"<{n}@x.example>" for n in range(2_000)]

    assert letter("hold", "References: " + "\n ".join(ids)).references == tuple(ids[-100:])


def test_automatic_mail_says_why() -> None:
    assert (
        letter("I am away", "From: a@x.example", "Auto-Submitted: auto-replied").auto == "Auto-Submitted: auto-replied"
    )


def test_the_head_of_a_letter_that_cannot_be_read_still_says_who_sent_it() -> None:
    raw = HEAD + b"Message-ID: <big@x.example>\n\n" + b"x" * (limits.MAX_LETTER + 1)

    with pytest.raises(UnreadableLetter):
        read_letter(raw)
    assert (read_head(raw).sender.address, read_head(raw).message_id) == ("a@x.example", "<big@x.example>")


# ------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "The letter is empty."),
        (b" \r\n\r\n", "The letter is empty."),
        (b"From: a@x.example\n\n \n\n", "The letter has no text."),
        (HEAD + b"\n" + b"x" * 1_100_000, "The letter is too big: 1,075 kB, and at most 1,024 kB are read."),
        (b"X: y\n" * 20_000 + b"\nhold", "The header of the letter is too large: 98 kB, and at most 64 kB are read."),
        (HEAD + b"\n" + b"x" * 300_000, "The text of the letter is too long: 293 kB, and at most 256 kB are read."),
        (HEAD + b"\n" + b"hold\n" * 2_001, "The letter has 2,001 lines of its own, and at most 2,000 are read."),
        (b"\x00\x01\x02\x03" * 100, "This is no letter but binary data. Send the orders as plain text."),
        (LETTERS["nested parts"], "The parts of the letter are nested more than 20 deep."),
        (LETTERS["nested letters"], "The parts of the letter are nested more than 20 deep."),
        (
            HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 101 + b"--b--\n",
            "The letter has 101 parts, and at most 100 are read.",
        ),
        (
            HEAD + b'Content-Type: application/ms-tnef; name="winmail.dat"\n\nx\n',
            "The letter holds only winmail.dat, which Outlook alone can read. Send the orders as plain text.",
        ),
        (
            HEAD + b'Content-Type: application/pdf; name="orders.pdf"\n\nx\n',
            'The letter has no text, only an attachment that cannot be read: "orders.pdf". Write the orders '
            "into the letter itself, or attach them as plain text (a file .txt or .md).",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(UnreadableLetter) as refused:
        read_letter(raw)

    assert refused.value.reason.startswith(reason)


def test_just_within_the_limits_all_is_read() -> None:
    body = b"".join(b"order %d %s\n" % (n, b"x" * 100) for n in range(1_990))

    assert len(read_letter(HEAD + b"\n" + body).lines) == 1_990


def test_a_long_quotation_does_not_cost_the_orders() -> None:
    read = read_letter(HEAD + b"\nhold\n\nOn 12 Jun 2026 10:00 GM wrote:\n" + b"> old\n" * 5_000)

    assert typed(read) == [(1, "hold")]


def test_two_hundred_flat_parts_with_one_boundary_are_not_nested() -> None:
    parts = b"".join(b"--b\nContent-Type: text/plain\n\norder %d\n" % n for n in range(90))

    assert (
        len(
            [
                line
                for line in typed(read_letter(HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + parts))
                if line[1]
            ]
        )
        == 90
    )


@pytest.mark.parametrize("name", LETTERS)
def test_hostile_letters_are_read_or_refused(name: str) -> None:
    assert read_or_refused(LETTERS[name])
    read_head(LETTERS[name])


# ------------------------------------------------------------------------------------------------------- body


def test_lines_are_numbered_as_they_stand_in_the_letter() -> None:
    read = letter("> old\n\nhold Metz\n\n  march\n> older\n")

    assert typed(read) == [(3, "hold Metz"), (4, ""), (5, "  march")]
    assert [(line.number, line.text, line.why) for line in read.ignored] == [
        (1, "> old", "quote"),
        (6, "> older", "quote"),
    ]


def test_each_ignored_line_says_why() -> None:
    read = letter(
        "hold\n-- \nAnton\n\nOn 12 Jun 2026, at 18:02, GM <gm@x.example> wrote:\n> x\n\n"
        "From: a\nSent: b\nTo: c\nSubject: d\n"
    )
    whys = [line.why for line in read.ignored]

    assert whys == ["signature"] * 2 + ["attribution", "quote"] + ["original message"] * 4


def test_begin_without_end_reads_to_the_end_of_what_was_typed() -> None:
    assert typed(letter("x\nBEGIN\nhold\n--\nmarch\n> end\nrest")) == [
        (1, "x"),
        (2, "BEGIN"),
        (3, "hold"),
        (4, "--"),
        (5, "march"),
        (7, "rest"),
    ]


def test_a_guessed_character_set_is_a_warning() -> None:
    read = read_letter(HEAD + b"Content-Type: text/plain; charset=x-marshal\n\n" + "Mézières".encode())

    assert read.warnings == ('The character set "x-marshal" is not known; the text was read as UTF-8.',)


def attached(*parts: bytes, body: bytes = b"") -> Letter:
    whole = b"".join(b"--b\n%s\n" % part for part in (b"\n" + body, *parts))
    return read_letter(HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + whole + b"--b--\n")


def a_file(name: str, data: bytes, kind: str = "text/plain") -> bytes:
    field = (
        f'Content-Type: {kind}\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="{name}"'
    )
    return field.encode() + b"\n\n" + base64.b64encode(data)


@pytest.mark.parametrize(
    ("name", "kind", "data"),
    [
        ("../../orders.txt", "text/plain", b"hold\nmarch"),
        ("orders.md", "text/markdown", b"hold\nmarch"),
        ("orders.md", "application/octet-stream", b"hold\nmarch"),
        ("ORDERS.TXT", "application/octet-stream", b"hold\r\nmarch"),
        ("orders.txt", "application/octet-stream", "\ufeffhold\nmarch".encode()),
        ("orders.txt", "text/plain", "\ufeffhold\nmarch".encode("utf-16-le")),
        ("orders.txt", "text/plain", "\ufeffhold\nmarch".encode("utf-16-be")),
        ("orders.txt", "text/plain; charset=us-ascii", "hold\nmarch".encode("utf-16-le")),
        ("orders.txt", "image/png", b"hold\nmarch"),
        ("orders", "text/plain", b"hold\nmarch"),
    ],
)
def test_a_text_that_was_attached_is_read_whatever_it_is_called(name: str, kind: str, data: bytes) -> None:
    for body in (b"", b"My orders are in the file."):
        [file] = attached(a_file(name, data, kind), body=body).files
        assert [line.text for line in file.lines] == ["hold", "march"]
        assert (file.name, file.kind) == (name.rpartition("/")[2], "")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("orders.docx", b"PK\x03\x04 and more", "a Word document"),
        ("orders.txt", b"PK\x03\x04 and more", "a packed file"),
        ("orders.pdf", b"%PDF-1.7", "a PDF"),
        ("map.jpg", b"\xff\xd8\xff", "a picture"),
        ("orders.bin", b"\x00\x01\x02", "no text"),
        ("orders.csv", b"hold;march", "no file that orders are read from"),
        ("orders.txt", b"hold\n" * 2_001, "longer than 2,000 lines or 256 kB"),
    ],
)
def test_of_a_file_that_is_not_read_it_is_said_what_it_is(name: str, data: bytes, kind: str) -> None:
    [file] = attached(a_file(name, data, "application/octet-stream"), body=b"My orders are in the file.").files

    assert (file.name, file.lines, file.kind) == (name, (), kind)
    assert "write the orders into the letter itself" in file.instead


def test_what_programs_attach_of_themselves_is_no_file_of_the_writers() -> None:
    letter = attached(
        a_file("signature.asc", b"-----BEGIN", "application/pgp-signature"),
        a_file("anton.vcf", b"BEGIN:VCARD", "text/vcard"),
        a_file("ATT00001.txt", b"a list's footer"),
        body=b"hold",
    )

    assert letter.files == ()
    assert letter.attachments == ("signature.asc", "anton.vcf", "ATT00001.txt")


def test_of_very_many_files_a_few_are_read() -> None:
    files = attached(*(a_file(f"{n}.txt", b"hold") for n in range(30))).files

    assert [bool(file.lines) for file in files] == [True] * 10 + [False] * 20


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("a" * 300 + ".txt", "a" * 40 + "…" + "a" * 35 + ".txt"),
        ("or\u202etxt.exe", "ortxt.exe"),
        ("<b>x.txt", "<b>x.txt"),
    ],
)
def test_a_hostile_name_of_a_file_is_cleaned_and_bounded(name: str, clean: str) -> None:
    coded = f"=?utf-8?b?{base64.b64encode(name.encode()).decode()}?=" if not name.isascii() else name

    assert attached(a_file(coded, b"hold")).files[0].name == clean


def test_a_letter_with_a_subject_alone_has_no_lines_and_says_so() -> None:
    read = letter("\n\n", "From: a@x.example", "Subject: status")

    assert (read.subject, read.lines, read.warnings) == ("status", (), ("The letter has no text.",))


def test_a_page_that_cannot_be_read_does_not_cost_the_text_beside_it() -> None:
    read = read_letter(
        HEAD
        + b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        + b"<div>" * 3_000
        + b"\n--b\nContent-Type: text/plain\n\nhold\n--b--\n"
    )

    assert (typed(read), read.from_html) == ([(1, "hold")], False)


def test_html_alone_is_said_to_be_html() -> None:
    read = read_letter(HEAD + b"Content-Type: text/html\n\n<meta charset=windows-1251><p>\xf1\xf2\xee\xff\xf2\xfc</p>")

    assert (typed(read), read.from_html) == ([(1, "стоять")], True)


def test_a_multipart_without_a_boundary_is_read_as_text() -> None:
    assert typed(read_letter(HEAD + b"Content-Type: multipart/mixed\n\nhold\n")) == [(1, "hold")]


# ------------------------------------------------------------------------------------------------------- properties


def mutations() -> Iterator[st.SearchStrategy[bytes]]:
    """Any bytes; pieces of mail in any order; a true letter with pieces torn out and put in."""
    pieces = st.sampled_from(
        [
            b"From: a@x.example\n",
            b"Subject: =?utf-8?q?=C3?=\n",
            b"Date: ",
            b"To: <",
            b"Content-Type: multipart/alternative; boundary=b\n",
            b"Content-Type: text/html; charset=",
            b"utf-16",
            b"hz",
            b"Content-Transfer-Encoding: base64\n",
            b"Content-Transfer-Encoding: x-uuencode\n",
            b"Content-Disposition: attachment; filename*0*=utf-8''x%",
            b"; filename*=bogus'x'%FF.txt\n",
            b"\n",
            b"\n\n",
            b"--b\n",
            b"--b--\n",
            b"> ",
            b"On 1 Jun 2026 10:00 a@x.example wrote:\n",
            b"<div>",
            b"<blockquote>",
            b"<!--",
            b"&#x110000;",
            b"BEGIN\n",
            b"END\n",
            b"-- \n",
            b"\xff\xfe",
            b"\x00",
        ]
    )
    yield st.binary(max_size=2_000)
    yield st.lists(st.one_of(pieces, st.binary(max_size=20)), max_size=60).map(b"".join)


@given(st.one_of(*mutations()))
@example(b"Content-Type: text/plain; charset=utf-8''x\n\n\xff")
@example(b"Content-Type: text/plain; charset*=a'b'%FF\n\n\xff")
@example(b'Content-Type: multipart/mixed; boundary=""\n\n--\nx')
@example(b"Content-Type: text/html\n\n<html")
@example(b"Content-Transfer-Encoding: base64\n\nA\xff")
def test_the_reader_refuses_or_reads_and_does_nothing_else(raw: bytes) -> None:
    head = read_head(raw)
    read = read_or_refused(raw)

    assert read
    if isinstance(read, Letter):
        numbers = [line.number for line in read.lines] + [line.number for line in read.ignored]
        assert (read.sender, read.subject) == (head.sender, head.subject)
        assert len(numbers) == len(set(numbers))


ORDERS = st.from_regex(r"(From|On|To|hold|-- first|march|On contact:) [a-z0-9 ,.:-]{0,40}[a-z0-9]", fullmatch=True)


@given(st.lists(ORDERS, min_size=1, max_size=8), st.lists(ORDERS, max_size=8))
def test_what_is_quoted_is_never_read_and_what_was_typed_always(own: list[str], quoted: list[str]) -> None:
    quote = "".join(f"> {line}\n" for line in quoted)
    for body in (
        "\n".join(own) + "\n\nOn Fri, 12 Jun 2026 at 18:02, GM <gm@x.example> wrote:\n" + quote,
        "On 12/06/2026 18:02, GM wrote:\n> \n" + quote + "\n" + "\n".join(own),
        "\n".join(own) + "\n\n-----Original Message-----\n" + "\n".join(quoted),
        "\n".join(own) + "\n\nVon: GM\nGesendet: heute\nAn: mich\nBetreff: Zug 3\n\n" + "\n".join(quoted),
    ):
        assert [text for _, text in typed(letter(body)) if text] == own


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cs"]), max_size=60))
def test_a_subject_in_encoded_words_is_the_same_as_a_raw_one(subject: str) -> None:
    encoded = Header(subject, "utf-8").encode()

    assert read_head(f"Subject: {encoded}\n".encode()).subject == " ".join(
        read_head(f"Subject: x{subject}\n".encode()).subject[1:].split()
    )
