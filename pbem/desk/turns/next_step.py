"""What an exchange needs next, by the log and the hour alone."""

from __future__ import annotations

from typing import Literal

from pbem.desk.books import early
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import missing
from pbem.desk.turns import halts, lateness
from pbem.kernel.exchange import Exchange, Halt
from pbem.kernel.owed import Pause

Step = Literal[
    "nothing", "run", "run with defaults", "run as asked", "ask", "count the missing", "release", "tell of the run"
]
"""What an exchange needs next."""


def next_step(dossier: Dossier, pause: Pause, at: int) -> Step:
    """What the exchange opened last needs at the instant *at*."""
    campaign, exchange = dossier.campaign, dossier.exchange()
    terms = campaign.terms
    if exchange.asked and exchange.state in ("open", "halted") and (exchange.asked.defaults or not campaign.queries):
        return "run as asked"
    if exchange.state == "released" or (exchange.known and exchange.state != "resolved"):
        return "nothing"  # what was annulled is run again when the GM says so: he has something to set right
    if exchange.state == "resolved":
        if terms.release != "auto":
            return "tell of the run"
        return "release" if at >= exchange.reports else "nothing"
    if exchange.halt and not campaign.queries:
        return "run" if _halt_is_over(dossier, exchange, exchange.halt, pause, at) else "nothing"
    if not exchange.halt and not _is_time(dossier, pause, at):
        return "nothing"
    if exchange.state == "open" and exchange.silence != "taken" and missing(dossier, pause):
        return "count the missing"
    if campaign.queries:
        to_players = all(query.to for query in campaign.queries.values())
        if to_players and at > max(exchange.closes, *(query.until for query in campaign.queries.values())):
            return "run with defaults"
        return "nothing" if terms.release == "auto" else "ask"
    return "run"


def _halt_is_over(dossier: Dossier, exchange: Exchange, halt: Halt, pause: Pause, at: int) -> bool:
    """Whether play goes on from the halt where the run stands, or those called at it are to be asked."""
    if halt.asked:
        return halts.goes_on(dossier, halt, at)
    return halt.passed or halts.judge(exchange, halt, pause, at) != "wait"


def _is_time(dossier: Dossier, pause: Pause, at: int) -> bool:
    """Whether the open exchange can be run, or its time is over."""
    exchange = dossier.exchange()
    if silent := missing(dossier, pause):
        if at > exchange.deadline and lateness.waits_for_none(dossier, silent) and exchange.silence in ("", "held"):
            return _thought_over(dossier, at)
        return exchange.silence == "taken" or (not exchange.held and at > exchange.closes)
    if at <= exchange.deadline:
        begins = early.may_run_from(dossier, pause)
        return begins is not None and at >= begins
    return _thought_over(dossier, at)


def _thought_over(dossier: Dossier, at: int) -> bool:
    """Whether the time for second thoughts is over for all that came after the deadline."""
    exchange = dossier.exchange()
    sheets = {role: one.at for (moment, role), one in dossier.campaign.sheets.items() if moment == exchange.moment}
    if all(sent <= exchange.deadline for sent in sheets.values()) or (not exchange.held and at > exchange.closes):
        return True
    return at >= max(early.settled(dossier, exchange.moment, role) for role in sheets)
