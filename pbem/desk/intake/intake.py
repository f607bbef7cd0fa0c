"""A message of a role to its campaign, being dealt with: the entry that it becomes, and the letters in answer.

The campaign, the role and the writer are known by now, and the message is kept.  Nothing here refuses by an
error: what cannot be done is itself an event, and a letter that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.newest import newer
from pbem.desk.books.owed import Answered, Answers, Says, ShortLetter
from pbem.desk.intake.attached import File
from pbem.desk.intake.unread import Unread, unread
from pbem.desk.office.office import SECOND, Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import Answering, in_game, to_gm, to_player
from pbem.desk.sheets import closing, sheets
from pbem.desk.sheets.receipts import Standpoint
from pbem.desk.turns.adjudicate import began
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    ExchangeAnnulled,
    MessageReceived,
    OrdersRefused,
    OrdersWithdrawn,
    RulingMade,
    Source,
)
from pbem.orders.account import Accounted
from pbem.orders.sheet import Line
from pbem.orders.words import Sheet
from pbem.reports.pages.notice import Notice, refusal
from pbem.reports.pages.receipt import Receipt
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import when
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.outbox import Kind
from pbem.storage.players import Player

ALWAYS = frozenset({"resign", "vacation", "stop", "address", "also"})
"""Words to the office that are answered however much its writer has written."""

EARLY = "a message came before the hour"
"""Why a run before the deadline was voided."""


class Message(Struct, frozen=True, kw_only=True):
    """A message, whatever way it came."""

    digest: str
    """Of its bytes."""
    number: int = 0
    """Of its letter: they are numbered as they come.  0: it is of none, and comes now."""
    source: Source
    received: int
    """By our clock."""
    sent: datetime | None = None
    """By the writer's clock, as his letter says."""
    lines: tuple[Line, ...]
    """What its writer typed."""
    subject: str = ""
    answers: Answered = Answered()
    replies_to: str = ""
    """The id of the letter that it is a reply to."""
    asked: Moment | None = None
    """Of what its writer was asked on the page on which he wrote it."""
    files: tuple[File, ...] = ()
    """What came with it."""
    aside: tuple[Accounted, ...] = ()
    """What stands in it that its writer did not type, and what he put below it."""
    warnings: tuple[str, ...] = ()
    grade: str = ""
    """How sure it is who wrote it, `A` to `E`."""
    confirmed: bool = True
    """Whether its writer gave a code back for it, or the GM took it as his: else what ends a game is asked back."""

    @property
    def written(self) -> int:
        """When it was written, at the latest, in microseconds UTC."""
        return written(self.received, self.sent)

    @property
    def message_id(self) -> str:
        """Its id, as its writer's program named it."""
        return self.answers.message_id


def written(received: int, sent: datetime | None) -> int:
    """When a letter was written, at the latest, in microseconds UTC: it may lie for long on its way."""
    return min(received, (int(sent.timestamp()) + 1) * SECOND) if sent else received


Answer = tuple[str, str]
"""What a command is answered with: a label and a text to go under it; without a label, a sentence."""


