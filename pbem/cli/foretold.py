"""What a dry run found: told in words, and counted; with --all, every fact of it."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.desk.worlds.foretold import Foretold
    from pbem.kernel.event import Outcome

MOST = 20
"""Of the sentences of one phase, so many are shown."""


def show(told: Sequence[Foretold], facts: Sequence[Outcome], *, every: bool) -> None:
    """Print what would come to pass."""
    from pbem.desk.books.shown import fields
    from pbem.kernel.event import kind_of

    click.echo("\nWould happen")
    kinds = [kind_of(fact).partition(".")[2] for fact in facts]
    if every:
        about = ("  ".join(f"{name} {value}" for name, value in fields(fact)) for fact in facts)
        rows = zip((str(at) for at in range(1, len(facts) + 1)), kinds, about, strict=False)
        common.lines(("#", "What", ""), rows, right=(0,))
        return
    whose = None
    for (role, phase), group in groupby(told, key=lambda one: (one.role, one.phase)):
        if role != whose:
            click.echo(f"\n  What {role} would be told")
            whose = role
        said = [one.text for one in group]
        click.echo(f"  {common.strong(phase)}" if phase else "")
        for text in said[:MOST]:
            click.echo(f"    {common.shortened(text, common.width() - 4)}")
        if len(said) > MOST:
            click.echo(common.quiet(f"    and {len(said) - MOST} more"))
    counted = [f"{kind} {count}" for kind, count in Counter(kinds).most_common()]
    click.echo()
    common.pairs([("facts", common.wrapped(f"{len(facts)}: {', '.join(counted) or 'none'}", common.WIDTH - 9))])
    click.echo("  Every fact in a line: --all; whole: --json")
