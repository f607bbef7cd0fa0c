"""Who is late again and again is waited for less, by a rule that all were told (`Terms.late_after`).

late in so many exchanges in a row  →  neither grace nor more time: what is taken for silence is taken at the deadline
in time once                        →  he is waited for again as all others are
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.post.entries import Entry, tell
from pbem.desk.post.post import to_gm
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import Role
from pbem.kernel.office import WaitingCut
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.plain import plural
from pbem.reports.text.speech import phrase, phrase_of, speaking
from pbem.reports.text.terms import late_rule
from pbem.storage.database import Connection


def waits_for_none(dossier: Dossier, missing: Collection[Role]) -> bool:
    """Whether nobody waits for any of *missing* beyond the deadline."""
    return bool(missing) and not waited_for(dossier, missing)


def waited_for(dossier: Dossier, missing: Collection[Role]) -> list[Role]:
    """Those of *missing* who are waited for as the terms say."""
    return [role for role in missing if role not in dossier.campaign.cut_short]


def closes(dossier: Dossier, missing: Collection[Role]) -> int:
    """When the time of the open exchange is over, if *missing* have sent nothing."""
    exchange = dossier.exchange()
    return exchange.deadline if waits_for_none(dossier, missing) else exchange.closes


def streak(dossier: Dossier, role: Role) -> int:
    """In how many exchanges in a row whoever plays *role* was late; those that asked nothing of him left out."""
    count = 0
    for _, exchange in sorted(dossier.campaign.exchanges.items(), reverse=True):
        late = _late(dossier, exchange, role) if exchange.opened > dossier.campaign.since.get(role, 0) else False
        if late is False:
            break
        count += late is True
    return count


def _late(dossier: Dossier, exchange: Exchange, role: Role) -> bool | None:
    """Whether *role* was late in an exchange; None: nothing was to come from it, or it tells nothing."""
    missed = [one.did for one in exchange.nmr if role in one.missing]
    if exchange.resolved is None or "stopped" in missed:
        return None  # so many were missing that perhaps letters did not get through
    sheet = dossier.campaign.sheets.get((exchange.moment, role))
    if missed or (sheet and not sheet.kept and sheet.at > exchange.deadline):
        return True
    silent = role in exchange.resolved.defaults
    if silent and dossier.log[exchange.resolved_seq - 1].at > exchange.deadline:
        return True
    return False if sheet and not sheet.kept else None


def reckon(connection: Connection, entry: Entry) -> None:
    """Enter for whom waiting is cut short from now on, and for whom not any more; each is told, and the GM."""
    dossier = entry.dossier
    after, there = dossier.campaign.terms.late_after, people(connection, dossier)
    for role, player in there.items():
        if not after or player is None:
            continue
        late = streak(dossier, role)
        on = late >= after
        if on == (role in dossier.campaign.cut_short):
            continue
        entry.add(dossier.exchange().moment, WaitingCut(role=role, on=on, late=late))
        with speaking(dossier.campaign.language(role)):
            subject, said, _ = _words(role, late, after) if on else _again(role)
            notice = Notice(campaign=dossier.id, subject=f"[{dossier.id}] {subject}", heading=cap(subject), body=said)
        cause = f"waiting/{dossier.exchange().moment}/{entry.dossier.seq}/{role}"
        tell(entry, role, player, notice, cause=cause)
        subject, _, gms = _words(role, late, after) if on else _again(role)
        entry.owe([to_gm(dossier.id, f"{role}: {subject}", f"{gms}\n", cause=f"gm-{cause}", at=entry.at)])


def _words(role: Role, late: int, after: int) -> tuple[str, str, str]:
    """What is told of it that waiting is cut short for *role*: a subject, to him, and to the GM."""
    said = phrase(
        "{late} By the terms of this game {rule}. So it is for you from the next exchange on. No other player is told.",
        late=phrase_of(
            "You were late in {count} exchange in a row.", "You were late in {count} exchanges in a row.", late
        ),
        rule=late_rule(after),
    )
    gms = f"{role} was late in {plural(late, 'exchange')} in a row, and is not waited for beyond a deadline."
    return phrase("no more waiting beyond a deadline"), said, gms


def _again(role: Role) -> tuple[str, str, str]:
    """What is told of it that *role* is waited for again."""
    said = phrase("Your orders were in time: you are waited for again as all others are.")
    return phrase("waited for again"), said, f"{role} was in time, and is waited for again as all others are."


def tell_rule(connection: Connection, entry: Entry) -> None:
    """Owe every player a letter that says the rule as it is from now on."""
    dossier = entry.dossier
    for role, player in people(connection, dossier).items():
        if player:
            with speaking(dossier.campaign.language(role)):
                notice = _rule(dossier)
            tell(entry, role, player, notice, cause=f"late-rule/{dossier.seq}/{role}")


def _rule(dossier: Dossier) -> Notice:
    after = dossier.campaign.terms.late_after
    alike = phrase("Whoever it is, all are waited for alike from now on.")
    subject = phrase("how long the game waits for orders")
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {subject}",
        heading=cap(subject),
        body=phrase("From now on: {rule}.", rule=late_rule(after)) if after else alike,
    )
