"""When an exchange may be run before its deadline: one rule, for the clock, for the GM's hand, and for every receipt.

    every role that is waited for has a sheet, nobody waits, and of every sheet that stands
        all lines were taken, or `ready` was said after it,
        by the player whose role it is now, since the exchange was opened last
    →  it may be run from the newest of these words on, and the time for second thoughts after it

A receipt names the hour that follows from its reader's own word alone.  The run comes never before that, and the hour
tells nothing of what others have sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import awaited
from pbem.kernel.exchange import Exchange, Halt, Sheet
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Pause
from pbem.kernel.word import MINUTE
from pbem.orders.sheet import Judgement
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone, when

Hold = Literal["", "no orders", "refused", "unsaid", "wait", "never"]
"""Why a role's own word lets nothing be run early: it has sent nothing, or lines of it were refused, or what stands is
another's or was sent for an earlier opening, or it waits, or the terms did not let it when it sent; empty: it does."""

REFUSALS = {one.value for one in Judgement if one.refuses}

_WHY: Mapping[Hold, str] = {
    "no orders": "owes orders",
    "wait": "has a wait on",
    "refused": "sent lines that were refused, and has not said ready",
    "unsaid": "has not said yet that what stands shall be played",
    "never": "was told that it is run at its deadline",
}
"""The same in words, after the name of the role, for the GM."""


def hold(dossier: Dossier, moment: Moment, role: Role, *, must: bool) -> Hold:
    """Why *role*'s own word does not let *moment* be run early; *must*: it is waited for."""
    campaign = dossier.campaign
    if campaign.waits.get((moment, role)):
        return "wait"
    sheet, word = campaign.sheets.get((moment, role)), campaign.words.get((moment, role))
    if sheet is None or sheet.kept:
        return "no orders" if must else ""
    if not must and role not in campaign.players:
        return ""
    if word is None:
        return "unsaid"
    if word.what != "ready" and (word.what == "nothing taken" or not is_whole(sheet)):
        return "refused"
    return "" if word.settles else "never"


def is_whole(sheet: Sheet) -> bool:
    """Whether every line of a sheet that stands was taken."""
    return not sheet.beside and not any(one.judgement in REFUSALS for one in sheet.told)


def holds(dossier: Dossier, pause: Pause) -> dict[Role, Hold]:
    """Whose word does not let the exchange or halt of *pause* be run early, each with why."""
    must = {call.role for call in awaited(dossier, pause)}
    found = {role: hold(dossier, pause.moment, role, must=role in must) for role in dossier.roles}
    return {role: why for role, why in found.items() if why}


def may_run_from(dossier: Dossier, pause: Pause) -> int | None:
    """The first instant at which the open exchange may be run before its deadline; None: at none, as things stand."""
    exchange = dossier.exchange()
    schedule = dossier.campaign.terms.schedule(exchange.name)
    if exchange.steps or not schedule.early or not awaited(dossier, pause) or holds(dossier, pause):
        return None
    return max(settled(dossier, pause.moment, role) for role in dossier.roles)


def why_not(dossier: Dossier, pause: Pause, at: int, zone: str) -> list[str]:
    """Why the open exchange is not run *at* an instant before its deadline, for the GM, in phrases; none: it is."""
    said = [f"{role} {_WHY[why]}" for role, why in holds(dossier, pause).items()]
    begins = may_run_from(dossier, pause)
    if dossier.exchange().steps:
        said.append("its hours are fixed")
    elif not said and begins is None:
        said.append("by its terms it is not run before")
    elif begins is not None and at < begins:
        said.append(f"by the receipts it is run {in_zone(begins, zone)} at the earliest")
    return said


def may_go_on_from(dossier: Dossier, halt: Halt) -> int | None:
    """The first instant at which play may go on from an urgent halt before its hour; None: at none."""
    if any(hold(dossier, halt.moment, role, must=True) for role in halt.roles):
        return None
    return max(settled(dossier, halt.moment, role) for role in halt.roles)


def settled(dossier: Dossier, moment: Moment, role: Role) -> int:
    """The end of the time for second thoughts after *role*'s newest word, and after the exchange began or went on."""
    campaign, exchange = dossier.campaign, dossier.exchange()
    delay = campaign.terms.schedule(exchange.name).delay * MINUTE
    began = max(exchange.opened_at, campaign.resumed_at) + delay
    sheet, word = campaign.sheets.get((moment, role)), campaign.words.get((moment, role))
    return max(began, sheet.at + delay if sheet and not sheet.kept else 0, word.settles if word else 0)


def says(dossier: Dossier, moment: Moment, role: Role, *, must: bool, now: int, zone: str) -> str:
    """What *role* is told of when *moment* is run, in a sentence or two; empty if there is nothing to say.

    Nothing goes into it but its own word, and what all know.
    """
    campaign, exchange = dossier.campaign, dossier.exchange()
    if campaign.ended:
        return ""
    why = hold(dossier, moment, role, must=must)
    if campaign.paused_at:
        return phrase("The game is paused: nothing is run until the umpire lets it go on, and nobody is late.")
    if exchange.known:
        return phrase("The turn was annulled: it is run again with the same orders, and takes no others.")
    if moment.halt:
        return _at_a_halt(dossier, exchange, role, why, zone) if not moment.waits else ""
    if exchange.steps:
        return phrase("The turn is run at its deadline, and not before.")
    own = settled(dossier, moment, role)
    if now > exchange.deadline:
        hour = own if exchange.held else min(own, exchange.closes)
        return phrase(
            "The deadline has passed: the turn may be run from {hour} on, when all else is in.", hour=when(hour, zone)
        )
    if why:
        return phrase(HELD[why])
    if not campaign.terms.schedule(exchange.name).early or own >= exchange.deadline:
        return phrase(HELD["never"])
    return phrase(
        "The turn may be run from {hour} on, when all else that it waits for is in; at the latest it is "
        "run at its deadline. `wait on` holds it until then.",
        hour=when(own, zone),
    )


HELD: Mapping[Hold, str] = {
    "no orders": phrase_later("The turn waits for your orders until its deadline."),
    "wait": phrase_later(
        "Your wait is on: the turn is not run before its deadline. `wait off` lifts the wait; `ready` lets the turn be "
        "run before, with your orders as they stand."
    ),
    "refused": phrase_later(
        "Because of what was refused, the turn is not run before its deadline. Mend it, or send `ready`, and the turn "
        "may be run before, with your orders as they stand."
    ),
    "unsaid": phrase_later(
        "These orders stand from before, and the turn is not run before its deadline. Send a sheet of your own, or "
        "`ready`, and it may be run before."
    ),
    "never": phrase_later("The turn is run at its deadline, and not before."),
}
"""What it means for the turn, in the words of a letter."""


def _at_a_halt(dossier: Dossier, exchange: Exchange, role: Role, why: Hold, zone: str) -> str:
    halt = exchange.halt
    if halt is None or not halt.urgent or not halt.until:
        return ""
    hour = when(halt.until, zone)
    if why:
        told = phrase("Play goes on at {hour}, and not before.", hour=hour)
        mend = phrase("You may mend what was refused until then, or send `ready`.")
        return f"{told} {mend}" if why == "refused" else told
    own = settled(dossier, halt.moment, role)
    return phrase(
        "Play may go on from {first}; at the latest it does at {hour}.",
        first=when(min(own, halt.until), zone),
        hour=hour,
    )
