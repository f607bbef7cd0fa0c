"""The one door of the office: letters, uploads, `orders submit` and the demo all come in here.

    bytes kept  →  read  →  writer  →  campaign  →  role  →  events and answers, all at once

The bytes are kept, and that is committed, before anything reads them.  A letter that cannot be dealt with stays
where it can be found: `pbem mail quarantine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.desk import dossiers, refusals, taking
from pbem.desk.dossiers import Dossier
from pbem.desk.entries import Entry, commit
from pbem.desk.intake import Intake, Message
from pbem.desk.office import Office
from pbem.desk.post import Answered
from pbem.desk.sheets import file_lines, reader
from pbem.kernel.errors import Refused, StorageError
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import Source
from pbem.mail.content import content_digest
from pbem.mail.letter import IgnoredLine, Letter, read_head, read_letter
from pbem.mail.limits import UnreadableLetter
from pbem.mail.sender import campaign_tag
from pbem.orders.grammar import written
from pbem.orders.sheet import Line
from pbem.orders.words import Head, split_sheet
from pbem.reports.receipt import Receipt
from pbem.storage import blobs, letters, players
from pbem.storage.database import Connection
from pbem.storage.letters import State
from pbem.storage.players import Player

TRIES = 3
"""How often a letter is begun that each time brought its reader down."""

_NOT_READ = {
    "quote": "a quote",
    "signature": "the signature",
    "original message": "the letter that you answer",
}
"""Where a line is no order of the writer's though it may look like one, by why the letter's reader ignored it."""


class Received(Struct, frozen=True, kw_only=True):
    """What became of a message."""

    letter: int
    state: State
    reason: str = ""
    campaign: CampaignId | None = None
    role: Role | None = None
    moment: Moment | None = None
    receipt: Receipt | None = None


class _Turned(Exception):
    """A message that reaches no campaign, and what becomes of it."""

    def __init__(self, state: State, reason: str) -> None:
        super().__init__(reason)
        self.state: State = state
        self.reason = reason


def take_in(
    office: Office,
    raw: bytes,
    *,
    way: str,
    origin: str | None = None,
    message_id: str | None = None,
    arrived: int | None = None,
    recipients: Sequence[str] = (),
) -> letters.Letter:
    """Keep the bytes of a message, before anything reads them; what *way* offers again is the letter it was.

    *arrived*: when it came, if that was before now (`arrivals.when`); *recipients*: the addresses on its envelope.

    :raises StorageError: if they cannot be kept.
    """
    now = office.now()
    at = now if arrived is None else arrived
    with office.write() as connection:
        digest = blobs.keep(connection, raw, at=now)
        letter, _ = letters.receive(
            connection,
            digest=digest,
            source=way,
            at=at,
            origin=origin,
            message_id=message_id,
            content=content_digest(raw) if message_id else "",
            recipients=recipients,
        )
    return letter


def receive(office: Office, raw: bytes, *, way: str, origin: str | None = None) -> Received:
    """Take in a letter as it came from the mail server, and deal with it."""
    head = read_head(raw)
    return deal_with(office, take_in(office, raw, way=way, origin=origin, message_id=head.message_id or None))


def submit(
    office: Office, campaign: str, role: str, raw: bytes, *, source: Source = "gm", way: str = "upload"
) -> Received:
    """Take in an order file for *role* of *campaign*, from its player (`upload`) or by the GM for him.

    :raises Refused: if there is no such campaign or role, nobody plays it, or the file cannot be read.
    """
    letter = take_in(office, raw, way=way)
    try:
        with office.write() as connection:
            dossier = dossiers.load(office, connection, campaign)
            known = dossier.role(role)
            if known not in dossier.campaign.players:
                raise Refused(f"nobody plays {known} in {dossier.id}.")
            player = players.get(connection, dossier.campaign.players[known])
            message = Message(digest=letter.digest, source=source, received=letter.received_at, lines=file_lines(raw))
            return _enter(office, connection, letter, dossier, known, player, message)
    except Refused as refused:
        with office.write() as connection:
            letters.settle(connection, letter.id, "refused", reason=str(refused))
        raise


def deal_with(office: Office, letter: letters.Letter, *, vouched: bool = False) -> Received:
    """Deal with a letter that was taken in; *vouched*: the GM says that its sender is who he seems to be.

    :raises StorageError: if the disk does not let it; the letter then waits.
    """
    if letter.state not in ("new", "held"):
        return Received(letter=letter.id, state=letter.state, reason=letter.reason, campaign=letter.campaign)
    with office.write() as connection:
        tries = letters.tried(connection, letter.id)
        raw = blobs.fetch(connection, letter.digest)
        if tries > TRIES:
            reason = f"it could not be dealt with in {TRIES} attempts"
            letters.settle(connection, letter.id, "unreadable", reason=reason)
            return Received(letter=letter.id, state="unreadable", reason=reason)
    try:
        with office.write() as connection:
            return _deal(office, connection, letter, raw, vouched=vouched)
    except StorageError:
        raise
    except Exception as error:
        reason = f"not dealt with: {type(error).__name__}: {error}"
        with office.write() as connection:
            letters.settle(connection, letter.id, letter.state, reason=reason)
        return Received(letter=letter.id, state=letter.state, reason=reason)


def sweep(office: Office) -> list[Received]:
    """Deal with every letter that was kept and not dealt with, because the office died between the two."""
    with office.read() as connection:
        waiting = letters.listing(connection, "new")
    return [deal_with(office, letter) for letter in waiting]


def _deal(office: Office, connection: Connection, row: letters.Letter, raw: bytes, *, vouched: bool) -> Received:
    player: Player | None = None
    try:
        head = read_head(raw)
        player = players.by_address(connection, head.sender.address) if head.sender.address else None
        if head.auto:
            raise _Turned("ignored", f"a machine wrote it ({head.auto})")
        if player is None:
            refusals.tell_of_stranger(office, connection, head, row)
            raise _Turned("refused", f"nobody here writes from {head.sender.address or 'no address'}")
        if _same_before(connection, row, player):
            refusals.say_unchanged(office, connection, player, head, row)
            raise _Turned("ignored", "the same letter came before")
        letter = read_letter(raw)
        dossier, role = _where(office, connection, player, letter)
        if dossier.opened.trust == "table" and not vouched:
            refusals.tell_of_held(office, connection, dossier, role, row)
            raise _Turned("held", f"only its From line says that it is from {player.name}")
    except UnreadableLetter as error:
        if player is not None:
            refusals.say_unreadable(office, connection, player, read_head(raw), row, error.reason)
        return _settled(connection, row, "unreadable", error.reason, player)
    except _Turned as turned:
        return _settled(connection, row, turned.state, turned.reason, player)
    except refusals.Astray as astray:
        refusals.say_astray(office, connection, astray, read_head(raw), row)
        return _settled(connection, row, "refused", astray.reason, player)
    message = Message(
        digest=row.digest,
        source="letter",
        received=row.received_at,
        lines=_own_lines(letter),
        subject=letter.subject,
        answers=Answered(letter.message_id, letter.references),
        replies_to=letter.in_reply_to,
        warnings=(*letter.warnings, *_unread(dossier, role, letter.ignored)),
    )
    return _enter(office, connection, row, dossier, role, player, message)


def _enter(
    office: Office,
    connection: Connection,
    row: letters.Letter,
    dossier: Dossier,
    role: Role,
    player: Player,
    message: Message,
) -> Received:
    """Enter the message into the log of its campaign, and settle its letter, in the transaction of *connection*."""
    entry = Entry(dossier, office.now(), "gm" if message.source == "gm" else player.id)
    intake = Intake(office, connection, entry, message, role, player)
    taking.deal_with(intake)
    commit(office, connection, entry)
    state: State = "refused" if intake.refused else "applied"
    letters.settle(
        connection,
        row.id,
        state,
        reason=intake.outcome,
        campaign=dossier.id,
        seq=dossier.seq + 1,
        player=player.id,
    )
    return Received(
        letter=row.id,
        state=state,
        reason=intake.outcome,
        campaign=dossier.id,
        role=role,
        moment=intake.moment,
        receipt=intake.receipt,
    )


def _settled(connection: Connection, row: letters.Letter, state: State, reason: str, player: Player | None) -> Received:
    letters.settle(connection, row.id, state, reason=reason, player=player.id if player else None)
    return Received(letter=row.id, state=state, reason=reason)


def _same_before(connection: Connection, row: letters.Letter, player: Player) -> bool:
    """Whether the same bytes came from the same player before and were dealt with."""
    return any(
        one.id != row.id and one.player == player.id and one.state in ("applied", "refused")
        for one in letters.of_digest(connection, row.digest)
    )


def _where(office: Office, connection: Connection, player: Player, letter: Letter) -> tuple[Dossier, Role]:
    """The campaign and the role that a letter is for.

    :raises Astray: if that cannot be said.
    """
    said = _head(letter)
    roles = _roles_of(office, connection, player)
    played = sorted({dossier.id for dossier, _ in roles})
    if not played:
        raise refusals.Astray(player, "you play in no campaign of this office", "")
    tag = campaign_tag(letter.subject)
    named = (
        (said.game or "").strip().lower()
        or (tag if tag in played else None)
        or (played[0] if len(played) == 1 else None)
    )
    listed = ", ".join(played)
    if named is None:
        raise refusals.Astray(
            player, "it does not say which campaign it is for", f"Begin with a line `game NAME`. You play in: {listed}."
        )
    if named not in played:
        raise refusals.Astray(player, f"you play in no campaign {named}", f"You play in: {listed}.")
    mine = {role: dossier for dossier, role in roles if dossier.id == named}
    if said.role is None and len(mine) == 1:
        [(role, dossier)] = mine.items()
        return dossier, role
    listed = ", ".join(mine)
    if said.role is None:
        raise refusals.Astray(
            player,
            "it does not say which role it is from",
            f"Begin with a line `role NAME`. You play: {listed}.",
            named,
        )
    if said.role not in mine:
        raise refusals.Astray(player, f"the role {said.role} is not yours", f"You play: {listed}.", named)
    return mine[said.role], said.role


def _roles_of(office: Office, connection: Connection, player: Player) -> list[tuple[Dossier, Role]]:
    found = []
    for campaign in dossiers.campaigns(connection):
        dossier = dossiers.load(office, connection, campaign)
        if dossier.opened.forked:
            continue
        found += [(dossier, role) for role in dossier.campaign.roles_of(player.id)]
    return found


def _head(letter: Letter) -> Head:
    """What the letter says of itself, before it is known whose words its lines are."""
    return split_sheet(_own_lines(letter), lambda line: False).head


def _own_lines(letter: Letter) -> tuple[Line, ...]:
    return tuple(Line(line.number, line.text) for line in letter.lines)


def _unread(dossier: Dossier, role: Role, ignored: Iterable[IgnoredLine]) -> tuple[str, ...]:
    """A warning, if lines that were not read look like orders."""
    blank = dossier.blank.minds[role]
    reads = reader(dossier.system, dossier.scene, blank, role)
    why = {one.number: one.why for one in ignored if one.why in _NOT_READ}
    sent_back = [Line(one.number, one.text.lstrip("> ")) for one in ignored if one.number in why]
    like = [line for line in written(sent_back) if reads(line)]
    if not like:
        return ()
    places = ", ".join(str(line.number) for line in like[:10])
    place = _NOT_READ[why[like[0].number]]
    if len(like) == 1:
        return (f"Line {places} of your letter looks like an order but stands in {place}, and was not read.",)
    return (f"Lines {places} of your letter look like orders but stand in {place}, and were not read.",)
