"""`pbem dice`: throws and seeds, checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.proof.audit import Audit, Audited, Promised, Said


@click.group(cls=Group)
def dice() -> None:
    """Check throws against seeds, and seeds against promises."""


@dice.command()
@click.argument("campaign", type=common.CAMPAIGN, nargs=-1, required=True, metavar="CAMPAIGN | FILE...")
@click.option("--as", "role", help="Only what this role was told, by the seeds revealed.")
@click.option("--turn", help="Only of this exchange, like 4B.")
@common.json_option
@click.pass_context
def audit(context: click.Context, campaign: tuple[str, ...], role: str | None, turn: str | None, as_json: bool) -> None:
    """Check every throw of CAMPAIGN, every seed, and every word that players gave to the dice.

    A player gives instead the FILES that he was sent, reports and letters with receipts, as he saved them (.html or
    .eml), and needs no office.

    \b
    Example:
      pbem dice audit stprivat-autumn --turn 4B
      pbem dice audit stprivat-autumn --as french
      pbem dice audit report-4a-french.html report-4b-french.html receipt.eml
    """
    from pbem.kernel.names import Moment

    found, otherwise = _of_files(campaign) if _are_files(campaign) else _of_campaign(campaign, role)
    wanted = Moment.parse(turn) if turn else None
    throws = [one for one in found.throws if wanted in (None, one.moment)]
    promises = [one for one in found.promises if wanted in (None, one.moment)]
    words = [one for one in found.words if wanted in (None, one.moment)]
    wrong = found.wrong + len(otherwise)
    if as_json:
        common.print_json(_plain(throws, promises, words, otherwise))
        context.exit(1 if wrong else 0)
    _print_throws(throws)
    click.echo()
    common.table(
        ("Turn", "Promised open", "Seed", "Promised closed", "Seed", "Dice of"),
        [
            (
                str(one.moment),
                *(_short(one.promises.open), one.open),
                *(_short(one.promises.closed), one.closed),
                _made_with(one, words),
            )
            for one in promises
        ],
    )
    if words:
        click.echo()
        common.table(
            ("Turn", "Role", "Word", "Whose", ""),
            [(str(one.moment), one.role, _short(one.word), one.whose, one.fall) for one in words],
        )
    said = common.plural(len(throws), "throw")
    for differing in otherwise:
        click.echo(f"\n{differing}")
    if wrong:
        click.echo(click.style(f"\n{said}; {wrong} do not fit.", fg="red"))
    else:
        click.echo(f"\n{said}; all that is known fits.")
    context.exit(1 if wrong else 0)


def _are_files(named: tuple[str, ...]) -> bool:
    """Whether a player's files are named, and no campaign: that has neither a dot nor a slash in its name."""
    return len(named) > 1 or any(sign in named[0] for sign in "./\\")


def _of_campaign(named: tuple[str, ...], role: str | None) -> tuple[Audit, tuple[str, ...]]:
    from pbem.desk.proof.audit import audit as check

    with common.the_office() as office:
        return check(office, named[0], role), ()


def _of_files(named: tuple[str, ...]) -> tuple[Audit, tuple[str, ...]]:
    from pbem.desk.proof.own_dice import audit_own

    own = audit_own({name: common.read_input(Path(name)) for name in named})
    return own.audit, own.otherwise


def _seed(one: Audited) -> str:
    return "by ruling" if one.throw.by == "ruling" else one.throw.seed


def _print_throws(throws: Sequence[Audited]) -> None:
    """The throws; with their runs, if an exchange was run again."""
    again = any(one.run > 1 or one.annulled for one in throws)
    common.table(
        ("Throw", *(("Run",) if again else ()), "Seed", "Dice", ""),
        [
            (
                one.throw.name,
                *((_run(one),) if again else ()),
                _seed(one),
                " ".join(map(str, one.throw.faces)),
                one.fall,
            )
            for one in throws
        ],
    )


def _run(one: Audited) -> str:
    """`3B#1, annulled`: the run of an exchange that was run again."""
    return f"{one.moment}#{one.run}{', annulled' if one.annulled else ''}" if one.run > 1 or one.annulled else ""


def _short(digest: str) -> str:
    return f"{digest[:8]}…" if digest else "not here"


def _made_with(one: Promised, words: Sequence[Said]) -> str:
    """Whom the dice of an exchange are of."""
    there = sum(word.moment == one.moment and bool(word.word) for word in words)
    return f"the office and {common.plural(there, 'word')}" if there else "the office"


def _plain(
    throws: Sequence[Audited], promises: Sequence[Promised], words: Sequence[Said], otherwise: Sequence[str]
) -> dict[str, Any]:
    from pbem.desk.books import shown

    return {
        "throws": [
            {
                **({"seq": one.seq} if one.seq else {}),
                "turn": str(one.moment),
                **shown.plain(one.throw),
                "faces": list(one.throw.faces),
                "run": one.run,
                "annulled": one.annulled,
                "falls": one.fall,
            }
            for one in throws
        ],
        "promises": [
            {
                "turn": str(one.moment),
                "open": one.promises.open,
                "closed": one.promises.closed,
                "open_seed": one.open,
                "closed_seed": one.closed,
            }
            for one in promises
        ],
        "words": [
            {"turn": str(one.moment), "role": one.role, "word": one.word, "whose": one.whose or None, "fits": one.fall}
            for one in words
        ],
        "otherwise": list(otherwise),
    }
