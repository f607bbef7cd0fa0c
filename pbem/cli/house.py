"""`pbem init` and `pbem doctor`: the office itself."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import common

FILE = "sqlite:///office.sqlite"

SETTINGS = """\
# The settings of this office.  What is not said here is as `pbem doctor` shows it.
address = "{address}"     # what players write to
name = "{name}"
gm = "{gm}"               # your own address: who is told what needs a decision
zone = "{zone}"
database = "{database}"

[smtp]                    # without a host nothing is mailed
host = ""
port = 25
security = "none"         # none, starttls or tls
user = ""                 # the password comes from PBEM_SMTP_PASSWORD, or from password_command

[smtp.limits]             # mails a minute, by domain; for large mail houses they are set already
"gmail.com" = 20

[dkim]                    # letters leave signed if a key is named; pbem doctor says what the DNS needs
key = ""                  # a file: openssl genrsa -out dkim.pem 2048
selector = "pbem"

[trust]                   # what the office goes by when it asks who wrote a letter
servers = []              # names under which your mail server writes Authentication-Results
dkim = true               # whether signatures are checked here, their keys asked for by DNS
addresses = {addresses:<12}  # where answers reach you: mailbox: name+…@; domain: any name of it; none: as above
answers = 30              # so many answers a day to a player about one turn, where his letters change nothing

[defaults]                # what a new campaign is opened with
hours = 72                # from the opening of an exchange to its deadline
release = "gm"            # gm: you release what was resolved; auto: at once
trust = "table"           # table: a letter known by its From line alone is held; address: it is believed
nmr = "hold"              # no move received: hold, standing, extend or gm; pbem campaign set --help has all terms
"""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--address", required=True, help="What players write to.")
@click.option("--name", default="Campaign office", show_default=True, help="What the office is called.")
@click.option("--gm", default="", help="Your own address; else the office's.")
@click.option("--zone", default="UTC", show_default=True, help="Your time zone, like Europe/Berlin.")
@click.option("--database", default=FILE, metavar="URL", help="An empty one of a PostgreSQL server; else a file there.")
def init(folder: Path, address: str, name: str, gm: str, zone: str, database: str) -> None:
    """Make an office in FOLDER: pbem.toml, an empty database, a key.

    With --database it is kept by a PostgreSQL server, in a database that is there and has nothing in it.

    \b
    Example:
      pbem init autumn --address office@example.org --gm me@example.org --zone Europe/Berlin
      pbem init autumn --address office@example.org --database postgresql://pbem@db.example.org/autumn
    """
    from pbem.desk.office.office import make_office
    from pbem.desk.office.settings import can_be_extended

    written = {"address": address, "name": name, "gm": gm or address, "zone": zone, "database": database}
    quoted = {key: value.replace("\\", "\\\\").replace('"', '\\"') for key, value in written.items()}
    ways = '"mailbox"' if can_be_extended(address) else '"none"'
    make_office(folder, SETTINGS.format(**quoted, addresses=ways))
    click.echo(common.strong(f"An office is in {folder.absolute()}."))
    if not gm:
        click.echo("Put your own address into its pbem.toml (gm), for you are told by mail what needs a decision.")
    click.echo("Next: pbem scenario list\n      pbem campaign new NAME SCENARIO")


@click.command()
@common.json_option
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """See whether database, key, mail, clock and templates are in order.

    \b
    Example:
      pbem doctor
    """
    from pbem.desk.house.doctor import examine

    findings = list(examine(common.office_folder()))
    if as_json:
        common.print_json([{"what": one.what, "state": one.state, "says": one.says} for one in findings])
    else:
        for one in findings:
            state = {"ok": "ok   ", "look": common.look("look "), "wrong": click.style("wrong", fg="red")}[one.state]
            click.echo(f"  {one.what:<10}  {state}  {one.says}")
    context.exit(1 if any(one.state == "wrong" for one in findings) else 0)
