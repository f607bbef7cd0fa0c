"""`pbem rules study`: a scenario played many times by standing orders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.library.scenarios import Card
    from pbem.desk.study.findings import Spread, Study
    from pbem.desk.study.study import Plan

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
_PICTURES = (".svg", ".png")
_MOST_LINES = 12
"""Lines never taken that are listed; all stand in the JSON."""


class _How(NamedTuple):
    """What is to be played, as it was asked for."""

    scenario: str | None
    start: str | None
    role: str | None
    seed: str
    turns: int
    options: tuple[str, ...]
    doctrines: tuple[str, ...]
    sheets: tuple[str, ...]


class _Out(NamedTuple):
    """What is to be made of what was found."""

    as_json: Path | None
    plot: Path | None
    against: Path | None
    most: float


@click.command()
@click.argument("scenario", required=False)
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many are played.")
@click.option("--seed", default="study", show_default=True, help="Any text: the same gives the same games.")
@click.option("--turns", type=click.IntRange(0), default=100, show_default=True, help="The last turn that is played.")
@click.option("--set", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--from", "start", metavar="CAMPAIGN[@TURN]", help="Play on from there: as it stood when 4B was resolved."
)
@click.option("--as", "role", help="With --from: from what this role knew; the rest is supposed anew in each game.")
@click.option(
    "--doctrine",
    "doctrines",
    multiple=True,
    metavar="[ROLE=]NAME",
    help="Standing orders from study/NAME, for all or for one role; `silence` sends none.",
)
@click.option("--orders", "sheets", multiple=True, metavar="ROLE=FILE", help="Standing orders of a role from a file.")
@click.option("--most", type=click.FloatRange(0, 100), default=60.0, show_default=True, help="Percent for one side.")
@click.option("--jobs", type=click.IntRange(1), help="How many processes play; else one for each core.")
@click.option("--json", "as_json", type=_FILE, metavar="FILE", help="Write all of it as JSON; - prints it instead.")
@click.option("--plot", type=_FILE, metavar="FILE", help="Draw it: a file that ends in .svg or .png.")
@click.option(
    "--against", type=click.Path(exists=True, path_type=Path), metavar="FILE", help="Compare: JSON of another."
)
@click.option(
    "--only", type=click.IntRange(1), metavar="NUMBER", help="Play this one game again, and say how it ended."
)
@click.option("--log", type=_FILE, metavar="FILE", help="With --only: write its orders and facts, one a line, as JSON.")
@click.option(
    "--office",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="With --only: play it by letters, as a campaign of a new office.",
)
def study(
    scenario: str | None,
    games: int,
    seed: str,
    turns: int,
    options: tuple[str, ...],
    start: str | None,
    role: str | None,
    doctrines: tuple[str, ...],
    sheets: tuple[str, ...],
    most: float,
    jobs: int | None,
    as_json: Path | None,
    plot: Path | None,
    against: Path | None,
    only: int | None,
    log: Path | None,
    office: Path | None,
) -> None:
    """Play SCENARIO many times by standing orders, and say who wins, in how many turns, and at what cost.

    No office is needed, but to play on from a campaign.  Each role plays what `study/ROLE.txt` of the scenario says
    for each turn; what is not written is silence.  The same seed and files give the same games, however many processes
    play; none of them shows a die of a campaign.  Ctrl-C ends it with what was played so far.  Intervals are of 95 %.

    \b
    Example:
      pbem rules study st-privat/ste-marie --games 200 --plot ste-marie.svg
      pbem rules study ste-marie --set wall_cover_at_gap=false --against silent.json
      pbem rules study ste-marie --only 17 --log 17.jsonl
      pbem rules study ste-marie --only 17 --office seventeen
      pbem rules study --from stprivat-autumn@4B --as prussian --orders prussian=bold.txt
    """
    if bool(start) == bool(scenario):
        raise click.UsageError("Say what is played: SCENARIO, or --from CAMPAIGN.")
    if (role and not start) or (options and start):
        raise click.UsageError("--as goes with --from, and --set does not: the campaign has its options.")
    _see_asked(plot, only, log, office)
    if office and start:
        raise click.UsageError("--office plays a game from its beginning, and not --from a campaign.")
    for file in (as_json, plot, log):
        common.see_free(file)
    plan = _plan(_How(scenario, start, role, seed, turns, options, doctrines, sheets))
    if only is not None:
        _by_letters(plan, only, office.absolute()) if office else _one(plan, only, log)
    else:
        _many(plan, games, jobs, _Out(as_json, plot, against, most / 100))


def _plan(how: _How) -> Plan:
    from pbem.desk.library.scenarios import find_scenario
    from pbem.desk.study import doctrine
    from pbem.desk.study import study as desk

    start = None
    if how.start is not None:
        from pbem.desk.gm.positions import position

        with common.the_office() as office:
            there = position(office, how.start, how.role)
        found, options = there.scenario, there.options
        start = desk.Start(said=there.said, world=there.world, role=there.role)
    else:
        found = find_scenario(common.office_if_any(), how.scenario or "")
        options = dict(common.game_option(one, "--set") for one in how.options)
    roles = desk.roles_of(found)
    orders = doctrine.choose(found.folder, roles, how.doctrines)
    for one in how.sheets:
        role, given, file = one.partition("=")
        if not given or role not in roles:
            raise click.UsageError(f"--orders takes ROLE=FILE.  The roles are: {', '.join(roles)}.")
        orders |= {known: doctrine.from_file(Path(file)) for known in roles if known == role}
    return desk.Plan(scenario=found, options=options, orders=orders, seed=how.seed, turns=how.turns, start=start)


def _many(plan: Plan, games: int, jobs: int | None, out: _Out) -> None:
    from pbem.desk.study import findings
    from pbem.desk.study import study as desk

    other = findings.from_json(common.read_input(out.against), str(out.against)) if out.against else None
    with common.progress(plan.scenario.name, games) as done:
        result = desk.study(plan, games, jobs=jobs or os.cpu_count() or 1, done=done)
    card = plan.scenario.card
    if out.plot:
        common.write_output(out.plot, [_picture(result, card, out.most, out.plot.suffix.lower())])
    if out.as_json:
        common.write_output(out.as_json, [findings.as_json(result)])
    if str(out.as_json) != "-":
        _tell(result, card.title, out.most, other, [file for file in (out.as_json, out.plot) if file])


def _see_asked(plot: Path | None, only: int | None, log: Path | None, office: Path | None) -> None:
    """See that options fit together."""
    if log and only is None:
        raise click.UsageError("--log writes one game: say which with --only.")
    if office and (log or only is None):
        raise click.UsageError("--office plays one game: say which with --only, and without --log.")
    if plot and plot.suffix.lower() not in _PICTURES:
        raise click.UsageError("--plot takes a file that ends in .svg or .png.")


def _tell(result: Study, title: str, most: float, other: Study | None, files: Sequence[Path]) -> None:
    """Print what a study found, how it compares with an *other*, and which *files* were written."""
    from pbem.desk.study import findings

    _show(result, title)
    click.echo(f"\n  {findings.fairness(result, most)}")
    if other:
        _compare(result, other)
    for file in files:
        click.echo(f"Written: {file}")


def _one(plan: Plan, number: int, log: Path | None) -> None:
    from pbem.desk.study import study as desk

    played = desk.Table(plan).play(number, log=log is not None)
    course = played.course
    if log:
        common.write_output(log, desk.log_lines(played))
    to_stdout = str(log) == "-"
    click.echo(
        common.strong(f"Game {number} of {plan.scenario.name}, seed {plan.seed}: {course.result}"), err=to_stdout
    )
    click.echo(f"  {course.how}", err=to_stdout)
    click.echo(f"  {common.plural(course.turns, 'turn')}", err=to_stdout)
    for name, count in course.changed.items():
        if count:
            click.echo(f"  {name}: {count:+}", err=to_stdout)


def _by_letters(plan: Plan, number: int, folder: Path) -> None:
    from pbem.desk.house import by_letters
    from pbem.desk.study import study as desk

    name = f"{plan.scenario.name.rpartition('/')[2]}-{number}"
    script = by_letters.Script(
        campaign=name,
        scenario=plan.scenario,
        options=plan.options,
        turns=plan.turns,
        sheet=lambda role, moment: [line.text for line in plan.orders[role].sheet(moment)],
        seeds=lambda moment: desk.seeds_of(plan, number, moment),
    )
    click.echo(common.strong(f"Game {number} of {plan.scenario.name}, seed {plan.seed}, by letters"))
    for happened in by_letters.play(folder, script):
        click.echo(f"  {happened.what}")
    click.echo(f"\nThe office is {folder}.  Try:\n  pbem --office {folder} history log {name}")


def _show(study: Study, title: str) -> None:
    options = ", ".join(f"{name}={value}" for name, value in study.options.items())
    played = f"{study.played} of {study.games}" if study.played < study.games else str(study.games)
    begins = f", from {study.start}" if study.start else ""
    click.echo(f"{common.strong(title)}   {common.quiet(f'{study.scenario}{begins}')}")
    click.echo(
        f"{played} games, seed {study.seed}, {study.rules.system} {study.rules.version}" + (options and f", {options}")
    )
    for role, orders in study.orders.items():
        click.echo(f"  {role} plays: {orders.doctrine}")
    click.echo()
    common.table(
        ("Won by", "Games", "Share", "95 %"),
        [
            (one.result, str(one.games), _percent(one.share), f"{_percent(one.low)} to {_percent(one.high)}")
            for one in study.shares
        ],
        right=(1, 2),
    )
    rows = [_row("turns", study.length)] if study.length else []
    rows += [_row(name, spread, sign="+") for name, spread in study.changed.items()]
    if rows:
        click.echo()
        columns = ("Length, changes", "Mean", "95 %", "Least", "Lower", "Median", "Upper", "Most")
        common.table(columns, rows, right=(1, 3, 4, 5, 6, 7))
    broken = [one for one in study.each if one.result == "broken"]
    for one in broken[:3]:
        click.echo(common.look(f"  game {one.number} broke the rules at {one.how}"))
    never = [one for one in study.said if one.sent and not one.taken]
    if never:
        click.echo(f"\n  Orders that were refused each time ({common.plural(len(never), 'line')})")
        for said in never[:_MOST_LINES]:
            click.echo(f"    {said.role}, line {said.line}: {said.text}\n      {common.quiet(said.why)}")


def _row(name: str, spread: Spread, sign: str = "") -> tuple[str, ...]:
    low, high = spread.low, spread.high
    bounds = "" if low is None or high is None else f"{low:{sign}.1f} to {high:{sign}.1f}"
    points = (spread.least, spread.lower, spread.median, spread.upper, spread.most)
    return (name, f"{spread.mean:{sign}.1f}", bounds, *(f"{point:{sign}g}" for point in points))


def _compare(study: Study, other: Study) -> None:
    from pbem.desk.study.findings import same

    if other.scenario != study.scenario:
        click.echo(common.look(f"\n  The other study is one of {other.scenario}."))
    click.echo(f"\n  Against {other.played} games, seed {other.seed}" + _differing(study, other))
    names = list(dict.fromkeys([*(one.result for one in study.shares), *(one.result for one in other.shares)]))
    pairs = [(study.share(name), other.share(name)) for name in names]
    common.table(
        ("Won by", "Here", "There", "Difference", "Intervals"),
        [
            (
                here.result,
                _percent(here.share),
                _percent(there.share),
                f"{100 * (here.share - there.share):+.1f} %",
                "overlap" if same(here, there) else "apart",
            )
            for here, there in pairs
        ],
        right=(1, 2, 3),
    )
    if study.length and other.length:
        click.echo(f"  Turns: {study.length.mean:.1f} here, {other.length.mean:.1f} there.")


def _differing(study: Study, other: Study) -> str:
    """In what the other study was another one."""
    said = [f"it was from {other.start or 'the beginning'}"] if other.start != study.start else []
    for name in sorted({**study.options, **other.options}):
        here, there = study.options.get(name), other.options.get(name)
        if here != there:
            said.append(f"{name} was {'as it ships' if there is None else there}")
    said += ["its rules were others"] if study.rules != other.rules else []
    said += ["its scenario was another"] if study.digest != other.digest else []
    for role, orders in study.orders.items():
        before = other.orders.get(role, orders)
        if before != orders:
            same_name = before.doctrine == orders.doctrine
            said.append(f"{role} played {before.doctrine}{', written otherwise' if same_name else ''}")
    return f": {'; '.join(said)}." if said else "."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _picture(study: Study, card: Card, most: float, kind: str) -> bytes:
    from collections import Counter

    from pbem.reports.maps.tallies import WIDTH, Bar, Tally, drawing

    parts = {str(part.role): part for part in card.roles}
    styles = {one.result: parts[one.result].style if one.result in parts else "none" for one in study.sides}
    names = {role: part.name for role, part in parts.items() if part.name}
    ended = [one for one in study.each if one.result not in ("unfinished", "broken")]
    lengths = {
        style: Counter(one.turns for one in ended if styles.get(one.result, "none") == style)
        for style in dict.fromkeys(("first", "second", *styles.values(), "none"))
    }
    tally = Tally(
        title=card.title,
        under=f"{study.played} games by standing orders, intervals of 95 %",
        bars=tuple(
            Bar(
                names.get(one.result, one.result),
                styles.get(one.result, "none"),
                one.games,
                one.share,
                one.low,
                one.high,
            )
            for one in study.shares
        ),
        lengths=lengths,
        most=most,
    )
    drawn = drawing(tally)
    if kind == ".svg":
        return drawn.encode()
    from pbem.reports.drawing.png import png
    from pbem.resources import resources

    return png(drawn, resources("templates") / "fonts", width=2 * WIDTH)
