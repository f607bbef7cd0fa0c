"""`pbem history witness`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.proof.papers import Paper
    from pbem.desk.proof.witness import State, Verdict, Witnessed

PATH = click.Path(path_type=Path)

SAYS: dict[State, str] = {
    "held": "as it was",
    "altered": "ALTERED",
    "rewritten": "REWRITTEN",
    "cut": "CUT",
    "either": "NOT SO",
    "orders": "its orders are there",
    "sealed": "under a key",
    "foreign": "of another",
    "empty": "no head",
}
"""What is said of a paper, in a word or two."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE...")
@click.option("--log", "export", type=PATH, metavar="EXPORT", help="A file of the campaign: no office is needed then.")
@common.json_option
@click.pass_context
def witness(context: click.Context, files: tuple[Path, ...], export: Path | None, as_json: bool) -> None:
    """Hold reports and mails that people kept to the log: whether it still has every head that they print.

    A FILE is a report as page or text, a letter (.eml), an mbox, a Maildir, or a folder of such.  What is found is a
    log that was cut at its tail or written anew, and a paper that was altered.  The log is that of the office, or of a
    file that `pbem campaign export` wrote; of that is said too whether your briefing prints the key that signed it.

    \b
    Example:
      pbem history witness ~/Mail/stprivat --log stprivat-autumn.jsonl
      pbem history witness reports/stprivat-autumn/3b-french.html receipt.eml
    """
    from pbem.desk.proof import witness as desk

    if export is not None:
        found, others = desk.of_file(export, files)
    else:
        with common.the_office(unguarded=True) as office:
            found, others = desk.of_office(office, files)
    if as_json:
        common.print_json({"logs": [_plain(one) for one in found], "others": [_verdict(one) for one in others]})
    else:
        for one in found:
            _print(one)
        _print_others(others, alone=not any(one.verdicts for one in found))
    context.exit(0 if found and all(one.sound for one in found) else 1)


def _print(found: Witnessed) -> None:
    log = found.log
    click.echo(common.strong(f"{log.campaign}: {common.plural(log.last, 'event')}, to {log.ends}."))
    if log.file:
        click.echo(f"  {_signed(found)}")
    click.echo()
    common.lines(("What", "Event", "Is", "Where"), [_row(one) for one in found.verdicts], right=(1,))
    click.echo()
    alike: dict[str, list[Verdict]] = {}
    for one in found.verdicts:
        if one.says:
            alike.setdefault(one.says, []).append(one)
    for says, those in alike.items():
        more = f" and {len(those) - 1:,} more" if len(those) > 1 else ""
        click.echo(f"  {those[0].paper.where}, {_what(those[0].paper)}{more}: {says}.")
    if alike:
        click.echo()
    for sentence in found.conclusions:
        click.echo(common.strong(sentence) if found.sound else common.look(sentence))


def _signed(found: Witnessed) -> str:
    if not found.log.key:
        return "The file is not signed, for it is of an earlier version."
    printed = {"same": "as the briefing prints it", "other": "not what the briefing prints", "": "see your briefing"}
    return f"Signed with the key {found.log.key}, {printed[found.key]}."


def _row(one: Verdict) -> tuple[str, str, str, str]:
    return _what(one.paper), str(one.seq or ""), SAYS[one.state], one.paper.where


def _what(paper: Paper) -> str:
    if not paper.bears:
        return ""
    what = f"receipt {paper.receipt}" if paper.receipt else "report" if paper.moment else "letter"
    return " ".join(filter(None, (str(paper.moment or ""), what, paper.role)))


def _print_others(others: list[Verdict], *, alone: bool) -> None:
    if not others:
        return
    if not alone:
        click.echo()
    told = [one for one in others if one.paper.named or one.state != "empty" or one.paper.fault]
    for one in told:
        click.echo(f"  {one.paper.where}: {one.says}.")
    if rest := len(others) - len(told):
        click.echo(f"  {common.plural(rest, 'file or letter', 'files and letters')} beside, without a head of a log.")
    if alone:
        click.echo("Nothing was held to a log.")


def _plain(found: Witnessed) -> dict[str, Any]:
    log = found.log
    return {
        "campaign": log.campaign,
        "events": log.last,
        "ends": str(log.ends),
        "signed_with": log.key or None,
        "key": found.key or None,
        "sound": found.sound,
        "papers": [_verdict(one) for one in found.verdicts],
        "conclusions": found.conclusions,
    }


def _verdict(one: Verdict) -> dict[str, Any]:
    paper = one.paper
    return {
        "where": paper.where,
        "campaign": paper.campaign or None,
        "turn": str(paper.moment) if paper.moment else None,
        "role": paper.role or None,
        "receipt": paper.receipt or None,
        "heads": list(paper.heads),
        "state": one.state,
        "event": one.seq or None,
        "says": one.says,
    }
