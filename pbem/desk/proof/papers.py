"""What people kept of a game, read for what it bears: the heads of the log, with campaign and moment, and promises.

A report as a page or as text, a letter as it came, an mbox, a Maildir, a folder of all that.  Nothing here is believed:
what a paper says of itself is held to a log by `witness`.  Every size is bounded, and no pattern looks twice at a byte.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.post import printed
from pbem.kernel.digest import digest_of
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment
from pbem.mail.doors import inbox
from pbem.mail.doors.inbox import NoSource
from pbem.mail.reading.kinds import kind_of_file
from pbem.mail.reading.sender import campaign_tag
from pbem.mail.wire.addresses import decoded
from pbem.mail.wire.limits import MAX_HEADER, UnreadableLetter, newlines, weigh

MOST_FILES: Final = 10_000
MOST_LETTERS: Final = 100_000
MOST_HEADS: Final = 200
"""Of one file or letter, be it ever so many reports that one quotes another in; what comes after is not looked at."""
MOST: Final = 16 << 20
"""Bytes of a paper."""
_LINES: Final = 500_000
_TOO_BIG: Final = f"it is larger than {MOST >> 20} MB, and no letter or report is"

_GAP: Final = r"[\s>|]{0,200}"
"""Between a label and its hash, where a letter quotes it or a page was made text."""
_HASH: Final = r"([0-9a-f]{64})(?![0-9a-f])"
_NAME: Final = r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})"
_WHEN: Final = r"([A-Za-z0-9.]{1,12})"

_ENTERED: Final = printed.LABEL
_HEADS: Final = re.compile(rf"(Log as known to you|{_ENTERED}):{_GAP}{_HASH}")
_TITLES: Final = (
    re.compile(rf"Campaign {_NAME} \W{{1,4}} report {_WHEN} \W{{1,4}} to ()"),
    re.compile(rf"(?m)^[ >|]{{0,40}}{_NAME}, REPORT {_WHEN}, {_NAME}"),
    re.compile(rf"\[{_NAME}\] {_WHEN} (?:interim )?report, {_NAME}"),
)
_PROMISED: Final = re.compile(rf"Promised for {_WHEN}, (?:open and )?(?:open|closed):?{_GAP}{_HASH}(?:{_GAP}{_HASH})?")
_RECEIPT: Final = re.compile(rf"Receipt\s{{1,20}}{_NAME}/(\d{{1,6}}), revision")
_OF_ROLE: Final = re.compile(rf"(?m)^[ >|]{{0,40}}{_NAME}, {_NAME}, {_WHEN}(?:,|$)")
_ORDERS: Final = re.compile(rf"SHA-256{_GAP}([0-9a-f]{{32}}){_GAP}([0-9a-f]{{32}})")
_KEY: Final = re.compile(rf"The key of the office:?{_GAP}{_HASH}")
_TAG: Final = re.compile(r"<(?:style|script)\b[^<]*+|<[^<>]*+>")


class Paper(Struct, frozen=True, kw_only=True):
    """What one report, receipt or other letter bears; empty where it bears nothing of the kind."""

    where: str
    """The file, and of a mailbox which letter in it."""
    campaign: str = ""
    moment: Moment | None = None
    role: str = ""
    heads: tuple[str, ...] = ()
    """The heads of the log that it prints: one, however often, unless somebody was at it."""
    entered: bool = False
    """Whether the head is that of an entry of the office: for a player under its key, and for the GM as it is."""
    sealed: bool = False
    """Whether its head is under a key that is not at hand."""
    receipt: int = 0
    orders: str = ""
    """The digest of the orders that a receipt was for."""
    promises: tuple[tuple[Moment, str], ...] = ()
    """For which moment what was promised."""
    pages: tuple[str, ...] = ()
    """The digests of the files that are pages of it, byte for byte."""
    keys: tuple[str, ...] = ()
    """What the office signs files with, as a briefing prints it."""
    message_id: str = ""
    """What the letter is called that it is, or came in."""
    words: str = ""
    """The digest of all that is to be read in that letter, however its lines are broken."""
    fault: str = ""
    """Why it could not be read."""
    named: bool = False
    """Whether it is a file that was named by itself, and did not only lie in a folder or a mailbox."""

    @property
    def bears(self) -> bool:
        """Whether it bears anything that a log can be held to."""
        return bool(self.heads or self.receipt)


def read_papers(paths: Sequence[Path]) -> Iterator[Paper]:
    """What the files and folders at *paths* bear; for a file that bears nothing a paper that is empty.

    In a folder, what is neither text nor letter is passed over.

    :raises Refused: if there is no such file, or there are more than can be meant.
    """
    for path in paths:
        if not path.exists():
            raise Refused(f"there is no file {path}.")
        try:
            if not path.is_dir():
                yield from (replace(paper, named=True) for paper in _of_file(path))
            elif (path / "new").is_dir() and (path / "cur").is_dir():
                yield from _of_letters(inbox.from_maildir(path), str(path))
            else:
                for one in _within(path):
                    yield from _of_file(one, passing=True)
        except (NoSource, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
            yield Paper(where=str(path), fault=f"it cannot be read: {why}")


def _within(folder: Path) -> Iterator[Path]:
    """The files of *folder* and below, in order, without what is hidden, or stands elsewhere."""
    there = sorted(islice(folder.rglob("*"), MOST_FILES + 1))
    if len(there) > MOST_FILES:
        raise Refused(f"{folder} holds more than {MOST_FILES:,} files: name those that you kept of the game.")
    for path in there:
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and not path.is_symlink() and path.is_file():
            yield path


def _of_file(path: Path, *, passing: bool = False) -> Iterator[Paper]:
    """What the file at *path* bears; *passing* over what is neither text nor letter."""
    where = str(path)
    if not path.is_file():
        yield Paper(where=where, fault="it is no file")
        return
    with path.open("rb") as file:
        raw = file.read(MOST + 1)
    if raw.startswith(b"From "):
        yield from _of_letters(inbox.from_mbox(path), where)
        return
    if len(raw) > MOST:
        yield Paper(where=where, fault=_TOO_BIG)
        return
    kind = kind_of_file(raw, path.name)
    if kind is None or kind.name == "a web page":
        yield from _of_parts([_Part(raw, page=kind is not None, attached=True)], Paper(where=where))
    elif kind.name == "a letter with its header":
        yield from _of_letter(raw, where)
    elif not passing:
        yield Paper(where=where, fault=f"it is {kind.name}, which bears no head")


def _of_letters(arrivals: Iterator[inbox.Arrival], where: str) -> Iterator[Paper]:
    for number, arrival in enumerate(arrivals, start=1):
        if number > MOST_LETTERS:
            raise Refused(f"{where} holds more than {MOST_LETTERS:,} letters: take those of the game out of it.")
        yield from _of_letter(arrival.raw, f"{where}, letter {number}")


class _Part(Struct, frozen=True):
    """A text or a page, as it stands in a letter or in a file of its own."""

    data: bytes
    page: bool
    attached: bool
    """Whether it is a file as it left the office, and no body that a server may have written anew."""


def _of_letter(raw: bytes, where: str) -> Iterator[Paper]:
    if len(raw) > MOST:
        yield Paper(where=where, fault=_TOO_BIG)
        return
    try:
        weigh(newlines(raw), most=MOST, most_lines=_LINES)
    except UnreadableLetter as unread:
        yield Paper(where=where, fault=f"it cannot be read: {unread.reason.rstrip('.')}")
        return
    letter = message_from_bytes(raw, policy=compat32)
    parts = list(_parts(letter))
    subject = decoded(str(letter.get("Subject", ""))[:MAX_HEADER])
    called = str(letter.get("Message-ID", ""))[:MAX_HEADER].strip().strip("<>")
    known = Paper(where=where, message_id=called, words=_words(parts))
    title = _titled(subject, 0, len(subject))
    if title:
        known = replace(known, campaign=title[0], moment=title[1], role=title[2])
    else:
        known = replace(known, campaign=campaign_tag(subject) or "")
    yield from _of_parts(parts, known)


def words_of(raw: bytes) -> str:
    """The digest of all that is to be read in the letter *raw*, one that the office made, as `Paper.words` has it."""
    return _words(list(_parts(message_from_bytes(raw, policy=compat32))))


def _words(parts: Sequence[_Part]) -> str:
    return digest_of("\0".join(" ".join(_text(part).split()) for part in parts).encode())


def _parts(letter: Message) -> Iterator[_Part]:
    for part in letter.walk():
        kind = part.get_content_type()
        if kind not in ("text/plain", "text/html"):
            continue
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            yield _Part(data, page=kind == "text/html", attached=part.get_content_disposition() == "attachment")


def _of_parts(parts: Sequence[_Part], known: Paper) -> Iterator[Paper]:
    """What the *parts* of one letter or file bear, what is of one report taken together."""
    found: dict[tuple[str, Moment | None, int], Paper] = {}
    keys: dict[str, None] = {}
    for part in parts:
        text = _text(part)
        keys |= dict.fromkeys(match[1] for match in _KEY.finditer(text))
        for paper in _of_text(text, known):
            if part.page and part.attached:
                paper = replace(paper, pages=(digest_of(part.data),))
            at = paper.campaign, paper.moment, paper.receipt
            if paper.moment is None and not paper.receipt and found:
                at = next(iter(found))  # the same again, as a page that does not say of what it is
            found[at] = _together(found[at], paper) if at in found else paper
    papers = list(found.values()) or [replace(known, campaign="", moment=None, role="")]
    for paper in papers:
        yield replace(paper, keys=tuple(keys))


def _of_text(text: str, known: Paper) -> Iterator[Paper]:
    """What each report or receipt bears that stands in *text*: it ends with its head, or the text does."""
    start = 0
    for match in islice(_HEADS.finditer(text), MOST_HEADS):
        paper = _of_stretch(text, start, match.end(), known)
        yield replace(paper, heads=(match[2],), entered=match[1] == _ENTERED)
        start = match.end()
    if start == 0:
        paper = _of_stretch(text, 0, len(text), known)
        if paper.receipt:
            yield paper


def _of_stretch(text: str, start: int, end: int, known: Paper) -> Paper:
    """What stands in a stretch of *text* without its head; who is *known* by the letter it is in."""
    if title := _titled(text, start, end):
        known = replace(known, campaign=title[0], moment=title[1], role=title[2] or known.role)
    if (receipt := _last(_RECEIPT, text, start, end)) and (of := _last(_OF_ROLE, text, start, end)):
        return replace(
            known,
            campaign=receipt[1].lower(),
            receipt=int(receipt[2]),
            role=of[2].lower(),
            moment=_moment(of[3]),
            orders="".join(orders.groups()) if (orders := _last(_ORDERS, text, start, end)) else "",
        )
    promises: dict[tuple[Moment, str], None] = {}
    for match in islice(_PROMISED.finditer(text, start, end), MOST_HEADS):
        if moment := _moment(match[1]):
            promises |= dict.fromkeys((moment, hash) for hash in match.group(2, 3) if hash)
    return replace(known, promises=tuple(promises))


def _titled(text: str, start: int, end: int) -> tuple[str, Moment, str] | None:
    """Campaign, moment and role of the report whose title stands last in a stretch of *text*."""
    found = [match for form in _TITLES if (match := _last(form, text, start, end))]
    for match in sorted(found, key=re.Match.start, reverse=True):
        if moment := _moment(match[2]):
            return match[1].lower(), moment, match[3].lower()
    return None


def _last(form: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    return next(iter(deque(form.finditer(text, start, end), maxlen=1)), None)


def _together(one: Paper, other: Paper) -> Paper:
    """Two parts of a letter that are of one report."""
    return replace(
        one,
        role=one.role or other.role,
        heads=tuple(dict.fromkeys((*one.heads, *other.heads))),
        orders=one.orders or other.orders,
        promises=tuple(dict.fromkeys((*one.promises, *other.promises))),
        pages=(*one.pages, *other.pages),
    )


def _moment(text: str) -> Moment | None:
    try:
        return Moment.parse(text)
    except BadMoment:
        return None


_SIGNS: Final[Mapping[str, str]] = {"&nbsp;": " ", "&#160;": " ", "&middot;": "·", "&lt;": "<", "&gt;": ">"}


def _text(part: _Part) -> str:
    """What can be read in a part; of a page, what stands between its tags."""
    text = part.data.decode("utf-8", "replace")
    if not part.page:
        return text
    text = _TAG.sub(" ", text)
    for sign, meant in _SIGNS.items():
        text = text.replace(sign, meant)
    return " ".join(text.split())
