"""How the open exchange stands: what `pbem turn show` prints of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.turns.exchange import Standing, Turn
    from pbem.kernel.exchange import Halt
    from pbem.kernel.names import Moment


def print_turn(found: Turn, zone: str, *, dice: bool) -> None:
    """Print how the open exchange stands; *dice*: with the promises of its seeds in full."""
    from pbem.desk.turns.exchange import row
    from pbem.reports.text.terms import schedule as in_words
    from pbem.reports.text.times import in_zone, left, when

    dossier, exchange = found.dossier, found.exchange
    rules = dossier.campaign.rules
    version = f"{rules.system} {rules.version}" if rules else ""
    click.echo(f"{common.strong(dossier.id)}   {dossier.title}   {common.quiet(version)}")
    click.echo(f"turn {common.called(exchange.moment, exchange.name)}: {exchange.state}")
    if found.halt:
        click.echo(common.look(f"halt {found.halt.moment}, {said_of(found.halt, zone)}.  Only you can see that."))
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
    schedule = in_words(own.schedule(exchange.name))
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
    from pbem.reports.text.times import when

    told = found.dossier.campaign
    return [("paused", f"since {when(told.paused_at, zone)}: {told.paused}")] if told.status == "paused" else []


def said_of(halt: Halt, zone: str) -> str:
    """How a halt stands, in a phrase."""
    from pbem.desk.turns.exchange import row
    from pbem.reports.text.times import when

    called = row(halt.roles)
    if not halt.asked:
        return f"at the end of step {halt.step}: {called} will be asked"
    until = f"until {when(halt.until, zone)}" if halt.until else "until you go on"
    return f"{'urgent, ' if halt.urgent else ''}step {halt.step}: {called} may answer {until}"


def _hours(found: Turn, zone: str) -> list[tuple[str, str]]:
    """The hours of the run, if they are fixed."""
    from pbem.reports.text.times import in_zone

    steps = found.exchange.steps
    said = [
        (f"step {number}", f"interim reports {in_zone(one.interim, zone)}, answers until {in_zone(one.until, zone)}")
        for number, one in enumerate(steps[:-1], start=1)
    ]
    return [*said, ("reports", in_zone(found.exchange.reports, zone))] if steps else []


def _around(found: Turn, zone: str) -> list[tuple[str, str]]:
    """What is to be known of the hour: its grace, who is away, who was silent."""
    from pbem.cli import terms
    from pbem.reports.text.times import when

    dossier, exchange = found.dossier, found.exchange
    said = []
    if exchange.grace:
        said.append(("grace", f"until {when(exchange.closes, zone)}"))
    if exchange.state == "open" and exchange.held:
        said.append(("held", "until what is missing is in, or you run it or give more time"))
    return [*said, *terms.away(dossier, found.now, zone), *terms.silences(dossier)]


def differs(campaign: str, moment: Moment, run: int) -> str:
    """How to see what a run made other than the one before it, which was annulled."""
    return f"What differs from the run before: pbem history diff {campaign} {moment}#{run - 1} {moment}#{run}"


def _state(one: Standing) -> str:
    if one.state == "received":
        said = f"received, {common.plural(one.lines, 'line')}"
        return f"{said}\n{common.plural(one.refused, 'line')} refused" if one.refused else said
    return {"refused": "no line taken", "kept": "kept, not read yet"}.get(one.state, one.state)


def _next(found: Turn) -> str:
    from pbem.desk.books.ended import ending

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
        again = f"\n{differs(id, found.exchange.moment, found.run)}" if found.run > 1 else ""
        return f"It is resolved.  Next: pbem turn release {id}{again}"
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


def plain_turn(found: Turn) -> dict[str, object]:
    """The same for machines."""
    from pbem.cli import terms

    exchange = found.exchange
    return {
        "campaign": found.dossier.id,
        "turn": str(exchange.moment),
        "name": exchange.name,
        "state": exchange.state,
        "run": found.run,
        "paused": found.dossier.campaign.paused or None,
        "due": [common.iso(at) for at in exchange.due],
        "steps": [[common.iso(one.interim), common.iso(one.until)] for one in exchange.steps],
        "halt": plain_halt(found.halt),
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


def plain_halt(halt: Halt | None) -> dict[str, object] | None:
    """A halt for machines."""
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
