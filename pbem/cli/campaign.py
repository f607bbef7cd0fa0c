"""`pbem campaign`: games being played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli import absence, common, terms, transfer, upgrade
from pbem.cli.lazy import Group
from pbem.cli.people import sign_up

if TYPE_CHECKING:
    from pbem.desk.books.dossiers import Dossier


@click.group(cls=Group)
def campaign() -> None:
    """Open, start, show, carry, fork, upgrade and end campaigns."""


for command in (absence.absence, transfer.export, transfer.take_in, transfer.fork, upgrade.upgrade, upgrade.end):
    campaign.add_command(command)
for command in (sign_up.open_up, sign_up.candidates, sign_up.draw):
    campaign.add_command(command)


@campaign.command()
@click.argument("name")
@click.argument("scenario")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--title", help="What it is called; else as the scenario is.")
@click.option("--invite", is_flag=True, help="Ask the players first: their answers enter the dice of the set-up.")
@click.option("--open", "anybody", is_flag=True, help="Anybody may join; the roles are given by lot.")
@sign_up.sign_up_options
@terms.terms_options
def new(
    name: str,
    scenario: str,
    options: tuple[str, ...],
    title: str | None,
    *,
    invite: bool,
    anybody: bool,
    until: str | None,
    start: str,
    **changes: Any,
) -> None:
    """Open the campaign NAME from SCENARIO; its terms are as the settings say where nothing else is said.

    \b
    Example:
      pbem campaign new stprivat-autumn st-privat/graveyard --hours 96
      pbem campaign new stprivat-autumn st-privat/graveyard --open --until 2026-12-01T20:00 --start auto
    """
    if not anybody and (until or start == "auto"):
        raise click.UsageError("--until and --start are of a campaign that anybody may join: --open.")
    from pbem.desk.library.scenarios import find_scenario
    from pbem.desk.players import enrol

    chosen = dict(common.game_option(one, "--option") for one in options)
    with common.the_office() as office:
        wanted = enrol.terms_of(office.settings.terms, terms.given(changes))
        found = find_scenario(office.folder, scenario)
        words: enrol.Words = "of answers and sheets" if invite else "of sheets"
        opened = enrol.new(office, name, found, wanted, options=chosen, title=title, words=words)
        click.echo(common.strong(f"{opened.id} is open: {opened.opened.title}, {opened.opened.scenario}."))
        if anybody:
            sign_up.opened(office, opened.id, until, start)
            return
        click.echo("Next: " + "\n      ".join(_enrol(opened)))


@campaign.command("set")
@click.argument("name")
@click.option("--phase", default="", help="For this phase alone, like B; not for every exchange.")
@click.option("--once", is_flag=True, help="With --hours alone: of the next exchange that is opened, and no other.")
@click.option("--reason", default="", help="What stands in the log.")
@terms.terms_options
def set_terms(name: str, phase: str, reason: str, *, once: bool, **changes: Any) -> None:
    """Change terms of a campaign from now on.  A deadline that is set stays: pbem turn extend moves it.

    \b
    Example:
      pbem campaign set stprivat-autumn --hours 72 --at 20:00 --days mon-fri --grace 6
      pbem campaign set stprivat-autumn --phase B --hours 24
      pbem campaign set stprivat-autumn --hours 240 --once
      pbem campaign set stprivat-autumn --votes "draw majority secret 48h counts; end off"
    """
    from pbem.desk.players import enrol
    from pbem.desk.turns import exchange
    from pbem.reports.text.terms import shown

    said = terms.given(changes)
    if not said:
        raise click.UsageError("Say what: pbem campaign set --help lists the terms.")
    if once and (phase or set(said) != {"hours"}):
        raise click.UsageError("--once goes with --hours alone: pbem campaign set NAME --hours 240 --once")
    with common.the_office() as office:
        if once:
            exchange.hours_of_next(office, name, changes["hours"], reason)
            click.echo(
                f"The next exchange of {name} is due {changes['hours']} hours after its opening; the terms stay."
            )
            return
        dossier = enrol.set_terms(office, name, said, reason, phase=phase)
    click.echo(common.strong(f"The terms of {dossier.id}, from now on."))
    common.pairs(shown(dossier.campaign.terms))


@campaign.command("list")
@common.json_option
def list_campaigns(as_json: bool) -> None:
    """List the campaigns of the office.

    \b
    Example:
      pbem campaign list
    """
    from pbem.desk.books import dossiers
    from pbem.reports.text.times import in_zone

    with common.the_office() as office, office.read() as connection:
        there, closed = dossiers.sorted_out(office, connection, dossiers.campaigns(connection))
        zone = office.settings.zone
    if as_json:
        shut = [{"campaign": name, "cannot_be_opened": why} for name, why in closed.items()]
        common.print_json([*(_plain(one) for one in there), *shut])
        return
    if not there and not closed:
        click.echo("There is no campaign yet.  Next: pbem campaign new NAME SCENARIO")
        return
    rows = []
    for one in there:
        exchange = one.campaign.exchange
        due = in_zone(exchange.deadline, zone) if exchange and one.campaign.status == "running" else ""
        rows.append((one.id, one.title, _state(one), str(one.campaign.now or ""), due))
    rows += [(name, "", "cannot be opened", "", "") for name in closed]
    common.table(("Campaign", "Title", "State", "Turn", "Due"), rows)
    for name, why in closed.items():
        click.echo(f"\n{name}: {why}")


@campaign.command()
@click.argument("name")
@common.json_option
def show(name: str, as_json: bool) -> None:
    """Show one campaign: its terms, its players, where it stands.

    \b
    Example:
      pbem campaign show stprivat-autumn
    """
    from pbem.desk.books import dossiers, roster
    from pbem.desk.books.ended import ending
    from pbem.desk.players.inviting import answers
    from pbem.reports.text.terms import shown as in_words
    from pbem.reports.text.times import when

    with common.the_office() as office, office.read() as connection:
        dossier = dossiers.load(office, connection, name)
        people = roster.people(connection, dossier)
        zone, now = office.settings.zone, office.now()
    if as_json:
        common.print_json({**_plain(dossier), **terms.plain(dossier, now)})
        return
    opened, told = dossier.opened, dossier.campaign
    rules = f"{told.rules.system} {told.rules.version}" if told.rules else opened.system
    click.echo(f"{common.strong(dossier.id)}   {dossier.title}   {common.quiet(rules)}")
    click.echo(f"{_state(dossier)}, {common.plural(dossier.seq, 'event')}\n")
    rows = [
        (role, who.name or "erased", who.address or "", who.zone) if who else (role, "nobody", "", "")
        for role, who in people.items()
    ]
    common.table(("Role", "Player", "Address", "Zone"), rows)
    said = [("scenario", opened.scenario), ("opened", when(told.opened_at, zone)), *in_words(told.terms)]
    if told.exchange and not told.ended:
        said.append(("turn", f"{common.called(told.exchange.moment, told.exchange.name)}, {told.exchange.state}"))
        said.append(("deadline", when(told.exchange.deadline, zone)))
    if told.status == "paused":
        said.append(("paused", f"since {when(told.paused_at, zone)}: {told.paused}"))
    if told.ended:
        said.append(("ended", ending(told.ended)))
    if invited := answers(dossier):
        said.append(("invited", invited))
    said += [*terms.away(dossier, now, zone), *terms.silences(dossier), *terms.voting(dossier, zone)]
    said += [("option", f"{name} = {value}") for name, value in common.option_rows(opened.options)]
    click.echo()
    common.pairs(said)
    if told.status == "enrolling":
        click.echo("\nNext: " + "\n      ".join(_enrol(dossier)))


@campaign.command()
@click.argument("name")
@click.option("--now", is_flag=True, help="Though somebody has not answered his invitation.")
def start(name: str, *, now: bool) -> None:
    """Set the field up, open the first exchange and brief every player.

    \b
    Example:
      pbem campaign start stprivat-autumn
    """
    from pbem.desk.players import enrol
    from pbem.reports.text.times import left, when

    with common.the_office() as office:
        dossier = enrol.start(office, name, anyhow=now)
        exchange = dossier.exchange()
        click.echo(common.strong(f"{dossier.id} has begun: {common.called(exchange.moment, exchange.name)}."))
        zone = office.settings.zone
        click.echo(f"  due  {when(exchange.deadline, zone)}, {left(office.now(), exchange.deadline)}")
        common.then_mail("the briefings leave")


@campaign.command()
@click.argument("name")
@click.option("--reason", required=True, help="What the players are told, and what stands in the log.")
def pause(name: str, reason: str) -> None:
    """Let a campaign stand still: nothing is run and nobody is late until pbem campaign resume.

    Letters are taken and answered meanwhile.

    \b
    Example:
      pbem campaign pause stprivat-autumn --reason "I am in hospital for a week."
    """
    from pbem.desk.turns import pausing

    with common.the_office() as office:
        dossier = pausing.pause(office, name, reason)
    click.echo(common.strong(f"{dossier.id} is paused: nothing is run, and nobody is late."))
    common.then_mail("the players are told")
    click.echo(f"Then: pbem campaign resume {dossier.id}")


@campaign.command()
@click.argument("name")
@click.option("--reason", default="", help="What the players are told beside, and what stands in the log.")
def resume(name: str, reason: str) -> None:
    """Let a paused campaign go on; hours that had not passed are later by as long as it was paused.

    \b
    Example:
      pbem campaign resume stprivat-autumn --reason "I am back."
    """
    from pbem.desk.turns import pausing
    from pbem.reports.text.times import left, when

    with common.the_office() as office:
        dossier = pausing.resume(office, name, reason)
        exchange, zone = dossier.exchange(), office.settings.zone
        click.echo(common.strong(f"{dossier.id} goes on: {common.called(exchange.moment, exchange.name)}."))
        if exchange.state == "open":
            click.echo(f"  due  {when(exchange.deadline, zone)}, {left(office.now(), exchange.deadline)}")
        common.then_mail("the players are told")


def _enrol(dossier: Dossier) -> list[str]:
    from pbem.desk.books.led_by_rules import lacking
    from pbem.desk.players.inviting import unanswered

    missing, silent = lacking(dossier), unanswered(dossier)
    if silent and not missing:
        return [f"wait for the answer of {', '.join(silent)}; without it: pbem campaign start {dossier.id} --now"]
    if not missing:
        return [f"pbem campaign start {dossier.id}"]
    return [f"pbem player add {dossier.id} {role} --name NAME --address ADDRESS" for role in missing]


def _state(dossier: Dossier) -> str:
    from pbem.reports.text.times import in_zone

    told, forked = dossier.campaign, dossier.opened.forked
    fork = f", a fork of {forked.campaign}" if forked else ""
    return f"{told.status}{fork}" + (f", a copy cut at {in_zone(told.cut.until, told.terms.zone)}" if told.cut else "")


def _plain(dossier: Dossier) -> dict[str, Any]:
    from pbem.desk.books.shown import whole
    from pbem.desk.players.inviting import unanswered

    opened, told = dossier.opened, dossier.campaign
    exchange, rules = told.exchange, told.rules
    return {
        "unanswered": unanswered(dossier) if opened.muster else None,
        "campaign": dossier.id,
        "title": opened.title,
        "system": opened.system,
        "scenario": opened.scenario,
        "status": told.status,
        "paused": told.paused if told.status == "paused" else None,
        "cut_at": common.iso(told.cut.until) if told.cut else None,
        "fork_of": opened.forked.campaign if opened.forked else None,
        "turn": str(told.now) if told.now else None,
        "state": exchange.state if exchange else None,
        "due": common.iso(exchange.deadline) if exchange else None,
        "players": {role: told.players.get(role) for role in dossier.roles},
        "rules": {"version": rules.version, "content": rules.content} if rules else None,
        "options": opened.options,
        "terms": whole(told.terms),
        "events": dossier.seq,
        "winner": told.ended.winner if told.ended else None,
        "how": told.ended.how if told.ended else None,
    }
