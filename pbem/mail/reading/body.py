"""The text of a letter: which of its parts is meant to be read, and the lines in it."""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from typing import Final

import msgspec

from pbem.mail.reading.html import html_lines
from pbem.mail.reading.kinds import kind_of_file
from pbem.mail.wire import limits
from pbem.mail.wire.addresses import decode_words, unfold
from pbem.mail.wire.armour import ENCRYPTED
from pbem.mail.wire.charsets import clean_line, clean_lines, decode
from pbem.mail.wire.limits import MAX_HEADER, MAX_HTML, MAX_LINES, MAX_RAW_LINES, MAX_TEXT, UnreadableLetter, kilobytes

_META_CHARSET: Final = re.compile(rb"(?i)<meta[^<>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})")
_HTML_HEAD: Final = 2048
_PATH: Final = re.compile(r"[/\\\x00-\x1f\x7f]")
_KIND: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,80}/[a-z0-9][a-z0-9.+-]{0,80}")
_FOOTER_FILE: Final = re.compile(r"ATT\d{5,6}(?:-\d)?\.txt", re.IGNORECASE)
_PLAIN: Final = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
_ENDINGS: Final = (".txt", ".text", ".md", ".markdown")
_OF_PROGRAMS: Final = frozenset(
    {
        "application/pgp-keys",
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "text/calendar",
        "text/directory",
        "text/vcard",
        "text/x-vcard",
    }
)
IN_THE_LETTER: Final = "write the orders into the letter itself, or attach them as plain text (a file .txt or .md)"
MAX_FILES: Final = 10
_NAMED: Final = 3
_TEXT: Final = frozenset({"text/plain", "text/html", "text/markdown", "text/x-markdown"})
_SEALED: Final = frozenset({"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_SEALED_REASON: Final = (
    "The letter is encrypted, or signed in a form that hides its text, and this office has no key to it. "
    "Send the orders as plain text."
)
NO_TEXT: Final = "The letter has no text."
_FIRST_COUNTS: Final = frozenset({"multipart/related", "multipart/signed", "multipart/report"})
_NAME_LENGTH: Final = 80
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_BOUNDARY_LINE: Final = re.compile(rb"(?i)\s*--([!-~]{1,70})\ncontent-")
_WRAP: Final = 60
"""A shorter line was not broken by a mail program, even if a blank ends it."""


class File(msgspec.Struct, frozen=True):
    """A file that came with a letter."""

    name: str
    lines: tuple[str, ...] = ()
    """Of a text, what stands in it."""
    kind: str = ""
    """What it is that is no text to be read, in a phrase; empty for one that was read."""
    instead: str = ""
    """What to send instead."""


class Body(msgspec.Struct, frozen=True):
    """The text of a letter as lines, quotations and all, and the files that came with it."""

    lines: tuple[str, ...]
    from_html: bool
    warnings: tuple[str, ...]
    attachments: tuple[str, ...]
    """The names of all that is no part of the text."""
    files: tuple[File, ...] = ()
    """What was attached, without the pictures of a page, signatures and the like."""


class _Text(msgspec.Struct, frozen=True):
    """The lines of one part."""

    lines: list[str]
    from_html: bool = False
    warning: str = ""

    @property
    def filled(self) -> bool:
        return any(line.strip() for line in self.lines)


class _Parts(msgspec.Struct, frozen=True):
    """The parts of a letter that are not of its text: what was attached, and what belongs to another part."""

    attached: list[Message]
    beside: list[Message]


def read_body(letter: Message) -> Body:
    """Find the text that the writer typed: plain text before HTML; and what he attached.

    Where there is nothing at all, there are no lines, and a warning.

    :raises UnreadableLetter: if there is no text, only files that are none, or too much of it.
    """
    parts = _Parts([], [])
    texts = [text for text in _inline(_divided(letter), parts) if text.filled]
    warnings = [text.warning for text in texts if text.warning]
    files = _files(parts.attached)
    every = (*parts.attached, *parts.beside)
    if not texts and not any(file.lines for file in files):
        if every:
            raise UnreadableLetter(_why_empty(every))
        return Body(lines=(), from_html=False, warnings=(NO_TEXT,), attachments=())
    lines = [line for text in texts for line in text.lines]
    if next(filter(None, lines), "") == ENCRYPTED:
        raise UnreadableLetter(_SEALED_REASON)
    size = sum(map(len, lines))
    if size > MAX_TEXT:
        raise UnreadableLetter(
            f"The text of the letter is too long: {kilobytes(size)}, and at most {kilobytes(MAX_TEXT)} are read."
        )
    if len(lines) > MAX_RAW_LINES:
        raise UnreadableLetter(f"The letter has {len(lines):,} lines, and at most {MAX_RAW_LINES:,} are read.")
    return Body(
        lines=tuple(lines),
        from_html=any(text.from_html for text in texts),
        warnings=tuple(dict.fromkeys(warnings)),
        attachments=tuple(map(_name, every)),
        files=tuple(files),
    )


def _files(attached: Sequence[Message]) -> list[File]:
    """The files that were attached, each read if it is a text, without what programs attach of themselves."""
    parts = [part for part in attached if not _FOOTER_FILE.fullmatch(_name(part))]
    files: list[File] = []
    for part in parts:
        if part.get_content_type() in _OF_PROGRAMS:
            continue
        files.append(_file(part) if len(files) < MAX_FILES else File(_name(part), kind="one file too many"))
    return files


def _file(part: Message) -> File:
    name, data = _name(part), _payload(part)
    if part.get_content_type().startswith("message/"):
        return File(name, kind="a letter", instead=IN_THE_LETTER)
    if kind := kind_of_file(data, name):
        return File(name, kind=kind.name, instead=IN_THE_LETTER)
    if part.get_content_type() not in _PLAIN and not name.lower().endswith(_ENDINGS):
        return File(name, kind="no file that orders are read from", instead=IN_THE_LETTER)
    text = _decoded(part, data)
    if sum(map(len, text.lines)) > MAX_TEXT or len(text.lines) > MAX_LINES:
        return File(name, kind=f"longer than {MAX_LINES:,} lines or {kilobytes(MAX_TEXT)}", instead=IN_THE_LETTER)
    return File(name, lines=tuple(text.lines))


def _divided(letter: Message) -> Message:
    """The letter; if it names no boundary, or a wrong one, divided at the one that it uses."""
    if letter.is_multipart() or letter.get_content_maintype() != "multipart":
        return letter
    text = _payload(letter)
    used = _BOUNDARY_LINE.match(text)
    if not used or b'"' in used[1] or b"\\" in used[1]:
        return letter
    kind = letter.get_content_type().encode("ascii", "replace")
    mended = b'Content-Type: %s; boundary="%s"\n\n%s' % (kind, used[1], text)
    limits.weigh(mended)
    return message_from_bytes(mended)


def _inline(part: Message, parts: _Parts) -> list[_Text]:
    """The texts to be read in *part*, in order; what is not to be read goes to *parts*."""
    kind = part.get_content_type()
    children = _children(part)
    if kind.startswith("message/") or (children is None and _is_attached(part)):
        parts.attached.append(part)
        return []
    if children is None:
        return [_html_text(part) if kind == "text/html" else _plain_text(part)]
    if kind == "multipart/alternative":
        return _best(children, parts)
    if kind in _FIRST_COUNTS:
        parts.beside.extend(child for child in children[1:] if not child.is_multipart())
        return [text for child in children[:1] for text in _inline(child, parts)]
    return [text for child in children for text in _inline(child, parts)]


def _best(children: list[Message], parts: _Parts) -> list[_Text]:
    """Of several forms of one text the plain one, unless it is empty; a page that cannot be read then costs nothing."""
    for child in sorted(children, key=lambda child: child.get_content_type() != "text/plain"):
        texts = _inline(child, parts)
        if any(text.filled for text in texts):
            return texts
    return []


def _children(part: Message) -> list[Message] | None:
    if not part.is_multipart():
        return None
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _is_attached(part: Message) -> bool:
    """A multipart without a boundary holds text, as do the parts that say so and carry no file name."""
    if not part.get_content_type().startswith("multipart/") and part.get_content_type() not in _TEXT:
        return True
    disposition = str(part.get("Content-Disposition", ""))[:MAX_HEADER].lower()
    return disposition.lstrip().startswith("attachment") or bool(_file_name(part))


def _file_name(part: Message) -> str:
    fields = Message()
    for field, value in part.raw_items():
        if field.lower() in ("content-disposition", "content-type"):
            if len(value) > MAX_HEADER:
                return ""
            fields[field] = unfold(value)
    try:
        return fields.get_filename() or ""
    except (LookupError, ValueError, TypeError):
        return ""


def _name(part: Message) -> str:
    """The name of an attachment, without a path; its type if it has none.

    Nothing is ever stored under it, but somebody may.
    """
    name = clean_line(_PATH.split(decode_words(_file_name(part)))[-1]).strip().replace('"', "'")
    if name.strip("."):
        return name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH // 2]}…{name[1 - _NAME_LENGTH // 2 :]}"
    kind = part.get_content_type()
    return kind if _KIND.fullmatch(kind) else "a part without a name"


def _why_empty(files: Sequence[Message]) -> str:
    if any(part.get_content_type() in _SEALED for part in files):
        return _SEALED_REASON
    names = [_name(part) for part in files]
    if "winmail.dat" in (name.lower() for name in names):
        return "The letter holds only winmail.dat, which Outlook alone can read. Send the orders as plain text."
    what = f"only {'an attachment' if len(names) == 1 else 'attachments'} that cannot be read"
    return f"The letter has no text, {what}: {quoted(names)}. {IN_THE_LETTER[:1].upper()}{IN_THE_LETTER[1:]}."


def quoted(names: Sequence[str]) -> str:
    """Names of files in a row, a few of them.

    >>> quoted(["a.pdf", "b.pdf"])
    '"a.pdf", "b.pdf"'
    """
    said = ", ".join(f'"{name}"' for name in names[:_NAMED])
    return f"{said} and {len(names) - _NAMED} more" if len(names) > _NAMED else said


def _payload(part: Message) -> bytes:
    """The bytes of a part, unpacked."""
    is_base64 = str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"
    if is_base64:
        # What the library makes of damaged base64 is all or nothing; without the field it gives the bytes as they are.
        del part["Content-Transfer-Encoding"]
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError):
        return b""
    if not isinstance(payload, bytes):
        return b""
    return _from_base64(payload) if is_base64 else payload


