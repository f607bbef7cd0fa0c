"""A log is held to itself: sheets to their readings, throws to seeds, facts to the rules, pages to what was known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Raw

from pbem.desk.books.seeds import Pair, promised_for, promises_of
from pbem.desk.pages.pages import halt_of, own_pause, pause_of
from pbem.desk.proof import kept_papers
from pbem.desk.proof.audit import fits, lots, of_no_letter, throws, words
from pbem.desk.proof.proof import Case, Row, plural
from pbem.desk.proof.resolving import Difference, decide, first_difference, in_words, logged, view_digests
from pbem.desk.sheets import sheets
from pbem.desk.worlds.revealed import revelations
from pbem.desk.worlds.walk import Decision, Walk, decisions, strays
from pbem.desk.worlds.worlds import state_digest
from pbem.kernel.errors import PbemError
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import (
    CampaignStarted,
    ExchangeResolved,
    HaltAsked,
    HaltReached,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    RulesPinned,
    RulingMade,
)
from pbem.storage import seals
from pbem.storage.blobs import digest_of


def orders(case: Case) -> Row:
    found: list[Difference] = []
    count, lines, walk = 0, 0, Walk(case.dossier)
    receipts: dict[Role, int] = {}
    for recorded in case.dossier.log:
        event = recorded.event
        if not isinstance(event, OrdersAccepted | OrdersKept | OrdersRefused | OrdersWithdrawn):
            continue

        def wrong(why: str, *fields: tuple[str, str, str], seq: int = recorded.seq, kind: str = kind_of(event)) -> None:
            found.append(Difference(seq=seq, kind=kind, why=why, fields=fields))

        due = receipts.get(event.role, 0) + 1
        if event.receipt != due:
            wrong("a receipt is missing", ("receipt", str(event.receipt), str(due)))
        receipts[event.role] = event.receipt
        if isinstance(event, OrdersWithdrawn):
            continue
        count, lines = count + 1, lines + len(event.text.splitlines())
        if digest_of(event.text.encode()) != event.digest:
            wrong("the text does not fit its digest", ("digest", event.digest, digest_of(event.text.encode())))
        if isinstance(event, OrdersAccepted) and case.dossier.campaign.rules:
            walk.to(recorded.seq - 1)
            if _installed_then(case, walk) and (fields := _read_again(walk, event)):
                wrong("the text does not read as it was read", *fields)
    found += kept_papers.receipts(case.office, case.connection, case.dossier)
    erased = kept_papers.erased_letters(case.connection, case.dossier)
    what = f"{plural(count, 'sheet')}, {plural(lines, 'line')}, digests" + (f"; {erased:,} erased" if erased else "")
    return Row(name="orders", what=what, found=tuple(found))


def _read_again(walk: Walk, event: OrdersAccepted) -> tuple[tuple[str, str, str], ...]:
    """How the text of a sheet reads by what its role could know, where that is not how it was read."""
    system, scene, role = walk.whole.system, walk.whole.scene, event.role
    halt = halt_of(walk.now.campaign, event.moment)
    since = halt.seq if halt else walk.now.exchange(event.moment).opened
    pause = own_pause(pause_of(system, walk.world(since), event.moment), role)
    judged = sheets.judge(system, scene, walk.mind(role), role, event.text, pause.call(role))
    now = sheets.entered(judged, role=role, moment=event.moment, receipt=event.receipt)
    read = now.orders if isinstance(now, OrdersAccepted) else ()
    fields = []
    if tuple(map(bytes, read)) != tuple(map(bytes, event.orders)):
        fields.append(("orders", _lines(event.orders), _lines(read)))
    if now.told != event.told:
        fields.append(("told", f"{len(event.told)} lines", f"{len(now.told)} lines"))
    return tuple(fields)


def dice(case: Case) -> Row:
    found = [
        Difference(seq=one.seq, why=f"the {one.which} seed of {one.moment} is not the one that was promised")
        for one in revelations(case.dossier)
        if not one.fits
    ]
    for moment, promises in promises_of(case.dossier):
        pair = case.kept.get(promises)
        if pair and (fits(pair.open, promises.open), fits(pair.closed, promises.closed)) != ("fits", "fits"):
            found.append(Difference(why=f"the seeds kept for {moment} are not those that were promised"))
        if pair is None and seals.knows(case.connection, "secret", f"{case.dossier.id}/{promises.open}"):
            found.append(Difference(why=f"the seeds that were promised for {moment} are gone"))
    found += [
        Difference(seq=one.seq, why=f"the word of {one.role} for {one.moment} is not what it gave", moment=one.moment)
        for one in words(case.dossier, case.kept, case.known)
        if one.fall == "wrong"
    ]
    found += [
        Difference(seq=one.seq, kind=kind_of(one.event), why="its word is not made of the message that it came in")
        for one in of_no_letter(case.connection, case.dossier)
    ]
    found += [
        Difference(seq=one.recorded.seq, kind=kind_of(one.event), why="the roles are not given out as the lot fell")
        for one in lots(case.dossier)
        if not one.follows
    ]
    count, sealed, turns = 0, 0, set()
    for one in throws(case.dossier, case.kept, case.known):
        count, sealed = count + 1, sealed + (one.fall == "sealed")
        turns.add(one.moment.turn)
        if one.fall == "wrong":
            fact = case.dossier.log[one.seq - 1].event
            fell = in_words(list(one.throw.faces))
            found.append(
                Difference(
                    seq=one.seq,
                    kind=kind_of(fact),
                    why=f"the dice {one.throw.name} could not fall {fell}",
                    moment=one.moment,
                    rules=fact.rules if isinstance(fact, Outcome) else (),
                )
            )
    what = f"{plural(len(turns), 'turn')}, {plural(count, 'throw')}, seeds and promises"
    return Row(name="dice", what=what + (f"; {sealed:,} sealed" if sealed else ""), found=tuple(found))


def replay(case: Case) -> Row:
    found = [
        Difference(seq=one.seq, kind=kind_of(one.event), why="nobody decided it", moment=one.moment)
        for one in strays(case.dossier.log)
    ]
    count, walk = 0, Walk(case.dossier)
    for recorded in case.dossier.log:
        event = recorded.event
        if not isinstance(event, ExchangeResolved | HaltReached):
            continue
        count += isinstance(event, ExchangeResolved)
        walk.to(recorded.seq)
        state = state_digest(walk.world())
        if state != event.state:
            found.append(
                Difference(
                    seq=recorded.seq,
                    kind=kind_of(event),
                    why="the facts fold to another state",
                    moment=event.moment,
                    fields=(("state", event.state, state),),
                )
            )
    return Row(name="replay", what=f"state of {plural(count, 'exchange')}", found=tuple(found))


def again(case: Case) -> Row:
    """Decide everything again; after the first difference the rest would only follow from it."""
    turns: set[int] = set()
    count, sealed, earlier = 0, 0, 0
    found: list[Difference] = []
    walk = Walk(case.dossier)
    pinned = case.dossier.campaign.rules
    for decision in decisions(case.dossier.log):
        moment = case.dossier.log[decision.seq - 1].moment
        walk.to(decision.first - 1)
        rules = walk.now.campaign.rules
        if rules and pinned and not case.same(rules.content, pinned.content):
            earlier += 1
            continue
        seeds = _seeds_for(case, walk, decision, moment)
        if not isinstance(decision.by, RulingMade) and (seeds.open is None or seeds.closed is None):
            sealed += 1
            continue
        if difference := _decided_otherwise(case, walk, decision, moment, seeds, rules):
            found.append(difference)
            break
        count += len(decision.facts)
        turns.add(moment.turn)
    played = sorted(turns - {0})
    which = ["set-up"] if 0 in turns and not played else []
    which += [f"turn{'s' if len(played) > 1 else ''} {_span(played)}"] if played else []
    version = f"{case.dossier.system.name} {case.dossier.system.version}"
    what = ", ".join([*which, version, f"{count:,} outcomes"])
    notes = [f"{earlier:,} by earlier rules"] * bool(earlier) + [f"{sealed:,} without seeds"] * bool(sealed)
    if notes:
        what += f"; not {' or '.join(notes)}"
    return Row(name="resolve again", what=what, found=tuple(found))


def _decided_otherwise(
    case: Case, walk: Walk, decision: Decision, moment: Moment, seeds: Pair, rules: RulesPinned | None
) -> Difference | None:
    by, kind = decision.by, kind_of(decision.by)
    if isinstance(by, ExchangeResolved | HaltReached) and rules and not case.same(by.content, rules.content):
        fields = (("content", by.content, rules.content),)
        return Difference(
            seq=decision.seq, kind=kind, why="other rules than those pinned", moment=moment, fields=fields
        )
    if not all(isinstance(walk.whole.log[seq - 1].event, Outcome) for seq in decision.facts):
        return Difference(seq=decision.seq, kind=kind, why="it has not the facts that it counts", moment=moment)
    try:
        now = decide(walk, decision, seeds)
    except PbemError as error:
        return Difference(seq=decision.seq, kind=kind, why=str(error), moment=moment)
    return first_difference(logged(walk, decision), now, moment, decision.facts.stop)


def _seeds_for(case: Case, walk: Walk, decision: Decision, moment: Moment) -> Pair:
    if isinstance(decision.by, CampaignStarted):
        return case.seeds(decision.by.promises)
    return case.seeds(promised_for(walk.now.campaign, moment))


def reports(case: Case) -> Row:
    issued, erased, found = kept_papers.reports(case.office, case.connection, case.dossier)
    walk = Walk(case.dossier)
    for decision in decisions(case.dossier.log):
        last = case.dossier.log[decision.last - 1].event
        walk.to(decision.last)
        if not isinstance(last, ExchangeResolved) or not _installed_then(case, walk):
            continue
        made = view_digests(walk, last.moment)
        found += [
            Difference(
                seq=decision.last,
                kind=kind_of(last),
                why=f"the page of {role} is not what it could know",
                moment=last.moment,
                fields=(("view", last.views.get(role, "none"), digest),),
            )
            for role, digest in made.items()
            if last.views.get(role) != digest
        ]
    found += _interim(case)
    what = f"{issued:,} issued, digests" + (f"; {erased:,} erased" if erased else "")
    return Row(name="reports", what=what, found=tuple(found))


def _interim(case: Case) -> Iterator[Difference]:
    """Interim pages that are not what those called could know."""
    walk = Walk(case.dossier)
    for recorded in case.dossier.log:
        event = recorded.event
        if not isinstance(event, HaltAsked):
            continue
        walk.to(recorded.seq - 1)
        if not _installed_then(case, walk):
            continue
        for role, digest in view_digests(walk, event.moment, tuple(event.views)).items():
            if event.views[role] != digest:
                fields = (("view", event.views[role], digest),)
                why = f"the interim page of {role} is not what it could know"
                yield Difference(seq=recorded.seq, kind=kind_of(event), why=why, moment=event.moment, fields=fields)


def _installed_then(case: Case, walk: Walk) -> bool:
    """Whether the rules in force where *walk* stands are those installed."""
    rules = walk.now.campaign.rules
    return rules is not None and rules.content in case.alike


def _lines(orders: Sequence[Raw]) -> str:
    return f"{len(orders)} orders, {digest_of(b''.join(map(bytes, orders)))[:8]}…"


def _span(turns: list[int]) -> str:
    if len(turns) > 2 and turns == list(range(turns[0], turns[-1] + 1)):
        return f"{turns[0]}–{turns[-1]}"
    return ", ".join(map(str, turns))
