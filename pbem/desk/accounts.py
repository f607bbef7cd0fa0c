"""Whether every letter that ever came is accounted for.

    received  =  applied + held + refused + ignored + unreadable + new

Each has a reason, and what was applied is found by the event that it became.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from pbem.desk import dossiers
from pbem.desk.office import Office
from pbem.kernel.errors import UnknownCampaign
from pbem.kernel.names import CampaignId
from pbem.kernel.office import MessageReceived
from pbem.storage import letters
from pbem.storage.database import Connection
from pbem.storage.letters import Balance, Letter


class Account(Struct, frozen=True):
    """How many letters came, what became of them, and what is wrong with that, in sentences."""

    balance: Balance
    faults: tuple[str, ...]


def account(office: Office) -> Account:
    """Hold the letters of the office against what became of them, and against the logs."""
    with office.read() as connection:
        balance = letters.balance(connection)
        faults = [f"letter {id} is done with, and nothing says why." for id in balance.mute]
        if balance.received != sum(balance.states.values()):
            faults.append(f"{balance.received} letters came, and {sum(balance.states.values())} are accounted for.")
        every = letters.listing(connection)
        faults += [f"letter {one.id} was applied, and no event says so." for one in every if _lost(one)]
        entered = sorted((one for one in every if one.campaign and one.seq), key=_place)
        for campaign, those in groupby(entered, key=lambda one: one.campaign):
            faults += _astray(office, connection, CampaignId(campaign or ""), list(those))
    return Account(balance, tuple(faults))


def _lost(letter: Letter) -> bool:
    return letter.state == "applied" and not letter.seq


def _place(letter: Letter) -> tuple[str, int]:
    return letter.campaign or "", letter.seq or 0


def _astray(office: Office, connection: Connection, campaign: CampaignId, entered: Iterable[Letter]) -> Iterator[str]:
    """What is wrong with the letters that became events of one campaign."""
    try:
        log = dossiers.load(office, connection, campaign).log
    except UnknownCampaign:
        yield f"letters became events of {campaign}, and there is no such campaign."
        return
    received = {one.seq: one.event.digest for one in log if isinstance(one.event, MessageReceived)}
    for (_, seq), those in groupby(entered, key=_place):
        letters_of = list(those)
        # A letter that confirms another is found by the event of that other.
        if received.get(seq) not in {one.digest for one in letters_of}:
            numbers = " and ".join(str(one.id) for one in letters_of)
            yield f"letter {numbers} became event {seq} of {campaign}, and that is not its arrival."
