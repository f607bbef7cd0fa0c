"""What left the office, held to what the log says: receipts, views, pages, and the heads printed on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from pbem.desk.books.dossiers import Dossier, log_of
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP, halt_of
from pbem.desk.post import printed as heads
from pbem.desk.post.post import report_cause
from pbem.desk.post.writing import message_id
from pbem.desk.proof.resolving import Difference
from pbem.desk.worlds.walk import Walk
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.event import Event, Recorded, kind_of
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import (
    CampaignEnded,
    MessageReceived,
    OrdersAccepted,
    OrdersKept,
    OrdersRefused,
    OrdersWithdrawn,
    ReportIssued,
)
from pbem.storage import answers, blobs, outbox, owed, players
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail

_HEAD = re.compile(r"Log as known to you:\D*?([0-9a-f]{64})")
_DIGEST = re.compile(r"SHA-256\s+([0-9a-f]{32})\s+([0-9a-f]{32})")


def receipts(office: Office, connection: Connection, dossier: Dossier) -> list[Difference]:
    """Receipts that were owed to players, and what the log lacks of them, or says otherwise."""
    log = log_of(office, connection, dossier.system)
    there = {
        (one.event.role, one.event.receipt): one
        for one in dossier.log.own
        if isinstance(one.event, OrdersAccepted | OrdersKept | OrdersRefused | OrdersWithdrawn)
    }
    found = []
    for mail, (role, number) in _owed(connection, dossier, "receipt"):
        recorded = there.get((Role(role), int(number)))
        if recorded is None:
            found.append(Difference(why=f"{role} was sent receipt {number}, of which the log knows nothing"))
            continue
        text = text_of(connection, mail)
        printed = "".join(found_there.groups()) if (found_there := _DIGEST.search(text)) else ""
        digest = getattr(recorded.event, "digest", "")
        if printed and digest and printed != digest:
            why = f"receipt {number} of {role} told of another text"
            fields = (("digest", digest, printed),)
            found.append(Difference(seq=recorded.seq, kind=kind_of(recorded.event), why=why, fields=fields))
        head, hash = heads.printed(text), log.hash_at(dossier.id, recorded.seq) or ""
        if head and _same_key(office, mail) and head != heads.covered(office, hash):
            why = f"receipt {number} of {role} prints the head of another log"
            found.append(Difference(seq=recorded.seq, kind=kind_of(recorded.event), why=why))
    return found


def _same_key(office: Office, mail: Mail) -> bool:
    """Whether a mail was written with the key that the office has now."""
    try:
        return mail.message_id == message_id(office, mail.campaign, mail.cause)
    except Refused:
        return False


def erased_letters(connection: Connection, dossier: Dossier) -> int:
    """How many letters that the log names were erased since."""
    digests = {one.event.digest for one in dossier.log.own if isinstance(one.event, MessageReceived)}
    return sum(blobs.state(connection, digest) == "erased" for digest in digests)


def reports(office: Office, connection: Connection, dossier: Dossier) -> tuple[int, int, list[Difference]]:
    """How many reports were issued, how many views and pages of them were erased, and what is wrong with the rest."""
    log, walk = log_of(office, connection, dossier.system), Walk(dossier)
    found: list[Difference] = []
    issued: dict[tuple[Moment, Role, int], ReportIssued] = {}
    erased = 0
    for recorded in dossier.log:
        event = recorded.event
        wholes = (event.opened, event.replay) if isinstance(event, CampaignEnded) else ()
        for digest in filter(None, wholes):
            state, _ = bytes_of(connection, digest)
            erased += state == "erased"
            if state in ("missing", "changed"):
                why = f"the page of the whole game is {state}"
                found.append(Difference(seq=recorded.seq, kind=kind_of(event), why=why, moment=recorded.moment))
        if not isinstance(event, ReportIssued):
            continue
        issued[event.moment, event.role, event.version] = event
        walk.to(recorded.seq - 1)
        wrong = list(_against_run(walk, event))
        for digest, what in ((event.view, "view"), (event.page, "page")):
            state, data = bytes_of(connection, digest)
            erased += state == "erased"
            if state in ("missing", "changed"):
                wrong.append((f"its {what} is {state}", ()))
            head = _HEAD.search(data.decode("utf-8", "replace")) if what == "page" else None
            expected = log.hash_at(_printed_of(dossier, recorded.seq), event.upto)
            if head and expected and head[1] != expected:
                wrong.append(("its page prints the head of another log", (("head", expected, head[1]),)))
        found += [
            Difference(seq=recorded.seq, kind=kind_of(event), why=why, moment=event.moment, fields=fields)
            for why, fields in wrong
        ]
    found += _sent(connection, dossier, issued)
    found += [
        Difference(
            seq=recorded.seq,
            kind=kind_of(recorded.event),
            why=f"{role} was never owed the report that was issued",
            moment=recorded.moment,
        )
        for recorded, role in never_owed(connection, dossier, ReportIssued)
    ]
    return len(issued), erased, found


def _printed_of(dossier: Dossier, seq: int) -> CampaignId:
    """The campaign whose head a page issued at *seq* prints: of what was copied, that of which it is a copy."""
    forked = dossier.opened.forked
    return forked.campaign if forked and seq <= forked.upto else dossier.id


Wrong = tuple[str, tuple[tuple[str, str, str], ...]]


def _against_run(walk: Walk, event: ReportIssued) -> Iterator[Wrong]:
    """Whether a report is of the view that was made when its exchange was resolved, and ends where that did."""
    if event.moment == SET_UP:
        return
    if event.moment.halt:
        yield from _against_halt(walk, event)
        return
    exchange = walk.now.campaign.exchanges.get(event.moment)
    if exchange is None or exchange.resolved is None:
        yield "its exchange was not resolved", ()
        return
    if event.view != exchange.resolved.views.get(event.role):
        made = exchange.resolved.views.get(event.role, "none")
        yield "it is not of the view that was made", (("view", event.view, made),)
    if event.upto != exchange.resolved_seq:
        yield "it ends where its exchange did not", (("upto", str(event.upto), str(exchange.resolved_seq)),)


def _against_halt(walk: Walk, event: ReportIssued) -> Iterator[Wrong]:
    """Whether an interim report is of the view that was made when its halt was asked, and ends there."""
    halt = halt_of(walk.now.campaign, event.moment)
    if halt is None or not halt.asked:
        yield "nobody was asked there", ()
        return
    if event.view != halt.views.get(event.role):
        yield "it is not of the view that was made", (("view", event.view, halt.views.get(event.role, "none")),)
    if event.upto != halt.asked:
        yield "it ends where its halt did not", (("upto", str(event.upto), str(halt.asked)),)


def _sent(
    connection: Connection, dossier: Dossier, issued: dict[tuple[Moment, Role, int], ReportIssued]
) -> Iterator[Difference]:
    """Reports that were owed to players, and what the log lacks of them, or says otherwise."""
    for mail, (moment, role, version) in _owed(connection, dossier, "report"):
        at = Moment.parse(moment)
        event = issued.get((at, Role(role), int(version)))
        if event is None:
            yield Difference(why=f"{role} was sent report {moment}, of which the log knows nothing", moment=at)
            continue
        pages = _attached(connection, mail)
        if pages and event.page not in pages:
            why = f"{role} was sent another page than the log says"
            yield Difference(kind=kind_of(event), why=why, moment=at, fields=(("page", event.page, pages[0]),))


def never_owed(connection: Connection, dossier: Dossier, *kinds: type[Event]) -> Iterator[tuple[Recorded, Role]]:
    """Events of these *kinds* for which a player of this office should have been owed a mail, and never was.

    A campaign that was carried here has mails only of what came after, and so has a player whose address was not known
    before; who had all his answers of a day was sent no more.  Gives also the role.
    """
    every = outbox.listing(connection)
    mails = [mail for mail in every if mail.campaign == dossier.id]
    first = min((mail.created_at for mail in mails), default=None)
    reached: dict[PlayerId | None, int] = {}
    for mail in every:
        reached[mail.player] = min(mail.created_at, reached.get(mail.player, mail.created_at))
    causes = {mail.cause for mail in mails}
    silent = {mail.cause for mail in every if mail.cause.startswith("silence/")}
    copied = dossier.opened.forked.upto if dossier.opened.forked else 0
    walk = Walk(dossier)
    for recorded in dossier.log.own:
        event = recorded.event
        if not isinstance(event, kinds) or recorded.seq <= copied or first is None or recorded.at < first:
            continue
        role, cause = _cause_of(event)
        walk.to(recorded.seq - 1)
        holder = walk.now.campaign.players.get(role)
        if holder is None or cause in causes or owed.is_owed(connection, dossier.id, cause):
            continue
        if holder not in reached or recorded.at < reached[holder]:
            continue
        if not isinstance(event, ReportIssued) and f"silence/{holder}/{recorded.at // answers.DAY}" in silent:
            continue
        player = players.get(connection, holder)
        if player.address or (player.erased_at or 0) > recorded.at:
            yield recorded, role


def _cause_of(event: Event) -> tuple[Role, str]:
    """Whom a mail about *event* goes to, and for what it is owed."""
    match event:
        case ReportIssued():
            return event.role, report_cause(event.moment, event.role, event.version)
        case OrdersAccepted() | OrdersKept() | OrdersRefused():
            return event.role, f"receipt/{event.role}/{event.receipt}"
        case _:  # nobody asks for the mail of another
            raise ValueError(f"{kind_of(event)}: nobody is owed a mail for it")


def _owed(connection: Connection, dossier: Dossier, word: str) -> Iterator[tuple[Mail, list[str]]]:
    for mail in outbox.listing(connection):
        first, *rest = mail.cause.split("/")
        if mail.campaign == dossier.id and first == word and len(rest) == (2 if word == "receipt" else 3):
            yield mail, rest


def _message(connection: Connection, mail: Mail) -> EmailMessage:
    _, data = bytes_of(connection, mail.digest)
    return message_from_bytes(data, policy=default)


def text_of(connection: Connection, mail: Mail) -> str:
    """The plain text of a mail; empty if there is none."""
    body = _message(connection, mail).get_body(("plain",))
    return str(body.get_content()) if body else ""


def _attached(connection: Connection, mail: Mail) -> list[str]:
    """The digests of the pages that a mail brings."""
    parts = _message(connection, mail).iter_attachments()
    pages = [part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/html"]
    return [digest_of(page) for page in pages if isinstance(page, bytes)]


def bytes_of(connection: Connection, digest: str) -> tuple[str, bytes]:
    """What is kept under *digest*, and whether it is `kept`, `erased`, `missing` or `changed`."""
    state = blobs.state(connection, digest)
    if state != "kept":
        return state, b""
    try:
        return state, blobs.fetch(connection, digest)
    except BrokenLog:
        return "changed", b""
