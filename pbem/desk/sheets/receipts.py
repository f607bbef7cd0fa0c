"""Receipts: what the office says of a sheet, at once and in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import early
from pbem.desk.books.dossiers import Dossier, is_committed
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import own_pause, pause_of
from pbem.desk.sheets import sheets
from pbem.desk.sheets.sheets import Judged
from pbem.desk.worlds import worlds
from pbem.kernel.exchange import Exchange, Sheet
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.grammar import bare
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.words import Sheet as Parted
from pbem.reports.pages.receipt import Receipt, Word, judged
from pbem.rules.contract import AnySystem
from pbem.rules.view import View
from pbem.storage.database import Connection


class Standpoint(Struct, frozen=True, dict=True):
    """What one role may know now, and what it may send: everything that its letters are read with."""

    system: AnySystem
    scene: Any
    role: Role
    exchange: Exchange
    mind: Any
    pause: Pause
    """With the role's own calls alone."""
    moment: Moment
    """The address of what it sends now: the exchange, a halt at which it is asked, or its next call."""
    due: int | None
    """The hour of that, if there is one."""

    @property
    def name(self) -> str:
        """What is asked now, in a phrase."""
        if self.moment.waits:
            return _NEXT_CALL
        return self.pause.name if self.moment.halt else self.exchange.name

    @property
    def asked(self) -> Moment:
        """What it was asked about last, be it closed by now: the exchange, or a halt."""
        return self.exchange.moment if self.moment.waits else self.moment

    @property
    def call(self) -> Call | None:
        """What the role may send."""
        return self.pause.call(self.role)

    @cached_property
    def view(self) -> View:
        """The role's page as it would look now, with nothing that happened on it."""
        view: View = self.system.view(self.scene, self.mind, self.role, (), self.pause)
        return view

    @cached_property
    def forms(self) -> Mapping[str, str]:
        """For each verb one full example, in the names of the role where its system can say so."""
        own = self.system.own_forms
        return self.system.forms if own is None else own(self.scene, self.mind, self.role)


_NEXT_CALL = "your next call"


def standpoint(
    office: Office, connection: Connection, dossier: Dossier, role: Role, received: int | None = None
) -> Standpoint:
    """How things stand for *role*: to its newest report, whatever has been resolved since.

    *received*: when that came which is dealt with; None: it comes now.  It is kept: from one letter to the next it
    seldom changes.
    """
    exchange, horizon = dossier.exchange(), dossier.campaign.horizon(role)
    moment = dossier.campaign.address(role, office.now() if received is None else received) or exchange.moment
    halt = exchange.halt if moment.halt and not moment.waits else None
    key, stamp = f"standpoint/{role}", (exchange, horizon, len(dossier.annulments), moment)
    kept = office.kept_of("worlds", dossier.id)  # a mind is part of one
    if (held := kept.get(key)) and held[0] == stamp:
        found: Standpoint = held[1]
        return found
    since = halt.seq if halt else exchange.opened
    then = worlds.world_at(office, connection, dossier, since)
    pause = own_pause(pause_of(dossier.system, then, moment), role)
    mind = worlds.mind_of(office, connection, dossier, role)
    due: int | None = exchange.deadline
    if halt:
        due = halt.until or None
    elif moment.waits:
        pause, due = Pause(moment=exchange.moment, name=exchange.name, calls=()), None
    at = Standpoint(dossier.system, dossier.scene, role, exchange, mind, pause, moment, due)
    if is_committed(office, dossier, max(since, horizon)):
        kept[key] = (stamp, at)
    return at


class Came(Struct, frozen=True, kw_only=True):
    """How a sheet came: for what, under which number, when, and over what."""

    moment: Moment
    number: int
    """Of its receipt."""
    received: int
    now: int
    zone: str
    """The clock of its player."""
    before: Sheet | None
    """What stood for that moment until now."""
    duplicate: bool = False
    """The same stood there."""
    by_umpire: bool = False
    """The GM sent it in for its player."""


class Beside(Struct, frozen=True, kw_only=True):
    """What there is to say of a message besides its orders."""

    parted: Parted | None = None
    """All that it says: words to the office are answered line by line as well."""
    unread: Sequence[tuple[str, str]] = ()
    warnings: Sequence[str] = ()


class Gave(Struct, frozen=True):
    """What its role has given to the dice of the moment, and whether it was with this sheet."""

    word: str = ""
    now: bool = False


NOTHING_BESIDE = Beside()
NOTHING_GIVEN = Gave()


