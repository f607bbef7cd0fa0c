"""Letters that the office writes: to a player about a campaign, and to the GM.

The letters about one role of one campaign hang in one thread a turn: the report that opens it, the answers to
what is sent for it, all that is told until the next report.  The id of a letter is made of what it is owed for,
so that it is the same letter however often it is sent, under the office's key.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.addresses import reply_address, stop_links
from pbem.desk.office import Office, signing_key
from pbem.desk.owing import Answers, Owed
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.mail.addresses import Address
from pbem.mail.compose import GENERATED, REPLIED, Attachment, Draft, Picture
from pbem.storage.outbox import Kind
from pbem.storage.players import Player

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Contents(Struct, frozen=True, kw_only=True):
    """What is in a letter."""

    subject: str
    text: str
    html: str = ""
    pictures: tuple[Picture, ...] = ()
    attachments: tuple[Attachment, ...] = ()


class Answered(Struct, frozen=True):
    """The letter that is answered, by its id and its thread."""

    message_id: str = ""
    references: tuple[str, ...] = ()


def to_player(
    office: Office,
    campaign: CampaignId,
    title: str,
    player: Player,
    role: Role | None,
    contents: Contents,
    *,
    kind: Kind,
    cause: str,
    at: int,
    moment: Moment | None = None,
    answers: Answered | None = None,
    counts: Answers = Answers.PLAYER,
) -> list[Owed]:
    """A letter to *player* about *role* (None: about none); empty if he has no address any more.

    *moment*: the exchange in whose thread it hangs, unless it answers a letter that hangs in another.  What
    *answers* a letter counts as one of the answers of its kind, of which one person gets only so many.
    """
    if not player.address:
        return []
    thread = "/".join(("thread", *([role] if role else []), *([str(moment)] if moment else [])))
    to = Address(player.address, player.name or "")
    draft = _draft(office, campaign, title, to, thread, contents, cause, at, answers)
    secret = replace(
        draft, reply_to=reply_address(office, campaign, player), unsubscribe=stop_links(office, campaign, player)
    )
    return [Owed(player.id, kind, cause, secret, answers=counts if answers else None)]


def to_gm(
    office: Office, campaign: CampaignId, subject: str, text: str, *, cause: str, at: int, reply_to: str = ""
) -> Owed:
    """A notice to the GM; *reply_to*: whom he answers, where that is not the office."""
    contents = Contents(subject=f"[{campaign}] {subject}" if campaign else subject, text=text)
    draft = _draft(office, campaign, "", Address(office.gm), "thread", contents, cause, at, None)
    return Owed(None, "notice", cause, replace(draft, reply_to=reply_to))


ELSEWHERE = "elsewhere/"
"""How the cause of a letter begins that goes to an address which is neither a player's nor the GM's."""


def to_stranger(
    office: Office, address: str, contents: Contents, *, cause: str, at: int, answers: Answered | None = None
) -> Owed:
    """A letter to an address that is nobody's here: it tells nothing of any game."""
    whole = f"{ELSEWHERE}{cause}"
    draft = _draft(office, CampaignId(""), "", Address(address), whole, contents, whole, at, answers)
    return Owed(None, "receipt", whole, draft, answers=Answers.STRANGER if answers else None)


def by_player(players: Sequence[Player]) -> dict[PlayerId, Player]:
    """Players by their id."""
    return {player.id: player for player in players}


def report_cause(moment: Moment, role: Role, version: int) -> str:
    """For what a report is owed."""
    return f"report/{moment}/{role}/{version}"


def message_id(office: Office, campaign: CampaignId, cause: str) -> str:
    """The id of the letter that is owed for *cause*: the same each time, and one that tells nothing of it.

    A cause can count what its reader may not know of.

    :raises Refused: if the key of the office cannot be read.
    """
    key = signing_key(office)
    return f"<{hmac.digest(key, f'{campaign}/{cause}'.encode(), 'sha256').hex()[:32]}@{office.settings.host}>"


def _draft(
    office: Office,
    campaign: CampaignId,
    title: str,
    to: Address,
    thread: str,
    contents: Contents,
    cause: str,
    at: int,
    answers: Answered | None,
) -> Draft:
    answered = answers or Answered()
    return Draft(
        message_id=message_id(office, campaign, cause),
        date=_EPOCH + timedelta(microseconds=at),
        sender=Address(office.settings.address, office.settings.name),
        to=to,
        subject=contents.subject,
        text=contents.text,
        submitted=REPLIED if answers else GENERATED,
        office=office.settings.host,
        html=contents.html,
        pictures=contents.pictures,
        attachments=contents.attachments,
        in_reply_to=answered.message_id,
        references=answered.references or (message_id(office, campaign, thread),),
        list_id=f"{campaign}.{office.settings.host}" if campaign else "",
        list_name=title.encode("ascii", "replace").decode(),
    )
