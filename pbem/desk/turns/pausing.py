"""The game stands still for a while, by the GM's word or a vote: nothing is run, nobody is late, letters are answered.

paused   →  no hour passes for anybody: what comes is taken as if it came when the pause began
resumed  →  every hour that had not passed then is later, by at least as long as the pause was
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.desk.books import dossiers, early
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages.pages import hours_of, pause_of
from pbem.desk.post import calendar
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.turns import absences, deadline_moves
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.deadlines import not_before
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import Role
from pbem.kernel.office import CampaignPaused, CampaignResumed
from pbem.kernel.owed import Pause
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.times import when
from pbem.storage.database import Connection

RESUMED = phrase_later("The game was paused; every hour that had not passed is later by as long.")


def see_going(dossier: Dossier) -> None:
    """See that the game is not paused.

    :raises Refused: if it is.
    """
    if dossier.campaign.paused_at:
        raise Refused(f"{dossier.id} is paused: {dossier.campaign.paused}  First: pbem campaign resume {dossier.id}")


def pause(office: Office, campaign: str, reason: str) -> Dossier:
    """Let *campaign* stand still, and tell every player why.

    :raises Refused: without a reason, or if it is not being played, or paused already.
    """
    said = _sentence(reason)
    if not said:
        raise Refused("to pause a campaign takes a reason: --reason TEXT.  The players are told.")

    def build(connection: Connection) -> tuple[Entry, Dossier]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.status in ("enrolling", "ended"):
            state = "over" if dossier.campaign.ended else "not begun"
            raise Refused(f"{dossier.id} is {state}: there is nothing to pause.")
        see_going(dossier)
        entry = Entry(dossier, office.now(), office.by)
        enter_pause(office, connection, entry, said)
        return entry, entry.dossier

    return enter(office, build)


Told = Callable[[], str]
"""Why, in sentences of the language that is spoken when they are asked for."""


def enter_pause(office: Office, connection: Connection, entry: Entry, said: str, *, told: Told | None = None) -> None:
    """Enter that the game stands still, and owe every player a letter that says why, in a sentence."""
    dossier = entry.dossier
    entry.add(dossier.exchange().moment, CampaignPaused(reason=said))
    owes = calendar.owing(office, connection, dossier)
    for role, player in people(connection, dossier).items():
        if player:
            with speaking(dossier.campaign.language(role)):
                notice = _paused(entry.dossier, told() if told else said)
            file = calendar.deadline(office, entry.dossier, role, owes=owes, at=entry.at)
            tell(entry, role, player, notice, *file, cause=f"paused/{dossier.seq}/{role}")


def resume(office: Office, campaign: str, reason: str = "") -> Dossier:
    """Let *campaign* go on: the hours that had not passed are moved, and every player is told.

    :raises Refused: if it is not paused.
    """

    def build(connection: Connection) -> tuple[Entry, Dossier]:
        dossier = dossiers.load(office, connection, campaign)
        if not dossier.campaign.paused_at or dossier.campaign.ended:
            raise Refused(f"{dossier.id} is not paused.")
        entry = Entry(dossier, office.now(), office.by)
        enter_resumption(office, connection, entry, reason)
        return entry, entry.dossier

    return enter(office, build)


def enter_resumption(
    office: Office, connection: Connection, entry: Entry, reason: str, *, told: Told | None = None
) -> None:
    """Enter that the game goes on, with its hours later, and owe every player a letter that says so."""
    dossier = entry.dossier
    paused_at = dossier.campaign.paused_at
    resumed = CampaignResumed(reason=_sentence(reason), later=max(entry.at - paused_at, 0))
    entry.add(dossier.exchange().moment, resumed)
    since = max(paused_at, dossier.exchange().opened_at)  # one that was opened meanwhile has lost less
    later = max(entry.at - since, 0)
    exchange = dossier.exchange()
    world = world_at(office, connection, dossier, exchange.stands)
    open_now = pause_of(dossier.system, world, exchange.address)
    _move_hours(entry, open_now, since, later)
    _tell_resumed(office, connection, entry, open_now, told or (lambda: reason))


def _move_hours(entry: Entry, open_now: Pause, since: int, later: int) -> None:
    """Enter that the hours that had not passed at *since* are *later*, and behind what absences then lie there."""
    exchange, terms = entry.dossier.exchange(), entry.dossier.campaign.terms
    if exchange.known and exchange.state == "open":
        return  # it takes no orders, and is run when the GM says so
    if _is_early(exchange, since) or (exchange.state == "open" and exchange.closes > since):
        due = not_before(exchange.deadline + later, terms.schedule(exchange.name), terms.zone)
        deadline_moves.enter_move(entry, due, RESUMED, "pause")
        absences.make_room(entry, open_now)
    elif exchange.state in ("halted", "resolved") and exchange.reports > since:
        deadline_moves.enter_delay(entry, since, -(-later // HOUR) * HOUR, RESUMED, "pause")


def _is_early(exchange: Exchange, at: int) -> bool:
    """Whether it was run before its deadline, and takes orders until that all the same: it is not made known."""
    return exchange.state == "resolved" and not exchange.steps and not exchange.known and exchange.deadline > at


PAUSED, GOES_ON = phrase_later("the game is paused"), phrase_later("the game goes on")
"""Of what letters are."""

_TO_VOTE = phrase_later("To put that to the vote: `propose resume`.")
_STANDS_STILL = phrase_later(
    "Until the umpire lets it go on nothing is run, and nobody is late. What you send is taken and answered as ever. "
    "You are told when it goes on, and every hour that has not passed is later then, by as long as the game was paused."
)


def _paused(dossier: Dossier, reason: str) -> Notice:
    may_vote = dossier.campaign.terms.ballot("resume").allowed
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {phrase(PAUSED)}",
        heading="The game is paused",
        summary=reason,
        body=" ".join(phrase(one) for one in (_STANDS_STILL, *([_TO_VOTE] if may_vote else []))),
    )


def _tell_resumed(office: Office, connection: Connection, entry: Entry, open_now: Pause, told: Told) -> None:
    dossier = entry.dossier
    owes = calendar.owing(office, connection, dossier)
    for role, player in people(connection, dossier).items():
        if player is None:
            continue
        call = open_now.call(role) if not open_now.moment.halt else None
        must = call is not None and call.must
        with speaking(dossier.campaign.language(role)):
            notice = _resumed(entry, role, player.zone, told, must=must, label=calendar.label(role, owes))
        known = dossier.exchange().known and dossier.exchange().state == "open"
        file = () if known else calendar.deadline(office, dossier, role, owes=owes, at=entry.at)
        tell(entry, role, player, notice, *file, cause=f"resumed/{dossier.seq}/{role}")


def _resumed(entry: Entry, role: Role, zone: str, told: Told, *, must: bool, label: str) -> Notice:
    """The letter that says so, with the hours as they are now."""
    dossier = entry.dossier
    exchange = dossier.exchange()
    takes = (exchange.state == "open" and not exchange.known) or _is_early(exchange, entry.at)
    facts = [(label, when(exchange.deadline, zone, long=True))] if takes else []
    facts += [(what, when(hour, zone)) for what, hour in hours_of(exchange)]
    runs = ""
    if takes or exchange.known:
        runs = early.says(dossier, exchange.moment, role, must=must, now=entry.at, zone=zone)
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {phrase(GOES_ON)}",
        heading="The game goes on",
        summary=_sentence(told()),
        facts=tuple(facts),
        body=f"{phrase(RESUMED)} {runs}".rstrip(),
    )


def _sentence(reason: str) -> str:
    said = " ".join(reason.split())
    return said if not said or said[-1] in ".!?" else f"{said}."
