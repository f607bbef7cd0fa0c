"""A role changes hands in the course of a game.

Who leaves learns nothing from then on: what waits for him of it never leaves.  His sheets that were not run yet count
no more, the kept ones neither.  The newcomer is briefed, and the open exchange gives him a full time.  The others are
told who plays from now on, and since when; by name where the terms say so.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from pbem.desk.books import early
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.players import unmanned
from pbem.desk.post import calendar
from pbem.desk.post.entries import Entry, hash_at, tell
from pbem.desk.post.letters import briefing_letter
from pbem.desk.post.post import in_game, to_player
from pbem.desk.turns import absences, deadline_moves, publish, queries, stand_ins
from pbem.kernel.deadlines import HOUR, not_before
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, PlayerWithdrew
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text import times
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage import blobs, players
from pbem.storage.database import Connection
from pbem.storage.players import Player

LEAVES = phrase_later("Its player has left the game.")

FULL_TIME = phrase_later("A role has changed hands: who plays it now has a full time for his orders.")

LAPSES = phrase_later("What it had sent and was not run yet is not played.")


def lapsing(dossier: Dossier, role: Role) -> tuple[Moment, ...]:
    """The sheets that count no more when *role* changes hands; of a game that is over, none."""
    return () if dossier.campaign.ended else dossier.campaign.lapsing(role)


def leave(entry: Entry, role: Role, former: Player, reason: str, language: str) -> None:
    """Let *former*, who plays *role* no more, hear that he does, in his *language*, and nothing else of it."""
    entry.left.append((former.id, role))
    with speaking(language):
        head = phrase("you no longer play {role}", role=role)
        notice = Notice(
            campaign=entry.dossier.id,
            subject=f"[{entry.dossier.id}] {head}",
            heading=cap(head),
            summary=phrase(reason),
            body=phrase(
                "What you had sent for it and was not run yet is not played. No more letters of it come to you."
            ),
            foot="",
        )
    tell(entry, role, former, notice, cause=f"left/{role}/{entry.dossier.seq}")


def give_up(
    office: Office, connection: Connection, entry: Entry, role: Role, player: Player, why: str, reason: str
) -> None:
    """Let *player* go, and tell the others."""
    led = let_go(office, connection, entry, role, player, why, reason)
    by_rules = phrase_later("Nobody plays {role} for now; the rules of the game lead it")
    told = by_rules if led else phrase_later("Nobody plays {role} for now")
    _tell_others(office, connection, entry, Told(role, told, LAPSES))


def let_go(
    office: Office, connection: Connection, entry: Entry, role: Role, player: Player, why: str, reason: str
) -> bool:
    """Enter that *player* plays *role* no more, and nobody does: *why* stands in the log, *reason* he is told.

    Gives whether the rules of the game lead it from now on.
    """
    dossier = entry.dossier
    at = dossier.campaign.now or pages.SET_UP
    stand_ins.end(connection, entry, role, LEAVES)
    entry.add(at, PlayerWithdrew(role=role, player=player.id, reason=why, lapses=lapsing(dossier, role)))
    led = unmanned.change(office, connection, entry, role, played=False)
    leave(entry, role, player, reason, dossier.campaign.language(role))
    return led


def another(connection: Connection, dossier: Dossier, role: Role) -> str:
    """What the GM is told of a role that nobody plays: how another gets it, and who waits for one, in their order."""
    said = f"Another: pbem player add {dossier.id} {role} --name NAME --address ADDRESS"
    waits = [one.player for one in dossier.campaign.candidates.values() if not one.wishes or role in one.wishes]
    # Whoever is on the list of a campaign that came from elsewhere without its people is not known here.
    known = {one.id: one for one in players.listing(connection) if one.address} if waits else {}
    waiting = [f"  {known[id].name or id}, {known[id].address}" for id in waits if id in known]
    return "\n".join((said, *(("", "Who waits for it, in their order:") if waiting else ()), *waiting))


def take_over(office: Office, connection: Connection, entry: Entry, role: Role, player: Player) -> None:
    """Tell the others that *player* plays *role* from now on; in a game that is played brief him, with a full time."""
    dossier = entry.dossier
    if dossier.campaign.ended:
        return
    played = role in dossier.campaign.reports
    before = _full_time(office, connection, entry) if played else None
    if played:
        brief(office, connection, entry, role, player, cause=f"briefing/{role}/{entry.dossier.seq}")
    named = player.name if dossier.campaign.terms.names == "told" and player.name else ""
    told = phrase_later("{role} is played by {who} from now on")
    then = phrase_later(
        "Who plays it now is told all that {role} knows; nothing counts that was sent for it before and not run."
    )
    unnamed = phrase_later("{role} is played by somebody else from now on")
    _tell_others(office, connection, entry, Told(role, told if named else unnamed, then, named, before))


def _full_time(office: Office, connection: Connection, entry: Entry) -> int | None:
    """Move the hour of the open exchange, so that a newcomer has all the time that the terms give; gives what it was.

    Whether he is asked anything is not looked at: the hour would tell it.  An exchange whose run has begun keeps its
    hours, for they would tell whether a halt was reached.
    """
    campaign, exchange = entry.dossier.campaign, entry.dossier.campaign.exchange
    if exchange is None or exchange.state != "open" or exchange.known:
        return None
    schedule = campaign.terms.schedule(exchange.name)
    due = not_before(campaign.hour(entry.at) + schedule.hours * HOUR, schedule, campaign.terms.zone)
    if due.at <= exchange.deadline:
        return None
    due = absences.behind(office, connection, entry.dossier, due)
    deadline_moves.enter_move(entry, due, FULL_TIME, "newcomer")
    return exchange.deadline


class Told(NamedTuple):
    """What the others are told of a role that changes hands; its texts are said in the language of each."""

    role: Role
    told: str
    then: str
    who: str = ""
    before: int | None = None
    """Of a new hour, what it was before."""


def _tell_others(office: Office, connection: Connection, entry: Entry, told: Told) -> None:
    """Tell all other players who plays a role since now."""
    dossier = entry.dossier
    owes = calendar.owing(office, connection, dossier) if told.before else frozenset()
    for other, player in people(connection, dossier).items():
        if player is None or other == told.role:
            continue
        with speaking(dossier.campaign.language(other)):
            notice = _told(entry, told, player.zone, calendar.label(other, owes))
        file = calendar.deadline(office, dossier, other, owes=owes, at=entry.at) if told.before else ()
        tell(entry, other, player, notice, *file, cause=f"left/{told.role}/{dossier.seq}/{other}")


def _told(entry: Entry, told: Told, zone: str, label: str) -> Notice:
    """The letter that says so; *label*: what the hour of the exchange is called in it."""
    dossier = entry.dossier
    facts = [(phrase("Since"), times.when(entry.at, zone, long=True))]
    stays = phrase("Deadlines stay as they are, and so do your orders.")
    if told.before:
        hour = times.due(dossier.exchange().deadline, zone, entry.at)
        facts += [(label, hour), ("Before", times.when(told.before, zone, long=True))]
        stays = " ".join((phrase(FULL_TIME), phrase("So have you; your orders stay as they are.")))
    head = phrase(told.told, role=told.role, who=told.who)
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {head}",
        heading=head,
        facts=tuple(facts),
        body=f"{phrase(told.then, role=told.role)} {stays}",
    )


def brief(office: Office, connection: Connection, entry: Entry, role: Role, player: Player, *, cause: str) -> None:
    """Owe a player his briefing, with the newest report of his role and the orders that stand for it.

    Of a role that changed hands also what was sent for it before, which counts no more.
    """
    dossier = entry.dossier
    last = dossier.campaign.reports[role][-1]
    page = pages.page_of(
        office,
        dossier,
        pages.read_view(blobs.fetch(connection, last.view)),
        zone=player.zone,
        at=entry.at,
        earlier=pages.earlier_of(connection, dossier, role, last.moment, before=last.seq),
        head=hash_at(office, connection, entry, last.upto),
    )
    says = publish.briefing(office, connection, dossier, role)
    due = calendar.deadline(office, dossier, role, owes=calendar.owing(office, connection, dossier), at=entry.at)
    with speaking(dossier.campaign.language(role)):
        says = replace(says, text=f"{says.text}{_sent(dossier, role)}")
        letter = briefing_letter(office, page, pages.render(office, page), says, *due)
    entry.write(
        office,
        connection,
        to_player(
            in_game(dossier, role, player),
            letter,
            kind="briefing",
            cause=cause,
            at=entry.at,
            moment=dossier.campaign.now,
        ),
    )


def _sent(dossier: Dossier, role: Role) -> str:
    """What is asked of a role, its orders that stand, and what was sent before it changed hands, for its briefing."""
    text = ""
    for query in dossier.campaign.queries.values():
        if query.to == role:  # he who was asked by letter had the role before, or has it beside him
            head = phrase("A question waits for you: {asks}", asks=query.asks)
            text += f"\n\n# {head}\n\n```\n{queries.lines(query)}\n```"
    for (moment, whose), sheet in sorted(dossier.campaign.sheets.items()):
        if whose == role and moment >= (dossier.campaign.now or pages.SET_UP):
            head = phrase("Orders that stand for {moment}", moment=moment)
            text += f"\n\n# {head}\n\n```\n{sheet.text}\n```"
            if not sheet.kept and (moment, role) not in dossier.campaign.words:
                text += f"\n\n{phrase(early.HELD['unsaid'])}"
    for moment, sent in _lapsed(dossier, role):
        head = phrase("What was sent for {moment} before you, and does not count", moment=moment)
        text += f"\n\n# {head}\n\n```\n{sent}\n```"
    return text


def _lapsed(dossier: Dossier, role: Role) -> list[tuple[Moment, str]]:
    """The last sheets of *role* that lapsed when it changed hands, of what is still to be run and has none since."""
    of_role = (one for one in reversed(dossier.own) if getattr(one.event, "role", "") == role)
    changed = next((one for one in of_role if _lapses(one)), None)
    if changed is None:
        return []
    sent: dict[Moment, str] = {}
    for one in dossier.own:
        event = one.event
        if one.seq < changed.seq and isinstance(event, OrdersAccepted | OrdersKept) and event.role == role:
            sent[event.moment] = event.text
    open_now = set(_lapses(changed)) - {moment for moment, whose in dossier.campaign.sheets if whose == role}
    now = dossier.campaign.now or pages.SET_UP
    return [(moment, sent[moment]) for moment in sorted(open_now) if moment >= now and moment in sent]


def _lapses(recorded: Recorded) -> tuple[Moment, ...]:
    return getattr(recorded.event, "lapses", None) or ()
