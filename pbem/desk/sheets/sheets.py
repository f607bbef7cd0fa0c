"""Sheets: a text parted, read by the rules with what its writer may know, and ready for the log.

What the log keeps of a sheet is its order lines, numbered from 1 as they stand there; head, commands and
comments fall away.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec import Raw, Struct

from pbem.desk.sheets import courtesies
from pbem.kernel.digest import digest_of
from pbem.kernel.errors import Refused
from pbem.kernel.exchange import Sheet as Standing
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersKept, OrdersRefused, Source, Told
from pbem.kernel.owed import Call
from pbem.mail.wire.charsets import clean_lines, decode
from pbem.mail.wire.limits import MAX_LETTER, MAX_LINES, kilobytes
from pbem.orders.grammar import bare
from pbem.orders.retelling import bounded
from pbem.orders.sheet import Complaint, Judgement, Line, lines_of
from pbem.orders.suggest import patience
from pbem.orders.tongues import hearing, spoken_for
from pbem.orders.words import Sheet, as_prose, no_block, split_sheet
from pbem.rules.contract import AnySystem

if TYPE_CHECKING:
    from pbem.desk.books.dossiers import Dossier

_BARE_TURN = re.compile(r"\s*turn[\s:]+t?\d+[\s.,]*", re.IGNORECASE)
EXPLAINED = 40
"""Of so many lines of a sheet that are not understood it is looked into what they may have meant."""

NOTHING_TAKEN = "none of its lines could be taken"


class Judged(Struct, frozen=True):
    """A sheet as the rules read it."""

    text: str
    orders: tuple[Any, ...]
    complaints: tuple[Complaint, ...]
    translated: tuple[tuple[int, str], ...] = ()
    """The number of each line that is in another language, and an order that it was read as."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Its order lines."""
        return lines_of(self.text)

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return digest_of(self.text.encode())

    @property
    def told(self) -> tuple[Told, ...]:
        """What there was to say of its lines."""
        return tuple(Told(one.line, one.judgement.value, one.why, one.rule or "") for one in self.complaints)

    @property
    def refused(self) -> int:
        """How many of its lines are no orders."""
        return len({one.line for one in self.complaints if one.judgement.refuses})


def file_lines(raw: bytes) -> tuple[Line, ...]:
    """The lines of an order file.

    :raises Refused: if it is too big.
    """
    if len(raw) > MAX_LETTER:
        raise Refused(f"the file is too big: {kilobytes(len(raw))}, and at most {kilobytes(MAX_LETTER)} are read.")
    text, _ = decode(raw, "utf-8")
    lines = tuple(Line(number, line) for number, line in enumerate(clean_lines(text), start=1))
    if len(lines) > MAX_LINES:
        raise Refused(f"the file has {len(lines):,} lines, and at most {MAX_LINES:,} are read.")
    return lines


def part(
    system: AnySystem, scene: Any, role: Role, mind: Any, lines: Sequence[Line], name: str = "", *, alone: bool = True
) -> Sheet:
    """Part what *role* wrote into head, commands to the office, and order lines, without the prose round them.

    *name*: the writer's, with which he may sign, as with that of his role; *alone*: nothing else came with it.
    """
    reads = reader(system, scene, mind, role)
    with bounded() as budget:
        reads.prepare(lines)
        sheet = split_sheet(lines, reads, system.opens or no_block, system.nests or no_block)
        alone = alone and not sheet.commands
        own = {verb.split()[0] for verb in system.forms} - courtesies.BEGINNING
        verbs = (*system.forms, *(said for verb in sorted(own) for said in spoken_for(system.name, verb)))
        orders = courtesies.without(sheet.orders, reads, verbs, (role, name), alone=alone)
    if not budget.left:
        reads.forget()
    return as_prose(sheet, orders)


def moment_of(sheet: Sheet, lines: Sequence[Line], now: Moment) -> Moment:
    """The moment that a sheet is for: as its head says, else *now*; a bare number means what is open of that turn."""
    said = sheet.head.turn
    if said is None:
        return now
    bare = said.turn == now.turn and any(_BARE_TURN.fullmatch(line.text) for line in lines)
    return now if bare and not now.waits else said


class Reader:
    """Says of a line whether the system takes it for an order of *role*, by what its *mind* knows.

    It is asked of the same line again and again, and where every order is one line, of all lines of a sheet at once:
    the words of a refusal take longer than the line.
    """

    def __init__(self, system: AnySystem, scene: Any, mind: Any, role: Role) -> None:
        self._system, self._scene, self.mind, self._role = system, scene, mind, role
        self._known: dict[str, bool] = {}

    def __call__(self, line: Line) -> bool:
        """Whether *line* is understood."""
        if line.text not in self._known:
            self._ask((line,))
        return self._known[line.text]

    @property
    def full(self) -> bool:
        """Whether it knows so many lines that it is better begun anew."""
        return len(self._known) > MAX_LINES

    def forget(self) -> None:
        """Forget what it knows: of a text with too many strange lines not all were looked into."""
        self._known.clear()

    def prepare(self, lines: Sequence[Line]) -> None:
        """Ask of all *lines* at once, if none of them depends on another."""
        new = {line.text: line for line in lines if line.text not in self._known}
        if new and self._system.opens is None and self._system.nests is None:
            self._ask([Line(number, text) for number, text in enumerate(new, start=1)])

    def _ask(self, lines: Sequence[Line]) -> None:
        with patience(0):
            complaints = self._system.read(self._scene, lines, self.mind, self._role, None).complaints
        strange = {one.line for one in complaints if one.judgement is Judgement.NOT_UNDERSTOOD}
        # Of a whole sheet it may be said that it is not understood.
        self._known |= {line.text: not strange & {0, line.number} for line in lines}


