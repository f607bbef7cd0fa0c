"""The open exchange as the GM sees it, and what he does with its hour: more time, or all of it annulled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, early, seeds
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import awaited
from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP, pause_at
from pbem.desk.post import calendar
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.reels import site
from pbem.desk.reels.runs import standing_run
from pbem.desk.sheets import kept_sheets
from pbem.desk.turns import adjudicate, deadline_moves, led_again, publish
from pbem.desk.turns.pausing import see_going
from pbem.desk.worlds import worlds
from pbem.kernel.campaign import Campaign
from pbem.kernel.deadlines import due_after, due_at
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Exchange, Halt
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    CampaignEnded,
    ExchangeAnnulled,
    HoursSet,
    OrdersRefused,
    Promises,
    QueryPut,
    ReportIssued,
    RulingMade,
)
from pbem.kernel.owed import Pause
from pbem.orders.prose import listed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.times import when
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player


class Standing(Struct, frozen=True, kw_only=True):
    """How one role stands in the open exchange."""

    role: Role
    player: Player | None
    owed: tuple[str, ...]
    """Kinds of lines that count now."""
    must: bool
    """Whether it is waited for."""
    state: Literal["received", "refused", "kept", "owes orders", "free to send", "nothing asked"]
    receipt: int = 0
    received: int = 0
    lines: int = 0
    refused: int = 0
    """Lines of the sheet that stands that are no orders."""
    wait: bool = False


class Turn(Struct, frozen=True, kw_only=True):
    """The exchange opened last."""

    dossier: Dossier
    exchange: Exchange
    run: int
    """Which run of it stands, or will: 1, if none was annulled."""
    roles: tuple[Standing, ...]
    queries: tuple[QueryPut, ...]
    halt: Halt | None
    """The private halt at which its run stands; the roles are shown as they stand there."""
    events: int
    now: int
    against: tuple[str, ...] = ()
    """Why it is not run now, before its deadline, in phrases."""

    @property
    def complete(self) -> bool:
        """Whether everybody who is waited for has sent orders."""
        return not any(one.must and one.state != "received" for one in self.roles)


def row(words: Iterable[str]) -> str:
    """Roles, or kinds of lines, in a row: `french, prussian and umpire`; empty if there are none."""
    return listed(list(words))


def named(office: Office, campaign: str, name: str, *, written: int | None = None) -> Exchange:
    """The exchange of *campaign* that was opened last, if *name* is its: `5A`; empty: whatever it is.

    *written*: when that was said, in microseconds UTC; then it is none that it has come to since.

    :raises Refused: if it is another, or the campaign has not started.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    exchange = dossier.exchange()
    if name and name.casefold() != str(exchange.moment).casefold():
        raise Refused(f"{campaign} stands at {exchange.moment}, and not at {name}.  Nothing was done.")
    if name or written is None:
        return exchange
    if written < next(one.at for one in dossier.log.own if one.seq == exchange.stands):
        raise Refused(
            f"{campaign} has come to {exchange.address} since this was written: if that is meant, name "
            f"{exchange.moment} in the word.  Nothing was done."
        )
    return exchange


def to_annul(office: Office, campaign: str, moment: Moment | None, *, reopen: bool) -> list[Moment]:
    """What was resolved and `annul` would annul; nothing, if orders would be open again of what is annulled already.

    :raises Refused: as `annul` does.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    first, annulled = _meant(dossier, moment, reopen=reopen)
    if annulled:
        return []
    found = [at for at, one in sorted(dossier.campaign.exchanges.items()) if at >= first.moment and _is_resolved(one)]
    if first.moment not in found:
        raise Refused(f"turn {first.moment} is not resolved.")
    return found


def _meant(dossier: Dossier, moment: Moment | None, *, reopen: bool) -> tuple[Exchange, bool]:
    """What is to be annulled (None: the last that was resolved), and whether it is already.

    :raises Refused: if it is already, and its orders are not to be open again.
    """
    exchange = dossier.exchange(moment) if moment else _last_resolved(dossier)
    annulled = exchange.known > 0 and exchange.state == "open" and exchange.moment == dossier.campaign.now
    if annulled and not reopen:
        raise Refused(
            f"turn {exchange.moment} is annulled already, and takes no orders.  Run it again: pbem turn run "
            f"{dossier.id}; open its orders again, with new dice: --reopen"
        )
    return exchange, annulled


def turn(office: Office, campaign: str) -> Turn:
    """How the open exchange of *campaign* stands.

    :raises Refused: if it has not started.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        exchange = dossier.exchange()
        pause = pause_at(office, connection, dossier, exchange.stands, exchange.address)
        roles = tuple(_standing(connection, dossier, exchange, pause, role) for role in dossier.roles)
    now = office.now()
    waits = exchange.state == "open" and now <= exchange.deadline
    return Turn(
        dossier=dossier,
        exchange=exchange,
        run=standing_run(dossier, exchange.moment),
        roles=roles,
        queries=tuple(dossier.campaign.queries.values()),
        halt=exchange.halt,
        events=dossier.seq,
        now=now,
        against=tuple(early.why_not(dossier, pause, now, office.settings.zone)) if waits else (),
    )


