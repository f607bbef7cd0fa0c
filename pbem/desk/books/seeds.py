"""The seeds that dice are thrown with: the office's own, which were promised, and the words of players in them.

The recipe stands in `kernel.dice`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.campaign import Campaign
from pbem.kernel.dice import given, word, worded
from pbem.kernel.errors import Refused
from pbem.kernel.event import Seed
from pbem.kernel.lot import LOT
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignOpened, Promises, Source
from pbem.reports.text.speech import phrase
from pbem.storage import secrets
from pbem.storage.database import Connection


class Pair(Struct, frozen=True):
    """What is known of two seeds, and of the words that enter them; None where one is not."""

    open: bytes | None = None
    closed: bytes | None = None
    words: Mapping[Role, str] | None = None

    def of(self, seed: Seed) -> bytes | None:
        """The one of that name."""
        return self.open if seed == "open" else self.closed


class Came(Protocol):
    """What of a message matters to the dice."""

    @property
    def source(self) -> Source:
        """By which door it came."""
        ...

    @property
    def received(self) -> int:
        """When, by our clock."""
        ...

    @property
    def message_id(self) -> str:
        """What its writer's program called it."""
        ...


def has_words(campaign: Campaign, moment: Moment) -> bool:
    """Whether the dice of *moment* are made of players' words too."""
    opened = campaign.opened
    if moment == LOT:
        return campaign.sign_up is not None
    return opened is not None and (opened.words if moment.exchange else opened.muster is not None)


def promised_for(campaign: Campaign, moment: Moment) -> Promises | None:
    """The promises in force for *moment* as the campaign stands."""
    if moment == LOT:
        return campaign.sign_up.promises if campaign.sign_up else None
    if not moment.exchange:
        return campaign.muster
    exchange = campaign.exchanges.get(moment)
    return exchange.promises if exchange else None


def promises_of(dossier: Dossier) -> Iterator[tuple[Moment, Promises]]:
    """Every pair of promises in the log, with its moment; one that was given again stands once."""
    given: set[Promises] = set()
    for recorded in dossier.log.own:
        event = recorded.event
        promises = event.muster if isinstance(event, CampaignOpened) else getattr(event, "promises", None)
        if isinstance(promises, Promises) and promises not in given:
            given.add(promises)
            yield recorded.moment, promises


def words_of(campaign: Campaign, moment: Moment, closed: bytes) -> dict[Role, str]:
    """The words of all roles for the dice of *moment* as the campaign stands; empty if they are the office's alone."""
    if campaign.opened is None or not has_words(campaign, moment):
        return {}
    who = campaign.opened.roles
    if moment == LOT:
        who = tuple(Role(str(one.number)) for one in campaign.candidates.values())
    return {role: word(closed, moment, role, campaign.given.get((moment, role), "")) for role in who}


def thrown_with(campaign: Campaign, moment: Moment, office: Pair) -> Pair:
    """The seeds with which the dice of *moment* are thrown as the campaign stands, made of those of the *office*."""
    if not has_words(campaign, moment):
        return office
    words = office.words if office.closed is None else words_of(campaign, moment, office.closed)
    if not words:
        return Pair()
    made = [worded(seed, moment, words) if seed is not None else None for seed in (office.open, office.closed)]
    return Pair(made[0], made[1], words)


def given_with(campaign: Campaign, moment: Moment, role: Role, text: str, came: Came) -> str:
    """What *role* gives to the dice of *moment* with the sheet that *came*, of which *text* is the digest.

    Empty if it gives nothing: the first counts that came since the seeds were promised, and what the GM enters is no
    word of a player's.
    """
    exchange = campaign.exchanges.get(moment)
    promised = exchange.promised_at if exchange else 0 if moment.exchange or campaign.started else campaign.promised_at
    if not promised or came.source == "gm" or not has_words(campaign, moment):
        return ""
    known = came.received < promised or (moment, role) in campaign.given
    return "" if known else given(came.message_id, text)


def asked_again(campaign: Campaign) -> str:
    """What is said further where seeds are new: that a word in them takes another sheet; empty if no word is in any."""
    if campaign.opened is None or not campaign.opened.words:
        return ""
    return phrase("; to give a word to the new dice, send it again, even unchanged")


def told_word(connection: Connection, campaign: Campaign, moment: Moment, role: Role) -> str:
    """The word of *role* for the dice of *moment*, as it may be told; empty if it has given none."""
    promises, gave = promised_for(campaign, moment), campaign.given.get((moment, role))
    if promises is None or gave is None:
        return ""
    try:
        return word(secrets.get(connection, campaign.id, promises).closed, moment, role, gave)
    except Refused:  # its log came here without seeds
        return ""
