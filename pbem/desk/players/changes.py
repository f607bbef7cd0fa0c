"""Who plays: a role changes hands, a briefing leaves again, a person is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.policy import default

import msgspec

from pbem.desk.books import dossiers, observing
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import decoded
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.players import enrol, handover, inviting, joining
from pbem.desk.post import gathering
from pbem.desk.post.entries import Entry, commit, enter
from pbem.desk.post.post import ELSEWHERE
from pbem.desk.reels import site
from pbem.desk.reels.kept import REELS
from pbem.desk.turns import stand_ins
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, PlayerId, Role
from pbem.kernel.office import PlayerReplaced
from pbem.mail.reading.letter import read_head
from pbem.orders.prose import listed, stands_in
from pbem.storage import aliases, blobs, letters, outbox, owed, players, snapshots
from pbem.storage.database import Connection, in_words
from pbem.storage.players import Player


def replace_player(
    office: Office, campaign: str, role: str, *, name: str, address: str, zone: str | None = None, reason: str
) -> Player:
    """Give *role* to another person, who is briefed; the one before and the other players are told.

    :raises Refused: if nobody or the same person plays it, there is no such role, or the address is none.
    """
    checked = enrol.checked_address(office, address)
    at = office.now()
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        wanted, former = _holder(dossier, role)
        known = players.by_address(connection, checked)
        if known is not None and known.id == former:
            raise Refused(f"{known.name} plays {wanted} already.")
        if known is not None:
            observing.see_may_play(dossier, known.id, wanted)
    with office.write(whole=True) as connection:
        player = enrol.person(office, connection, checked, name=name, zone=zone, at=at)

    def build(connection: Connection) -> tuple[Entry, Player]:
        dossier = dossiers.load(office, connection, campaign)
        wanted, former = _holder(dossier, role)
        observing.see_may_play(dossier, player.id, wanted)
        entry = Entry(dossier, at, office.by)
        lapses = handover.lapsing(dossier, wanted)
        stand_ins.end(connection, entry, wanted, handover.LEAVES)
        entry.add(
            _now(dossier),
            PlayerReplaced(role=wanted, former=former, player=player.id, reason=reason, lapses=lapses),
        )
        handover.leave(entry, wanted, players.get(connection, former), reason, dossier.campaign.language(wanted))
        handover.take_over(office, connection, entry, wanted, player)
        inviting.invite(entry, wanted, player)
        return entry, player

    return enter(office, build)


def withdraw_player(office: Office, campaign: str, role: str, *, reason: str) -> Player:
    """Let nobody play *role* for now; who did and the other players are told.

    :raises Refused: if nobody plays it, or there is no such role.
    """

    def build(connection: Connection) -> tuple[Entry, Player]:
        dossier = dossiers.load(office, connection, campaign)
        wanted, former = _holder(dossier, role)
        player = players.get(connection, former)
        entry = Entry(dossier, office.now(), office.by)
        handover.give_up(office, connection, entry, wanted, player, reason, reason)
        return entry, player

    return enter(office, build)


def resend_briefing(office: Office, campaign: str, role: str) -> Player:
    """Owe the player of *role* his briefing once more, with his newest report and the orders that stand.

    :raises Refused: if nobody plays it, there is no such role, no address of his is known, the campaign has not
        started, or never mails.
    """

    def build(connection: Connection) -> tuple[Entry, Player]:
        dossier = dossiers.load(office, connection, campaign)
        wanted, holder = _holder(dossier, role)
        player = players.get(connection, holder)
        if not dossier.campaign.started:
            raise Refused(f"{dossier.id} has not started: {wanted} is briefed when it does.")
        if dossier.campaign.copied or not office.mails:
            raise Refused(f"{dossier.id} never mails.")
        if player.address is None:
            raise Refused(f"no address of {player.id}, who plays {wanted}, is known here.")
        entry = Entry(dossier, office.now(), office.by)
        handover.brief(office, connection, entry, wanted, player, cause=f"briefing/{wanted}/{office.fresh_id()}")
        return entry, player

    return enter(office, build)


def find_player(office: Office, who: str) -> Player:
    """The person of this id or address.

    :raises Refused: if there is none, or he was erased.
    """
    with office.read() as connection:
        found = players.by_address(connection, who) or players.get(connection, PlayerId(who))
    if found.erased_at is not None:
        raise Refused(f"player {found.id} was erased.")
    return found


def erase_player(office: Office, id: PlayerId) -> None:
    """Destroy what the office knows of a person: name, address, his letters, the mails to him and about him.

    What he ordered stays in the logs, under an id that says nothing.  Of the rest digests and sizes stay.

    :raises Refused: if there is no such player, or he still plays, or one of his games cannot be opened.
    """
    with office.write(whole=True) as connection:
        player = players.get(connection, id)
        for dossier in dossiers.played_by(office, connection, id, every=True):
            roles = dossier.campaign.roles_of(id)
            if roles and not dossier.campaign.ended and not dossier.campaign.copied:
                own = [role for role in roles if dossier.campaign.players.get(role) == id]
                if not own:
                    raise Refused(
                        f"he stands in for {listed(roles)} in {dossier.id}, until its player takes that back "
                        "(`substitute off`) or gives the role up."
                    )
                raise Refused(
                    f"he still plays {listed(own)} in {dossier.id}.  "
                    f"First: pbem player withdraw {dossier.id} {own[0]} --reason TEXT"
                )
        for dossier in observing.observed_by(office, connection, id, every=True):
            if not dossier.campaign.ended:
                raise Refused(f"he looks on in {dossier.id}.  First: pbem observer remove {dossier.id} {id}")
        for dossier in dossiers.opened(office, connection, dossiers.campaigns(connection)):
            entry = Entry(dossier, office.now(), office.by)
            if joining.take_off(entry, id, "He was erased."):
                commit(office, connection, entry)
        his = (*aliases.all_of(connection, player), *_left_by(connection, player))
        _own_all_letters(connection, player, his)
        _erase_mails_about(connection, player, his)
        gathering.erase(connection, player.id, his)
        _forget_owed(connection, player, his)
        players.erase(connection, id, at=office.now())
        snapshots.drop_all(connection, REELS)
        games = dossiers.names_played(connection, id)
    site.take_down(office, games)  # they bear his name, if he gave leave
    with in_words(office.engine):
        office.engine.database.checkpoint(office.engine)


def left(id: PlayerId) -> str:
    """How the cause of a letter begins that tells an address which a player has left."""
    return f"moved/{id}/"


def _left_by(connection: Connection, player: Player) -> list[str]:
    """The addresses that *player* had before, as far as they were told and are nobody else's now."""
    told = [one for one in outbox.listing(connection) if one.cause.startswith(f"{ELSEWHERE}{left(player.id)}")]
    raws = [blobs.fetch(connection, one.digest) for one in told if blobs.state(connection, one.digest) == "kept"]
    found = dict.fromkeys(address for raw in raws for address in read_head(raw).recipients)
    return [address for address in found if players.by_address(connection, address) is None]


