"""Outgoing letters as bytes: the same draft gives the same bytes, so that a letter sent again is the same letter.

The tree: `mixed( alternative( text/plain, related( text/html, pictures by Content-ID ) ), attachments )`, each
level only where it is needed.
"""

from __future__ import annotations

import re
from base64 import b64encode, encodebytes
from binascii import b2a_qp
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

import msgspec

from pbem.kernel.errors import PbemError
from pbem.mail.reading.sender import LOOP_HEADER
from pbem.mail.wire.addresses import MESSAGE_ID, Address, normalise

REPLIED: Final = "auto-replied"
"""A letter that answers one: a receipt."""

GENERATED: Final = "auto-generated"
"""A letter that nobody asked for just now: a report, a reminder."""

HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,200}[A-Za-z0-9])?")
"""The host of an office, which stands in headers of its letters without quotes."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}@[A-Za-z0-9.-]{1,200}")
_MEDIA_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_LINK: Final = re.compile(r"(?:https://|mailto:)[!-;=?-~]{1,800}")
_IDS: Final = frozenset({"Message-ID", "In-Reply-To", "References", "List-Unsubscribe"})
_ONE_FIELD: Final = re.compile(rb"[!-9;-~]+:[\t -~]*(?:\r\n[\t ][\t -~]*)*\r\n")
_WIDTH: Final = 78
_WORD: Final = 11
"""Characters of a text in one encoded word, which holds 75 at most: each takes up to four bytes."""
_THREAD: Final = 20
"""Ids of a thread that are written besides its first."""


class BadDraft(PbemError):
    """A draft that must not leave as it is; the text names the field and what is wrong with it."""


class Picture(msgspec.Struct, frozen=True):
    """An image that the HTML shows by `src="cid:…"`."""

    cid: str
    """`name@host`, without angle brackets."""

    content: bytes
    name: str
    media_type: str = "image/png"


class Attachment(msgspec.Struct, frozen=True):
    """A file that goes with a letter."""

    name: str
    media_type: str
    """`text/html`, `text/calendar` …; texts are UTF-8."""

    content: bytes
    parameters: Mapping[str, str] = {}
    """Of the media type: `{"method": "PUBLISH"}`."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """All that is in a letter; nothing of it is made up when it is composed."""

    message_id: str
    """With angle brackets; fixed when the letter is decided on, so that a second sending is the same letter."""

    date: datetime
    """With its zone."""

    sender: Address
    to: Address
    subject: str
    text: str
    """The whole letter, for those who read plain text."""

    submitted: str = GENERATED
    """Value of Auto-Submitted: `REPLIED` or `GENERATED`."""

    office: str
    """Names this installation in the loop header."""

    reply_to: str = ""
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    list_id: str = ""
    """Host-like name of the campaign's letters: `gpw.example.org`."""

    list_name: str = ""
    unsubscribe: tuple[str, ...] = ()
    """`https:` and `mailto:` addresses that stop the letters; the first `https:` one works at one click."""


_POLICY: Final = EmailPolicy(linesep="\r\n", max_line_length=_WIDTH, cte_type="7bit")

_Field = tuple[str, str | HeaderAddress]


class _Part(msgspec.Struct, frozen=True):
    """A part of a letter: its own fields, and what stands below them."""

    fields: tuple[_Field, ...]
    body: bytes


def compose(draft: Draft) -> bytes:
    """The letter as it leaves, lines ended by CR LF, ASCII throughout.

    :raises BadDraft: if an address, an id or a line of the header is not one.
    """
    whole = _whole(draft)
    return _written(_Part((*_header(draft), ("MIME-Version", "1.0"), *whole.fields), whole.body))


