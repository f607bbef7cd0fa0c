"""`pbem history why`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.history.common import hung, paged

if TYPE_CHECKING:
    from pbem.desk.reels.why import Ordered, Step, Why

FIRST = 8
"""Signs of the column in which a beat stands."""

BECAME = {"standing": "It stands", "sent": "It was sent", "given": "It was given by word of mouth"}


@click.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("what")
@click.option("--as", "role", help="From what this role knows alone.")
@common.json_option
def why(campaign: str, what: str, role: str | None, as_json: bool) -> None:
    """Say why WHAT came to pass: the order line, what led to it, the rules and dice, what followed.

    WHAT is a unit at a moment (f7@3B, f7@3B/melee), one beat (3B.22), the number of an event, or a line of a sheet
    (french@3B:4): of one that was refused, why it was.

    \b
    Example:
      pbem history why stprivat-autumn f7@3B/melee
    """
    from pbem.desk.books import shown
    from pbem.desk.reels.why import why_of

    with common.the_office() as office:
        found = why_of(office, campaign, what, role)
    if as_json:
        common.print_json(shown.plain(found))
        return
    paged((common.strong(f"Why: {found.asked}") + common.quiet(f"   {found.title}{_whose(found)}"), *_lines(found)))


def _whose(found: Why) -> str:
    return f", as {found.role} knows it" if found.role else ""


def _lines(found: Why) -> Iterator[str]:
    for order in found.orders:
        yield from _order(order)
    if not found.orders:
        yield from ("", "No line of a sheet ordered it, as far as that can be told.")
    if found.before:
        yield from ("", "Before that, in the same turn")
        yield from _steps(found.before, short=True)
    if found.steps:
        yield from ("", "What happened")
        yield from _steps(found.steps)
    if found.after:
        yield from ("", "What followed")
        yield from _steps(found.after, short=True)
    if found.more:
        yield f"  and {found.more} more."
    if found.titles:
        yield from ("", "The rules")
        for rule, title in found.titles.items():
            yield from hung(f"  {rule}  ", title)


def _order(order: Ordered) -> Iterator[str]:
    yield ""
    yield f"Ordered by {order.role}, line {order.line} of the sheet for {order.moment} (receipt {order.receipt})"
    yield from hung("    ", order.text)
    for judgement, why, rule in order.judged:
        yield from hung("  ", f"The receipt said: {judgement}. {why}{f' ({rule})' if rule else ''}")
    for word, text in order.became:
        yield from hung("  ", f"{BECAME.get(word, f'It was {word}')}: {text}" if word else text)
    if not order.became and not order.judged:
        yield "  Nothing is told of what became of it."


def _steps(steps: tuple[Step, ...], *, short: bool = False) -> Iterator[str]:
    wide = max(FIRST, *(len(step.beat) for step in steps))
    beat = phase = ""
    for step in steps:
        parts = list(_parts(step))[: 1 if short else None]
        if not parts:
            continue
        if step.phase and step.phase != phase:
            phase = step.phase
            yield f"  {common.quiet(phase)}"
        lead = f"  {(step.beat if step.beat != beat else '').ljust(wide)}  "
        beat = step.beat
        for part in parts:
            yield from hung(lead, part)
            lead = " " * len(lead)
        if step.rules and not short:
            yield from hung(lead, f"By {', '.join(step.rules)}.")


def _parts(step: Step) -> Iterator[str]:
    """What is said of a fact, piece by piece, but for its rules."""
    if step.text:
        yield common.strong(step.text) if step.asked and common.coloured() else step.text
    if step.quote:
        yield f"“{step.quote}”"
    for note in step.notes:
        dice = "; ".join(
            f"{throw.name}, of {throw.sides}: {', '.join(map(str, throw.faces))}"
            + (f" ({throw.by})" if throw.by != "seed" else "")
            for throw in note.dice
        )
        text = "" if note.text == "By" else note.text  # then its rules follow, as they do here anyhow
        if text or dice:
            yield " ".join(part for part in (text, f"[{dice}]" if dice else "") if part)
    if step.counted:
        yield f"Counted: {', '.join(f'{one.name} {one.value} by {one.rule}' for one in step.counted)}."