def _own_all_letters(connection: Connection, player: Player, his: Sequence[str]) -> None:
    """Write down as his what came from an address of *his* when nobody was known by it."""
    for letter in letters.listing(connection):
        if letter.player is None and blobs.state(connection, letter.digest) == "kept":
            sender = read_head(blobs.fetch(connection, letter.digest)).sender.address
            if sender and players.address_of(sender) in his:
                letters.settle(
                    connection,
                    letter.id,
                    letter.state if letter.state != "new" else "ignored",
                    reason=letter.reason,
                    campaign=letter.campaign,
                    seq=letter.seq,
                    player=player.id,
                )


def _erase_mails_about(connection: Connection, player: Player, his: Sequence[str]) -> None:
    """Destroy the bytes of mails to others with an address of *his*, and of those to the GM that name him.

    So are those to addresses that he has left, or asked for: their cause names him.
    """
    name = player.name or ""
    for mail in outbox.listing(connection):
        if mail.player == player.id or blobs.state(connection, mail.digest) != "kept":
            continue
        said = _readable(blobs.fetch(connection, mail.digest))
        about = player.id in mail.cause or any(stands_in(said.lower(), one) for one in his)
        if about or (name and stands_in(said, name) and mail.player is None):
            if mail.state != "sent":
                outbox.drop(connection, mail.id, why="erased")
            outbox.blank(connection, mail.id)
            blobs.erase(connection, mail.digest)


def _forget_owed(connection: Connection, player: Player, his: Sequence[str]) -> None:
    """Forget what is owed to him, or names him, and is not written yet, or could not be: as of what is in the outbox.

    What is gathered is seen to part by part (`gathering.erase`).
    """
    for row in owed.listing(connection):
        if row.cause.startswith(owed.GATHERED):
            continue
        said, to_gm = row.data.decode(errors="replace"), False
        try:
            mail = decoded(row.data)
            said, to_gm = repr(mail), mail.player is None and not mail.address
            about = mail.player == player.id
        except msgspec.DecodeError:  # nobody can write it either
            about = player.id in said
        about = about or player.id in row.cause or any(stands_in(said.lower(), one) for one in his)
        if about or (to_gm and player.name and stands_in(said, player.name)):
            owed.forget(connection, row.id)


def _readable(raw: bytes) -> str:
    """All that can be read in a mail."""
    message = message_from_bytes(raw, policy=default)
    parts = [str(part.get_content()) for part in message.walk() if part.get_content_maintype() == "text"]
    return "\n".join((*map(str, message.values()), *parts))


def _holder(dossier: Dossier, role: str) -> tuple[Role, PlayerId]:
    wanted = dossier.role(role)
    former = dossier.campaign.players.get(wanted)
    if former is None:
        raise Refused(f"nobody plays {wanted} in {dossier.id}.  First: pbem player add {dossier.id} {wanted}")
    return wanted, former


def _now(dossier: Dossier) -> Moment:
    return dossier.campaign.now or pages.SET_UP
