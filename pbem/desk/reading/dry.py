"""A dry run, made to be read: told as the GM's report tells it, and what would differ in the truth."""

from __future__ import annotations

from itertools import groupby
from textwrap import shorten

from msgspec import Struct

from pbem.desk.books.ended import ending
from pbem.desk.books.values import Change
from pbem.desk.office.office import Office
from pbem.desk.turns import adjudicate
from pbem.kernel.names import CampaignId, Moment, Role

LONGEST = 160
"""Signs of what stands on one side of a row."""


class Phase(Struct, frozen=True):
    """What would come to pass under one heading."""

    role: Role | None
    """Who would be told so; None: it is as the GM's own page has it."""
    name: str
    sentences: tuple[str, ...]


class Differs(Struct, frozen=True):
    """What would differ of one thing: `p7`, with its values before and after in a line each."""

    name: str
    before: str
    after: str


class Size(Struct, frozen=True):
    """A report that would be sent; bytes."""

    role: Role
    page: int
    map: int
    text: int


class Dry(Struct, frozen=True, kw_only=True):
    """A dry run."""

    campaign: CampaignId
    moment: Moment
    name: str
    at: int
    orders: tuple[tuple[Role, int], ...]
    silent: tuple[Role, ...]
    failed: tuple[str, ...]
    """Lines that broke the engine, and why."""
    asks: tuple[tuple[str, str], ...]
    """Questions that must be answered first: their key, and what is asked."""
    halt: str
    phases: tuple[Phase, ...]
    facts: int
    throws: int
    differs: tuple[Differs, ...]
    sizes: tuple[Size, ...]
    verdict: str


def dry(office: Office, campaign: str, early: bool) -> Dry:  # noqa: FBT001 - handed on by place to another process
    """Run the open exchange of *campaign* dry; *early*, though it is before its hour or something is owed.

    :raises Refused: if there is nothing to run, or not yet.
    """
    ran = adjudicate.run(office, campaign, dry=True, early=early)
    reports = ran.released.reports if ran.released else {}
    return Dry(
        campaign=ran.campaign,
        moment=ran.moment,
        name=ran.name,
        at=office.now(),
        orders=tuple(sorted(ran.orders.items())),
        silent=ran.silent,
        failed=tuple(f"{one.role}, line {one.line}: {one.text} ({one.error})" for one in ran.failed),
        asks=tuple((one.key, one.asks) for one in ran.asks),
        halt=str(ran.halt.moment) if ran.halt else "",
        phases=tuple(
            Phase(role, phase, tuple(one.text for one in group))
            for (role, phase), group in groupby(ran.told, key=lambda one: (one.role, one.phase))
        ),
        facts=len(ran.facts),
        throws=sum(len(fact.dice) for fact in ran.facts),
        differs=grouped(ran.changes),
        sizes=tuple(
            Size(role, len(made.html.encode()), len(made.png), len(made.text.encode()))
            for role, made in reports.items()
        ),
        verdict=f"{ending(ran.verdict)}." if ran.verdict else "",
    )


def grouped(changes: tuple[Change, ...]) -> tuple[Differs, ...]:
    """Changes of values, those of one thing in a row, and each row short enough to be read.

    >>> grouped((Change("pieces.p7.at", "H-8", "H-9"), Change("pieces.p7.men", "3", "2")))
    (Differs(name='p7', before='at H-8, men 3', after='at H-9, men 2'),)
    >>> grouped((Change("papers.17.to", "auer", None), Change("papers.17.at", "H-8", None)))
    (Differs(name='papers 17', before='to auer, at H-8', after='gone'),)
    """
    rows: dict[str, list[Change]] = {}
    for one in changes:
        rows.setdefault(one.name.rpartition(".")[0] or one.name, []).append(one)
    return tuple(
        Differs(
            _called(name),
            _side(name, [(one.name, one.before) for one in some], "new"),
            _side(name, [(one.name, one.after) for one in some], "gone"),
        )
        for name, some in rows.items()
    )


def _called(name: str) -> str:
    """What a thing is called: a unit by its name, and what has but a number with what it is."""
    kind, _, rest = name.partition(".")
    return f"{kind} {rest}" if rest.partition(".")[0].isdecimal() else rest or kind


def _side(of: str, values: list[tuple[str, str | None]], without: str) -> str:
    """One side of a row; *without*: that the thing is not there on that side."""
    if all(value is None for _, value in values):
        return without
    return shorten(", ".join(_said(of, name, value) for name, value in values), LONGEST, placeholder=" …")


def _said(of: str, name: str, value: str | None) -> str:
    last = name.removeprefix(of).lstrip(".").replace("_", " ")
    return f"{last} {value if value is not None else '–'}".strip()