def _header(draft: Draft) -> Iterator[_Field]:
    if draft.submitted not in (REPLIED, GENERATED):
        raise BadDraft(f'submitted: "{draft.submitted}" is neither {REPLIED} nor {GENERATED}.')
    if draft.date.utcoffset() is None:
        raise BadDraft("date: it has no time zone.")
    yield "Date", format_datetime(draft.date)
    yield "Message-ID", _matching("message_id", draft.message_id, MESSAGE_ID)
    yield "Subject", _one_line("subject", draft.subject)
    if draft.in_reply_to:
        yield "In-Reply-To", _matching("in_reply_to", draft.in_reply_to, MESSAGE_ID)
    if thread := _thread(draft):
        yield "References", " ".join(_matching("references", one, MESSAGE_ID) for one in thread)
    yield "Auto-Submitted", draft.submitted
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"
    yield LOOP_HEADER, _matching("office", draft.office, HOST)
    if draft.list_id:
        name = _one_line("list_name", draft.list_name)
        yield "List-Id", f"{name} <{_matching('list_id', draft.list_id, HOST)}>".strip()
    if draft.unsubscribe:
        links = [_matching("unsubscribe", link, _LINK) for link in draft.unsubscribe]
        yield "List-Unsubscribe", ", ".join(f"<{link}>" for link in links)
        if links[0].startswith("https:"):
            yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
    yield "From", _header_address("sender", draft.sender)
    yield "To", _header_address("to", draft.to)
    if draft.reply_to:
        yield "Reply-To", _header_address("reply_to", Address(draft.reply_to))


def _thread(draft: Draft) -> tuple[str, ...]:
    """The first id of the thread and its last ones, the letter that is answered at the end (RFC 5322, 3.6.4)."""
    ids = tuple(dict.fromkeys((*draft.references, *filter(None, [draft.in_reply_to]))))
    return ids if len(ids) <= _THREAD else (ids[0], *ids[-_THREAD:])


def _whole(draft: Draft) -> _Part:
    """The tree of the letter."""
    # "=_" stands neither in base64 nor in quoted-printable: no text can hold a boundary.
    seed = sha256(draft.message_id.encode()).hexdigest()[:24]
    outer, middle, inner = (f"=_{seed}.{number}" for number in range(3))
    found = _text("plain", draft.text)
    if draft.html:
        page = _text("html", draft.html)
        if draft.pictures:
            page = _several("related", (page, *map(_picture, draft.pictures)), inner)
        found = _several("alternative", (found, page), middle)
    if draft.attachments:
        found = _several("mixed", (found, *map(_attachment, draft.attachments)), outer)
    return found


def _text(subtype: str, text: str) -> _Part:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    body = b2a_qp(lines.replace("\n", "\r\n").encode(), istext=True)
    return _Part(
        (("Content-Type", f'text/{subtype}; charset="utf-8"'), ("Content-Transfer-Encoding", "quoted-printable")), body
    )


def _picture(picture: Picture) -> _Part:
    kind = _matching("media_type", picture.media_type, _MEDIA_TYPE)
    identity = ("Content-ID", f"<{_matching('cid', picture.cid, _CID)}>")
    return _file(kind, "inline", _one_line("picture", picture.name), picture.content, identity)


def _attachment(attachment: Attachment) -> _Part:
    kind = _matching("media_type", attachment.media_type, _MEDIA_TYPE)
    charset = {"charset": "utf-8"} if kind.startswith("text/") else {}
    for name, value in (charset | dict(sorted(attachment.parameters.items()))).items():
        kind += f'; {_matching("parameters", name, _TOKEN)}="{_matching("parameters", value, _TOKEN)}"'
    return _file(kind, "attachment", _one_line("attachment", attachment.name), attachment.content)


def _file(kind: str, disposition: str, name: str, content: bytes, *more: _Field) -> _Part:
    fields = (
        ("Content-Type", kind),
        ("Content-Transfer-Encoding", "base64"),
        ("Content-Disposition", _named(disposition, name)),
    )
    return _Part((*fields, *more), encodebytes(content).replace(b"\n", b"\r\n"))


