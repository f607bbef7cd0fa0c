"""Who wrote a letter, and how sure that is: everything that is asked of it before it is asked what it wants.

    bytes  →  robot or person  →  whose domain vouches  →  read  |  →  whose address it came to  →  grade

What stands left of the bar takes time, asks the DNS, and lets a process of its own read the letter: it is done
outside every transaction, so that no letter holds up another.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.intake.keeping import Kept
from pbem.desk.office.office import Office
from pbem.desk.post import addresses
from pbem.kernel.names import PlayerId
from pbem.kernel.terms import Trust
from pbem.mail.reading.letter import Head, Letter, read_head
from pbem.mail.reading.robot import CONDUCT, Robot, Writer, who_wrote
from pbem.mail.reading.worker import Reader, ReaderBroke
from pbem.mail.trust.authentication import Authentication, Result, authenticate, look_up
from pbem.mail.trust.grade import POLICIES, Disposition, Grade, Judgement, judge
from pbem.mail.wire.limits import UnreadableLetter
from pbem.mail.wire.reply_address import Proof, Token
from pbem.storage import aliases, letters, players
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Seen(Struct, frozen=True, kw_only=True):
    """A letter as far as it can be understood without the books of the office."""

    head: Head
    robot: Robot
    authentication: Authentication
    letter: Letter | None = None
    """None where it could not be read, or was not to be."""
    fault: UnreadableLetter | ReaderBroke | None = None
    """Why it could not be read."""
    whose: PlayerId | None = None
    """Whose it is by the word of the GM, whatever address it came from."""

    @property
    def person(self) -> bool:
        """Whether a person wrote it."""
        return self.robot.writer is Writer.PERSON


class Known(Struct, frozen=True, kw_only=True):
    """What the office knows of a letter's writer."""

    proof: Proof
    """By the addresses that it was sent to."""
    writer: Player | None
    """Whose address stands in its From."""
    player: Player | None
    """Whose letter it is taken for."""
    unconfirmed: bool = False
    """It came from another address of his, of which he has not said yet that it is his."""


class Graded(Struct, frozen=True):
    """A letter that was seen, what the books know of its writer, and how sure it is that he wrote it."""

    kept: Kept
    seen: Seen
    known: Known
    judgement: Judgement
    """By the terms of a game that says nothing else."""


def seen(office: Office, kept: Kept) -> Seen:
    """See a letter that was kept, in no transaction; whose it is, whoever vouches for it may say."""
    return replace(look(office, kept.raw), whose=kept.vouched.player)


def graded(office: Office, connection: Connection, kept: Kept, seen: Seen) -> Graded:
    """A letter with what the books say of its writer."""
    found = known(office, connection, kept.row, seen)
    return Graded(kept, seen, found, judged(seen, found, "table"))


def look(office: Office, raw: bytes) -> Seen:
    """See who wrote a letter, whether its sender is vouched for, and what stands in it; in no transaction."""
    head = read_head(raw)
    robot = who_wrote(raw, office=office.settings.host, own=(office.settings.address,))
    if not CONDUCT[robot.writer].read:
        nothing = Authentication(Result.NONE, "it was not asked")
        return Seen(head=head, robot=robot, authentication=nothing)
    trust = office.settings.trust
    lookup = office.lookup or (look_up if trust.dkim else None)
    vouched = authenticate(raw, partial(addresses.is_ours, office), trust.servers, lookup)
    try:
        return Seen(head=head, robot=robot, authentication=vouched, letter=reader_of(office).read(raw))
    except (UnreadableLetter, ReaderBroke) as fault:
        return Seen(head=head, robot=robot, authentication=vouched, fault=fault)


def known(office: Office, connection: Connection, row: letters.Letter, seen: Seen) -> Known:
    """What the books say of the writer of a letter."""
    proof = addresses.proven(office, connection, (*row.envelope, *seen.head.recipients))
    if seen.whose:
        his = players.get(connection, seen.whose)
        return Known(proof=proof, writer=his, player=his)
    sender = seen.head.sender.address
    writer = players.by_address(connection, sender) if sender else None
    if writer and proof.meaning and proof.meaning.name != writer.id:
        # A player who tries the secret address of another must not see by what becomes of it whether it is sound.
        proof = Proof(Token.BAD)
    found = _judge(seen, proof, writer, "table").player
    his_own = writer is not None and writer.id == found
    player = writer if his_own else players.get(connection, PlayerId(found)) if found else None
    besides = writer is not None and writer.address != players.address_of(sender)
    alias = aliases.get(connection, sender) if besides else None
    unconfirmed = alias is not None and alias.confirmed_at is None
    return Known(proof=proof, writer=writer, player=player, unconfirmed=unconfirmed)


def judged(seen: Seen, known: Known, trust: Trust) -> Judgement:
    """What becomes of the letter in a campaign whose term is *trust*."""
    judgement = _judge(seen, known.proof, known.writer, trust)
    if known.unconfirmed and judgement.disposition is Disposition.ACCEPTED:
        sender = seen.head.sender.address
        why = f"{sender} was entered for you by the umpire, and you have not said yet that it is yours"
        return replace(judgement, disposition=Disposition.HELD, reason=why)
    return judgement


def _judge(seen: Seen, proof: Proof, writer: Player | None, trust: Trust) -> Judgement:
    registered = {seen.head.sender.address: writer.id} if writer else {}
    return judge(seen.head, registered, proof, seen.authentication, POLICIES[trust])


def sure(grade: str) -> bool:
    """Whether it is certain enough who wrote a letter of *grade*, whatever the terms of its campaign are."""
    return grade in (Grade.A, Grade.B)


def by_signature(seen: Seen, known: Known) -> bool:
    """Whether a signature alone proves the letter: then only what was signed counts of it."""
    return seen.authentication.result is Result.PASS and known.proof.token is not Token.GOOD


def counting(seen: Seen, known: Known) -> Letter | None:
    """The letter, as far as it counts: where it was not signed that it answers one of ours, it answers none."""
    letter = seen.letter
    if letter is None or not by_signature(seen, known):
        return letter
    signed = seen.authentication.signed
    return replace(
        letter,
        in_reply_to=letter.in_reply_to if "in-reply-to" in signed else "",
        references=letter.references if "references" in signed else (),
    )


def reader_of(office: Office) -> Reader:
    """The process that reads the office's letters: started with the first, ended with the office."""
    reader: Reader | None = office.kept.get("reader")
    if reader is None:
        reader = office.kept["reader"] = office.ending.enter_context(Reader())
    return reader
