"""Which lines of a quotation the office itself once sent to its player: however they were quoted, they are not news.

A mail program breaks lines where it likes, joins them, and makes text of a page in its own way.  So what is compared
is words in a row, between places where a line, or a piece of a page, began and ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from html import unescape

from msgspec import Struct

from pbem.desk.books import threads
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.names import CampaignId
from pbem.mail.reading.letter import IgnoredLine, Letter
from pbem.mail.wire.charsets import clean_lines
from pbem.orders.grammar import TYPED_FOR
from pbem.storage import blobs, outbox
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail
from pbem.storage.players import Player

MOST = 20
"""So many of the letters to a player are looked through, those that his letter answers first, then the newest."""

TRIES = 50
"""So many places where the words of a line stand are looked at."""

_MARKS = re.compile(r"(?:\s*[>\uff1e|])+\s?")
_UNSEEN = re.compile(r"<(style|head|script|title)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_FILES = re.compile(rb"^Content-Disposition: attachment", re.MULTILINE | re.IGNORECASE)


def bare_of_marks(text: str) -> str:
    """A quoted line without the marks of quotation before it.

    >>> bare_of_marks("> > move s1 to 3"), bare_of_marks(" >>hold")
    ('move s1 to 3', 'hold')
    """
    marks = _MARKS.match(text)
    return text[marks.end() :] if marks else text


class Sent(Struct, frozen=True):
    """What once was sent: all its words in a row, and where among them lines begin and end."""

    words: str
    begins: frozenset[int]
    ends: frozenset[int]

    def holds(self, line: str, above: str, below: str) -> bool:
        """Whether *line* is of it, or a piece of a line of it that was broken off from what is quoted beside it.

        A line that was shortened, or freed of the mark that made it a comment, is none of it.
        """
        at = -1
        for _ in range(TRIES):
            at = self.words.find(line, at + 1)
            if at < 0:
                break
            end = at + len(line)
            begun = at in self.begins or (bool(above) and self.words.endswith(above, 0, at))
            if begun and (end in self.ends or (bool(below) and self.words.startswith(below, end))):
                return True
        return False


def sent(pieces: Sequence[str]) -> Sent:
    """What was sent, of the lines or pieces of it.

    >>> sent(["move s1 to 3", "hold"]).holds(*map(worded, ("> hold", "", "")))
    True
    """
    words, begins, ends, length = list[str](), set[int](), set[int](), 0
    for piece in map(worded, pieces):
        begins.add(length)
        words.append(piece)
        length += len(piece)
        ends.add(length)
    return Sent("".join(words), frozenset(begins), frozenset(ends))


def worded(text: str) -> str:
    """The words of a line, quoted or not, each with a blank behind it."""
    return "".join(f"{word} " for word in bare_of_marks(text).translate(TYPED_FOR).split())


def new_to_us(
    connection: Connection,
    campaign: CampaignId,
    player: Player,
    letter: Letter,
    among: Sequence[IgnoredLine],
    now: int,
    matters: Callable[[IgnoredLine], bool],
) -> tuple[IgnoredLine, ...]:
    """Those *among* the lines that *letter* only sends back which *matter*, and which *player* has not from us."""
    beside, asked = _beside(letter), False
    left = [one for one in among if one.number in beside]
    for mail in _letters_to(connection, campaign, player, letter, now) if left else ():
        before = _read(connection, mail)
        left = [one for one in left if not before.holds(worded(one.text), *beside[one.number])]
        if not asked:
            # Most of a quotation is of one letter, and to ask what matters takes longer than to look there.
            left, asked = [one for one in left if matters(one)], True
        if not left:
            break
    return tuple(left if asked else filter(matters, left))


def _beside(letter: Letter) -> dict[int, tuple[str, str]]:
    """The words of the lines above and below each line that is sent back."""
    said = [(one.number, worded(one.text)) for one in letter.ignored]
    filled = [(number, words) for number, words in said if words]
    above = ["", *(words for _, words in filled)]
    below = [*(words for _, words in filled[1:]), ""]
    return {number: (above[at], below[at]) for at, (number, _) in enumerate(filled)}


def _letters_to(
    connection: Connection, campaign: CampaignId, player: Player, letter: Letter, now: int
) -> Iterator[Mail]:
    """Letters to *player* that he can have read, the likeliest first."""
    first = threads.answered(connection, player, letter.in_reply_to, letter.references)
    if first is not None:
        yield first
    others = [one for one in reversed(outbox.of_player(connection, player.id)) if one.campaign == campaign]
    readable = [one for one in others if one != first and one.due_at <= now]
    yield from readable[:MOST]


def _read(connection: Connection, mail: Mail) -> Sent:
    """The text and the page of one of our letters; nothing, if it is not there any more."""
    try:
        raw = blobs.fetch(connection, mail.digest)
    except (Refused, BrokenLog):
        return sent(())
    # The files that come with a report are ten times its size, and stand behind it.
    files = _FILES.search(raw)
    pieces: list[str] = []
    for part in message_from_bytes(raw[: files.start()] if files else raw).walk():
        if part.get_content_type() == "text/plain":
            pieces += clean_lines(_text(part))
        elif part.get_content_type() == "text/html":
            said = _TAG.split(_UNSEEN.sub("", _text(part)))
            pieces += (one for piece in said for one in clean_lines(unescape(piece)))
    return sent(pieces)


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