def _from_base64(packed: bytes) -> bytes:
    """What is left of damaged base64: without its end, with lines between that are none, or with a footer below.

    Text whose first line is no base64 is plain text, whatever the letter calls it.
    """
    lines = [line.strip() for line in packed.strip().split(b"\n")]
    if not _BASE64.fullmatch(lines[0]):
        return packed
    block = lines[: lines.index(b"")] if b"" in lines else lines
    runs = b"".join(line for line in block if _BASE64.fullmatch(line)).split(b"=")
    whole = (run[: len(run) - (len(run) % 4 == 1)] for run in runs)
    return b"".join(a2b_base64(run + b"=" * (-len(run) % 4)) for run in whole)


def _parameter(part: Message, name: str) -> str:
    try:
        value = part.get_param(name, "")
    except (LookupError, ValueError, TypeError):
        return ""
    return value if isinstance(value, str) else value[2]


def _plain_text(part: Message) -> _Text:
    return _decoded(part, _payload(part))


def _decoded(part: Message, data: bytes) -> _Text:
    text, warning = decode(data, _parameter(part, "charset"))
    if _parameter(part, "format").lower() == "flowed":
        text = unflow(text, delete_space=_parameter(part, "delsp").lower() == "yes")
    return _Text(clean_lines(text), warning=warning)


