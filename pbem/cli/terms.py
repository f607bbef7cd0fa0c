"""The terms of a campaign as options, and as they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import common

if TYPE_CHECKING:
    from pbem.desk.books.dossiers import Dossier
    from pbem.kernel.names import PlayerId

Command = TypeVar("Command", bound=Callable[..., Any])

_HOURS = click.IntRange(1, common.LONGEST)
_SPAN = click.IntRange(0, common.LONGEST)

OPTIONS = (
    click.option("--release", type=click.Choice(["gm", "auto"]), help="Who makes known what was resolved."),
    click.option(
        "--trust", type=click.Choice(["table", "address", "strict"]), help="What a letter's sender must show."
    ),
    click.option("--press", type=click.Choice(["white", "grey", "anonymous", "none"]), help="Letters between players."),
    click.option("--names", type=click.Choice(["hidden", "told"]), help="Whether players learn by name who plays."),
    click.option("--zone", help="The time zone of the campaign."),
    click.option("--hours", type=_HOURS, help="From an exchange's opening to its deadline."),
    click.option("--at", metavar="HH:MM", help="The time of day of every deadline: the last such one within --hours."),
    click.option("--days", metavar="DAYS", help="Weekdays on which a deadline may fall: mon-fri, or any."),
    click.option("--least", type=_SPAN, help="Hours that a deadline is away from the opening at least."),
    click.option("--grace", type=_SPAN, help="Hours after the deadline in which what is missing is still taken."),
    click.option("--early/--no-early", default=None, help="Run before the deadline when all orders are in."),
    click.option("--delay", type=_SPAN, help="Minutes for second thoughts before such a run."),
    click.option("--urgent", type=_HOURS, help="Of each step of a run: hours in which urgent halts are answered."),
    click.option("--interim", type=_HOURS, help="Hours after them in which interim reports are answered."),
    click.option("--reminders", metavar="HOURS", help="Hours before the deadline to remind at: 24,4, or none."),
    click.option(
        "--nmr",
        type=click.Choice(["hold", "standing", "extend", "gm"]),
        help="What silence means: wait, take what is taken for it, give more time, ask the GM.",
    ),
    click.option("--excuses", type=_SPAN, help="With --nmr extend: how often the silence of one role gives more time."),
    click.option("--extension", type=_HOURS, help="With --nmr extend: hours of more time."),
    click.option("--tripwire", type=click.IntRange(1, 100), help="Percent missing above which nothing is run."),
    click.option("--absence-days", type=_SPAN, help="Days that each player may book himself absent."),
    click.option(
        "--votes",
        metavar="TEXT",
        help="How votes are held: draw all secret 72h counts; pause majority 24h; end off.",
    ),
    click.option(
        "--late-after", type=_SPAN, help="Who was late so often in a row is not waited for beyond a deadline; 0: never."
    ),
    click.option("--observers", metavar="EYES", help="Through whose eyes others may look on: truth, roles, or none."),
    click.option("--observers-delay", type=click.IntRange(0, 99), help="Turns later at which they see one."),
    click.option("--language", help="In which players are written to who have chosen none: en, de."),
)


def terms_options(command: Command) -> Command:
    """Give *command* an option for every term."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def given(terms: dict[str, Any]) -> dict[str, object]:
    """What was said of them."""
    return {name: value for name, value in terms.items() if value is not None}


def away(dossier: Dossier, at: int, zone: str) -> list[tuple[str, str]]:
    """The absences that are not over."""
    from pbem.desk.turns.absences import pending
    from pbem.reports.text.times import in_zone

    return [
        ("absent", f"{_who(dossier, one.player)}: {in_zone(one.since, zone)} to {in_zone(one.until, zone)}")
        for one in pending(dossier, at)
    ]


def silences(dossier: Dossier) -> list[tuple[str, str]]:
    """Who has sent nothing in time, when, and what came of it."""
    from pbem.desk.turns.nmr import DID, record

    found = [("nmr", f"{one.moment}: {', '.join(one.missing)}; {DID[one.did]}") for one in record(dossier)]
    late = [("late", f"{role}: not waited for beyond a deadline") for role in sorted(dossier.campaign.cut_short)]
    return found + late


def voting(dossier: Dossier, zone: str) -> list[tuple[str, str]]:
    """What is put to the vote, as all may know it."""
    from pbem.desk.turns.votes import seen
    from pbem.reports.text.times import in_zone

    runs = [one for one in seen(dossier, None) if not one.how]
    return [("vote", f"{one.key}, {one.what}, until {in_zone(one.until, zone)}") for one in runs]


def plain(dossier: Dossier, at: int) -> dict[str, Any]:
    """Both for machines."""
    from pbem.desk.turns.absences import pending
    from pbem.desk.turns.nmr import record

    return {
        "absences": [
            {
                "player": one.player,
                "roles": list(dossier.campaign.roles_of(one.player)),
                "since": common.iso(one.since),
                "until": common.iso(one.until),
                "days": one.days,
            }
            for one in pending(dossier, at)
        ],
        "nmr": [
            {"turn": str(one.moment), "missing": list(one.missing), "policy": one.policy, "did": one.did}
            for one in record(dossier)
        ],
    }


def _who(dossier: Dossier, player: PlayerId) -> str:
    from pbem.desk.turns.exchange import row

    return row(dossier.campaign.roles_of(player)) or str(player)
