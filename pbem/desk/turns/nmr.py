"""No move received: what comes of it when the time of an exchange is over and somebody has sent nothing.

The same for all, as the terms say, and always entered in the log: who was missing, and what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import awaited
from pbem.desk.office.office import HOUR, Office
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import to_gm
from pbem.desk.turns import absences, deadline_moves, lateness
from pbem.kernel.deadlines import due_at, not_before
from pbem.kernel.names import Role
from pbem.kernel.office import NmrRecorded
from pbem.kernel.owed import Pause
from pbem.kernel.terms import Nmr
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone
from pbem.storage.database import Connection
from pbem.storage.heartbeat import Watch

Verdict = Literal["held", "taken", "extended", "asked", "stopped"]

LOOKED_AT = HOUR
"""The time before an exchange closes in which the office must have been at its post, or nobody is late."""

AT_LEAST = HOUR
"""More time that is given then, where the terms grant less grace."""

_MANY = 2
_POLICIES: dict[Nmr, Verdict] = {"hold": "held", "standing": "taken", "extend": "extended", "gm": "asked"}

DID: dict[Verdict, str] = {
    "held": "it waits for what is missing",
    "taken": "what is taken for silence is taken",
    "extended": "there is more time",
    "asked": "it waits for the GM",
    "stopped": "so many are missing that it waits for the GM",
}
"""What came of it, in words."""


def judge(dossier: Dossier, pause: Pause, missing: Sequence[Role]) -> Verdict:
    """What comes of it that *missing* sent nothing, by the terms of the campaign."""
    terms = dossier.campaign.terms
    waited_for = len(awaited(dossier, pause))
    if len(missing) >= _MANY and len(missing) * 100 > terms.tripwire * waited_for:
        return "stopped"
    waited = lateness.waited_for(dossier, missing)
    if not waited:
        return "taken"
    verdict = _POLICIES[terms.nmr]
    if verdict == "held" and any(role not in dossier.campaign.players for role in waited):
        return "asked"  # nobody is there who could be reminded
    if verdict == "extended" and any(excused(dossier, role) >= terms.excuses for role in waited):
        return "taken"
    return verdict


def excused(dossier: Dossier, role: Role) -> int:
    """How often the silence of *role* has given more time in the whole campaign."""
    return sum(role in one.missing and one.did == "extended" for one in record(dossier))


def record(dossier: Dossier) -> tuple[NmrRecorded, ...]:
    """All that was recorded of silence in the campaign, in order."""
    return tuple(one for _, exchange in sorted(dossier.campaign.exchanges.items()) for one in exchange.nmr)


def enter(office: Office, connection: Connection, entry: Entry, pause: Pause, missing: tuple[Role, ...]) -> Verdict:
    """Enter it, with what follows from it: more time, or a letter to the GM."""
    dossier = entry.dossier
    exchange, terms = dossier.exchange(), dossier.campaign.terms
    verdict = judge(dossier, pause, missing)
    recorded = NmrRecorded(moment=exchange.moment, missing=missing, policy=terms.nmr, did=verdict)
    entry.add(exchange.moment, recorded)
    if verdict == "extended":
        later = max(exchange.deadline + terms.extension * HOUR, entry.at + AT_LEAST)
        due = absences.behind(office, connection, dossier, not_before(later, terms.schedule(exchange.name), terms.zone))
        reason = phrase_later("Orders are missing; there is more time for them.")
        deadline_moves.move(office, connection, entry, due, reason, "nmr")
    elif verdict != "taken":
        cause = f"nmr/{exchange.moment}/{exchange.deadline}"
        text = _to_decide(dossier, missing, verdict)
        owed = to_gm(dossier.id, f"{exchange.moment}: orders are missing", text, cause=cause, at=entry.at)
        entry.owe([owed])
    return verdict


def spare(office: Office, connection: Connection, entry: Entry, watch: Watch) -> None:
    """Enter that there is more time, for the office was away from its post."""
    exchange, terms = entry.dossier.exchange(), entry.dossier.campaign.terms

    def told() -> str:
        since, until = (in_zone(at, terms.zone) for at in (watch.away_since, watch.away_until))
        text = phrase_later("The office was away from its post from {since} until {until}: nobody is late for that.")
        return phrase(text, since=since, until=until)

    hour = entry.at + max(exchange.grace, AT_LEAST)
    due = absences.behind(office, connection, entry.dossier, due_at(-(-hour // HOUR) * HOUR, terms.zone))
    deadline_moves.move(office, connection, entry, due, told(), "away", told=told)


def was_away(dossier: Dossier, watch: Watch, missing: Sequence[Role]) -> bool:
    """Whether the open exchange is to have more time because the office did not see the end of it; once is enough."""
    closes = lateness.closes(dossier, missing)
    return not dossier.exchange().spared and watch.missed(closes - LOOKED_AT, closes)


_WHY: dict[Verdict, str] = {
    "held": "It waits for them, and they are reminded daily.",
    "asked": "It is left to you.",
    "stopped": "So many at once: perhaps letters do not get through.  Nothing was run.",
}


def _to_decide(dossier: Dossier, missing: Sequence[Role], verdict: Verdict) -> str:
    exchange, id = dossier.exchange(), dossier.id
    return (
        f"The time for {exchange.moment} is over, and nothing came from {', '.join(missing)}.  {_WHY[verdict]}\n\n"
        "What is missing is still taken.  When all of it is in, the exchange is run.  Else:\n\n"
        f"  pbem turn extend {id} --hours 24 --reason TEXT     give more time\n"
        f"  pbem turn run {id}                                 take what is taken for silence\n"
    )