def extend(office: Office, campaign: str, due: int, reason: str) -> Exchange:
    """Move the deadline of the open exchange to *due*, earlier steps with it, and tell every player.

    :raises Refused: if *due* is past, or the exchange is released or the game over.
    """
    at = office.now()
    if due <= at:
        raise Refused("a deadline cannot be moved into the past.")

    def build(connection: Connection) -> tuple[Entry, Exchange]:
        dossier = dossiers.load(office, connection, campaign)
        exchange = dossier.exchange()
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over.")
        see_going(dossier)
        if exchange.state == "released":
            raise Refused(f"{exchange.moment} is released: there is nothing to wait for.")
        if exchange.known or (exchange.state == "resolved" and at > exchange.deadline):
            was = "was run and annulled" if exchange.known else "is run already"
            raise Refused(
                f"{exchange.moment} {was}: its dice are known, and more time is given with new ones.  "
                f"pbem turn annul {dossier.id} --reopen --reason TEXT"
            )
        if exchange.steps and exchange.state != "open":
            raise Refused(
                f"{exchange.moment} is being played, and its hours are fixed: nobody is to tell who is asked."
            )
        entry = Entry(dossier, at, office.by)
        deadline_moves.move(office, connection, entry, due_at(due, dossier.campaign.terms.zone), reason, "gm")
        return entry, entry.dossier.exchange()

    return enter(office, build)


def hours_of_next(office: Office, campaign: str, hours: int, reason: str = "") -> Dossier:
    """Let the exchange that is opened next be due so many *hours* after its opening, whatever the terms say; once.

    :raises Refused: if the game is over.
    """

    def build(connection: Connection) -> tuple[Entry, Dossier]:
        dossier = dossiers.load(office, connection, campaign)
        if dossier.campaign.ended:
            raise Refused(f"{dossier.id} is over.")
        entry = Entry(dossier, office.now(), office.by)
        entry.add(dossier.campaign.now or SET_UP, HoursSet(hours=hours, reason=reason))
        return entry, entry.dossier

    return enter(office, build)


