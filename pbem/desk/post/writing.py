"""What is owed becomes letters: rendered, composed, signed, and laid into the outbox.

    owed, committed with its cause  →  written here, in no transaction  →  in the outbox, and owed no more

Nothing here can undo what a letter is about: that is in the books.  What cannot be written as it should be is written
in plain words; what cannot be written at all is set aside, and the GM is told.  Whoever dies over it leaves it owed.

The id of a letter is made of what it is owed for, so that it is the same letter however often it is written.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import allowance
from pbem.desk.books.owed import (
    Answered,
    Answers,
    Contents,
    Owed,
    ReportLetter,
    decoded,
    encoded,
)
from pbem.desk.office.office import Office, signing_key
from pbem.desk.office.signing import signed
from pbem.desk.pages import files, pages
from pbem.desk.pages.pages import DRAWER
from pbem.desk.post import gms, hooks, printed
from pbem.desk.post.addresses import gm_address, reply_address, stop_links
from pbem.desk.post.post import DRAWN, to_gm
from pbem.desk.post.rendering import contents_of, page_of
from pbem.kernel.errors import PbemError, Refused, StorageError
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.mail.leaving.compose import GENERATED, REPLIED, Draft, compose
from pbem.mail.trust.caps import Reply
from pbem.mail.wire.addresses import Address
from pbem.storage import answers, blobs, outbox, players
from pbem.storage import owed as waiting
from pbem.storage.blobs import Kept
from pbem.storage.claims import WRITER, claimed
from pbem.storage.database import Connection
from pbem.storage.owed import Unwritten
from pbem.storage.players import Player

if TYPE_CHECKING:
    from pbem.reports.maps.drawer import Drawer

TRIES = 5
"""How often a letter is begun that each time brought its writer down."""

_AT_ONCE = 50
_MANY = 4
"""From how many on maps are drawn by several processes."""
_LATER, _NEW, _DRAWN = "maps later", "of what mails are owed now", "maps that are drawn now"
Maps = Mapping[int, Callable[[], None]]
"""Of what is owed, by its number, what waits until its map is drawn."""
_NO_MAPS: Maps = {}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

TO_GM = "to "
"""What stands in the cause of a notice before the address of a GM who is not the first that is told."""


class Written(Struct, frozen=True):
    """A mail that can be laid into the outbox."""

    owed: Owed
    draft: Draft
    kept: Kept


def owe(connection: Connection, owed: Owed) -> bool:
    """Owe a mail, in the transaction of *connection*; says whether it was not owed before.

    It is written as soon as that is committed.
    """
    new = waiting.owe(connection, owed.campaign, owed.cause, encoded(owed), at=owed.at)
    if new:
        write_after(connection, owed.campaign)
        if owed.cause.startswith(DRAWN):
            connection.wake("pages", owed.campaign)
    return new


def write_after(connection: Connection, campaign: CampaignId) -> None:
    """When the transaction of *connection* is committed, write what is due of *campaign*."""
    of: set[CampaignId] = connection.info.setdefault(_NEW, set())
    of.add(campaign)
    Office.after(connection, partial(_write_new, of=of))


def write_owed(office: Office, of: CampaignId | None = None) -> int:
    """Write what is owed, *of* one campaign, if that is given; gives how many mails were laid into the outbox.

    It never raises: what the disk does not let it write now is still owed.
    """
    return _write_all(office, of=of, counted=True)


def write_next(office: Office) -> bool:
    """Write one of the mails that are owed, as `write_owed` does; says whether there was one."""
    return _write_all(office, counted=True, limit=1, once=True) > 0


@contextmanager
def maps_later(office: Office) -> Iterator[None]:
    """Until the block ends leave letters with maps to whoever writes what is left: they take long."""
    before = office.kept.get(_LATER, False)
    office.kept[_LATER] = True
    try:
        yield
    finally:
        office.kept[_LATER] = before


def write_drawn(office: Office, drawer: Drawer) -> bool:
    """Write the next letter with a map if that is drawn, and have the next ones drawn; says whether any is left.

    It waits for no drawing, so that whoever calls it again and again can do other things meanwhile.
    """
    try:
        signing_key(office)
        with office.read() as connection:
            rows = waiting.due(connection, limit=drawer.count + 1, at=office.now(), only=DRAWN)
        if not rows:
            return False
        before: Mapping[int, Future[bytes | None]] = office.kept.get(_DRAWN, {})
        begun = {row.id: before.get(row.id) or _begin(office, row.data, drawer) for row in rows}
        office.kept[_DRAWN] = begun
        if begun[rows[0].id].done():
            # The map is handed out once: a letter that cannot be written now has its map begun again.
            del begun[rows[0].id]
            _write_all(office, counted=True, only=DRAWN, limit=1, once=True)
    except (StorageError, Refused):
        return False  # as in `_write_all`
    return True


def _begin(office: Office, data: bytes, drawer: Drawer) -> Future[bytes | None]:
    """Have the map of a letter drawn that is owed; what cannot be begun is found out when the letter is written."""
    nothing: Future[bytes | None] = Future()
    nothing.set_result(None)
    try:
        owed = decoded(data)
        if not isinstance(owed.says, ReportLetter):
            return nothing
        with office.read() as connection:
            player = players.get(connection, owed.player) if owed.player else None
            _, page = page_of(office, connection, owed, owed.says, player)
        return pages.begin_map(page, drawer)
    except Exception:
        return nothing


def _write_new(office: Office, *, of: Collection[CampaignId]) -> int:
    """Write what was owed just now *of* these campaigns: the first attempt is counted when a mail is owed."""
    return sum(_write_all(office, of=campaign, counted=False) for campaign in sorted(of))


def _write_all(
    office: Office,
    *,
    counted: bool,
    of: CampaignId | None = None,
    only: Sequence[str] = (),
    limit: int = _AT_ONCE,
    once: bool = False,
) -> int:
    """Write what is owed, *of* one campaign, *only* what has a cause that begins so; *once*: one *limit* of them."""
    count, but = 0, DRAWN if office.kept.get(_LATER) and not only else ()
    try:
        signing_key(office)
        seen = set[tuple[CampaignId, str]]()
        while rows := [
            (row, owed)
            for row, owed in _begun(office, of=of, but=but, only=only, limit=limit)
            if (row.campaign, row.cause) not in seen
        ]:
            seen.update((row.campaign, row.cause) for row, _ in rows)
            others = 0
            with nullcontext(_NO_MAPS) if once else _drawn_ahead(office, rows) as maps:
                for _, batch in groupby(rows, key=lambda one: one[1].batch or one[1].cause):
                    laid, left = _write(office, list(batch), maps, counted=counted)
                    count, others = count + laid, others + left
            if once:
                return len(rows) - others
    except (StorageError, Refused):
        pass  # the disk, or the key of the office: whoever looks next tries again, and `doctor` says what is wrong
    return count


@contextmanager
def _drawn_ahead(office: Office, rows: Sequence[tuple[Unwritten, Owed]]) -> Iterator[Maps]:
    """While it lasts the maps of letters are drawn at once, in processes of their own, if there are some or it pays.

    Gives them by what is owed.
    """
    maps = [row for row, owed in rows if isinstance(owed.says, ReportLetter)]
    if not maps or (len(maps) < _MANY and DRAWER not in office.kept):
        yield _NO_MAPS
        return
    with nullcontext(office.kept[DRAWER]) if DRAWER in office.kept else pages.drawer_of(office) as drawer:
        yield {row.id: partial(drawer.wait, _begin(office, row.data, drawer)) for row in maps}


def rewrite(office: Office) -> tuple[int, int]:
    """Write again what could not be written; gives how many mails were, and how many still cannot be."""
    with office.write() as connection:
        waiting.again(connection)
    done = write_owed(office)
    with office.read() as connection:
        return done, len(waiting.failed(connection))


def written(office: Office, connection: Connection, owed: Owed) -> Written | None:
    """A mail written; None if its reader has no address any more.

    :raises PbemError: if it cannot be.
    """
    player = players.get(connection, owed.player) if owed.player else None
    to = _reader(office, owed, player)
    return _as_draft(office, owed, player, to, contents_of(office, connection, owed, player)) if to else None


def queue(office: Office, connection: Connection, one: Written) -> bool:
    """Lay a mail into the outbox, never to leave if nothing mails here; says whether it was not there before."""
    owed, draft = one.owed, one.draft
    blobs.keep_packed(connection, one.kept, at=owed.at)
    mail, new = outbox.queue(
        connection,
        outbox.NewMail(
            id=office.fresh_id(),
            campaign=owed.campaign,
            player=owed.player,
            kind=owed.kind,
            cause=owed.cause,
            message_id=draft.message_id,
            subject=draft.subject,
            digest=one.kept.digest,
            at=owed.at,
            expires_at=owed.expires_at,
        ),
    )
    if new and not (office.mails and owed.leaves):
        outbox.drop(connection, mail.id, why=f"this {'fork' if office.mails else 'office'} never mails")
    elif new and owed.player and owed.kind != "receipt" and players.get(connection, owed.player).stopped_at is not None:
        outbox.drop(connection, mail.id, why=allowance.STOPPED)
    elif new and owed.unwanted:
        outbox.drop(connection, mail.id, why=owed.unwanted)
    if new:
        hooks.owe(office, connection, owed)
    return new


LEFT = "its player has left the game"
"""Why a mail was dropped that somebody would have got of a game that is his no more."""


def forget(connection: Connection, campaign: CampaignId, player: PlayerId, role: Role, *, whole: bool) -> None:
    """Owe *player* nothing any more of *role* in a campaign, or (*whole*) of all of it: he has left."""
    outbox.drop_of_game(connection, player, campaign, "" if whole else role, why=LEFT, held=allowance.STOPPED)
    for row in waiting.of_campaign(connection, campaign):
        try:
            owed = decoded(row.data)
        except msgspec.DecodeError:
            continue  # nobody can write it either
        if owed.player == player and (whole or owed.role == role):
            waiting.done(connection, row)


def message_id(office: Office, campaign: CampaignId, cause: str) -> str:
    """The id of the letter that is owed for *cause*: the same each time, and one that tells nothing of it.

    A cause can count what its reader may not know of.

    :raises Refused: if the key of the office cannot be read.
    """
    key = signing_key(office)
    return f"<{hmac.digest(key, f'{campaign}/{cause}'.encode(), 'sha256').hex()[:32]}@{office.settings.host}>"


def _begun(
    office: Office, *, of: CampaignId | None, but: Sequence[str], only: Sequence[str], limit: int
) -> list[tuple[Unwritten, Owed]]:
    """Mails to be written next."""
    with office.read() as connection:
        rows = waiting.due(connection, limit=limit, at=office.now(), of=of, but=but, only=only)
    begun = []
    for row in rows:
        try:
            begun.append((row, decoded(row.data)))
        except msgspec.DecodeError as error:
            _set_aside(office, row, None, f"what was written down of it cannot be read: {error}")
    return begun


def _write(office: Office, batch: Sequence[tuple[Unwritten, Owed]], maps: Maps, *, counted: bool) -> tuple[int, int]:
    """Write the mails of one batch, and lay them into the outbox, each for itself; for its reader they are one answer.

    The map of one is waited for before the attempt is counted: it takes longest, and breaks nobody but who draws it.
    Gives how many were laid there, and how many are left to somebody who is writing them.
    """
    laid, left, noted = 0, 0, set[str]()
    for row, owed in batch:
        # What somebody owes just now he writes at once; but for maps nobody else is called for that.
        others = counted or isinstance(owed.says, ReportLetter)
        with claimed(office.engine, WRITER, row.id) if others else nullcontext(enter_result=True) as ours:
            if not ours:
                left += 1
                continue
            if row.id in maps:
                maps[row.id]()
            try:
                laid += _write_one(office, row, owed, noted, counted=counted)
            except StorageError:
                raise
            except Exception as error:
                # Whatever it is: what the mail is about is in the books, and is not begun anew for it.
                _set_aside(office, row, owed, f"{error}" if isinstance(error, PbemError) else f"{type(error).__name__}")
    return laid, left


def _write_one(office: Office, row: Unwritten, owed: Owed, noted: set[str], *, counted: bool) -> bool:
    """Write a mail, the attempt *counted* before it is made; says whether it was laid into the outbox.

    *noted*: under what the batch was counted as an answer by now.
    """
    if row.tries >= TRIES:
        raise PbemError(f"it brought its writer down {TRIES} times")
    if counted:
        with office.write() as connection:
            waiting.tried(connection, row.id)
    others: Sequence[str] = ()
    with office.read() as connection:
        if owed.player is None and not (owed.address or owed.gm):
            owed, others = _to_gms(office, connection, owed)
        one = _allowed(office, connection, owed)
    reader = _counted(office, one) if one else ""
    with office.write() as connection:
        if not waiting.done(connection, row):
            return False  # another has written it, or it has grown
        if reader and reader not in noted:
            answers.note(connection, reader, at=office.now())
        new = one is not None and queue(office, connection, one)
        for address in others if new else ():
            copy = replace(owed, gm=address, cause=f"{owed.cause}/{TO_GM}{address}")
            waiting.owe(connection, copy.campaign, copy.cause, encoded(copy), at=copy.at)
    noted.add(reader)
    if one is not None and isinstance(owed.says, ReportLetter):
        files.write_maps(office, owed.campaign, one.draft.pictures)
    return new


def _to_gms(office: Office, connection: Connection, owed: Owed) -> tuple[Owed, Sequence[str]]:
    """A notice to the GM, to the first of those who are told, and the addresses of the others."""
    readers = gms.told(office, connection, owed.campaign)
    first, *others = readers.addresses
    if readers.veiled:
        return replace(owed, gm=first, says=gms.veiled(owed.campaign), reply_to="", bare=True), ()
    return replace(owed, gm=first), others


def _counted(office: Office, one: Written) -> str:
    """Under what an answer is counted; empty if it is none."""
    counts = one.owed.counts
    return allowance.who(office, counts, one.draft.to.address, _about(one.owed)) if counts else ""


def _about(owed: Owed) -> str:
    """The turn of a role's game that a mail is about."""
    return f"{owed.campaign}/{owed.thread}"