def _named(disposition: str, name: str) -> str:
    """A disposition with the name of its file."""
    part: EmailMessage[str, str] = EmailMessage(_POLICY)
    part.add_header("Content-Disposition", disposition, filename=name.replace("=?", "__"))
    return str(part["Content-Disposition"])


def _several(subtype: str, parts: Iterable[_Part], boundary: str) -> _Part:
    line = boundary.encode("ascii")
    body = b"".join(b"--%b\r\n%b\r\n" % (line, _written(part)) for part in parts)
    return _Part((("Content-Type", f'multipart/{subtype};\r\n boundary="{boundary}"'),), b"%b--%b--\r\n" % (body, line))


def _written(part: _Part) -> bytes:
    return b"".join((*(_line(name, value) for name, value in part.fields), b"\r\n", part.body))


def _line(name: str, value: str | HeaderAddress) -> bytes:
    """A field of a header, folded.

    :raises BadDraft: if its lines are not those of one field.
    """
    folded = _folded_line(name, value)
    if not _ONE_FIELD.fullmatch(folded):
        raise BadDraft(f"{name}: {str(value)[:80]!r} cannot stand in a header.")
    return folded


def _folded_line(name: str, value: str | HeaderAddress) -> bytes:
    line = f"{name}: {value}"
    if name in _IDS:
        # The standard library makes encoded words of long ids, and so breaks threads.
        line = f"{name}: " + "\r\n ".join(str(value).split())
    elif "=?" in line:
        # The standard library takes what only looks like an encoded word for one, and writes what it decodes.
        line = _in_words(name, value)
    elif name == "Subject" and line.isascii():
        # The standard library may leave the first line empty, which mail programs show as a blank before the text.
        line = _folded(line)
    elif len(line) > _WIDTH or not line.isascii():
        letter: EmailMessage[str, str | HeaderAddress] = EmailMessage(_POLICY)
        letter[name] = value
        return _POLICY.fold_binary(name, letter[name])
    return line.encode("ascii") + b"\r\n"


def _in_words(name: str, value: str | HeaderAddress) -> str:
    """A field whose text is written in encoded words throughout (RFC 2047), each on a line."""
    if isinstance(value, HeaderAddress):
        text, rest = value.display_name, [f"<{value.addr_spec}>"]
    else:
        text, angle, rest_of_it = value.rpartition(" <") if name == "List-Id" else (value, "", "")
        rest = [f"<{rest_of_it}"] if angle else []
    pieces = [text[at : at + _WORD] for at in range(0, len(text), _WORD)]
    words = [f"=?utf-8?b?{b64encode(piece.encode('utf-8', 'replace')).decode('ascii')}?=" for piece in pieces]
    return f"{name}: " + "\r\n ".join([*words, *rest])


def _folded(line: str) -> str:
    """A line of the header, broken before blanks so that each part is as long as it may be."""
    parts = [""]
    for word in re.findall(r" *[^ ]+", line):
        if parts[-1].strip() and len(parts[-1]) + len(word) > _WIDTH and not parts[-1].endswith(":"):
            parts.append(word)
        else:
            parts[-1] += word
    return "\r\n".join(parts)


def _header_address(field: str, person: Address) -> HeaderAddress:
    address = normalise(person.address)
    if not address or not address.isascii():
        raise BadDraft(f'{field}: "{person.address}" is no address.')
    return HeaderAddress(display_name=_one_line(field, person.name), addr_spec=address)


def _matching(field: str, text: str, form: re.Pattern[str]) -> str:
    if not form.fullmatch(text):
        raise BadDraft(f"{field}: {text[:80]!r} cannot stand in a letter.")
    return text


def _one_line(field: str, text: str) -> str:
    if _CONTROL.search(text):
        raise BadDraft(f"{field}: {text[:80]!r} holds a line break or another control character.")
    return text.strip()
