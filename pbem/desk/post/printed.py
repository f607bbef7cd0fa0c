"""Where a log stood is printed in the letters that leave: who holds one holds the office to all before it.

On a receipt it is the event that the receipt is of, and in a letter to the GM where the log of the campaign stood.  A
report prints the head that its role may know.

A player must not learn from two receipts whether anything came to pass between them, and a hash can be tried against
guesses.  So what a receipt prints is the hash under the key of the office (HMAC-SHA-256): it says nothing, and
`pbem verify CAMPAIGN --head` finds its event.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable

from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.owed import Contents, Owed
from pbem.desk.office.office import Office, signing_key
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersRefused
from pbem.storage.codec import Codec
from pbem.storage.database import Connection
from pbem.storage.log import SqlLog

LABEL = "Entered in the log as"

_PRINTED = re.compile(rf"{LABEL}:\s+([0-9a-f]{{64}})")
_RECEIPT = re.compile(r"receipt/([^/]+)/(\d+)")
_SIGNATURE = "\n-- \n"
_STYLE = "font-family:monospace;overflow-wrap:anywhere"


def with_head(office: Office, connection: Connection, owed: Owed, contents: Contents) -> Contents:
    """What a mail says, with the head of the log at its foot, if it is one that prints it.

    :raises Refused: if the key of the office cannot be read.
    """
    head = _head(office, connection, owed)
    if not head:
        return contents
    text = contents.text.rstrip("\n")
    sign = "\n" if _SIGNATURE in text else _SIGNATURE
    shown = f'<br>{LABEL}: <span style="{_STYLE}">{head}</span></footer>'
    html = shown.join(contents.html.rsplit("</footer>", 1))
    return replace(contents, text=f"{text}{sign}{LABEL}:\n{head}\n", html=html)


def printed(text: str) -> str:
    """The head that the *text* of a mail prints at its foot; empty if it prints none."""
    found = _PRINTED.findall(text)
    return str(found[-1]) if found else ""


def covered(office: Office, hash: str) -> str:
    """What a receipt prints for the event that bears *hash*.

    :raises Refused: if the key of the office cannot be read.
    """
    return hmac.digest(signing_key(office), f"head/{hash}".encode(), "sha256").hex()


def uncovered(office: Office, hashes: Iterable[tuple[int, str]], head: str) -> int | None:
    """Which of the events that bear *hashes* a receipt prints as *head*, if it is one of them."""
    return next((seq for seq, hash in hashes if covered(office, hash) == head), None)


def _head(office: Office, connection: Connection, owed: Owed) -> str:
    if not owed.campaign or owed.address or owed.bare:
        return ""
    log = SqlLog(connection, Codec())
    if owed.player is None:
        return log.head(owed.campaign).hash
    found = _RECEIPT.fullmatch(owed.cause)
    if found is None:
        return ""
    receipt = found[1], int(found[2])
    own = dossiers.load(office, connection, owed.campaign).log.own
    for recorded in reversed(own):
        event = recorded.event
        if not isinstance(event, OrdersAccepted | OrdersKept | OrdersRefused):
            continue
        if (event.role, event.receipt) == receipt:
            return covered(office, log.hash_at(owed.campaign, recorded.seq) or "")
    return ""
