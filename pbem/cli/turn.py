"""`pbem turn`: resolve the open exchange, look at it, make it known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common
from pbem.cli.lazy import Group

if TYPE_CHECKING:
    from pbem.desk.office.office import Office
    from pbem.desk.turns.adjudicate import Run
    from pbem.desk.turns.publish import Released


_ONLY = click.option("--turn", "moment", help="Only if it is this one, like 5A: given twice, it does nothing more.")


@click.group(cls=Group)
def turn() -> None:
    """Resolve a turn and make it known."""


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--dice", is_flag=True, help="The promises of the seeds in full.")
@common.json_option
def show(campaign: str, dice: bool, as_json: bool) -> None:
    """Show the open exchange: who owes what, and when.

    \b
    Example:
      pbem turn show stprivat-autumn
    """
    from pbem.cli.standing import plain_turn, print_turn
    from pbem.desk.turns.exchange import turn as look_at

    with common.the_office() as office:
        found, zone = look_at(office, campaign), office.settings.zone
    if as_json:
        common.print_json(plain_turn(found))
    else:
        print_turn(found, zone, dice=dice)


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--dry-run", is_flag=True, help="Show what would happen; only that you asked is written.")
@click.option("--early", is_flag=True, help="Before its hour, though orders are missing or receipts name a later one.")
@click.option("--defaults", is_flag=True, help="Take for every open question what is taken when nobody answers.")
@click.option("--all", "every", is_flag=True, help="Of a dry run, every fact in a line.")
@_ONLY
@common.json_option
def run(
    campaign: str, dry_run: bool, early: bool, defaults: bool, every: bool, moment: str | None, as_json: bool
) -> None:
    """Resolve the open exchange and stage it: the players see nothing yet.

    \b
    Example:
      pbem turn run stprivat-autumn --dry-run
      pbem turn run stprivat-autumn
      pbem turn run stprivat-autumn --early --turn 5A
    """
    from pbem.desk.turns import adjudicate, exchange

    with common.the_office() as office:
        found = exchange.named(office, campaign, moment) if moment else None
        ran = adjudicate.run(office, campaign, dry=dry_run, early=early, defaults=defaults, found=found)
        if as_json:
            common.print_json(_plain_run(ran))
        else:
            _print_run(ran, office.settings.zone, dry=dry_run, every=every)
        if ran.released and not dry_run:
            _written(office, ran.released, quietly=as_json)


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--early", is_flag=True, help="Before the hour of its reports, if that is fixed.")
@_ONLY
@common.json_option
def release(campaign: str, early: bool, moment: str | None, as_json: bool) -> None:
    """Make known what was resolved: reports, the next exchange, the open seed.

    \b
    Example:
      pbem turn release stprivat-autumn
    """
    from pbem.desk.turns import exchange, publish

    with common.the_office() as office:
        found = exchange.named(office, campaign, moment) if moment else None
        released = publish.release(office, campaign, early=early, found=found)
        if as_json:
            common.print_json(_plain_released(released))
        _written(office, released, quietly=as_json)


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--hours", type=click.IntRange(1, common.LONGEST), help="So many hours more than now set.")
@click.option("--to", "until", metavar="TIME", help="Until then: 2026-11-24T20:00, by the office's clock.")
@click.option("--whole", type=click.IntRange(1, common.LONGEST), metavar="HOURS", help="So many since it was opened.")
@click.option("--reason", required=True, help="What the players are told.")
def extend(campaign: str, hours: int | None, until: str | None, whole: int | None, reason: str) -> None:
    """Move the deadline of the open exchange and tell every player.  The terms stay as they are.

    \b
    Example:
      pbem turn extend stprivat-autumn --hours 24 --reason "The French commander travels."
      pbem turn extend stprivat-autumn --whole 240 --reason "Ten days for this one: it is Easter."
    """
    from pbem.desk.turns import exchange
    from pbem.reports.text.times import left, when

    if [hours, until, whole].count(None) != 2:
        raise click.UsageError("Say how long: --hours N, --to TIME or --whole N.")
    with common.the_office() as office:
        if whole is not None:
            moved = exchange.hours_of_open(office, campaign, whole, reason)
        elif until is not None:
            moved = exchange.extend(office, campaign, common.read_time(until, office.settings.zone), reason)
        else:
            due = exchange.turn(office, campaign).exchange.deadline + (hours or 0) * common.HOUR
            moved = exchange.extend(office, campaign, due, reason)
        hour = when(moved.deadline, office.settings.zone)
        click.echo(f"{moved.moment} is due {hour}, {left(office.now(), moved.deadline)}.")
        common.then_mail("the players are told")


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.option("--turn", "moment", help="From this turn on, like 5A; else the last that was resolved.")
@click.option("--reason", required=True, help="What stands in the log, and in what the players are told.")
@click.option("--reopen", is_flag=True, help="Orders are open again, with a new deadline and new dice.")
def annul(campaign: str, moment: str | None, reason: str, reopen: bool) -> None:
    """Annul what was resolved; orders and letters stay, and so does the record of it.

    Its dice are known then: no more orders are taken, and run again it throws the same.  With --reopen orders are
    open again, now or after an earlier annulment, and the dice are new.  A game that was over goes on.

    \b
    Example:
      pbem turn annul stprivat-autumn --turn 5A --reason "A stand was misplaced."
    """
    from pbem.desk.turns import exchange
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        over = exchange.is_over(office, campaign)
        now = exchange.annul(office, campaign, Moment.parse(moment) if moment else None, reason, reopen=reopen)
    if over:
        click.echo("The game was over, and goes on; the players are told.")
    done = "Annulled, and open again" if reopen else "Annulled"
    click.echo(common.strong(f"{done}.  {campaign} stands at {common.called(now.moment, now.name)}."))
    if reopen:
        common.then_mail("the players are told")
        return
    click.echo(f"Its dice are known now: {now.moment} takes no more orders.  To open them, with new dice: --reopen")
    click.echo(f"Next: pbem turn run {campaign}")


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("key")
@click.argument("text")
def answer(campaign: str, key: str, text: str) -> None:
    """Answer a question of the rules.

    \b
    Example:
      pbem turn answer stprivat-autumn 5B/melee/J-10 hit
    """
    from pbem.desk.turns import adjudicate

    with common.the_office() as office:
        adjudicate.answer(office, campaign, key, text)
    click.echo(f"Answered.  Next: pbem turn run {campaign}")


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
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
    from pbem.desk.pages import gms_page
    from pbem.kernel.names import Moment

    with common.the_office() as office:
        written = gms_page.write(office, campaign, Moment.parse(moment) if moment else None)
    if as_json:
        common.print_json({"turn": str(written.moment), "whole": written.whole, "page": str(written.path)})
        return
    if not written.whole:
        click.echo(
            common.look("These rules draw no map of the truth: you see the players' pages side by side."), err=True
        )
    click.echo(str(written.path))


@turn.command()
@click.argument("campaign", type=common.CAMPAIGN)
@click.argument("role", type=common.ROLE)
@click.argument("text")
def note(campaign: str, role: str, text: str) -> None:
    """Put a signed note of yours on the next report that ROLE is sent.

    \b
    Example:
      pbem turn note stprivat-autumn french "Your messenger was shot at, and lived."
    """
    from pbem.desk.turns import annotate

    with common.the_office() as office:
        whose = annotate.note(office, campaign, role, text)
    click.echo(f"Noted for {whose}, on the next report.  Look: pbem report open {campaign} --as {whose}")


def _print_run(ran: Run, zone: str, *, dry: bool, every: bool) -> None:
    from pbem.cli import foretold
    from pbem.cli.standing import differs, said_of
    from pbem.desk.books.ended import ending

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
                click.echo(f"  report {ran.moment}   {role:<14}  html {page}, text {text}")
        dice = [throw for fact in ran.facts for throw in fact.dice]
        click.echo(f"\nDice     {common.plural(len(dice), 'throw')}")
        again = " --early" if ran.early else ""
        click.echo(f"\nNext: pbem turn run {ran.campaign}{again}       resolve and stage; the players see nothing yet")
    else:
        click.echo(common.strong(f"\nStaged: {head}, events {ran.first}–{ran.last}, {len(ran.facts)} facts."))
        if ran.halt:
            click.echo(common.look(f"Halt     {ran.halt.moment}, {said_of(ran.halt, zone)}.  Only you can see that."))
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
        if ran.number > 1:
            click.echo(differs(ran.campaign, ran.moment, ran.number))
    if ran.verdict:
        click.echo(common.strong(f"{'It would end' if dry else 'It ends'} the game: {ending(ran.verdict)}."))


def _kilobytes(data: bytes) -> str:
    return f"{-(-len(data) // 1024)} kB"


def _written(office: Office, released: Released, *, quietly: bool) -> None:
    from pbem.desk.books.ended import ending
    from pbem.desk.pages import files
    from pbem.reports.text.times import left, when

    written = files.write(office, released.campaign, released.reports.values())
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
    common.then_mail("the reports leave")


def _plain_run(ran: Run) -> dict[str, object]:
    from pbem.cli.standing import plain_halt
    from pbem.desk.books.shown import plain

    return {
        "campaign": ran.campaign,
        "turn": str(ran.moment),
        "run": ran.number,
        "orders": dict(ran.orders),
        "silent": list(ran.silent),
        "failed": [{"role": one.role, "line": one.line, "text": one.text, "error": one.error} for one in ran.failed],
        "asks": [plain(one) for one in ran.asks],
        "halt": plain_halt(ran.halt),
        "facts": [plain(one) for one in ran.facts],
        "first": ran.first or None,
        "last": ran.last or None,
        "early": ran.early,
        "verdict": plain(ran.verdict) if ran.verdict else None,
        "released": bool(ran.released and ran.first),
    }


def _plain_released(released: Released) -> dict[str, object]:
    from pbem.desk.books.shown import plain

    return {
        "campaign": released.campaign,
        "turn": str(released.moment),
        "next": str(released.next) if released.next else None,
        "due": common.iso(released.due),
        "reports": list(released.reports),
        "verdict": plain(released.verdict) if released.verdict else None,
    }
