"""Outgoing letters as bytes: the same draft gives the same bytes, so that a letter sent again is the same letter.

The tree: `mixed( alternative( text/plain, related( text/html, pictures by Content-ID ) ), attachments )`, each
level only where it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

import msgspec

from pbem.kernel.errors import PbemError
from pbem.mail.addresses import Address, normalise
from pbem.mail.sender import LOOP_HEADER

REPLIED: Final = "auto-replied"
"""A letter that answers one: a receipt."""

GENERATED: Final = "auto-generated"
"""A letter that nobody asked for just now: a report, a reminder."""

_ID: Final = re.compile(r"<[!-;=?A-~]{1,449}@[!-;=?A-~]{1,449}>")
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,200}[A-Za-z0-9])?")
_TOKEN: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}@[A-Za-z0-9.-]{1,200}")
_MEDIA_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_LINK: Final = re.compile(r"(?:https://|mailto:)[!-;=?-~]{1,800}")
_IDS: Final = frozenset({"message-id", "in-reply-to", "references", "list-unsubscribe"})
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


class _Policy(EmailPolicy):
    """Long ids stay as they are: the standard library makes encoded words of them, and so breaks threads."""

    def fold(self, name: str, value: str) -> str:
        if name.lower() in _IDS:
            return f"{name}: " + "\r\n ".join(str(value).split()) + "\r\n"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in _IDS:
            return self.fold(name, value).encode("ascii")
        return super().fold_binary(name, value)


_POLICY: Final = _Policy(linesep="\r\n", max_line_length=78, cte_type="7bit")


def compose(draft: Draft) -> bytes:
    """The letter as it leaves, lines ended by CR LF, ASCII throughout.

    :raises BadDraft: if an address, an id or a line of the header is not one.
    """
    letter: EmailMessage[str, str | HeaderAddress] = EmailMessage(_POLICY)
    for name, value in _header(draft):
        letter[name] = value
    letter["From"] = _header_address("sender", draft.sender)
    letter["To"] = _header_address("to", draft.to)
    if draft.reply_to:
        letter["Reply-To"] = _header_address("reply_to", Address(draft.reply_to))
    _fill(letter, draft)
    seed = sha256(draft.message_id.encode("ascii")).hexdigest()
    for number, part in enumerate(part for part in letter.walk() if part.is_multipart()):
        # "=_" stands neither in base64 nor in quoted-printable: no text can hold a boundary.
        part.set_boundary(f"=_{seed[:24]}.{number}")
    return letter.as_bytes()


def _header(draft: Draft) -> Iterator[tuple[str, str]]:
    if draft.submitted not in (REPLIED, GENERATED):
        raise BadDraft(f'submitted: "{draft.submitted}" is neither {REPLIED} nor {GENERATED}.')
    if draft.date.utcoffset() is None:
        raise BadDraft("date: it has no time zone.")
    yield "Date", format_datetime(draft.date)
    yield "Message-ID", _matching("message_id", draft.message_id, _ID)
    yield "Subject", _one_line("subject", draft.subject)
    if draft.in_reply_to:
        yield "In-Reply-To", _matching("in_reply_to", draft.in_reply_to, _ID)
    if thread := _thread(draft):
        yield "References", " ".join(_matching("references", one, _ID) for one in thread)
    yield "Auto-Submitted", draft.submitted
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"
    yield LOOP_HEADER, _matching("office", draft.office, _HOST)
    if draft.list_id:
        name = _one_line("list_name", draft.list_name)
        yield "List-Id", f"{name} <{_matching('list_id', draft.list_id, _HOST)}>".strip()
    if draft.unsubscribe:
        links = [_matching("unsubscribe", link, _LINK) for link in draft.unsubscribe]
        yield "List-Unsubscribe", ", ".join(f"<{link}>" for link in links)
        if links[0].startswith("https:"):
            yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _thread(draft: Draft) -> tuple[str, ...]:
    """The first id of the thread and its last ones, the letter that is answered at the end (RFC 5322, 3.6.4)."""
    ids = tuple(dict.fromkeys((*draft.references, *filter(None, [draft.in_reply_to]))))
    return ids if len(ids) <= _THREAD else (ids[0], *ids[-_THREAD:])


def _fill(letter: EmailMessage[str, str | HeaderAddress], draft: Draft) -> None:
    letter.set_content(_lines(draft.text), cte="quoted-printable")
    if draft.html:
        letter.add_alternative(_lines(draft.html), subtype="html", cte="quoted-printable")
        *_, page = letter.iter_parts()
        for picture in draft.pictures:
            main, sub = _media_type(picture.media_type)
            page.add_related(
                picture.content,
                maintype=main,
                subtype=sub,
                cid=f"<{_matching('cid', picture.cid, _CID)}>",
                disposition="inline",
                filename=_one_line("picture", picture.name),
            )
    for attachment in draft.attachments:
        _attach(letter, attachment)
    for part in letter.walk():
        if part is not letter:
            del part["MIME-Version"]


def _attach(letter: EmailMessage[str, str | HeaderAddress], attachment: Attachment) -> None:
    main, sub = _media_type(attachment.media_type)
    parameters = {
        _matching("parameters", name, _TOKEN): _matching("parameters", value, _TOKEN)
        for name, value in sorted(attachment.parameters.items())
    }
    if main == "text":
        parameters = {"charset": "utf-8", **parameters}
    letter.add_attachment(
        attachment.content,
        maintype=main,
        subtype=sub,
        filename=_one_line("attachment", attachment.name),
        params=parameters,
    )


def _media_type(text: str) -> tuple[str, str]:
    main, _, sub = _matching("media_type", text, _MEDIA_TYPE).partition("/")
    return main, sub


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


def _lines(text: str) -> str:
    """The text with line feeds alone, ended by one."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
