"""`pbem web`: the office as pages."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import click

from pbem.cli import common
from pbem.cli.lazy import Group


@click.group(cls=Group, invoke_without_command=True)
@click.option("--bind", default="", metavar="ADDRESS:PORT", help="Where; else as pbem.toml says, else 127.0.0.1:8080.")
@common.log_option
@common.systemd_option
@click.pass_context
def web(context: click.Context, bind: str, systemd: bool) -> None:
    """Serve the reading room: reports, maps, orders, history and your desk as pages.

    It needs pbem[web].  Beyond this machine it is reached through a server that speaks TLS: see deploy/.

    \b
    Example:
      pbem web
      pbem web --bind 127.0.0.1:8081
      pbem web link canrobert@player.example
    """
    if context.invoked_subcommand is None:
        served(common.office_folder(), bind, systemd=systemd)


def served(folder: Path, bind: str, *, behind: int = 0, mails: bool = True, systemd: bool = False) -> None:
    """Serve the office in *folder* until it is stopped."""
    serving = room()
    from pbem.desk.house.saying import voice
    from pbem.desk.house.service import told
    from pbem.desk.office.office import clock

    with told(wanted=systemd) as service:
        serving.serve(folder, bind, voice(clock, click.echo), behind=behind, mails=mails, service=service)


def room() -> ModuleType:
    """What serves the pages.

    :raises Refused: if it is not installed.
    """
    from pbem.kernel.errors import Refused

    try:
        from pbem.web import serving
    except ImportError as error:
        raise Refused(f'the pages need more than is installed here ({error.name}): pip install "pbem[web]"') from None
    return serving


def free() -> str:
    """An address and port of this machine that nobody serves: 127.0.0.1:8080, or the next."""
    import socket

    for port in range(8080, 8180):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return f"127.0.0.1:{port}"
    return "127.0.0.1:8180"


@web.command()
@click.argument("who")
def link(who: str) -> None:
    """Print a link by which WHO (a player's id or address, or your own address) comes in once; hand it on yourself.

    It is of use for 24 hours, in whatever browser it is opened.

    \b
    Example:
      pbem web link canrobert@player.example
    """
    from pbem.desk.access import sign_in
    from pbem.desk.access.people import known_by, person
    from pbem.kernel.errors import Refused
    from pbem.kernel.names import PlayerId

    with common.the_office(on_duty=True) as office:
        with office.read() as connection:
            whose = known_by(office, connection, who)
            if not whose.known:
                whose = person(office, connection, PlayerId(who), "")
        if not whose.known:
            raise Refused(f"nobody is known as {who}: pbem player list")
        click.echo(sign_in.address_of(office, sign_in.handed_on(office, whose)))