def _allowed(office: Office, connection: Connection, owed: Owed) -> Written | None:
    """A mail written, unless it is one answer too many: two machines that answer each other come to an end."""
    player = players.get(connection, owed.player) if owed.player else None
    to = _reader(office, owed, player)
    if to is None:
        return None
    reply = Reply.YES
    if owed.counts:
        reply = allowance.may_leave(office, connection, owed.counts, to.address, _about(owed), at=owed.at)
    if reply is Reply.NO:
        return _silence(office, owed, to) if owed.counts in allowance.KNOWN else None
    contents = contents_of(office, connection, owed, player)
    if reply is Reply.LAST and owed.counts is Answers.PLAYER:
        contents = allowance.as_last(contents)
    return _as_draft(office, owed, player, to, printed.with_head(office, connection, owed, contents))


def _silence(office: Office, owed: Owed, to: Address) -> Written:
    """Tell the GM, once a day for each player, that a letter was not answered."""
    text = (
        f"{to.name or owed.player} has had all the answers about one turn that one person gets in 24 hours "
        f"({office.settings.trust.answers}, if his letters change nothing).  What comes from there is taken and not "
        "answered: a machine may be writing.\nSee: pbem mail quarantine list --all\n"
    )
    cause = f"silence/{owed.player}/{owed.at // answers.DAY}"
    told = to_gm(owed.campaign, "a player is not answered any more today", text, cause=cause, at=owed.at)
    told = replace(told, campaign=CampaignId(""), leaves=owed.leaves)
    assert isinstance(told.says, Contents), "a notice to the GM is written"
    return _as_draft(office, told, None, Address(office.gm), told.says)


