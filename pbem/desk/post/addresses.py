"""The secret addresses of the office: where a player's answers come to, and what they prove when they do.

One stands in the Reply-To of every letter to a player, or to somebody who runs games.  Where a letter belongs to no
game, so does its address.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from pbem.desk.books import dossiers
from pbem.desk.office.gm import Gm
from pbem.desk.office.office import Office, signing_key
from pbem.kernel.names import CampaignId
from pbem.mail.wire.headers import envelope_sender, unsubscribe
from pbem.mail.wire.reply_address import Meaning, Proof, Purpose, Token, looks_secret, make_address, meanings, prove
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player

NO_GAME = CampaignId("")
"""The campaign of a letter that belongs to none."""

NOWHERE = "00"
"""What stands in an address for no campaign; no campaign can be called so."""


def mailbox(office: Office) -> str:
    """The *mailbox* for `pbem.mail.address`: what takes all letters, or none if all the domain is ours."""
    return office.settings.address.partition("@")[0] if office.settings.trust.addresses == "mailbox" else ""


def has_secrets(office: Office) -> bool:
    """Whether letters can reach the office at secret addresses."""
    return office.settings.trust.addresses != "none"


def shown(campaign: CampaignId) -> str:
    """What stands for *campaign* in an address."""
    return campaign or NOWHERE


def reply_address(office: Office, campaign: CampaignId, player: Player) -> str:
    """Where *player* answers a letter about *campaign*; empty if there are no secret addresses.

    :raises Refused: if the key of the office cannot be read.
    """
    if not has_secrets(office):
        return ""
    meaning = Meaning(Purpose.REPLY, shown(campaign), player.id, player.epoch)
    return make_address(meaning, signing_key(office), office.settings.host, mailbox=mailbox(office))


def gm_address(office: Office, campaign: CampaignId, gm: Gm) -> str:
    """Where *gm* gives the office his word on *campaign*; empty if there are no secret addresses.

    :raises Refused: if the key of the office cannot be read.
    """
    if not has_secrets(office):
        return ""
    meaning = Meaning(Purpose.GM, shown(campaign), gm.tag, gm.epoch)
    return make_address(meaning, signing_key(office), office.settings.host, mailbox=mailbox(office))


def is_for_gms(office: Office, address: str) -> bool:
    """Whether an address is the open one for the words of those who run games: `office+gm@office.example`."""
    local, _, host = address.strip().lower().rpartition("@")
    return host == office.settings.host and local == f"{office.settings.mailbox}+gm"


def stop_links(office: Office, campaign: CampaignId, player: Player) -> tuple[str, ...]:
    """What a mail program may do to stop the letters to *player*; there is no page: one click writes a letter.

    :raises Refused: if the key of the office cannot be read.
    """
    if not has_secrets(office):
        return ()
    key, host = signing_key(office), office.settings.host
    return unsubscribe(shown(campaign), player.id, player.epoch, key, host, mailbox=mailbox(office))


def way_back(office: Office, campaign: CampaignId, mail: str) -> str:
    """The sender on the envelope of the letter *mail*, by its id in the outbox: where it comes back to (VERP).

    :raises Refused: if the key of the office cannot be read.
    """
    if not has_secrets(office):
        return office.settings.address
    key, host = signing_key(office), office.settings.host
    return envelope_sender("letter", shown(campaign), mail, key, host, mailbox=mailbox(office))


def proven(office: Office, connection: Connection, recipients: Iterable[str]) -> Proof:
    """What the addresses that a letter was sent to prove of its writer, the envelope's first."""
    if not has_secrets(office):
        return Proof(Token.NONE)
    key, named = signing_key(office), partial(_named, connection)
    return prove(recipients, key, office.settings.host, named, partial(players.epoch, connection))


def proven_of_gm(office: Office, connection: Connection, recipients: Iterable[str]) -> Proof:
    """What the addresses that a letter was sent to prove of its writer, if he runs games (`Gm.tag`)."""
    if not has_secrets(office):
        return Proof(Token.NONE)
    epochs, key = {one.tag: one.epoch for one in office.gms}, signing_key(office)
    named = partial(_named, connection)
    return prove(recipients, key, office.settings.host, named, epochs.get, of=Purpose.GM)


def said(office: Office, connection: Connection, recipients: Iterable[str]) -> tuple[Meaning, ...]:
    """What the addresses say that the office made, whatever they are for."""
    if not has_secrets(office):
        return ()
    return meanings(recipients, signing_key(office), office.settings.host, partial(_named, connection))


def is_ours(office: Office, address: str) -> bool:
    """Whether letters to an address are for the office: its own, with or without what extends it, or a secret one."""
    settings = office.settings
    local, _, host = address.lower().rpartition("@")
    if host != settings.host:
        return False
    secret = settings.trust.addresses == "domain" and looks_secret(address)
    return secret or local == settings.mailbox or local.startswith(f"{settings.mailbox}+")


def _named(connection: Connection, first: str) -> Sequence[str]:
    return [NOWHERE] if first == NOWHERE else dossiers.beginning(connection, first)