@dataclass(slots=True)
class Intake:
    """A message being dealt with: for whom, from where he stands, and the entry it becomes."""

    office: Office
    connection: Connection
    entry: Entry
    message: Message
    role: Role
    player: Player
    receipt: Receipt | None = None
    outcome: str = ""
    """In a phrase, what became of it: `accepted`, `refused: …`."""
    said: str = ""
    """What its words to the office are answered with, in sentences."""
    refused: bool = False
    """Whether what it asked for was not done."""
    moment: Moment | None = None
    """The exchange that its orders are for."""
    stale: str = ""
    """Why they are for none that is open, in a phrase."""
    sheet: Sheet | None = None
    """What it says, parted."""
    stops: bool = False
    """Whether its player wants no more letters."""
    files: tuple[str, ...] = ()
    """What there is to say of the files that came with it and were not read, each in a phrase."""
    writes: list[Callable[[Connection], object]] = field(default_factory=list)
    """What it changes of its player that stands in no log: done with the entry, in its transaction."""
    _letters: int = field(default=0)

    @property
    def is_own(self) -> bool:
        """Whether its writer plays the role, and stands in for nobody."""
        return self.entry.dossier.campaign.players.get(self.role) == self.player.id

    @property
    def unread(self) -> Unread:
        """What there is to say of the lines of it that were not read."""
        own = self.sheet.account if self.sheet else ()
        return unread((*own, *self.message.aside), self.files)

    @property
    def beside(self) -> Unread:
        """What there is to say beside an answer that is no receipt."""
        return (*self.to_look_at, *self.unread)

    @property
    def to_look_at(self) -> Unread:
        """The warnings, where there are any."""
        warnings = self.message.warnings
        return ((phrase("Please look"), "\n".join(warnings)),) if warnings else ()

    @property
    def mark(self) -> str:
        """What tells the letters in answer to this message from all others: the same text may be handed in again."""
        digest, number = self.message.digest[:16], self.message.number
        return f"{digest}.{number}" if number and self.message.source != "letter" else digest

    def overtaken(self, moment: Moment) -> str:
        """Why it changes nothing of the orders for *moment*, in a phrase: the role has sent something newer."""
        return newer(self.connection, self.entry.dossier, self.role, moment, number=self.message.number)

    def answer(self, says: Says, *, kind: Kind = "receipt", cause: str = "") -> None:
        """Owe the writer an answer."""
        dossier = self.entry.dossier
        self._letters += 1
        self.entry.owe(
            to_player(
                in_game(dossier, self.role, self.player),
                says,
                kind=kind,
                cause=cause or f"answer/{self.role}/{self.mark}/{self._letters}",
                at=self.entry.at,
                moment=dossier.campaign.now,
                answers=Answering(
                    letter=None if self.message.source == "gm" else self.message.answers,
                    counts=Answers.DONE if self._changes() else Answers.PLAYER,
                    batch=self.mark,
                ),
            )
        )

    def _changes(self) -> bool:
        """Whether the message has changed something so far, or asks how to leave: that is answered always."""
        asked = {command.word for command in self.sheet.commands} if self.sheet else set()
        events = (event for _, event in self.entry.events)
        changed = any(not isinstance(event, MessageReceived | OrdersRefused) for event in events)
        return changed or bool(asked & ALWAYS)


def told_by(intake: Intake, notice: Notice) -> Notice:
    """The notice that answers the message: of what the umpire entered, its player is told that, and each line."""
    if intake.message.source != "gm":
        return notice
    lines = sheets.written(intake.message.lines).strip("\n")
    summary = " ".join((notice.summary, phrase("The umpire entered this for you."))).strip()
    there = any(text == lines for _, text in notice.quoted)
    quoted = notice.quoted if there else (*notice.quoted, (phrase("What the umpire entered"), lines))
    return replace(notice, summary=summary, quoted=quoted)


def refuse(
    intake: Intake, moment: Moment | None, why: str, instead: str = "", *, text: str = "", reason: str = ""
) -> None:
    """Enter that nothing was taken, and say why; *reason*: the same in English, where *why* is not."""
    dossier, message = intake.entry.dossier, intake.message
    written = text or sheets.written(message.lines).strip("\n")
    event = OrdersRefused(
        role=intake.role,
        moment=moment,
        receipt=sheets.next_receipt(dossier, intake.role),
        text=written,
        reason=reason or why,
        digest=digest_of(written.encode()),
        message=message.digest,
        source=message.source,
    )
    intake.entry.add(dossier.campaign.now or SET_UP, event)
    intake.outcome, intake.refused, intake.moment = f"refused: {reason or why}", True, moment
    none = phrase("no orders taken")
    why = phrase(why)
    notice = refusal(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {f'{moment} ' if moment else ''}{none}",
        why=f"{why[:1].upper()}{why[1:]}.",
        instead=instead,
        received=when(message.received, intake.player.zone),
        text=written,
        unread=intake.beside if text else (*intake.to_look_at, *unread(message.aside, intake.files)),
    )
    intake.answer(ShortLetter(told_by(intake, notice)), cause=f"receipt/{intake.role}/{event.receipt}")


