"""What commands share: the office at hand, and how things are printed.

Colour repeats what a word says, and is there only on a terminal.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

if TYPE_CHECKING:
    from pbem.desk.office.office import Office
    from pbem.kernel.names import Moment

WIDTH = 88
LISTED = 160
"""Signs of one line of a listing that is read elsewhere than on a terminal."""
HOUR = 3_600_000_000
"""In microseconds."""
LONGEST = 24 * 366
"""The most hours that an exchange may wait, as in the settings."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
metrics_option = click.option(
    "--metrics",
    default="",
    metavar="ADDRESS:PORT",
    help="Tell there how the office stands: /metrics, /healthz, /readyz.",
)
systemd_option = click.option(
    "--systemd", is_flag=True, help="Tell systemd when it is ready, that it lives, and when it ends (Type=notify)."
)


def _speak(context: click.Context, option: click.Parameter, form: str | None) -> None:
    """Have this process and all that it begins say their lines in *form*."""
    if form:
        os.environ["PBEM_LOG"] = form


log_option = click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    envvar="PBEM_LOG",
    expose_value=False,
    callback=_speak,
    help="Print lines for people, or each as an object of JSON; else as PBEM_LOG says.",
)


class Campaign(StringParamType):
    """The name of a campaign; a shell completes it by those of the office at hand."""

    name = "campaign"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The campaigns of the office whose names begin so."""
        return [CompletionItem(name) for name in _known(ctx) if name.startswith(incomplete)]


class OfRole(StringParamType):
    """The name of a role; a shell completes it by those of the campaign that was typed before it."""

    name = "role"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The roles of the campaign whose names begin so."""
        roles = _known(ctx, str(ctx.params.get("campaign") or ""))
        return [CompletionItem(name) for name in roles if name.startswith(incomplete)]


CAMPAIGN, ROLE = Campaign(), OfRole()


def _known(context: click.Context, campaign: str = "") -> list[str]:
    """The campaigns of the office at hand, or the roles of one; where there is none, or it cannot be read, none."""
    from pbem.desk.books import dossiers
    from pbem.desk.office.office import open_office
    from pbem.desk.office.whereabouts import find_office
    from pbem.kernel.errors import PbemError

    try:
        folder = find_office(context.find_root().params.get("office"), Path.cwd())
        with open_office(folder) as office, office.read() as connection:
            if campaign:
                return list(dossiers.load(office, connection, campaign).roles)
            return list(dossiers.campaigns(connection))
    except PbemError:
        return []  # a shell that asks has no place for words


@contextmanager
def the_office(*, unguarded: bool = False, on_duty: bool = False) -> Iterator[Office]:
    """The office that was asked for, open; *unguarded*, also one whose triggers are not in place.

    *on_duty*: what is done there is nobody's of several GMs, whoever has set it up.
    """
    from pbem.desk.office.gm import named
    from pbem.desk.office.office import open_office

    with open_office(office_folder(), unguarded=unguarded) as office:
        by = "" if on_duty else str(click.get_current_context().find_root().meta.get("by", ""))
        yield office.as_gm(named(office.gms, by).name) if by else office


def office_folder() -> Path:
    """The folder of the office that was asked for."""
    from pbem.desk.office.whereabouts import find_office

    return find_office(told_office(), Path.cwd())


def then_mail(says: str = "") -> None:
    """Say how the mail leaves that is owed now, and what it does: by itself, where the office is on duty."""
    from pbem.desk.ways.piped import is_on_duty

    if is_on_duty(office_folder()):
        click.echo("The mail leaves by itself: pbem run is on duty.")
    else:
        click.echo(f"Next: pbem mail send{says and f'       {says}'}")


def office_if_any() -> Path | None:
    """The folder of the office at hand, if there is one: scenarios and rules can be looked at without."""
    from pbem.kernel.errors import Refused

    try:
        return office_folder()
    except Refused:
        if told_office():
            raise
        return None


def told_office() -> Path | None:
    """What was said with --office."""
    told: Path | None = click.get_current_context().find_root().obj
    return told


