"""The umpire's report: what is so, and beside it each role's picture of it.  For the GM alone.

It is made from the log whenever it is asked for, written into the office's folder `umpire`, and never entered, mailed
or put where reports of players lie.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.pages.pages import SET_UP, halt_of
from pbem.desk.worlds.worlds import AnyWorld, world_at
from pbem.kernel.errors import Refused
from pbem.kernel.event import Recorded
from pbem.kernel.names import CampaignId, Moment
from pbem.kernel.office import QueryAnswered, RulingMade, UmpireNoted
from pbem.reports.pages.environment import environment
from pbem.reports.pages.umpire import UmpirePage, umpire_html
from pbem.resources import resources
from pbem.rules.view import View
from pbem.storage.database import Connection


class Written(Struct, frozen=True):
    """An umpire's report that was written."""

    campaign: CampaignId
    moment: Moment
    path: Path
    whole: bool
    """Whether the rules show the truth; else it holds the roles' pages alone."""


def write(office: Office, campaign: str, moment: Moment | None = None) -> Written:
    """Write the umpire's report of *moment*: an exchange that was resolved, a halt, `S0` (None: the newest).

    :raises Refused: if nothing came to pass there yet, or the folder cannot be written.
    """
    made = page(office, campaign, moment)
    folder = inside(office.folder, "umpire", made.campaign)
    path = inside(folder, f"{str(made.moment).lower()}.html")
    html = umpire_html(made, environment(resources("templates"), office.templates))
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(html, "utf-8")
    except OSError as error:
        raise Refused(f"the umpire's report cannot be written to {folder}: {error.strerror}.") from None
    return Written(made.campaign, made.moment, path, made.truth is not None)


def page(office: Office, campaign: str, moment: Moment | None = None) -> UmpirePage:
    """The same, not yet written.

    :raises Refused: if nothing came to pass there yet.
    """
    with office.read() as connection:
        return page_in(office, connection, dossiers.load(office, connection, campaign), moment)


def page_in(
    office: Office, connection: Connection, dossier: Dossier, moment: Moment | None = None, *, whole: bool = True
) -> UmpirePage:
    """The page of *moment* (None: the newest) as *dossier* has it; not *whole*: the roles' pages alone.

    :raises Refused: if nothing came to pass there yet, or the rules cannot make it.
    """
    at, upto = _end(dossier, moment)
    world = world_at(office, connection, dossier, upto)
    made = pages.views_of(dossier.upto(upto), at, world, lambda seq: world_at(office, connection, dossier, seq))
    truth = truth_of(dossier, world, at, upto) if whole else None
    return UmpirePage(
        campaign=dossier.id,
        title=dossier.title,
        rules=f"{dossier.campaign.rules.system} {dossier.campaign.rules.version}" if dossier.campaign.rules else "",
        moment=at,
        zone=office.settings.zone,
        now=office.now(),
        truth=truth,
        views=tuple(made.views[role] for role in dossier.roles),
        notes=(*_notes(dossier, at), *(f"Could not be told: {one}." for one in made.untold)),
        head=f"event {upto}",
    )


def truth_of(dossier: Dossier, world: AnyWorld, moment: Moment, upto: int) -> View | None:
    """What truly came to pass in *moment*, up to event *upto*, after which *world* stands; None: the rules do not say.

    :raises Refused: if they cannot.
    """
    system = dossier.system
    if system.umpire is None:
        return None
    facts = dossier.upto(upto).facts()
    now = [one for one in facts if one.moment.whole == moment.whole]
    first = now[0].seq if now else upto + 1
    earlier = [one.event for one in facts if one.seq < first]
    try:
        truth: View = system.umpire(dossier.scene, world, earlier, [one.event for one in now], moment)
    except Exception as error:
        raise Refused(
            f"the rules {system.name} {system.version} cannot make the umpire's page of {moment}: "
            f"{type(error).__name__}: {error}."
        ) from error
    return truth


def _end(dossier: Dossier, moment: Moment | None) -> tuple[Moment, int]:
    """The moment that is meant, and the last event that counts for it."""
    campaign = dossier.campaign
    if moment is not None and moment.halt:
        halt = halt_of(campaign, moment)
        if halt is not None:
            return moment, halt.seq
    elif moment is not None and moment.turn + moment.exchange > 0:
        exchange = campaign.exchanges.get(moment)
        if exchange is not None and exchange.resolved is not None:
            return moment, exchange.resolved_seq
    elif moment is None and campaign.exchange is not None and campaign.exchange.halt is not None:
        return campaign.exchange.halt.moment, campaign.exchange.halt.seq
    elif moment is None and any(one.resolved for one in campaign.exchanges.values()):
        last = max((one for one in campaign.exchanges.values() if one.resolved), key=lambda one: one.resolved_seq)
        return last.moment, last.resolved_seq
    elif campaign.started:
        mustered = [one.seq for one in dossier.facts() if one.moment == SET_UP]
        return SET_UP, max(mustered, default=campaign.started)
    said = f"{moment} of {dossier.id} is not resolved" if moment else f"{dossier.id} has not begun"
    raise Refused(f"{said}: there is nothing to report of it yet.")


def _notes(dossier: Dossier, moment: Moment) -> tuple[str, ...]:
    """What the umpire himself did in the exchange: his rulings, answers and notes."""
    return tuple(said for one in dossier.own if one.moment.whole == moment.whole and (said := _note(one)))


def _note(recorded: Recorded) -> str:
    event = recorded.event
    match event:
        case RulingMade():
            return f"You ruled: {'; '.join(event.directives)}.  {event.reason}"
        case QueryAnswered(by="gm"):
            return f"You answered {event.key}: {event.answer}."
        case UmpireNoted():
            return f"Your note to {event.role}: {event.text}"
        case _:  # nothing else is his doing: least of all a fact of the game
            return ""