def _reader(office: Office, owed: Owed, player: Player | None) -> Address | None:
    """Whom a mail is to; None for a player who has no address any more."""
    if owed.player is None:
        return Address(owed.address or owed.gm or office.gm)
    return Address(player.address, player.name or "") if player and player.address else None


def _as_draft(office: Office, owed: Owed, player: Player | None, to: Address, contents: Contents) -> Written:
    """A mail as it will lie in the outbox.

    :raises BadDraft: if something of it cannot stand in a letter.
    :raises Refused: if the key of the office cannot be read.
    """
    answered, campaign = owed.answered or Answered(), owed.campaign
    draft = Draft(
        message_id=message_id(office, campaign, owed.cause),
        date=_EPOCH + timedelta(microseconds=owed.at),
        sender=Address(office.settings.address, office.settings.name),
        to=to,
        subject=contents.subject,
        text=contents.text,
        submitted=REPLIED if owed.answered else GENERATED,
        office=office.settings.host,
        reply_to=reply_address(office, campaign, player) if player else owed.reply_to or _gms(office, owed, to),
        html=contents.html,
        pictures=contents.pictures,
        attachments=contents.attachments,
        in_reply_to=answered.message_id,
        references=answered.references or (message_id(office, campaign, owed.thread),),
        list_id=f"{campaign}.{office.settings.host}" if campaign else "",
        list_name=owed.title.encode("ascii", "replace").decode(),
        unsubscribe=stop_links(office, campaign, player) if player else (),
    )
    return Written(owed, draft, blobs.packed_up(signed(office, compose(draft), draft.date)))


def _gms(office: Office, owed: Owed, to: Address) -> str:
    """Where somebody who runs games answers a mail to him; empty where he may do nothing."""
    his = gms.of_address(office, to.address) if not (owed.address or owed.bare) else None
    return gm_address(office, owed.campaign, his) if his else ""


def _set_aside(office: Office, row: Unwritten, owed: Owed | None, why: str) -> None:
    """Write down that a mail cannot be written; the GM is told of it, unless it is to him."""
    with office.write() as connection:
        waiting.fail(connection, row.id, why)
        if owed is None or (owed.player is None and not owed.address):
            return
        whose = owed.player or owed.address
        text = (
            f"This mail to {whose} could not be written, and will not be:\n\n  {row.cause}\n  {why}\n\n"
            "What it was about is in the books.  See: pbem doctor\n"
        )
        cause = f"unwritten/{row.id}"
        told = to_gm(row.campaign, "a mail could not be written", text, cause=cause, at=row.owed_at)
        waiting.owe(connection, told.campaign, told.cause, encoded(told), at=told.at)