def print_json(data: Any) -> None:
    """Print *data* for machines."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), indent: int = 2) -> None:
    """Print rows under columns, wrapped at 88 or where the terminal ends; *right*: columns, from 0, set right."""
    listed = [tuple(column.upper() for column in columns), *map(tuple, rows)]
    widths = [max(len(row[place]) for row in listed) for place in range(len(columns))]
    room = min(WIDTH, width()) - indent
    fits = sum(widths) + 2 * (len(widths) - 1) <= room
    if not fits or not all(_is_plain(cell) for row in listed for cell in row):
        _wrapped(columns, listed[1:], right, indent, room)
        return
    for number, row in enumerate(listed):
        cells = [
            cell.rjust(wide) if place in right else cell.ljust(wide)
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        line = f"{' ' * indent}{'  '.join(cells)}".rstrip()
        click.echo(line if number else quiet(line))


def _is_plain(cell: str) -> bool:
    """Whether each of its signs is one place wide, and it is one line."""
    return all(" " <= sign < "\u0300" for sign in cell)


def _wrapped(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int], indent: int, room: int
) -> None:
    """The same where something does not fit, or is of another width than it has signs."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    whole = _whole([columns, *rows], room)
    for place, column in enumerate(columns):
        drawn.add_column(
            column.upper(),
            justify="right" if place in right else "left",
            overflow="fold",
            no_wrap=place in whole,
        )
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    console = Console(width=indent + room, highlight=False, no_color=not coloured(), force_terminal=coloured())
    with console.capture() as captured:
        console.print(Padding(drawn, (0, 0, 0, indent)))
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


_LEAST = 10
"""How wide a column is left that may be broken."""


def _whole(listed: Sequence[Sequence[str]], room: int) -> set[int]:
    """The columns of single words, as ids are, that are not broken: the narrowest, while *room* is left for the rest.

    >>> _whole([("id", "name"), ("3f9c-77ab", "Canrobert of the Sixth")], 24)
    {0}
    """
    widths = [max(len(row[place]) for row in listed) for place in range(len(listed[0]))]
    words = [place for place in range(len(widths)) if not any(" " in row[place] for row in listed)]
    left = room - len(widths) * (_LEAST + 2)
    found = set[int]()
    for place in sorted(words, key=widths.__getitem__):
        left -= max(widths[place] - _LEAST, 0)
        if left < 0:
            break
        found.add(place)
    return found


def lines(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), indent: int = 2) -> None:
    """Print rows under columns, one line each: what does not fit into the width is cut off."""
    listed = [tuple(column.upper() for column in columns), *rows]
    widths = [max(len(row[place]) for row in listed) for place in range(len(columns) - 1)]
    room = width() - indent
    for number, row in enumerate(listed):
        cells = [
            cell.rjust(wide) if place in right else cell.ljust(wide)
            for place, (cell, wide) in enumerate(zip(row, widths, strict=False))
        ]
        line = shortened("  ".join((*cells, " ".join(row[-1].split()))).rstrip(), room)
        click.echo(f"{' ' * indent}{line if number else quiet(line)}")


