"""What becomes of a letter: the manual of mail, and what each of its sentences comes to.

A letter has a fate for each of its parts: the lines that give a code back are one part, all its other words another.
The manual is read from above, and the first sentence that fits decides; it asks nothing but what a `Case` says, so that
it can be read, and walked, without an office.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from pbem.desk.books.owed import Owed
from pbem.desk.players.own_addresses import Given
from pbem.desk.post.bounces import Returned
from pbem.desk.post.entries import Entry
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.reports.pages.receipt import Receipt
from pbem.storage.database import Connection
from pbem.storage.letters import Letter, State
from pbem.storage.players import Player

Part = Literal["codes", "words", "join"]
"""Lines that give codes back; all its words; or those of a letter that would join a game."""
Who = Literal["the post", "who stops his letters", "a machine", "a gm", "nobody known", "a player"]
"""`a gm`: somebody who runs games, writing as such."""
Code = Literal["none", "good", "late", "wrong"]
Bytes = Literal["read", "unreadable", "broke the reader"]
Game = Literal["not asked", "found", "not found", "looked on at"]
Proof = Literal["vouched", "sure", "doubtful"]
"""Whether its player or the GM took it for his, or it is certain enough who wrote it, in its campaign, or not."""
Asks = Literal["anything", "what is always asked back"]
Name = Literal["entered", "obeyed", "held", "refused", "confirmed", "ignored", "unreadable", "put off", "answered"]
Answer = Literal[
    "nothing",
    "who is not known",
    "the code is worth nothing",
    "it came twice",
    "it cannot be read",
    "which game",
    "what who looks on may",
    "did you write this",
    "shall it be done",
    "what was done",
    "its receipt",
]
"""What is said of it, if its writer can be told."""


class Case(Struct, frozen=True, kw_only=True):
    """All that the manual asks of one part of a letter."""

    part: Part = "words"
    who: Who
    code: Code = "none"
    """What the codes in it are worth."""
    came_before: bool = False
    """The same was written before by the same player, and dealt with."""
    bytes: Bytes = "read"
    game: Game = "not asked"
    proof: Proof = "doubtful"
    asks: Asks = "anything"


class Sentence(Struct, frozen=True, kw_only=True):
    """A sentence of the manual: the fate of every case that is as it says; None is anything."""

    fate: Name
    answer: Answer = "nothing"
    why: str
    part: Part | None = None
    who: Who | None = None
    code: Code | None = None
    came_before: bool | None = None
    bytes: Bytes | None = None
    game: Game | None = None
    proof: Proof | None = None
    asks: Asks | None = None

    def fits(self, case: Case) -> bool:
        """Whether it is about *case*."""
        return all(getattr(self, field) in (None, getattr(case, field)) for field in Case.__struct_fields__)


MANUAL: tuple[Sentence, ...] = (
    Sentence(who="the post", fate="ignored", why="what it says of our mails is written down; no person wrote it"),
    Sentence(who="who stops his letters", fate="ignored", why="his letters stop; nothing else in it is read"),
    Sentence(who="a machine", fate="ignored", why="no person wrote it: two machines would answer each other for ever"),
    Sentence(part="codes", code="good", fate="confirmed", why="whoever gives it back reads the mail of that player"),
    Sentence(
        part="join",
        proof="doubtful",
        fate="held",
        answer="did you write this",
        why="whoever would play is asked at the address that he writes from, before anything of him is written down",
    ),
    Sentence(part="join", fate="entered", answer="its receipt", why="his address is confirmed: he is on the list"),
    Sentence(
        who="nobody known",
        fate="refused",
        answer="who is not known",
        why="nobody here writes from there, and nothing of a game is told",
    ),
    Sentence(
        part="codes",
        fate="refused",
        answer="the code is worth nothing",
        why="it is another letter's, was used before, or is too old",
    ),
    Sentence(came_before=True, fate="ignored", answer="it came twice", why="what comes twice counts once"),
    Sentence(bytes="broke the reader", fate="put off", why="it may not be its fault: it is tried again"),
    Sentence(
        bytes="unreadable",
        fate="unreadable",
        answer="it cannot be read",
        why="it is kept, and its player sends it again as plain text",
    ),
    Sentence(
        who="a gm",
        proof="doubtful",
        fate="held",
        answer="did you write this",
        why="a From proves nothing: he is asked at his own address",
    ),
    Sentence(
        who="a gm",
        asks="what is always asked back",
        fate="held",
        answer="shall it be done",
        why="it cannot be undone: he is shown what would come of it",
    ),
    Sentence(who="a gm", fate="obeyed", answer="what was done", why="each of its words does what its command does"),
    Sentence(game="not found", fate="refused", answer="which game", why="it must say which game, and as whom"),
    Sentence(
        game="looked on at",
        fate="answered",
        answer="what who looks on may",
        why="who looks on orders nothing, whatever he writes",
    ),
    Sentence(
        proof="vouched", fate="entered", answer="its receipt", why="its player confirmed it, or the GM took it as his"
    ),
    Sentence(proof="doubtful", fate="held", answer="did you write this", why="its player is asked whether he wrote it"),
    Sentence(
        asks="what is always asked back",
        fate="held",
        answer="did you write this",
        why="it cannot be undone, whatever the proof",
    ),
    Sentence(fate="entered", answer="its receipt", why="it is certain enough who wrote it"),
)
"""What becomes of a letter, by who wrote it, how sure that is, which game it is for, and what it says."""


def sentence_for(case: Case) -> Sentence:
    """The sentence of the manual that decides *case*."""
    return next(one for one in MANUAL if one.fits(case))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """It goes into the books of its campaign, whatever the orders in it are worth."""

    entry: Entry
    role: Role | None
    """None: it is of no role, for its writer would have one."""
    player: Player
    reason: str
    refused: bool
    """Whether what it asked for was not done."""
    seq: int
    """Of the event that it became."""
    moment: Moment | None
    receipt: Receipt | None
    said: str = ""
    """What its words to the office are answered with, in sentences."""
    wakes: bool = False
    """Letters go to its player again, if he had stopped them."""
    stops: bool = False
    """Its player wants no more letters."""
    writes: tuple[Callable[[Connection], object], ...] = ()
    """What it changes of its player that stands in no log."""

    @property
    def campaign(self) -> CampaignId:
        """Its campaign."""
        return self.entry.dossier.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Obeyed:
    """It is of somebody who runs games: what it says was done, or could not be."""

    campaign: CampaignId
    """Empty: of several, or of none."""
    reason: str
    refused: bool
    """Whether nothing of it was done."""
    owes: tuple[Owed, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """It waits for a word of its player or of the GM; without a player, of whoever seems to have written it."""

    campaign: CampaignId | None
    role: Role | None
    player: Player | None
    reason: str
    codes: tuple[tuple[int, str], ...]
    """Of this letter, and of others of which its player is asked with it, by their numbers: digests of their codes."""
    at: int
    """When the codes were made."""
    owes: tuple[Owed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing of it is taken."""

    reason: str
    player: PlayerId | None = None
    owes: tuple[Owed, ...] = ()
    wakes: bool = False
    """Letters go to its player again, if he had stopped them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """It gives back the code of a letter that waits, which has a fate of its own now."""

    letter: Letter
    address: str
    """That which it came from: its player says that it is his."""
    then: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesBack:
    """It gives back codes for an address that a player has asked for."""

    given: Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """It needs no more than is said here."""

    reason: str
    player: PlayerId | None = None
    owes: tuple[Owed, ...] = ()
    stops: Player | None = None
    """Whose letters it stops."""
    returned: Returned | None = None
    """What it says of a mail of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """It cannot be read."""

    reason: str
    player: PlayerId | None = None
    owes: tuple[Owed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOff:
    """It is left to the next attempt."""

    reason: str
    counts: bool
    """Whether this was an attempt: it was not, if the office is not in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """It is of somebody who looks on: it is answered, and comes to no orders."""

    campaign: CampaignId
    player: Player
    reason: str
    owes: tuple[Owed, ...] = ()
    entry: Entry | None = None
    """That he looks on no more."""
    wakes: bool = False
    """Letters go to him again, if he had stopped them."""
    stops: bool = False
    """He wants no more letters."""
    zone: str = ""
    """By what clock hours are told him from now on."""


Fate = Entered | Obeyed | Held | Refused | Confirmed | CodesBack | Ignored | Unreadable | PutOff | Answered


class Decision(Struct, frozen=True):
    """What becomes of a letter: a fate for each of its parts."""

    fates: tuple[Fate, ...]
    grade: str = ""
    """How sure it is who wrote it; empty where that was not asked."""
    evidence: str = ""


class Received(Struct, frozen=True, kw_only=True):
    """What became of a message."""

    letter: int
    state: State
    reason: str = ""
    campaign: CampaignId | None = None
    role: Role | None = None
    moment: Moment | None = None
    receipt: Receipt | None = None
    said: str = ""
    """What its words to the office are answered with, in sentences."""
    again: bool = False
    """It had been dealt with before: nothing was done now."""
