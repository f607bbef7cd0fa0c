"""`pbem status`: how the office stands, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.house.status import Receipts, Spread, Status

_PATIENCE = 10.0  # seconds for an answer


@click.command()
@common.json_option
@click.option("--ready", default="", metavar="ADDRESS:PORT", help="Ask the process that tells there if it is ready.")
@click.pass_context
def status(context: click.Context, as_json: bool, ready: str) -> None:
    """Show how the office stands: what is due, what waits and for how long, who is on duty.

    It is counted, and no game is opened for it; pbem doctor looks closer.

    With --ready no office is opened: it asks pbem run or pbem worker where their --metrics tell, or pbem web where its
    pages are, and ends with 1 if that is not ready: for who looks after containers.

    \b
    Example:
      pbem status
      pbem status --json
      pbem status --ready 127.0.0.1:9150
    """
    if ready:
        well, said = _told(ready)
        click.echo(said)
        context.exit(0 if well else 1)
    from pbem.desk.house import status as house

    with common.the_office() as office:
        found, zone = house.status(office), office.settings.zone
    if as_json:
        common.print_json({"time": common.iso(found.at), **house.as_data(found)})
        return
    from pbem.reports.text.times import in_zone

    click.echo(common.strong(f"The office on {in_zone(found.at, zone)}"))
    common.pairs(_rows(found))


def _told(address: str) -> tuple[bool, str]:
    """Whether the process that tells at *address* is ready, and what it says."""
    from contextlib import closing
    from http.client import HTTPConnection, HTTPException

    try:
        with closing(HTTPConnection(address, timeout=_PATIENCE)) as line:
            line.request("GET", "/readyz")
            answer = line.getresponse()
            return answer.status == 200, answer.read(200).decode("utf-8", "replace").strip()
    except (OSError, HTTPException, ValueError) as error:
        return False, f"nobody tells at {address}: {error}"


def _rows(found: Status) -> list[tuple[str, str]]:
    queues = "\n".join(
        f"{queue.name}: {queue.todo:,} to do{_since(found, queue.oldest)}, {queue.doing:,} being done, "
        f"{_marked(queue.failed, 'failed')}"
        for queue in found.queues
    )
    on_duty = "\n".join(f"{node.called}, since {_span(found.at - node.since)}" for node in found.nodes)
    return [
        ("campaigns", _campaigns(found)),
        ("letters", _letters(found)),
        ("mails", _mails(found)),
        ("receipts", "\n".join(_receipts(window, of) for window, of in found.receipts.items())),
        ("turns", f"due and released within the last day: {_spread(found.turns, 'after the deadline')}"),
        *([("wake-ups", queues)] if queues else []),
        ("on duty", on_duty or common.look("nobody")),
    ]


def _campaigns(found: Status) -> str:
    of = found.campaigns
    first = f"{of.running:,} running, {of.paused:,} paused, {of.enrolling:,} before their start, {of.over:,} over"
    overdue = _marked(of.overdue, "of them for more than ten minutes")
    return f"{first}\n{of.due:,} due, {overdue}; {of.unreleased:,} run and not released"


def _letters(found: Status) -> str:
    lines = [", ".join(f"{count:,} {state}" for state, count in found.letters.items())]
    if found.unread_since is not None:
        lines.append(f"the oldest that nobody dealt with came {_span(found.at - found.unread_since)} ago")
    if found.waiting_since is not None:
        lines.append(f"the oldest that waits for a word came {_span(found.at - found.waiting_since)} ago")
    return "\n".join(lines)


def _mails(found: Status) -> str:
    of = found.mails
    first = f"{of.owed:,} to be written, {_marked(of.unwritten, 'could not be')}; {of.queued:,} queued, "
    first += f"{of.sending:,} being sent, {_marked(of.failed, 'failed')}"
    return first if of.due is None else f"{first}\nthe oldest could have left {_span(found.at - of.due)} ago"


def _receipts(window: str, of: Receipts) -> str:
    made = _spread(of.made, "after the letter came")
    if not of.sent.count:
        return f"last {window}: {made}"
    return f"last {window}: {made}\n{' ' * (len(window) + 7)}sent: {_spread(of.sent, 'after it')}"


def _spread(spread: Spread, what: str) -> str:
    if spread.p50 is None or spread.p99 is None:
        return "none"
    return f"{spread.count:,}, half within {_span(spread.p50)} {what}, 99 of 100 within {_span(spread.p99)}"


def _since(found: Status, oldest: int | None) -> str:
    return "" if oldest is None else f" (the oldest for {_span(found.at - oldest)})"


def _marked(count: int, what: str) -> str:
    """A count that should be none."""
    said = f"{count:,} {what}"
    return common.look(said) if count else said


def _span(took: int) -> str:
    """A time that passed, in microseconds, in two or three signs and a word.

    >>> _span(40_000), _span(4_300_000), _span(90_000_000), _span(7_200_000_000), _span(500_000_000_000)
    ('0.04 s', '4.3 s', '90 s', '2 h', '6 d')
    """
    seconds = max(took, 0) / 1_000_000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
