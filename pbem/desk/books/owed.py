"""A mail that is owed: to whom, for what, and what it says; as data, before anything of it is written.

It can be kept in the transaction that gives cause for it, and written after that (`writing`).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import Struct

from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.mail.leaving.compose import Attachment, Picture
from pbem.reports.pages.notice import Notice
from pbem.reports.pages.receipt import Receipt
from pbem.storage.outbox import Kind


class Answers(StrEnum):
    """What kind of letter is answered: who writes much of the one does not use up the answers to the other."""

    PLAYER = "player"
    """It is certain enough who wrote; his letter changed nothing."""

    DONE = "done"
    """It is certain enough who wrote; his letter changed something, or asked how to leave."""

    DOUBTFUL = "doubtful"
    """It bears a player's name.  Whoever sends such letters does not silence the receipts to the player himself."""

    STRANGER = "stranger"

    JOINING = "joining"
    """He would play, and is nobody known here yet."""


class Answered(Struct, frozen=True):
    """The letter that is answered, by its id and its thread."""

    message_id: str = ""
    references: tuple[str, ...] = ()


class Contents(Struct, frozen=True, kw_only=True, tag="contents"):
    """What is in a mail, written."""

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()


class ShortLetter(Struct, frozen=True, tag="notice"):
    """A short letter, with files that go with it."""

    notice: Notice
    attachments: tuple[Attachment, ...] = ()


class ReceiptLetter(Struct, frozen=True, tag="receipt"):
    """A receipt."""

    receipt: Receipt


class ReportLetter(Struct, frozen=True, tag="report"):
    """A report that was issued: which one of its role, by its moment and its version."""

    moment: Moment
    version: int
    zone: str = ""
    """In which its hours are told; empty: that of its reader."""
    more: tuple[Attachment, ...] = ()
    """What goes with it."""
    whole: bool = False
    """Whether the whole game, which has ended, goes with it."""


class Part(Struct, frozen=True):
    """A mail that was gathered into another."""

    cause: str
    """For what it was owed."""
    at: int
    letter: ShortLetter


class Gathered(Struct, frozen=True, tag="gathered"):
    """What came to be owed to one reader since he was last sent such a mail, in that order."""

    parts: tuple[Part, ...]


class ObservedLetter(Struct, frozen=True, tag="observed"):
    """What an observer is shown of a moment, through which eyes, as it stood after event *upto*."""

    moment: Moment
    eyes: tuple[str, ...]
    upto: int


Says = Contents | ShortLetter | ReceiptLetter | ReportLetter | Gathered | ObservedLetter
"""What a mail says."""


class Owed(Struct, frozen=True, kw_only=True):
    """A mail that is owed, once for its *cause* in its *campaign*."""

    campaign: CampaignId
    """Empty: it belongs to no game."""
    cause: str
    kind: Kind
    says: Says
    at: int
    """When it was owed: microseconds UTC."""
    player: PlayerId | None = None
    """None: it is to the GM, or to *address*."""
    address: str = ""
    """Of somebody who is neither a player nor the GM."""
    gm: str = ""
    """Of several who run games, the address of the one whom it is to."""
    bare: bool = False
    """Whether its reader may know nothing of the log, not even where it ends."""
    role: Role | None = None
    title: str = ""
    """Of its campaign's game."""
    thread: str = ""
    """For what the letter is owed at the root of its thread, where it answers none."""
    answered: Answered | None = None
    """The letter that it answers."""
    counts: Answers | None = None
    """As what answer it counts; None: it is none, and not bounded."""
    batch: str = ""
    """Answers of one batch count as one: they answer one letter."""
    reply_to: str = ""
    """Whom its reader answers, where that is not the office."""
    expires_at: int | None = None
    unwanted: str = ""
    """Why it is written down and never sent, though its reader has an address: he wants none of its kind."""
    leaves: bool = True
    """False: it is written down and never sent, for it is of a fork."""


def encoded(owed: Owed) -> bytes:
    """A mail that is owed, as it is kept until it is written."""
    return msgspec.json.encode(owed)


def decoded(data: bytes) -> Owed:
    """What `encoded` made.

    :raises msgspec.DecodeError: if it is not that.
    """
    return _OWED.decode(data)


_OWED = msgspec.json.Decoder(Owed)
