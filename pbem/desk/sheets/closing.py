"""Until when a sheet is taken."""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.sheets.receipts import Standpoint
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone

KNOWN = phrase_later("it was run, annulled, and will be run again with the same orders and the same dice")
"""Why an exchange takes nothing though its hour has not come."""

ENDED = phrase_later("the game is over")


def closed(dossier: Dossier, at: Standpoint, received: int, zone: str) -> str:
    """Why nothing can be changed any more of what is asked of a role now, by what comes then; empty while it can."""
    exchange = at.exchange
    if dossier.campaign.ended:
        return phrase(ENDED)
    if exchange.known:
        return phrase(KNOWN) if at.moment == exchange.moment else ""
    if at.moment.halt:
        return ""
    there = dossier.campaign.sheets.get((exchange.moment, at.role))
    if not exchange.takes(dossier.campaign.hour(received), there):
        came, hour = in_zone(received, zone), in_zone(exchange.deadline, zone)
        return phrase("it came at {came}, and {moment} was due at {hour}", came=came, moment=exchange.moment, hour=hour)
    return ""
