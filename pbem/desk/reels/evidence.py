"""What one pair of eyes has to go by when it asks about the past: what it saw, and the sheets that it may read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Union

import msgspec
from msgspec import Raw

from pbem.desk.books.dossiers import Dossier
from pbem.desk.reels.reel import past_of
from pbem.desk.reels.seeing import chapters
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrdersAccepted, OrdersRefused, Told
from pbem.orders.sheet import Order, lines_of
from pbem.rules.contract import AnySystem
from pbem.rules.past import AnyPast
from pbem.rules.reel import TRUTH
from pbem.rules.reeling import Here


class Sheet(NamedTuple):
    """A sheet, as the office took it or refused it."""

    role: Role
    moment: Moment
    """What it was for; of one that was refused whole, what was open, if it said nothing."""
    receipt: int
    text: str
    told: tuple[Told, ...]
    """What its receipt said of its lines."""
    taken: bool
    seq: int
    raw: tuple[Raw, ...]
    refused: str = ""
    """Why it was refused whole."""

    def line(self, number: int) -> str:
        """What stands on a line of it; empty, if there is none."""
        return next((one.text for one in lines_of(self.text) if one.number == number), "")


class Evidence:
    """What some eyes saw of a game: the truth, or one role, or both."""

    def __init__(
        self,
        system: AnySystem,
        past: AnyPast,
        scene: object,
        eyes: Sequence[str],
        seen: Sequence[Sequence[Here]],
        sheets: Sequence[Sheet],
        called: Mapping[str, str],
    ) -> None:
        self.system, self.past, self.scene, self.eyes = system, past, scene, tuple(eyes)
        self.chapters, self.sheets = seen, tuple(sheets)
        self._orders: dict[tuple[Role, int], Sequence[Order]] = {}
        self.campaign, self.title = called["campaign"], called["title"]

    @property
    def role(self) -> Role | None:
        """The role whose eyes they are; None: they see all."""
        return None if TRUTH in self.eyes else Role(self.eyes[0])

    @property
    def roles(self) -> tuple[Role, ...]:
        """Those whose sheets may be read."""
        return tuple(dict.fromkeys(one.role for one in self.sheets)) if self.role is None else (self.role,)

    @cached_property
    def _read(self) -> Any:
        kinds: Any = Union[self.system.orders]  # noqa: UP007 - the system says which
        return msgspec.json.Decoder(kinds).decode

    def orders(self, sheet: Sheet) -> Sequence[Order]:
        """The orders of a sheet, as they were read."""
        key = (sheet.role, sheet.receipt)
        if key not in self._orders:
            self._orders[key] = [self._read(raw) for raw in sheet.raw]
        return self._orders[key]

    def standing(self, role: Role, moment: Moment, before: int) -> tuple[Sheet, ...]:
        """The sheets of a role that stood for an exchange and its halts *before* an event, the newest first."""
        found: dict[Moment, Sheet] = {}
        for one in self.sheets:
            if one.taken and one.seq < before and (one.role, one.moment.whole) == (role, moment.whole):
                found[one.moment] = one
        return tuple(sorted(found.values(), key=lambda one: one.seq, reverse=True))

    def earlier(self, role: Role, moment: Moment, before: int) -> Iterator[Sheet]:
        """The sheets that a role had in for earlier exchanges, the newest first."""
        for there in sorted({one.moment.whole for one in self.sheets if one.moment.whole < moment.whole}, reverse=True):
            yield from self.standing(role, there, before)


def evidence(dossier: Dossier, *eyes: str) -> Evidence:
    """What *eyes* have to go by in a campaign: the truth has the sheets of all, a role its own.

    :raises Refused: if the rules have no past to show.
    """
    roles = dossier.roles if TRUTH in eyes else eyes
    return Evidence(
        dossier.system,
        past_of(dossier),
        dossier.scene,
        eyes,
        [chapter.seen for chapter in chapters(dossier, eyes)],
        [one for one in _sheets(dossier) if one.role in roles],
        {"campaign": dossier.id, "title": dossier.opened.title},
    )


def _sheets(dossier: Dossier) -> Iterator[Sheet]:
    for one in dossier.log.own:
        event = one.event
        match event:
            case OrdersAccepted():
                head = (event.role, event.moment, event.receipt, event.text, event.told)
                yield Sheet(*head, taken=True, seq=one.seq, raw=event.orders)
            case OrdersRefused():
                head = (event.role, event.moment or one.moment, event.receipt, event.text, event.told)
                yield Sheet(*head, taken=False, seq=one.seq, raw=(), refused=event.reason)
            case _:  # kept sheets are accepted when their exchange opens
                continue