def width() -> int:
    """How many signs a line of a listing may have: as many as the terminal shows."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else LISTED


def shortened(text: str, room: int) -> str:
    """*text*, its end cut off if it has more signs than there is *room* for.

    >>> shortened("to the river", 8), shortened("to it", 8)
    ('to the …', 'to it')
    """
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"


def differing(one: str, other: str, room: int = 60) -> tuple[str, str]:
    """Two texts from shortly before the place where they part, each of not more signs than there is *room* for.

    >>> differing("p1 at 4, p2 at 5, men 7", "p1 at 4, p2 at 5, men 8", room=14)
    ('…2 at 5, men 7', '…2 at 5, men 8')
    """
    apart = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    longest = max(len(one), len(other))
    start = 0 if longest <= room else max(0, min(apart - room // 3, longest - room + 1))
    if not start:
        return shortened(one, room), shortened(other, room)
    return shortened(f"…{one[start:]}", room), shortened(f"…{other[start:]}", room)


def parted(fields: Iterable[tuple[str, str, str]]) -> tuple[str, str]:
    """Fields that differ, a name and both values of each, in two lines: how they were, and how they are."""
    rows = [(name, *differing(then, now)) for name, then, now in fields]
    were, are = ("   ".join(f"{row[0]} {row[at]}" for row in rows) for at in (1, 2))
    return were, are


def wrapped(text: str, room: int) -> str:
    """*text* in lines of not more signs than there is *room* for."""
    return "\n".join(textwrap.wrap(text, room))


def pairs(rows: Sequence[tuple[str, str]], *, indent: int = 2) -> None:
    """Print terms and what is said of them; later lines of a text stand under its first."""
    first = max((len(term) for term, _ in rows), default=0)
    for term, said in rows:
        for place, line in enumerate(said.split("\n")):
            click.echo(f"{' ' * indent}{(term if not place else '').ljust(first)}  {line}".rstrip())


def strong(text: str) -> str:
    """Bold, for what the eye should find first."""
    return click.style(text, bold=True)


def quiet(text: str) -> str:
    """Dim, for what need not be read."""
    return click.style(text, dim=True)


def look(text: str) -> str:
    """The accent: look here."""
    return click.style(text, fg="yellow")


def coloured() -> bool:
    """Whether colour is wanted: on a terminal, and not where NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar for long work; only on a terminal."""
    if not sys.stderr.isatty() or not total:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True, width=WIDTH)
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def iso(at: int | None) -> str | None:
    """A time for machines: ISO 8601, UTC."""
    return None if at is None else (_EPOCH + timedelta(microseconds=at)).isoformat()


def read_time(written: str, zone: str) -> int:
    """A time as people write it, by the clock of *zone* if it names none: microseconds UTC."""
    from zoneinfo import ZoneInfo

    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        raise click.UsageError(f'"{written}" is no time: write it like 2026-11-24T20:00.') from None
    aware = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))
    return (aware - _EPOCH) // timedelta(microseconds=1)


def game_option(written: str, hint: str) -> tuple[str, str | int | bool]:
    """NAME=VALUE as an option of a game; *hint* is the option of the command that it was given with."""
    from pbem.kernel.numbers import whole

    name, sign, value = written.partition("=")
    if not sign or not name.strip():
        raise click.BadParameter(f'"{written}" is not NAME=VALUE', param_hint=hint)
    value = value.strip()
    if value.lower() in ("true", "false"):
        return name.strip(), value.lower() == "true"
    number = whole(value, sign=True)
    return name.strip(), value if number is None else number


def option_rows(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Options of a game with their values, each as one would write it after `--option`.

    >>> option_rows({"sp_cap": {"german": 175, "french": 160}, "fog": True, "off": ["A4", "G1"]})
    [('fog', 'true'), ('off', 'A4, G1'), ('sp_cap.french', '160'), ('sp_cap.german', '175')]
    """
    rows = []
    for name, value in sorted(options.items()):
        if isinstance(value, Mapping):
            rows += [(f"{name}.{part}", said) for part, said in option_rows(value)]
        elif isinstance(value, list | tuple):
            rows.append((name, ", ".join(map(str, value))))
        else:
            rows.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    return rows


def called(moment: Moment, name: str) -> str:
    """A turn and its name, as reports say it: `5A, movement of the first mover`."""
    from pbem.reports.pages.environment import called as said

    return said(moment, name)


def plural(count: int, one: str, many: str = "") -> str:
    """*count* and the word for it: `pbem.reports.text.plain.plural`."""
    from pbem.reports.text.plain import plural as said

    return said(count, one, many)


def read_input(path: Path) -> bytes:
    """The bytes of *path*; `-` is standard input.

    :raises Refused: if it cannot be read.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read()
    from pbem.kernel.errors import Refused

    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None


def see_free(path: Path | None) -> None:
    """See, before long work, that there is no file where its result is to be written.

    :raises Refused: if there is one.
    """
    if path is None or str(path) == "-" or not path.exists():
        return
    from pbem.kernel.errors import Refused

    raise Refused(f"{path} is there already, and nothing is written over.")


def write_output(path: Path, lines: Iterable[bytes]) -> None:
    """Write a new file; `-` is standard output.

    :raises Refused: if it is there already, or cannot be written; then nothing of it is left.
    """
    if str(path) == "-":
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return
    from pbem.kernel.errors import Refused

    try:
        with path.open("xb") as file:
            try:
                file.writelines(lines)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except FileExistsError:
        raise Refused(f"{path} is there already, and nothing is written over.") from None
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from None