_READERS: OrderedDict[tuple[str, Role, int], Reader] = OrderedDict()
_AT_ONCE = 16


def reader(system: AnySystem, scene: Any, mind: Any, role: Role) -> Reader:
    """Says of a line whether the system takes it for an order of *role*.

    The last ones are kept: from one letter to the next what a role knows is mostly the same.
    """
    key = (system.name, role, id(mind))
    found = _READERS.get(key)
    if found is None or found.mind is not mind or found.full:
        found = _READERS[key] = Reader(system, scene, mind, role)
    _READERS.move_to_end(key)
    while len(_READERS) > _AT_ONCE:
        _READERS.popitem(last=False)
    return found


def written(lines: Iterable[Line]) -> str:
    """Order lines as the log keeps them."""
    return "\n".join(line.text.rstrip() for line in lines)


def judge(system: AnySystem, scene: Any, mind: Any, role: Role, text: str, call: Call | None) -> Judged:
    """Read the order lines *text*; without a *call* only their words are judged."""
    lines = lines_of(text)
    with patience(EXPLAINED), bounded(), hearing() as heard:
        reading = system.read(scene, lines, mind, role, call)
    translated = tuple((number, order) for number, orders in heard.items() for order in orders)
    return Judged(text, tuple(reading.items), tuple(asked(lines, reading.complaints)), translated)


def asked(lines: Sequence[Line], complaints: Iterable[Complaint]) -> Iterator[Complaint]:
    """The *complaints*; of a question that is no order it is said who answers questions."""
    questions = {line.number: bare(line.text).strip() for line in lines if bare(line.text).endswith("?")}
    for one in complaints:
        if one.judgement is Judgement.NOT_UNDERSTOOD and (said := questions.get(one.line)):
            why, instead = "no order; a question to the umpire begins with umpire:", f"umpire: {said}"
            yield Complaint(one.line, 0, one.judgement, why, instead=instead)
        else:
            yield one


def entered(
    judged: Judged,
    *,
    role: Role,
    moment: Moment,
    receipt: int,
    message: str = "",
    source: Source = "letter",
    word: str = "",
) -> OrdersAccepted | OrdersRefused:
    """The event that a sheet read for its own moment becomes: it stands, or, if no line could be taken, it does not.

    If it stands, *word* is what the role gives to the dice with it.
    """
    if not judged.orders:
        return OrdersRefused(
            role=role,
            moment=moment,
            receipt=receipt,
            text=judged.text,
            reason=NOTHING_TAKEN,
            told=judged.told,
            digest=judged.digest,
            message=message,
            source=source,
        )
    return OrdersAccepted(
        role=role,
        moment=moment,
        receipt=receipt,
        text=judged.text,
        orders=tuple(Raw(msgspec.json.encode(order)) for order in judged.orders),
        told=judged.told,
        digest=judged.digest,
        message=message,
        source=source,
        word=word,
    )


_OUT = {judgement.value for judgement in Judgement if judgement.refuses} | {
    Judgement.NOT_USED.value,
    Judgement.SUPERSEDED.value,
}


def counting(lines: Sequence[Line], told: Iterable[Told]) -> tuple[str, ...]:
    """The lines of a sheet that count: not refused, not overtaken by a later one, and of a kind asked for."""
    out = {one.line for one in told if one.judgement in _OUT}
    return tuple(line.text.strip() for line in lines if line.number not in out)


def in_force(sheet: Standing) -> tuple[str, ...]:
    """The lines of a sheet that stands, without those that do not count."""
    return counting(lines_of(sheet.text), sheet.told)


def revision(dossier: Dossier, moment: Moment, role: Role) -> int:
    """How many sheets of *role* were taken for *moment*: for the open exchange, since it was opened."""
    exchange = dossier.campaign.exchanges.get(moment)
    since = exchange.opened if exchange else 0
    count = 0
    for one in reversed(dossier.own):
        if one.seq < since:
            break
        event = one.event
        count += isinstance(event, OrdersAccepted | OrdersKept) and (event.moment, event.role) == (moment, role)
    return count


def next_receipt(dossier: Dossier, role: Role) -> int:
    """The number of the next receipt of *role*."""
    return dossier.campaign.receipts.get(role, 0) + 1


def standing_orders(dossier: Dossier, moment: Moment) -> dict[Role, list[Any]]:
    """The orders that stand for *moment*, as read, by role; a role without a sheet is not there."""
    kinds: Any = Union[dossier.system.orders]  # noqa: UP007 - the system says which
    read = msgspec.json.Decoder(kinds).decode
    return {
        role: [read(raw) for raw in sheet.orders]
        for (at, role), sheet in sorted(dossier.campaign.sheets.items())
        if at == moment and not sheet.kept
    }