def closed(intake: Intake, at: Standpoint) -> str:
    """Why nothing can be changed any more of what is asked now; empty while it can."""
    return closing.closed(intake.entry.dossier, at, intake.message.received, intake.player.zone)


def reopen(intake: Intake, at: Standpoint) -> None:
    """Void a run that was made before the hour: what changes now was in time.

    The same dice fall in the next, unless the sheet is the first of its writer's, whose word changes them once.
    Nobody who can send a sheet was told of them: only the GM could see them, as he can see them at any time
    (`turn run --dry-run`), and he plays no side.  New seeds here would let whoever can have a letter sent throw until
    he is pleased, and a new promise would tell all others that somebody wrote.

    One that is played in steps takes nothing once it is run, so that there is nothing to void.
    """
    exchange = intake.entry.dossier.exchange(at.exchange.moment)
    if exchange.state == "resolved" and not exchange.steps:
        since = began(intake.entry.dossier, exchange)
        voided = ExchangeAnnulled(moment=exchange.moment, since=since, reason=EARLY, stays_open=True)
        own = intake.entry.dossier.own
        ruled = [one.event for one in own if one.seq >= since and isinstance(one.event, RulingMade)]
        intake.entry.add(exchange.moment, voided)
        if ruled:
            _tell_of_rulings(intake, exchange.moment, ruled)


def _tell_of_rulings(intake: Intake, moment: Moment, ruled: Sequence[RulingMade]) -> None:
    """Tell the GM which rulings went with the run upon which he had made them."""
    campaign, lines = intake.entry.dossier.id, "\n".join(f"  {line}" for one in ruled for line in one.directives)
    text = (
        f"A message came before the hour of {moment}, and its run is void.  So is what you ruled upon it:\n\n"
        f"{lines}\n\n"
        f"If it shall stand, rule it again when it is run: pbem rule {campaign}\n"
    )
    cause = f"void-rulings/{moment}/{intake.entry.dossier.seq}"
    subject = f"rulings on {moment} are void"
    intake.entry.owe([to_gm(campaign, subject, text, cause=cause, at=intake.entry.at)])


FINAL = phrase_later("in this campaign the first sheet of an exchange is final, and yours stands")
"""Why a sheet is not changed."""


def withdraw(intake: Intake, at: Standpoint, moment: Moment) -> str:
    """Enter that the role takes its sheet for *moment* back; gives what there is to say."""
    if moment == at.moment and (why := closed(intake, at)):
        intake.refused = True
        return phrase("Nothing was withdrawn: {why}.", why=why)
    if why := intake.overtaken(moment):
        intake.refused = True
        return phrase("Nothing was withdrawn: {why}.", why=why)
    if (moment, intake.role) not in intake.entry.dossier.campaign.sheets:
        return phrase("You have no orders for {moment}; there was nothing to withdraw.", moment=moment)
    if moment == at.moment:
        if at.call is not None and at.call.final:
            intake.refused = True
            return phrase("Nothing was withdrawn: {why}.", why=phrase(FINAL))
        reopen(intake, at)
    number = sheets.next_receipt(intake.entry.dossier, intake.role)
    intake.entry.add(
        intake.entry.dossier.exchange().moment,
        OrdersWithdrawn(role=intake.role, moment=moment, receipt=number, message=intake.message.digest),
    )
    intake.outcome = phrase_later("withdrawn")
    return phrase("Your orders for {moment} are withdrawn.", moment=moment)