def receipt(
    dossier: Dossier,
    at: Standpoint,
    sheet: Judged,
    came: Came,
    beside: Beside = NOTHING_BESIDE,
    gave: Gave = NOTHING_GIVEN,
) -> Receipt:
    """The receipt for *sheet*."""
    moment, before = came.moment, came.before
    later = moment != at.moment or moment.waits
    taken = bool(sheet.orders)
    view = at.view
    stand = sheets.counting(sheet.lines, sheet.told) if taken else sheets.in_force(before) if before else ()
    asked, complaints = _beside(beside.parted, len(sheet.lines)) if beside.parted else ((), ())
    words: dict[int, Word] = {line.number: "office word" for line in asked}
    return Receipt(
        campaign=dossier.id,
        role=at.role,
        addressed=view.addressed,
        moment=moment,
        name=_NEXT_CALL if moment.waits else "to come" if later else at.name,
        number=came.number,
        revision=sheets.revision(dossier, moment, at.role),
        received=came.received,
        replaced=(before.receipt, before.at) if before and taken and not came.duplicate else None,
        digest=sheet.digest,
        word=gave.word,
        gives=gave.now,
        duplicate=came.duplicate,
        by_umpire=came.by_umpire,
        taken=taken,
        kept=later,
        lines=judged((*sheet.lines, *asked), (*sheet.complaints, *complaints), words),
        aside=tuple(words),
        stand=stand,
        standing=_still(view.standing, stand),
        translated=sheet.translated,
        forecast=forecast(at, sheet.orders) if taken and not later else (),
        idle=idle(at, sheet.orders) if (taken or before is None) and not later else (),
        examples=_examples(at.forms, sheet),
        runs="" if later else runs(dossier, at, now=came.now, zone=came.zone),
        due=None if later or dossier.campaign.paused_at else at.due,
        zone=came.zone,
        template=stand or view.template,
        warnings=tuple(beside.warnings),
        unread=tuple(beside.unread),
    )


def _beside(sheet: Parted, above: int) -> tuple[tuple[Line, ...], tuple[Complaint, ...]]:
    """The lines of a text that are no orders but words to the office, refused ones too, numbered below its orders."""
    wrong = {line.number: (line, one) for line, one in sheet.refused}
    said = {one.line.number: one.line for one in sheet.commands} | {at: line for at, (line, _) in wrong.items()}
    lines, complaints = list[Line](), list[Complaint]()
    for number, place in enumerate(sorted(said), start=above + 1):
        lines.append(Line(number, said[place].text))
        complaints += [replace(wrong[place][1], line=number)] if place in wrong else []
    return tuple(lines), tuple(complaints)


def runs(dossier: Dossier, at: Standpoint, *, now: int, zone: str) -> str:
    """What the role is told of when its orders are played, in a sentence or two."""
    must = at.call is not None and at.call.must
    return early.says(dossier, at.moment, at.role, must=must, now=now, zone=zone)


def _still(standing: Sequence[str], stand: Sequence[str]) -> tuple[str, ...]:
    """The reactions in force before, without those that the orders which *stand* give again word for word."""
    given = {_plain(line) for line in stand} - {""}
    return tuple(line for line in standing if _plain(line) not in given)


def _plain(line: str) -> str:
    return " ".join(bare(line).casefold().split())


def forecast(at: Standpoint, orders: Sequence[Any]) -> tuple[tuple[int, str], ...]:
    """What *orders* would come to, by what the role knows: the number of a line and a sentence."""
    return tuple(at.system.forecast(at.scene, at.mind, at.role, orders))


def idle(at: Standpoint, orders: Sequence[Any]) -> tuple[str, ...]:
    """Sentences: what of the role's own has no order among *orders*, and what it then does."""
    call = at.call
    return () if call is None else tuple(at.system.idle(at.scene, at.mind, at.role, orders, call))


def _examples(forms: Mapping[str, str], sheet: Judged) -> tuple[tuple[str, str], ...]:
    """One full example of each order whose verb was understood, and the rest not."""
    refused = {one.line for one in sheet.complaints if one.judgement is Judgement.NOT_UNDERSTOOD}
    lines = [f"{_plain(line.text)} " for line in sheet.lines if line.number in refused]
    given = {one.example for one in sheet.complaints}
    return tuple(
        (verb, form)
        for verb, form in forms.items()
        if form not in given and any(one.startswith(f"{verb} ") for one in lines)
    )