def _html_text(part: Message) -> _Text:
    data = _payload(part)
    charset = _parameter(part, "charset")
    if not charset and (meta := _META_CHARSET.search(data[:_HTML_HEAD])):
        charset = meta[1].decode("ascii")
    page, warning = decode(data, charset)
    if len(page) > MAX_HTML:
        raise UnreadableLetter(
            f"The HTML of the letter is too long: {kilobytes(len(page))}, and at most {kilobytes(MAX_HTML)} are read. "
            "Send the orders as plain text."
        )
    return _Text(html_lines(page), from_html=True, warning=warning)


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the lines that a mail program broke for sending (RFC 3676, format=flowed).

    A short line is left as it is, though a blank end it: two orders must never become one.

    >>> unflow("move the third corps from Metz to Sedan by way of the northern \\n road\\nhold ", delete_space=False)
    'move the third corps from Metz to Sedan by way of the northern road\\nhold '
    """
    paragraphs: list[list[str]] = []
    above, depth_above = "", -1
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        word = content.split(" ", 1)[0]
        broken = above.endswith(" ") and above != "-- " and len(above) + len(word) >= _WRAP
        if broken and depth == depth_above and content not in ("", "-- "):
            if delete_space:
                paragraphs[-1][-1] = above[:-1]
            paragraphs[-1].append(content)
        else:
            paragraphs.append([">" * depth + " " if depth else "", content])
        above, depth_above = content, depth
    return "\n".join("".join(pieces) for pieces in paragraphs)
