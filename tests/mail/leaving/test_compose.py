"""Letters composed: their tree and header, the same bytes each time, and nothing slipped in."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import AddressHeader, ContentTypeHeader
from email.message import EmailMessage, MIMEPart
from unicodedata import normalize

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.leaving.compose import REPLIED, Attachment, BadDraft, Draft, Picture, compose
from pbem.mail.reading.letter import read_letter
from pbem.mail.wire.addresses import Address, read_addresses

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
DRAFT = Draft(
    message_id="<gpw.3.french.report.1@office.example>",
    date=datetime(2026, 6, 12, 16, 2, tzinfo=UTC),
    sender=Address("gpw@office.example", "GPW office"),
    to=Address("zoe@x.example", "Zoë “the Lion” Müller, Marshal"),
    subject="[gpw] Turn 3 report",
    text="Turn 3 of gpw.\n\nFrom Metz to Sedan marched the 3rd corps — Mézières holds.\n.\n",
    office="office-1",
)
REPORT = msgspec.structs.replace(
    DRAFT,
    list_id="gpw.office.example",
    html='<p>Turn 3</p><img src="cid:map.3@office.example" alt="Map">',
    pictures=(Picture(cid="map.3@office.example", content=PNG, name="map.png"),),
    attachments=(
        Attachment("gpw-turn3.html", "text/html", "<p>Mézières</p>".encode()),
        Attachment("deadline.ics", "text/calendar", b"BEGIN:VCALENDAR\r\n", {"method": "PUBLISH"}),
    ),
)


def parsed(draft: Draft) -> EmailMessage[str, str]:
    return message_from_bytes(compose(draft), policy=policy.default)


def tree(part: MIMEPart[str, str]) -> str:
    below = ", ".join(tree(child) for child in part.iter_parts()) if part.is_multipart() else ""
    return f"{part.get_content_type()}({below})" if below else part.get_content_type()


@pytest.mark.parametrize(
    ("draft", "shape"),
    [
        (DRAFT, "text/plain"),
        (msgspec.structs.replace(DRAFT, html="<p>x</p>"), "multipart/alternative(text/plain, text/html)"),
        (
            REPORT,
            "multipart/mixed(multipart/alternative(text/plain, multipart/related(text/html, image/png)), "
            "text/html, text/calendar)",
        ),
        (
            msgspec.structs.replace(DRAFT, attachments=REPORT.attachments[:1]),
            "multipart/mixed(text/plain, text/html)",
        ),
    ],
)
def test_each_level_of_the_tree_is_there_only_where_it_is_needed(draft: Draft, shape: str) -> None:
    assert tree(parsed(draft)) == shape


def test_what_is_put_in_comes_out() -> None:
    report = parsed(REPORT)
    _, _, _, _, page, picture, attached, calendar = report.walk()

    to, calendar_type = report["To"], calendar["Content-Type"]
    assert isinstance(to, AddressHeader)
    assert isinstance(calendar_type, ContentTypeHeader)
    assert to.addresses[0].display_name == "Zoë “the Lion” Müller, Marshal"
    assert (picture["Content-ID"], picture.get_content()) == ("<map.3@office.example>", PNG)
    assert "cid:map.3@office.example" in page.get_content()
    assert (attached.get_filename(), attached.get_content().strip()) == ("gpw-turn3.html", "<p>Mézières</p>")
    assert calendar_type.params["method"] == "PUBLISH"


def test_the_header_says_that_no_person_wrote_it() -> None:
    letter = parsed(DRAFT)

    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert letter["X-Pbem-Loop"] == "office-1"
    assert letter["Precedence"] is None
    assert parsed(msgspec.structs.replace(DRAFT, submitted=REPLIED))["Auto-Submitted"] == "auto-replied"


def test_a_reader_of_letters_would_never_answer_it() -> None:
    assert read_letter(compose(DRAFT)).auto == "Auto-Submitted: auto-generated"


def test_date_and_id_are_those_of_the_draft() -> None:
    read = read_letter(compose(DRAFT))

    assert (read.date, read.message_id) == (DRAFT.date, DRAFT.message_id)


def test_the_same_draft_gives_the_same_bytes() -> None:
    assert compose(REPORT) == compose(REPORT)
    assert compose(REPORT) != compose(msgspec.structs.replace(REPORT, message_id="<other@office.example>"))


def test_every_line_is_short_ascii_and_ends_with_cr_lf() -> None:
    raw = compose(msgspec.structs.replace(REPORT, text="ä" * 5_000, subject="ä" * 300))

    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    assert max(map(len, raw.split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "subject",
    [
        "[stprivat-autumn] S1 is now due Thu 26 Nov 2026, 01:00 in Paris (00:00 UTC)",
        "[gpw]  two  blanks " + "and more " * 30,
        "x" * 300,
        "[gpw] Zoë " + "and more " * 20,
    ],
)
def test_a_long_subject_begins_on_its_own_line_and_comes_back_whole(subject: str) -> None:
    draft = msgspec.structs.replace(DRAFT, subject=subject)
    lines = compose(draft).split(b"\r\n")

    assert [line for line in lines if line.startswith(b"Subject: ") and line[9:].strip()]
    assert parsed(draft)["Subject"] == subject.strip()
    assert max(map(len, lines)) < 990


def test_long_ids_are_not_torn_and_a_long_thread_keeps_its_root_and_its_end() -> None:
    ids = tuple(f"<{'a' * 120}.{n}@x.example>" for n in range(40))
    raw = compose(msgspec.structs.replace(DRAFT, references=ids, in_reply_to=ids[-1]))
    read = read_letter(raw)

    assert b"=?" not in re.split(rb"\r\nReferences: ", raw)[1].split(b"\r\nAuto-Submitted")[0]
    assert read.references == (ids[0], *ids[-20:])
    assert read.in_reply_to == ids[-1]


def test_an_answer_continues_the_thread() -> None:
    read = read_letter(compose(msgspec.structs.replace(DRAFT, references=("<root@x>",), in_reply_to="<a@x>")))

    assert read.references == ("<root@x>", "<a@x>")


def test_letters_of_a_campaign_can_be_stopped() -> None:
    links = ("https://office.example/stop/" + "k" * 100, "mailto:gpw@office.example?subject=stop")
    letter = message_from_bytes(
        compose(msgspec.structs.replace(DRAFT, list_id="gpw.office.example", list_name="GPW Süd", unsubscribe=links))
    )

    assert letter["List-Unsubscribe"].replace("\r\n", "") == f"<{links[0]}>, <{links[1]}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["List-Id"].endswith("<gpw.office.example>")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", "x\r\nBcc: b@x.example"),
        ("subject", "x\u2028y"),
        ("message_id", "gpw.3@office.example"),
        ("message_id", "<a b@office.example>"),
        ("message_id", "<ä@office.example>"),
        ("message_id", "<" + "a" * 900 + "@office.example>"),
        ("in_reply_to", "<a@x>\r\nBcc: b@x.example"),
        ("references", ("<a@x>", "b")),
        ("sender", Address("gpw@office.example\r\nBcc: b@x.example")),
        ("sender", Address("gpw@office.example", "x\nBcc: b@x.example")),
        ("to", Address("<zoe@x.example>")),
        ("to", Address("zoë@x.example")),
        ("to", Address("a@x.example, b@x.example")),
        ("reply_to", "a@x.example>"),
        ("submitted", "no"),
        ("office", "a b"),
        ("list_id", "gpw\r\n"),
        ("list_name", "a\nb"),
        ("unsubscribe", ("http://office.example/stop",)),
        ("unsubscribe", ("https://office.example/stop>, <https://x",)),
        ("date", datetime(2026, 6, 12)),  # noqa: DTZ001 – that it has no zone is the point
        ("pictures", (Picture("map\r\n@x", PNG, "map.png"),)),
        ("pictures", (Picture("map@x", PNG, "map.png\r\n"),)),
        ("attachments", (Attachment("a\nb", "text/html", b""),)),
        ("attachments", (Attachment("a", "text/html; x=y", b""),)),
        ("attachments", (Attachment("a", "text/calendar", b"", {"method": "X\r\nY"}),)),
    ],
)
def test_nothing_can_be_slipped_into_a_header(field: str, value: object) -> None:
    with pytest.raises(BadDraft):
        compose(msgspec.structs.replace(REPORT, **{field: value}))


LINES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=40).filter(
    lambda line: line.lower() not in ("begin", "--") and not line.startswith(">")
)


@given(st.lists(LINES.map(lambda line: f"order {line} 1"), min_size=1, max_size=10), LINES, LINES)
def test_what_is_composed_can_be_read(lines: list[str], subject: str, name: str) -> None:
    raw = compose(
        msgspec.structs.replace(REPORT, text="\n".join(lines), subject=subject, to=Address("zoe@x.example", name))
    )
    read = read_letter(raw)
    plain = read_letter(("Subject: x\n\n" + "\n".join(lines)).encode())

    assert read.lines == plain.lines
    assert read.sender == DRAFT.sender
    assert read.subject == normalize("NFC", subject).strip()


WORDS = st.sampled_from(["=?utf-8?q?a=0D=0ABcc:_b=40x.example?=", "=?utf-8?b?DQpCY2M6IGJAeA==?=", "=?", "?=", "=?a"])
HOSTILE = st.lists(WORDS | st.text(st.characters(codec="utf-8"), max_size=20), max_size=5).map(" ".join)


def fields_of(raw: bytes) -> list[bytes]:
    return raw.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ").replace(b"\r\n\t", b" ").split(b"\r\n")


def names_in(raw: bytes) -> list[bytes]:
    return [one.partition(b":")[0] for one in fields_of(raw)]


@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_makes_a_line_of_its_own_in_a_header(subject: str, name: str, list_name: str) -> None:
    draft = msgspec.structs.replace(
        DRAFT, subject=subject, to=Address("z@x.example", name), list_id="gpw.x.example", list_name=list_name
    )
    plain = msgspec.structs.replace(DRAFT, list_id="gpw.x.example", list_name="x")
    try:
        raw = compose(draft)
    except BadDraft:
        return
    assert [one.partition(b":")[0] for one in fields_of(raw)] == [
        one.partition(b":")[0] for one in fields_of(compose(plain))
    ]
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n", raw.partition(b"\r\n\r\n")[0])
    assert b"\nBcc" not in raw


@pytest.mark.parametrize("text", ["=?utf-8?q?a=0D=0ABcc:_b=40x.example?=", "[gpw] Why =? and ?= " * 9])
def test_what_looks_like_an_encoded_word_is_read_as_it_was_written(text: str) -> None:
    pictures = (Picture("map@x", PNG, f"{text}.png"),)
    raw = compose(
        msgspec.structs.replace(DRAFT, subject=text, to=Address("z@x.example", text), html="<p>", pictures=pictures)
    )
    letter = message_from_bytes(raw, policy=policy.default)

    assert letter["Subject"] == text.strip()
    [to] = [one.removeprefix(b"To: ") for one in fields_of(raw) if one.startswith(b"To: ")]
    assert read_addresses(to.decode("ascii")) == [Address("z@x.example", text.strip())]
    assert [part.get_filename() for part in letter.walk() if part.get_filename()] == [f"{text}.png".replace("=?", "__")]
