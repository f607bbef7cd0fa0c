"""`pbem turn`: resolve the open exchange, look at it, make it known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.adjudicate import Run
    from pbem.desk.office import Office
    from pbem.desk.publish import Released
    from pbem.desk.turns import Standing, Turn
    from pbem.kernel.campaign import Halt


@click.group(cls=Group)
def turn() -> None:
    """Resolve a turn and make it known."""


@turn.command()
@click.argument("campaign")
@click.option("--dice", is_flag=True, help="The promises of the seeds in full.")
@common.json_option
def show(campaign: str, dice: bool, as_json: bool) -> None:
    """Show the open exchange: who owes what, and when.

    \b
    Example:
      pbem turn show stprivat-autumn
    """
    from pbem.desk.turns import turn as look_at

    with common.the_office() as office:
        found, zone = look_at(office, campaign), office.settings.zone
    if as_json:
        common.print_json(_plain(found))
    else:
        _print_turn(found, zone, dice=dice)


@turn.command()
@click.argument("campaign")
@click.option("--dry-run", is_flag=True, help="Show what would happen; only that you asked is written.")
@click.option("--early", is_flag=True, help="Before the deadline, though something is owed or a wait is on.")
@click.option("--defaults", is_flag=True, help="Take for every open question what is taken when nobody answers.")
@click.option("--all", "every", is_flag=True, help="Of a dry run, every fact in a line.")
@common.json_option
def run(campaign: str, dry_run: bool, early: bool, defaults: bool, every: bool, as_json: bool) -> None:
    """Resolve the open exchange and stage it: the players see nothing yet.

    \b
    Example:
      pbem turn run stprivat-autumn --dry-run
      pbem turn run stprivat-autumn
    """
    from pbem.desk import adjudicate

    with common.the_office() as office:
        ran = adjudicate.run(office, campaign, dry=dry_run, early=early, defaults=defaults)
        if as_json:
            common.print_json(_plain_run(ran))
        else:
            _print_run(ran, office.settings.zone, dry=dry_run, every=every)
        if ran.released and not dry_run:
            _written(office, ran.released, quietly=as_json)


@turn.command()
@click.argument("campaign")
@click.option("--early", is_flag=True, help="Before the hour of its reports, if that is fixed.")
@common.json_option
def release(campaign: str, early: bool, as_json: bool) -> None:
    """Make known what was resolved: reports, the next exchange, the open seed.

    \b
    Example:
      pbem turn release stprivat-autumn
    """
    from pbem.desk import publish

    with common.the_office() as office:
        released = publish.release(office, campaign, early=early)
        if as_json:
            common.print_json(_plain_released(released))
        _written(office, released, quietly=as_json)


@turn.command()
@click.argument("campaign")
@click.option("--hours", type=click.IntRange(1, common.LONGEST), help="So many hours more than now set.")
@click.option("--to", "until", metavar="TIME", help="Until then: 2026-11-24T20:00, by the office's clock.")
@click.option("--reason", required=True, help="What the players are told.")
def extend(campaign: str, hours: int | None, until: str | None, reason: str) -> None:
    """Move the deadline of the open exchange and tell every player.

    \b
    Example:
      pbem turn extend stprivat-autumn --hours 24 --reason "The French commander travels."
    """
    from pbem.desk import turns
    from pbem.reports.times import left, when

    if (hours is None) == (until is None):
        raise click.UsageError("Say how long: --hours N or --to TIME.")
    with common.the_office() as office:
        if until is not None:
            due = common.read_time(until, office.settings.zone)
        else:
            due = turns.turn(office, campaign).exchange.deadline + (hours or 0) * common.HOUR
        moved = turns.extend(office, campaign, due, reason)
        hour = when(moved.deadline, office.settings.zone)
        click.echo(f"{moved.moment} is due {hour}, {left(office.now(), moved.deadline)}.")
        click.echo("Next: pbem mail send       the players are told")


@turn.command()
@click.argument("campaign")
@click.option("--turn", "moment", help="From this turn on, like 5A; else the last that was resolved.")
@click.option("--reason", required=True, help="What stands in the log, and in what the players are told.")
@click.option("--reopen", is_flag=True, help="Orders are open again, with a new deadline and new dice.")
def annul(campaign: str, moment: str | None, reason: str, reopen: bool) -> None:
    """Annul what was resolved; orders and letters stay, and so does the record of it.

    Its dice are known then: no more orders are taken, and run again it throws the same.  With --reopen orders are
    open again, now or after an earlier annulment, and the dice are new.

    \b
    Example:
      pbem turn annul stprivat-autumn --turn 5A --reason "A stand was misplaced."
    """
    from pbem.desk import turns
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        now = turns.annul(office, campaign, Moment.parse(moment) if moment else None, reason, reopen=reopen)
    click.echo(common.strong(f"Annulled.  {campaign} stands at {common.called(now.moment, now.name)}."))
    click.echo(f"Next: pbem turn run {campaign}" if not reopen else "Next: pbem mail send       the players are told")


@turn.command()
@click.argument("campaign")
@click.argument("key")
@click.argument("text")
def answer(campaign: str, key: str, text: str) -> None:
    """Answer a question of the rules.

    \b
    Example:
      pbem turn answer stprivat-autumn 5B/melee/J-10 hit
    """
    from pbem.desk import adjudicate

    with common.the_office() as office:
        adjudicate.answer(office, campaign, key, text)
    click.echo(f"Answered.  Next: pbem turn run {campaign}")


@turn.command()
@click.argument("campaign")
@click.argument("moment", required=False)
@common.json_option
def umpire(campaign: str, moment: str | None, as_json: bool) -> None:
    """Write the umpire's report: the whole truth, and each commander's picture of it.

    It is for you alone: it stands in the office's folder, and nothing of it is ever mailed.  MOMENT is like 5A, or a
    halt like 5.1; without it, what was resolved last.

    \b
    Example:
      pbem turn umpire stprivat-autumn 5A
    """
    from pbem.desk import truth
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        written = truth.write(office, campaign, Moment.parse(moment) if moment else None)
    if as_json:
        common.print_json({"turn": str(written.moment), "whole": written.whole, "page": str(written.path)})
        return
    if not written.whole:
        click.echo(
            common.look("These rules draw no map of the truth: you see the players' pages side by side."), err=True
        )
    click.echo(str(written.path))


@turn.command()
@click.argument("campaign")
@click.argument("role")
@click.argument("text")
def note(campaign: str, role: str, text: str) -> None:
    """Put a signed note of yours on the next report that ROLE is sent.

    \b
    Example:
      pbem turn note stprivat-autumn french "Your messenger was shot at, and lived."
    """
    from pbem.desk import annotate

    with common.the_office() as office:
        whose = annotate.note(office, campaign, role, text)
    click.echo(f"Noted for {whose}, on the next report.  Look: pbem report open {campaign} --as {whose}")


def _print_turn(found: Turn, zone: str, *, dice: bool) -> None:
    from pbem.cli import terms
    from pbem.desk.turns import row
    from pbem.reports.times import in_zone, left, when

    dossier, exchange = found.dossier, found.exchange
    rules = dossier.campaign.rules
    version = f"{rules.system} {rules.version}" if rules else ""
    click.echo(f"{common.strong(dossier.id)}   {dossier.opened.title}   {common.quiet(version)}")
    click.echo(f"turn {common.called(exchange.moment, exchange.name)}: {exchange.state}")
    if found.halt:
        click.echo(common.look(f"halt {found.halt.moment}, {_halt(found.halt, zone)}.  Only you can see that."))
    click.echo()
    common.table(
        ("Role", "Player", "Owed", "State", "Receipt", "Received"),
        [
            (
                one.role,
                (one.player.name or one.player.id) if one.player else "nobody",
                row(one.owed) or "nothing",
                _state(one),
                str(one.receipt or "–"),
                in_zone(one.received, zone) if one.receipt else "–",
            )
            for one in found.roles
        ],
        right=(4,),
    )
    waits = [one.role for one in found.roles if one.wait]
    own = dossier.campaign.terms
    schedule = terms.schedule(own.schedule(exchange.name))
    promises = exchange.promises
    promised = f"{promises.open[:8]}…  {promises.closed[:8]}…  (full: pbem turn show {dossier.id} --dice)"
    if dice:
        promised = f"open    {promises.open}\nclosed  {promises.closed}"
    click.echo()
    common.pairs(
        [
            ("due", f"{when(exchange.deadline, zone)}, {left(found.now, exchange.deadline)}"),
            *_paused(found, zone),
            *_hours(found, zone),
            *_around(found, zone),
            ("schedule", f"{schedule}, by the clock of {own.zone}"),
            ("wait", ", ".join(waits) or "off"),
            ("promised", promised),
            *(("asked", f"{query.key}: {query.asks}  ({' or '.join(query.options)})") for query in found.queries),
        ]
    )
    click.echo(f"\n{_next(found)}")


def _paused(found: Turn, zone: str) -> list[tuple[str, str]]:
    """Since when the game is paused, and why, if it is."""
    from pbem.reports.times import when

    told = found.dossier.campaign
    return [("paused", f"since {when(told.paused_at, zone)}: {told.paused}")] if told.status == "paused" else []


def _halt(halt: Halt, zone: str) -> str:
    """How a halt stands, in a phrase."""
    from pbem.desk.turns import row
    from pbem.reports.times import when

    called = row(halt.roles)
    if not halt.asked:
        return f"at the end of step {halt.step}: {called} will be asked"
    until = f"until {when(halt.until, zone)}" if halt.until else "until you go on"
    return f"{'urgent, ' if halt.urgent else ''}step {halt.step}: {called} may answer {until}"


def _hours(found: Turn, zone: str) -> list[tuple[str, str]]:
    """The hours of the run, if they are fixed."""
    from pbem.reports.times import in_zone

    steps = found.exchange.steps
    said = [
        (f"step {number}", f"interim reports {in_zone(one.interim, zone)}, answers until {in_zone(one.until, zone)}")
        for number, one in enumerate(steps[:-1], start=1)
    ]
    return [*said, ("reports", in_zone(found.exchange.reports, zone))] if steps else []


def _around(found: Turn, zone: str) -> list[tuple[str, str]]:
    """What is to be known of the hour: its grace, who is away, who was silent."""
    from pbem.cli import terms
    from pbem.reports.times import when

    dossier, exchange = found.dossier, found.exchange
    said = []
    if exchange.grace:
        said.append(("grace", f"until {when(exchange.closes, zone)}"))
    if exchange.state == "open" and exchange.held:
        said.append(("held", "until what is missing is in, or you run it or give more time"))
    return [*said, *terms.away(dossier, found.now, zone), *terms.silences(dossier)]


def _state(one: Standing) -> str:
    if one.state == "received":
        said = f"received, {common.plural(one.lines, 'line')}"
        return f"{said}\n{common.plural(one.refused, 'line')} refused" if one.refused else said
    return {"refused": "no line taken", "kept": "kept, not read yet"}.get(one.state, one.state)


def _next(found: Turn) -> str:
    from pbem.desk.ended import ending

    id = found.dossier.id
    if found.dossier.campaign.ended:
        return f"The game is over: {ending(found.dossier.campaign.ended)}."
    if found.exchange.known and found.exchange.state == "open":
        return (
            f"It was annulled, and takes no more orders.  Next: pbem turn run {id}\n"
            f"Open its orders again, with new dice: pbem turn annul {id} --reopen --reason TEXT"
        )
    if found.dossier.campaign.paused_at:
        return f"It is paused.  Next: pbem campaign resume {id}"
    if found.exchange.state == "resolved":
        return f"It is resolved.  Next: pbem turn release {id}"
    if found.halt:
        return f"Next: pbem turn run {id}       when its hour has come; --early goes on now"
    if found.queries:
        return f"A question is open.  Next: pbem turn answer {id} KEY ANSWER"
    if found.complete and found.against:
        return f"Everything owed is in, but {'; '.join(found.against)}.  Next: pbem turn run {id} --dry-run"
    if found.complete:
        return f"Everything owed is in.  Next: pbem turn run {id} --dry-run"
    if found.now > found.exchange.deadline:
        return f"The deadline has passed.  Next: pbem turn run {id} --dry-run"
    owing = ", ".join(one.role for one in found.roles if one.must and one.state != "received")
    return f"Still owed by {owing}."


def _print_run(ran: Run, zone: str, *, dry: bool, every: bool) -> None:
    from pbem.cli import foretold
    from pbem.desk.ended import ending

    head = f"turn {common.called(ran.moment, ran.name)}"
    if dry:
        click.echo(common.strong(f"Dry run of {head}.  Nothing is written, nothing is sent."))
    sheets = [f"{role} {common.plural(count, 'line')}" for role, count in sorted(ran.orders.items())]
    click.echo(f"\nOrders   {'      '.join(sheets) or 'none'}")
    if ran.silent:
        click.echo(common.look(f"Silent   {', '.join(ran.silent)}: what is taken for silence was taken"))
    for failed in ran.failed:
        click.echo(common.look(f"Failed   {failed.role}, line {failed.line}: {failed.text}"))
        click.echo(f"         it broke the rules and was left out ({failed.error})")
    for query in ran.asks:
        click.echo(common.look(f"\nAsked    {query.key}: {query.asks}"))
        click.echo(f"         {' or '.join(query.options) or 'any text'}; else: {query.otherwise}")
    if ran.asks:
        click.echo(f"\nNothing was resolved.  Next: pbem turn answer {ran.campaign} KEY ANSWER, then run again.")
        return
    if dry:
        foretold.show(ran.told, ran.facts, every=every)
        if ran.released:
            click.echo("\nWould be sent")
            for role, made in ran.released.reports.items():
                page, text = _kilobytes(made.html.encode()), _kilobytes(made.text.encode())
                sizes = f"html {page}, map {_kilobytes(made.png)}, text {text}"
                click.echo(f"  report {ran.moment}   {role:<14}  {sizes}")
        dice = [throw for fact in ran.facts for throw in fact.dice]
        click.echo(f"\nDice     {common.plural(len(dice), 'throw')}")
        click.echo(f"\nNext: pbem turn run {ran.campaign}       resolve and stage; the players see nothing yet")
    else:
        click.echo(common.strong(f"\nStaged: {head}, events {ran.first}–{ran.last}, {len(ran.facts)} facts."))
        if ran.halt:
            click.echo(common.look(f"Halt     {ran.halt.moment}, {_halt(ran.halt, zone)}.  Only you can see that."))
            click.echo(f"Next: pbem turn show {ran.campaign}")
            return
        if ran.early and not ran.fixed:
            click.echo("It is before the deadline: a sheet that comes in time voids this, and it is run again.")
        for one in ran.untold:
            click.echo(common.look(f"Untold   {common.shortened(str(one), common.LISTED)}"))
        if ran.untold:
            click.echo("         the page says that a part is missing, and no more; you have a letter about it")
        if not ran.released:
            role = next(iter(ran.views))
            click.echo(f"Look:   pbem report open {ran.campaign} --as {role} --turn {ran.moment}")
            click.echo(f"Send:   pbem turn release {ran.campaign}")
    if ran.verdict:
        click.echo(common.strong(f"{'It would end' if dry else 'It ends'} the game: {ending(ran.verdict)}."))


def _kilobytes(data: bytes) -> str:
    return f"{-(-len(data) // 1024)} kB"


def _written(office: Office, released: Released, *, quietly: bool) -> None:
    from pbem.desk import publish
    from pbem.desk.ended import ending
    from pbem.reports.times import left, when

    written = publish.write_files(office, released.campaign, released.reports)
    if quietly:
        return
    click.echo(common.strong(f"Released: turn {released.moment}, {common.plural(len(released.reports), 'report')}."))
    for path in written:
        click.echo(f"  {path}")
    if released.verdict:
        click.echo(f"The game is over: {ending(released.verdict)}.")
    elif released.next and released.due is not None:
        due = when(released.due, office.settings.zone)
        click.echo(f"Open now: {released.next}, due {due}, {left(office.now(), released.due)}.")
    click.echo("Next: pbem mail send       the reports leave")


def _plain(found: Turn) -> dict[str, object]:
    from pbem.cli import terms

    exchange = found.exchange
    return {
        "campaign": found.dossier.id,
        "turn": str(exchange.moment),
        "name": exchange.name,
        "state": exchange.state,
        "paused": found.dossier.campaign.paused or None,
        "due": [common.iso(at) for at in exchange.due],
        "steps": [[common.iso(one.interim), common.iso(one.until)] for one in exchange.steps],
        "halt": _plain_halt(found.halt),
        "wall": exchange.wall or None,
        "zone": exchange.zone or None,
        "closes": common.iso(exchange.closes),
        "held": exchange.held,
        **terms.plain(found.dossier, found.now),
        "promises": {"open": exchange.promises.open, "closed": exchange.promises.closed},
        "complete": found.complete,
        "against": list(found.against),
        "roles": [
            {
                "role": one.role,
                "player": one.player.id if one.player else None,
                "owed": list(one.owed),
                "must": one.must,
                "state": one.state,
                "receipt": one.receipt or None,
                "received": common.iso(one.received) if one.receipt else None,
                "lines": one.lines,
                "refused": one.refused,
                "wait": one.wait,
            }
            for one in found.roles
        ],
        "queries": [{"key": one.key, "asks": one.asks, "options": list(one.options)} for one in found.queries],
        "events": found.events,
    }


def _plain_run(ran: Run) -> dict[str, object]:
    from pbem.desk.shown import plain

    return {
        "campaign": ran.campaign,
        "turn": str(ran.moment),
        "orders": dict(ran.orders),
        "silent": list(ran.silent),
        "failed": [{"role": one.role, "line": one.line, "text": one.text, "error": one.error} for one in ran.failed],
        "asks": [plain(one) for one in ran.asks],
        "halt": _plain_halt(ran.halt),
        "facts": [plain(one) for one in ran.facts],
        "first": ran.first or None,
        "last": ran.last or None,
        "early": ran.early,
        "verdict": plain(ran.verdict) if ran.verdict else None,
        "released": bool(ran.released and ran.first),
    }


def _plain_halt(halt: Halt | None) -> dict[str, object] | None:
    if halt is None:
        return None
    return {
        "moment": str(halt.moment),
        "step": halt.step,
        "urgent": halt.urgent,
        "roles": list(halt.roles),
        "asked": bool(halt.asked),
        "until": common.iso(halt.until) if halt.until else None,
    }


def _plain_released(released: Released) -> dict[str, object]:
    from pbem.desk.shown import plain

    return {
        "campaign": released.campaign,
        "turn": str(released.moment),
        "next": str(released.next) if released.next else None,
        "due": common.iso(released.due),
        "reports": list(released.reports),
        "verdict": plain(released.verdict) if released.verdict else None,
    }
