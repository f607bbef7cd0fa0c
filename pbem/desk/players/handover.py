"""A role changes hands in the course of a game.

Who leaves learns nothing from then on: what waits for him of it never leaves.  His sheets that were not run yet count
no more, the kept ones neither.  The newcomer is briefed, and the open exchange gives him a full time.  The others are
told who plays from now on, and since when; by name where the terms say so.
"""

from __future__ import annotations

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
from pbem.desk.turns import deadline_moves, publish, stand_ins
from pbem.kernel.deadlines import HOUR, not_before
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, PlayerWithdrew
from pbem.reports.pages.notice import Notice
from pbem.reports.text import times
from pbem.storage import blobs, players
from pbem.storage.database import Connection
from pbem.storage.players import Player

LEAVES = "Its player has left the game."

FULL_TIME = "A role has changed hands: who plays it now has a full time for his orders."


def lapsing(dossier: Dossier, role: Role) -> tuple[Moment, ...]:
    """The sheets that count no more when *role* changes hands; of a game that is over, none."""
    return () if dossier.campaign.ended else dossier.campaign.lapsing(role)


def leave(entry: Entry, role: Role, former: Player, reason: str) -> None:
    """Let *former*, who plays *role* no more, hear that he does, and nothing else of it."""
    entry.left.append((former.id, role))
    notice = Notice(
        campaign=entry.dossier.id,
        subject=f"[{entry.dossier.id}] you no longer play {role}",
        heading=f"You no longer play {role}",
        summary=reason,
        body="What you had sent for it and was not run yet is not played. No more letters of it come to you.",
        foot="",
    )
    tell(entry, role, former, notice, cause=f"left/{role}/{entry.dossier.seq}")


def give_up(
    office: Office, connection: Connection, entry: Entry, role: Role, player: Player, why: str, reason: str
) -> None:
    """Enter that *player* plays *role* no more, and nobody does: *why* stands in the log, *reason* he is told."""
    dossier = entry.dossier
    at = dossier.campaign.now or pages.SET_UP
    stand_ins.end(connection, entry, role, LEAVES)
    entry.add(at, PlayerWithdrew(role=role, player=player.id, reason=why, lapses=lapsing(dossier, role)))
    led = unmanned.change(office, connection, entry, role, played=False)
    leave(entry, role, player, reason)
    told = f"Nobody plays {role} for now{'; the rules of the game lead it' if led else ''}"
    _tell_others(office, connection, entry, role, told, "What it had sent and was not run yet is not played.")


def another(connection: Connection, dossier: Dossier, role: Role) -> str:
    """What the GM is told of a role that nobody plays: how another gets it, and who waits for one, in their order."""
    said = f"Another: pbem player add {dossier.id} {role} --name NAME --address ADDRESS"
    waits = [one.player for one in dossier.campaign.candidates.values() if not one.wishes or role in one.wishes]
    there = [players.get(connection, id) for id in waits]
    waiting = [f"  {who.name or who.id}, {who.address}" for who in there if who.address]
    return "\n".join((said, *(("", "Who waits for it, in their order:") if waiting else ()), *waiting))


def take_over(office: Office, connection: Connection, entry: Entry, role: Role, player: Player) -> None:
    """Tell the others that *player* plays *role* from now on; in a game that is played brief him, with a full time."""
    dossier = entry.dossier
    if dossier.campaign.ended:
        return
    played = role in dossier.campaign.reports
    before = _full_time(entry) if played else None
    if played:
        brief(office, connection, entry, role, player, cause=f"briefing/{role}/{entry.dossier.seq}")
    who = player.name if dossier.campaign.terms.names == "told" and player.name else "somebody else"
    then = f"Who plays it now is told all that {role} knows; nothing counts that was sent for it before and not run."
    _tell_others(office, connection, entry, role, f"{role} is played by {who} from now on", then, before=before)


def _full_time(entry: Entry) -> int | None:
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
    deadline_moves.enter_move(entry, due, FULL_TIME, "newcomer")
    return exchange.deadline


def _tell_others(
    office: Office, connection: Connection, entry: Entry, role: Role, told: str, then: str, *, before: int | None = None
) -> None:
    """Tell all other players who plays *role* since now, and of a new hour what it was *before*."""
    dossier = entry.dossier
    owes = calendar.owing(office, connection, dossier) if before else frozenset()
    for other, player in people(connection, dossier).items():
        if player is None or other == role:
            continue
        facts = [("Since", times.when(entry.at, player.zone, long=True))]
        stays = "Deadlines stay as they are, and so do your orders."
        if before:
            hour = times.due(dossier.exchange().deadline, player.zone, entry.at)
            facts += [(calendar.label(other, owes), hour), ("Before", times.when(before, player.zone, long=True))]
            stays = f"{FULL_TIME} So have you; your orders stay as they are."
        notice = Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {told}",
            heading=told,
            facts=tuple(facts),
            body=" ".join(filter(None, (then, stays))),
        )
        file = calendar.deadline(office, dossier, other, owes=owes, at=entry.at) if before else ()
        tell(entry, other, player, notice, *file, cause=f"left/{role}/{dossier.seq}/{other}")


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
    text = says.text
    for (moment, whose), sheet in sorted(dossier.campaign.sheets.items()):
        if whose == role and moment >= (dossier.campaign.now or pages.SET_UP):
            text += f"\n\n# Orders that stand for {moment}\n\n```\n{sheet.text}\n```"
            if not sheet.kept and (moment, role) not in dossier.campaign.words:
                text += f"\n\n{early.HELD['unsaid']}"
    for moment, sent in _lapsed(dossier, role):
        text += f"\n\n# What was sent for {moment} before you, and does not count\n\n```\n{sent}\n```"
    due = calendar.deadline(office, dossier, role, owes=calendar.owing(office, connection, dossier), at=entry.at)
    letter = briefing_letter(office, page, pages.render(office, page), replace(says, text=text), *due)
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
