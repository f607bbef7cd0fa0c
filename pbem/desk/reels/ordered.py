"""What was ordered: every sheet of a game as it was sent, whether it stood, and what came of each of its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.policy import default
from typing import Literal

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.kernel import office as kinds
from pbem.kernel.event import Recorded
from pbem.kernel.names import Moment, Role
from pbem.rules.leafing import span
from pbem.rules.reel import TRUTH, Reel
from pbem.rules.view import Told
from pbem.storage import blobs, outbox
from pbem.storage.database import Connection

Fate = Literal["sent", "stands", "stood", "superseded", "withdrawn", "refused", "kept for later"]


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of a sheet."""

    number: int
    text: str
    judged: tuple[str, ...] = ()
    """What its receipt said against it: `refused: no such unit`."""
    came: dict[str, tuple[Told, ...]] = {}
    """What came of it, by the run of its exchange that it stood in: `3B`, `3B#2`."""


class Sheet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sheet as it was sent."""

    role: Role
    moment: Moment | None
    """What it was for; None: for nothing that could be told."""
    receipt: int
    at: int
    """When it came; microseconds UTC."""
    source: str = "letter"
    fate: Fate
    by: int = 0
    """The receipt of what took its place, or took it back; 0: nothing did."""
    why: str = ""
    """Of one that was refused."""
    lines: tuple[Line, ...]
    answer: str = ""
    """Its receipt, as it was sent, if it is asked for and not destroyed."""


Came = dict[tuple[Role, Moment, int, int], tuple[str, list[Told]]]
"""What came of each line, by role, exchange, run and number, and what that run is called."""
Given = kinds.OrdersAccepted | kinds.OrdersKept | kinds.OrdersRefused


def sheets_of(
    office: Office,
    campaign: str,
    role: str | None = None,
    *,
    eyes: str | None = None,
    turn: str | None = None,
    receipts: bool = False,
) -> list[Sheet]:
    """All sheets of *campaign*, or those of one *role*, of *turn* or of all, in the order in which they came.

    Through the *eyes* of a role they are its own, with what it knows of them; with *receipts*, each with its own.

    :raises Refused: if there is no such turn.
    :raises UnknownRole: if there is no such role.
    """
    reel = reel_of(office, campaign, [eyes] if eyes else (), pictures=False)
    [seen] = reel.eyes
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        wanted = set(dossier.roles) if seen == TRUTH else {Role(seen)}
        wanted &= {dossier.role(role)} if role else wanted
        first, last, _ = span(turn) if turn else (None, None, 0)
        answers = _receipts(connection, dossier) if receipts else {}
        return [
            sheet
            for sheet in _sheets(dossier, reel, seen, answers)
            if sheet.role in wanted
            and (first is None or last is None or (sheet.moment is not None and first <= sheet.moment.whole <= last))
        ]


def _sheets(dossier: Dossier, reel: Reel, eyes: str, answers: dict[tuple[Role, int], str]) -> Iterator[Sheet]:
    log = dossier.log.own
    ran = _runs(log)
    came = _came(reel, eyes)
    for recorded in log:
        event = recorded.event
        if not isinstance(event, Given):
            continue
        fate, by, stood = _fate(log, recorded, ran) if eyes == TRUTH else _sent(log, recorded, came)
        yield Sheet(
            role=event.role,
            moment=event.moment,
            receipt=event.receipt,
            at=recorded.at,
            source=event.source,
            fate=fate,
            by=by,
            why=event.reason if isinstance(event, kinds.OrdersRefused) else "",
            lines=tuple(_lines(event, stood, came)),
            answer=answers.get((event.role, event.receipt), ""),
        )


def _runs(log: Sequence[Recorded]) -> dict[Moment, list[int]]:
    """When each exchange was resolved, run by run, by its events."""
    found: dict[Moment, list[int]] = {}
    for one in log:
        if isinstance(one.event, kinds.ExchangeResolved):
            found.setdefault(one.event.moment.whole, []).append(one.seq)
    return found


def _fate(log: Sequence[Recorded], sheet: Recorded, ran: dict[Moment, list[int]]) -> tuple[Fate, int, tuple[int, ...]]:
    """What became of a sheet, by which receipt, and in which runs of its exchange it stood, from 1."""
    event = sheet.event
    assert isinstance(event, Given)
    if isinstance(event, kinds.OrdersRefused) or event.moment is None:
        return "refused", 0, ()
    after = next((one for one in log if one.seq > sheet.seq and _replaces(one, event)), None)
    until = after.seq if after is not None else log[-1].seq + 1
    runs = ran.get(event.moment.whole, [])
    stood = tuple(number for number, seq in enumerate(runs, start=1) if sheet.seq < seq < until)
    by = getattr(after.event, "receipt", 0) if after is not None else 0
    if stood:
        return "stood", by, stood
    if after is not None:
        return ("withdrawn" if isinstance(after.event, kinds.OrdersWithdrawn) else "superseded"), by, ()
    return ("kept for later" if isinstance(event, kinds.OrdersKept) else "stands"), 0, ()


def _sent(log: Sequence[Recorded], sheet: Recorded, came: Came) -> tuple[Fate, int, tuple[int, ...]]:
    """The same, as its role knows it: when it was played is not its to know, but what it was told came of its lines."""
    event = sheet.event
    assert isinstance(event, Given)
    if isinstance(event, kinds.OrdersRefused) or event.moment is None:
        return "refused", 0, ()
    last = not any(one.seq > sheet.seq and _replaces(one, event) for one in log)
    moment = event.moment.whole
    return "sent", 0, tuple(sorted({key[2] for key in came if key[:2] == (event.role, moment)})) if last else ()


def _replaces(one: Recorded, sheet: Given) -> bool:
    event = one.event
    return (
        isinstance(event, kinds.OrdersAccepted | kinds.OrdersKept | kinds.OrdersWithdrawn)
        and event.role == sheet.role
        and event.moment == sheet.moment
    )


def _came(reel: Reel, eyes: str) -> Came:
    found: Came = {}
    for beat in reel.beats:
        if eyes in beat.seen:
            for role, some in beat.seen[eyes].lines.items():
                for line in some:
                    key = (role, line.moment.whole, beat.run, line.line)
                    found.setdefault(key, (beat.name.partition(".")[0], []))[1].append(line)
    return found


def _lines(event: Given, stood: Sequence[int], came: Came) -> Iterator[Line]:
    judged: dict[int, list[str]] = {}
    for one in () if isinstance(event, kinds.OrdersKept) else event.told:
        judged.setdefault(one.line, []).append(_against(one))
    for number, text in enumerate(event.text.splitlines(), start=1):
        results = [
            came[key]
            for run in stood
            if event.moment is not None and (key := (event.role, event.moment.whole, run, number)) in came
        ]
        yield Line(number, text, tuple(judged.get(number, ())), {name: tuple(said) for name, said in results})


def _against(one: kinds.Told) -> str:
    return f"{one.judgement}: {one.why}"


def _receipts(connection: Connection, dossier: Dossier) -> dict[tuple[Role, int], str]:
    """The receipts that were sent, in plain text."""
    found = {}
    for mail in outbox.listing(connection):
        kind, _, rest = mail.cause.partition("/")
        role, _, number = rest.rpartition("/")
        if mail.campaign == dossier.id and kind == "receipt" and blobs.state(connection, mail.digest) == "kept":
            message = message_from_bytes(blobs.fetch(connection, mail.digest), policy=default)
            body = message.get_body(("plain",))
            found[Role(role), int(number)] = str(body.get_content()) if body is not None else ""
    return found