def hours_of_open(office: Office, campaign: str, hours: int, reason: str) -> Exchange:
    """Let the open exchange be due as if it had been opened with so many *hours*, and tell every player.

    :raises Refused: as `extend`.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    exchange, terms = dossier.exchange(), dossier.campaign.terms
    schedule = replace(terms.schedule(exchange.name), hours=hours, least=None)
    return extend(office, campaign, due_after(exchange.opened_at, schedule, terms.zone).at, reason)


def annul(office: Office, campaign: str, moment: Moment | None, reason: str, *, reopen: bool = False) -> Exchange:
    """Annul what *moment* (None: the last that was resolved) came to, and all after it; its orders stay.

    Its dice are known by then: it takes no more orders, and run again it throws the same.  With *reopen*, then or
    later, orders are open again, with a new deadline, and always with new seeds; a die that was forced by a ruling
    and has been thrown lapses.  Players who had its report, or an interim one, are told; if orders are open again,
    or were open until now, all are.  So they are where the game was over, which goes on with it: what was shown of it
    to everybody is taken down.

    :raises Refused: if it was not resolved, or is annulled already and *reopen* is not said.
    """
    at = office.now()

    def build(connection: Connection) -> tuple[Entry, tuple[Exchange, bool]]:
        dossier = dossiers.load(office, connection, campaign)
        exchange, annulled = _meant(dossier, moment, reopen=reopen)
        since = dossier.seq + 1 if annulled else adjudicate.began(dossier, exchange)
        entry = Entry(dossier, at, office.by)
        if not annulled:
            entry.add(exchange.moment, ExchangeAnnulled(moment=exchange.moment, since=since, reason=reason))
            led_again.see_led(office, connection, entry, exchange.moment, since)
        _let_lapse(entry, dossier.campaign, exchange.moment, reopen=reopen)
        if reopen:
            publish.open_exchange(office, entry, worlds.world_at(office, connection, entry.dossier))
            kept_sheets.read_now(office, connection, entry)
        over = dossier.campaign.ended is not None
        everybody = reopen or over or exchange.takes(at, None)
        _tell_annulled(office, connection, entry, exchange, since, reason, everybody=everybody)
        return entry, (entry.dossier.exchange(), over)

    now, over = enter(office, build)
    if over:
        site.take_down(office, [campaign])
    return now


def is_over(office: Office, campaign: str) -> bool:
    """Whether *campaign* is over, so that it goes on if a turn of it is annulled."""
    with office.read() as connection:
        return dossiers.load(office, connection, campaign).campaign.ended is not None


def _let_lapse(entry: Entry, before: Campaign, moment: Moment, *, reopen: bool) -> None:
    """Take back the dice forced by rulings that have been thrown and are to be thrown by new seeds now."""
    anew = {str(at) for at in before.exchanges if at > moment or (reopen and at == moment)}
    names = [name for name, faces in entry.dossier.campaign.forced.items() if faces and name.split("/")[0] in anew]
    if names:
        directives = tuple(f"die {name} = seed" for name in names)
        lapsed = RulingMade(directives=directives, reason="Its dice are new.", forced=dict.fromkeys(names, ()))
        entry.add(moment, lapsed)


def _standing(connection: Connection, dossier: Dossier, exchange: Exchange, pause: Pause, role: Role) -> Standing:
    call, moment = pause.call(role), exchange.address
    campaign = dossier.campaign
    player = players.get(connection, campaign.players[role]) if role in campaign.players else None
    sheet = campaign.sheets.get((moment, role))
    refused = any(
        isinstance(one.event, OrdersRefused) and (one.event.role, one.event.moment) == (role, moment)
        for one in dossier.log.own
        if one.seq > exchange.opened
    )
    must = call is not None and call in awaited(dossier, pause)
    standing = Standing(
        role=role,
        player=player,
        owed=call.sorts if call else (),
        must=must,
        state="refused" if refused else "owes orders" if must else "free to send" if call else "nothing asked",
        wait=campaign.waits.get((moment, role), False),
    )
    if sheet is None:
        return standing
    return Standing(
        role=role,
        player=player,
        owed=standing.owed,
        must=must,
        state="kept" if sheet.kept else "received",
        receipt=sheet.receipt,
        received=sheet.at,
        lines=len(sheet.text.splitlines()),
        refused=len({told.line for told in sheet.told if told.judgement in early.REFUSALS}),
        wait=standing.wait,
    )


def _last_resolved(dossier: Dossier) -> Exchange:
    resolved = [one for _, one in sorted(dossier.campaign.exchanges.items()) if _is_resolved(one)]
    if not resolved:
        raise Refused(f"nothing of {dossier.id} has been resolved.")
    return resolved[-1]


def _is_resolved(exchange: Exchange) -> bool:
    """Whether it was run, if only in part; one that was annulled since, and is not open to orders, was."""
    return exchange.state != "open" or exchange.known > 0


def _players(connection: Connection, dossier: Dossier) -> list[tuple[Role, Player]]:
    return [(role, player) for role, player in people(connection, dossier).items() if player]


def _tell_annulled(
    office: Office,
    connection: Connection,
    entry: Entry,
    exchange: Exchange,
    since: int,
    reason: str,
    *,
    everybody: bool,
) -> None:
    dossier, moment = entry.dossier, exchange.moment
    now, owes = dossier.exchange(), calendar.owing(office, connection, dossier)
    gone = [one.event for one in dossier.log.own if one.seq >= since]
    told = {event.role for event in gone if isinstance(event, ReportIssued)}
    over = any(isinstance(event, CampaignEnded) for event in gone)
    for role, player in _players(connection, dossier):
        if role not in told and not everybody:
            continue
        with speaking(dossier.campaign.language(role)):
            notice = _annulled(dossier, moment, reason, player.zone, told=role in told)
            if over:
                notice = replace(notice, body=f"{phrase(_GOES_ON)} {notice.body}")
        file = () if now.known else calendar.deadline(office, dossier, role, owes=owes, at=entry.at)
        tell(entry, role, player, notice, *file, cause=f"annulled/{moment}/{dossier.seq}/{role}")


_GOES_ON = phrase_later("The game was over; with this it goes on.")


def _annulled(dossier: Dossier, moment: Moment, reason: str, zone: str, *, told: bool) -> Notice:
    """The letter that says that a turn was annulled, or is open again to who was not *told* of it."""
    now = dossier.exchange()
    if told:
        heading = phrase("{moment} is annulled", moment=moment)
    elif now.known:
        heading = phrase("No more orders for {moment}", moment=moment)
    else:
        heading = phrase("{moment} is open again", moment=moment)
    said = phrase("It will be run again with the same orders and the same dice, and takes no others.")
    if not now.known:
        said = phrase(
            "Orders for {moment} are open again until {until}, and its dice are new. What you had sent stands until "
            "you send another sheet; `ready` lets it be played before then{again}.",
            moment=now.moment,
            until=when(now.deadline, zone),
            again=seeds.asked_again(dossier.campaign),
        )
    if told:
        said = phrase(
            "What report {moment} told did not come to pass. {said} A corrected report follows.",
            moment=moment,
            said=said,
        )
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {heading}",
        heading=heading,
        summary=reason,
        body=said,
        quoted=() if now.known else (promised(now.promises),),
    )


def promised(promises: Promises) -> tuple[str, str]:
    """What a letter shows of new *promises*: a label, and what goes under it."""
    return phrase_later(
        "What is promised of the new dice, as SHA-256"
    ), f"open    {promises.open}\nclosed  {promises.closed}"
