"""Private halts: the run of an exchange stands still, and only those called are asked.

    reached  →  asked at once (urgent), or at the hour of the interim reports  →  answered, or silent  →  play goes on
                or passed over, for too little time is left

    Where the dice are known from a run that was annulled: as it came in that.

All hours were fixed when the exchange was opened.  Nothing that anybody else gets tells that somebody was asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.desk.books import early
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages.pages import Report
from pbem.desk.post import staging
from pbem.desk.post.entries import Entry
from pbem.desk.sheets import kept_sheets
from pbem.desk.turns import publish
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange, Halt
from pbem.kernel.names import Role
from pbem.kernel.office import HaltAsked, HaltPassed, HaltReached
from pbem.kernel.owed import Pause
from pbem.orders.prose import listed
from pbem.storage.database import Connection

Verdict = Literal["ask", "wait", "pass"]
"""Ask now, wait for the hour of the interim reports, or ask nobody."""


def judge(exchange: Exchange, halt: Halt, pause: Pause, at: int) -> Verdict:
    """What comes of a halt of which nobody was asked yet; *pause* is what the rules await there."""
    left = halt.hour(exchange.steps) - at
    if not halt.urgent and at < exchange.steps[halt.step - 1].interim:
        return "wait"
    return "pass" if left <= 0 or (halt.urgent and left < pause.least * HOUR) else "ask"


def see_reached(exchange: Exchange, halt: HaltReached) -> None:
    """See that the rules stand at a halt that can be: an engine that is wrong here would never come to an end.

    :raises Refused: if they do not.
    """
    if halt.moment.whole != exchange.moment or halt.moment <= exchange.address:
        raise Refused(f"the rules stand at {halt.moment} after {exchange.address}: that is no halt of it.")
    if not halt.roles or not 1 <= halt.step <= len(exchange.steps):
        raise Refused(
            f"the rules stand at {halt.moment}, in step {halt.step} of {len(exchange.steps)}, and call "
            f"{listed(halt.roles) or 'nobody'}: that is no halt."
        )


def goes_on(dossier: Dossier, halt: Halt, at: int) -> bool:
    """Whether play goes on from a halt at which roles were asked.

    From an urgent one it does when all have answered, and the time for second thoughts is over; else at its hour, for
    who is asked next is to get his letter at an hour that tells nothing of the halts of others.
    """
    if halt.until and at > halt.until:
        return True
    begins = early.may_go_on_from(dossier, halt) if halt.urgent else None
    return begins is not None and at >= begins


def ask(office: Office, connection: Connection, entry: Entry, *, by_hand: bool = False) -> Mapping[Role, Report]:
    """Enter that those called at the halt where the run stands are asked: their interim reports, and what follows.

    *by_hand*: at the GM's word, be the hour past or not.
    """
    exchange = entry.dossier.exchange()
    halt = exchange.halt
    assert halt is not None, "the run stands at a halt"
    world = world_at(office, connection, entry.dossier)
    made, views = staging.stage(office, connection, entry, halt.moment, world, halt.roles)
    hour = halt.hour(exchange.steps)
    entry.add(
        exchange.moment, HaltAsked(moment=halt.moment, until=0 if by_hand and hour <= entry.at else hour, views=views)
    )
    issued = publish.Made(halt.moment, made.views, entry.dossier.seq)
    reports = publish.issue(office, connection, entry, issued, roles=halt.roles)
    kept_sheets.read_now(office, connection, entry)
    return reports


def as_before(office: Office, connection: Connection, entry: Entry) -> None:
    """Enter what comes of a halt of an exchange whose dice are known: what came of it in the run that was annulled.

    Whoever was asked then has said what he had to say.  At a halt to which that run did not come nobody is asked.
    """
    exchange = entry.dossier.exchange()
    halt = exchange.halt
    assert halt is not None, "the run stands at a halt"
    asked = [
        one.event
        for one in entry.dossier.log.own
        if one.seq > exchange.opened and isinstance(one.event, HaltAsked) and one.event.moment == halt.moment
    ]
    if not asked or set(asked[-1].views) != set(halt.roles):
        pass_over(entry)
        return
    world = world_at(office, connection, entry.dossier)
    _, views = staging.stage(office, connection, entry, halt.moment, world, halt.roles)
    entry.add(exchange.moment, HaltAsked(moment=halt.moment, until=entry.at - 1, views=views, again=True))


def pass_over(entry: Entry) -> None:
    """Enter that nobody is asked at the halt where the run stands."""
    exchange = entry.dossier.exchange()
    halt = exchange.halt
    assert halt is not None, "the run stands at a halt"
    entry.add(exchange.moment, HaltPassed(moment=halt.moment))
