"""`pbem history knew`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import hung, paged

if TYPE_CHECKING:
    from pbem.desk.reels.knew import Knew, Learnt

SAYS: Mapping[str, str] = {
    "right": "Known as it was",
    "in part": "Known in part",
    "seen": "Seen, and not known for what it was",
    "elsewhere": "Believed where it was not",
    "unseen": "Not known, or known no longer",
    "held": "Known",
    "gone": "It was gone, and no longer believed to be there",
}


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
@click.argument("subject")
@click.option("--as", "eyes", help="As this role itself may read it, which is ROLE: without the truth beside it.")
@common.json_option
def knew(campaign: str, role: str, subject: str, eyes: str | None, as_json: bool) -> None:
    """Say what ROLE knew of SUBJECT, a unit or a place, and since when; and how wrong it was.

    \b
    Example:
      pbem history knew stprivat-autumn french pg1
    """
    from pbem.desk.books import shown
    from pbem.desk.reels.knew import knew_of

    with common.the_office() as office:
        answer = knew_of(office, campaign, role, subject, eyes)
    found = answer.knew
    if as_json:
        common.print_json(shown.plain(answer))
        return
    head = common.strong(f"What {found.role} knew of {found.subject}") + common.quiet(f"   {answer.title}")
    paged((head, *_lines(found)))


def _lines(found: Knew) -> Iterator[str]:
    if not found.learnt:
        yield ""
        yield from hung("  ", "Nothing, from the beginning to now.")
        return
    yield from hung("", _in_short(found))
    wide = max(len(one.beat) for one in found.learnt)
    for one in found.learnt:
        yield ""
        lead = f"  {one.beat.ljust(wide)}  "
        when = one.phase if ":" in one.phase else ", ".join(dict.fromkeys(filter(None, (one.clock, one.phase))))
        off = f", {one.off} off" if one.off else ""
        yield from hung(lead, f"{SAYS[one.how]}{off}.{f'  {when}.' if when else ''}")
        lead = " " * len(lead)
        for said in _said(one):
            yield from hung(lead, said)


def _said(one: Learnt) -> Iterator[str]:
    if one.has:
        yield f"Had: {'; '.join(one.has)}."
    if one.seen:
        by = f", from {one.source}" if one.source else ""
        yield f"So at {one.seen}; known at {one.reached}{by}."
    for told in one.told:
        yield f"Told: {told}"
    if one.truly:
        since = f", since {one.since}" if one.since and one.since != one.beat else ""
        yield f"Truly: {'; '.join(one.truly)}{since}."


def _in_short(found: Knew) -> str:
    """Since when anything was known, and since when what it was; and how it stands."""
    first = next((one for one in found.learnt if one.how not in ("unseen", "gone")), None)
    if first is None:
        return "It never knew anything of it."
    named = next((one for one in found.learnt if one.how in ("right", "held")), None)
    last = found.learnt[-1]
    parts = [f"Anything since {_when(first)}"]
    if found.truth:
        parts.append(f"as it was, first at {_when(named)}" if named is not None else "never as it was")
    parts.append(f"at the end: {SAYS[last.how][0].lower()}{SAYS[last.how][1:]}")
    return f"{'; '.join(parts)}."


def _when(one: Learnt) -> str:
    return f"{one.beat} ({one.clock})" if one.clock else one.beat
