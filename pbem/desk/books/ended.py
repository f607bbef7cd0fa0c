"""How a game has ended, in words of the office's own: whose victory, and how."""

from __future__ import annotations

from pbem.kernel.office import CampaignEnded
from pbem.orders.prose import cap
from pbem.rules.contract import Verdict


def ending(over: Verdict | CampaignEnded) -> str:
    """Who has won and how, as a phrase that a full stop can follow.

    >>> ending(Verdict("german", "victory, 22 to 0 points")), ending(Verdict(None, "The last turn was played."))
    ('the German side has won: victory, 22 to 0 points', 'The last turn was played')
    """
    how = over.how.removesuffix(".")
    if over.winner is None or f"{over.winner} has won" in how.casefold():
        return how
    return f"the {cap(over.winner)} side has won: {how}"
