"""The one door for names: what people and files call things, before it stands in a header, a path or a page.

At enrolment, in settings, in a scenario and in a campaign that is taken in, a name is the same: a name for people is
decoded first and then looked at, for what a mail program would decode is what it would show; a name for machines is of
small letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal

from pbem.kernel.errors import Refused
from pbem.mail.reading.sender import campaign_tag, is_machine
from pbem.mail.wire.addresses import decoded, normalise

LONGEST: Final = 100
"""Characters of a name for people."""

Kind = Literal["campaign", "role", "player", "system", "scenario"]
"""What is called by a name for machines."""

_FORMS: Final[Mapping[Kind, tuple[re.Pattern[str], int]]] = {
    "campaign": (re.compile(r"[a-z][a-z0-9-]*[a-z0-9]"), 40),
    "role": (re.compile(r"[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*"), 40),
    "player": (re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"), 16),
    "system": (re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*"), 40),
    "scenario": (re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*"), 60),
}
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories of characters that are not seen, or end a line."""

_JOINERS: Final = "\u200c\u200d"
"""Characters that are not seen, and belong into names of some scripts."""


def for_people(text: str, what: str) -> str:
    """A name as it is written down: decoded, its blanks single; *what* it is the name of, for who reads the refusal.

    >>> for_people("=?utf-8?q?J=C3=BCrgen?=  Vogel ", "a player")
    'Jürgen Vogel'

    :raises Refused: if it is empty, too long, or holds a line break or another character that is not seen.
    """
    # What cannot be seen is looked for before and after: it may stand in an encoded word.
    if _hides(text) or _hides(read := decoded(text)):
        raise Refused(f"{what} cannot be called {text[:40]!r}: a line break or another unseen character is in it.")
    name = " ".join(unicodedata.normalize("NFC", read).split())
    if not name or len(name) > LONGEST:
        raise Refused(f"the name of {what} has 1 to {LONGEST} characters, not {len(name)}.")
    if "=?" in name:
        raise Refused(f"{what} cannot be called {name[:40]!r}: a mail program would take it for something else.")
    return name


def _hides(text: str) -> bool:
    return any(unicodedata.category(c) in _HIDDEN and c not in _JOINERS for c in text)


def for_machines(text: str, kind: Kind) -> str:
    """A name that stands in addresses, in paths and in front of subjects, if it can.

    >>> for_machines("allied.guards", "role")
    'allied.guards'

    :raises Refused: if it cannot.
    """
    form, longest = _FORMS[kind]
    if len(text) > longest or not form.fullmatch(text):
        many = f"2 to {longest} of them" if kind == "campaign" else f"{longest} at most"
        raise Refused(f'"{text[:60]}" cannot name a {kind}: write small letters, digits and "-" between them, {many}.')
    if kind == "campaign" and campaign_tag(f"[{text}]") != text:
        raise Refused(f'"{text}" cannot name a campaign: mail servers put that word before subjects.')
    return text


def for_letters(address: str) -> str:
    """An address that the office can write to, as it is written down.

    :raises Refused: if it is none, or one that machines write from: a letter from there would not be read.
    """
    checked = normalise(address)
    if not checked:
        raise Refused(f'"{address[:80]}" is no address.')
    local, _, host = checked.rpartition("@")
    if "." not in host.strip("."):
        raise Refused(f'"{checked}" is no address that mail finds: there is no dot behind its "@".')
    if not local.isascii() or "=?" in local:
        raise Refused(f'"{checked}" has characters before its "@" that not every mail server passes on: give another.')
    if is_machine(checked):
        raise Refused(f"{checked} is an address that machines write from: letters from there are not read as orders.")
    return checked
