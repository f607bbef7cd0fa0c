"""Whether every letter that ever came is accounted for.

    received  =  applied + held + refused + ignored + unreadable + new

Each has a reason, and what was applied of a player's is found by the event that it became; what a letter of somebody
who runs games has done stands in the logs under his name and its number.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.kernel.office import MessageReceived
from pbem.orders.prose import listed
from pbem.storage import letters
from pbem.storage.database import Connection
from pbem.storage.letters import Letter


def letters_alone(connection: Connection) -> tuple[int, list[str]]:
    """How many letters came, and what is wrong with what became of them, by the letters alone."""
    balance = letters.balance(connection)
    faults = [f"letter {id} is done with, and nothing says why." for id in balance.mute]
    if balance.received != sum(balance.states.values()):
        faults.append(f"{balance.received} letters came, and {sum(balance.states.values())} are accounted for.")
    every = letters.listing(connection)
    faults += [f"letter {one.id} was applied, and no event says so." for one in every if _lost(one)]
    there = set(dossiers.campaigns(connection))
    gone = sorted({one.campaign for one in every if one.campaign and one.seq} - there)
    faults += [f"letters became events of {campaign}, and there is no such campaign." for campaign in gone]
    return balance.received, faults


def astray(dossier: Dossier, came: Iterable[Letter]) -> list[str]:
    """What is wrong with the letters that *came* for a campaign and became events of it, in sentences."""
    if dossier.campaign.copied:
        return []
    received = {one.seq: one.event.digest for one in dossier.log.own if isinstance(one.event, MessageReceived)}
    entered: dict[int, list[Letter]] = {}
    for letter in came:
        if letter.seq:
            entered.setdefault(letter.seq, []).append(letter)
    found = []
    for seq, those in sorted(entered.items()):
        # A letter that confirms another is found by the event of that other.
        if received.get(seq) not in {one.digest for one in those}:
            numbers = listed([str(one.id) for one in those])
            found.append(f"letter {numbers} became event {seq}, and that is another: pbem verify {dossier.id}")
    return found


def _lost(letter: Letter) -> bool:
    return letter.state == "applied" and not letter.seq and letter.player is not None
