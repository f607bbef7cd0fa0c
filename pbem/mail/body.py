"""The text of a letter: which of its parts is meant to be read, and the lines in it."""

from __future__ import annotations

import re
from binascii import a2b_base64
from email import message_from_bytes
from email.message import Message
from typing import Final

import msgspec

from pbem.mail import limits
from pbem.mail.addresses import decode_words, unfold
from pbem.mail.armour import ENCRYPTED, opened
from pbem.mail.charsets import clean_lines, decode
from pbem.mail.html import html_lines
from pbem.mail.limits import MAX_HEADER, MAX_HTML, MAX_RAW_LINES, MAX_TEXT, UnreadableLetter, kilobytes
from pbem.mail.quotes import Kind, mark

_META_CHARSET: Final = re.compile(rb"(?i)<meta[^<>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})")
_HTML_HEAD: Final = 2048
_PATH: Final = re.compile(r"[/\\\x00-\x1f\x7f]")
_KIND: Final = re.compile(r"[a-z0-9][a-z0-9.+-]{0,80}/[a-z0-9][a-z0-9.+-]{0,80}")
_FOOTER_FILE: Final = re.compile(r"ATT\d{5,6}(?:-\d)?\.txt", re.IGNORECASE)
_TEXT: Final = frozenset({"text/plain", "text/html", "text/markdown", "text/x-markdown"})
_SEALED: Final = frozenset({"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_SEALED_REASON: Final = (
    "The letter is encrypted, or signed in a form that hides its text, and this office has no key to it. "
    "Send the orders as plain text."
)
NO_TEXT: Final = "The letter has no text."
_FIRST_COUNTS: Final = frozenset({"multipart/related", "multipart/signed", "multipart/report"})
_NAME_LENGTH: Final = 200
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_BOUNDARY_LINE: Final = re.compile(rb"(?i)\s*--([!-~]{1,70})\ncontent-")
_WRAP: Final = 60
"""A shorter line was not broken by a mail program, even if a blank ends it."""


class Body(msgspec.Struct, frozen=True):
    """The text of a letter as lines, quotations and all."""

    lines: tuple[str, ...]
    from_html: bool
    warnings: tuple[str, ...]
    attachments: tuple[str, ...]


class _Text(msgspec.Struct, frozen=True):
    """The lines of one part."""

    lines: list[str]
    from_html: bool = False
    warning: str = ""

    @property
    def filled(self) -> bool:
        return any(line.strip() for line in self.lines)


def read_body(letter: Message) -> Body:
    """Find the text that the writer typed: plain text before HTML before one attached text file.

    The file is read where the letter holds no word of its own, and comes above what is quoted then.  Where there is
    nothing at all, there are no lines, and a warning.

    :raises UnreadableLetter: if there is none but something is attached, or too much.
    """
    files: list[Message] = []
    texts = [text for text in _inline(_divided(letter), files) if text.filled]
    warnings = [text.warning for text in texts if text.warning]
    notes = [part for part in files if _is_text_file(part)]
    if notes and not _holds_own_words(texts):
        note = _plain_text(notes[0])
        texts = [note, *texts]
        warnings.append(f'The letter itself is empty; its attachment "{_name(notes[0])}" was read.')
        warnings += [note.warning] if note.warning else []
        if len(notes) > 1:
            warnings.append(f'Only the first attachment was read; "{_name(notes[1])}" was not.')
    elif notes:
        warnings.append(
            f'The attachment "{_name(notes[0])}" was not read, for the letter itself has words. '
            "If your orders stand in it, send it in a letter without any, or write them into the letter."
        )
    if not any(text.filled for text in texts):
        if files:
            raise UnreadableLetter(_why_empty(files))
        return Body(lines=(), from_html=False, warnings=(NO_TEXT,), attachments=())
    lines = [line for text in texts for line in text.lines]
    if next(filter(None, lines)) == ENCRYPTED:
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
        attachments=tuple(_name(part) for part in files),
    )


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


def _inline(part: Message, files: list[Message]) -> list[_Text]:
    """The texts to be read in *part*, in order; what is attached goes to *files*."""
    kind = part.get_content_type()
    children = _children(part)
    if kind.startswith("message/") or (children is None and _is_attached(part)):
        files.append(part)
        return []
    if children is None:
        return [_html_text(part) if kind == "text/html" else _plain_text(part)]
    if kind == "multipart/alternative":
        return _best(children, files)
    if kind in _FIRST_COUNTS:
        files.extend(child for child in children[1:] if not child.is_multipart())
        return [text for child in children[:1] for text in _inline(child, files)]
    return [text for child in children for text in _inline(child, files)]


def _best(children: list[Message], files: list[Message]) -> list[_Text]:
    """Of several forms of one text the plain one, unless it is empty; a page that cannot be read then costs nothing."""
    for child in sorted(children, key=lambda child: child.get_content_type() != "text/plain"):
        texts = _inline(child, files)
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


def _holds_own_words(texts: list[_Text]) -> bool:
    lines = opened([line for text in texts for line in text.lines])
    if sum(map(len, lines)) > MAX_TEXT or len(lines) > MAX_RAW_LINES:
        return True  # it is refused in any case
    return any(kind is Kind.OWN and line.strip() for line, kind in zip(lines, mark(lines), strict=True))


def _is_text_file(part: Message) -> bool:
    """Whether orders may stand in a file; one server makes files of the footers of lists, and names them so."""
    if _FOOTER_FILE.fullmatch(_name(part)):
        return False
    return part.get_content_type() == "text/plain" or _name(part).lower().endswith(".txt")


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
    name = _PATH.split(decode_words(_file_name(part)))[-1].strip()
    if name.strip("."):
        return name[:_NAME_LENGTH]
    kind = part.get_content_type()
    return kind if _KIND.fullmatch(kind) else "a part without a name"


def _why_empty(files: list[Message]) -> str:
    if any(part.get_content_type() in _SEALED for part in files):
        return _SEALED_REASON
    names = [_name(part) for part in files]
    if "winmail.dat" in (name.lower() for name in names):
        return "The letter holds only winmail.dat, which Outlook alone can read. Send the orders as plain text."
    return f'The letter has no text, only an attachment: "{names[0]}". Write the orders into the letter itself.'


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
    text, warning = decode(_payload(part), _parameter(part, "charset"))
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
