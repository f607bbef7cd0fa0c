from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.deploy.machine import Machine, machine
from tests.deploy.reading import SERVICES, blocks
from tests.kit.server import Server, program
from tests.kit.server import server as begun

ALONE = "One machine: systemd, Debian's PostgreSQL, Postfix"
"""Where the README says how it is done on one machine."""

MADE = SERVICES["postgres"]["environment"]["POSTGRES_INITDB_ARGS"].split()

OF_A_SYSTEM = ("apt ", "adduser ", "git ", "python3 -m venv ", "/srv/pbem/first/bin/pip ", "cp ", "ln ", "systemctl ")
"""How lines begin that change a whole system, or make of pbem what a machine of these tests has already."""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server as the containers have it: roles are of a whole server."""
    if program("initdb") is None:
        pytest.skip("needs a PostgreSQL server, which this machine does not have")
    with begun(made=MADE) as found:
        with psycopg.connect(found.url(), autocommit=True) as connection:
            connection.execute("CREATE ROLE pbem_owner LOGIN")
        yield found


@pytest.fixture(scope="session")
def alone(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine on which all was done that the README has one do, up to the shell of the office."""
    with machine(tmp_path_factory.mktemp("alone"), server, "pbem") as found:
        as_postgres = f"env PGHOST={server.folder} PGUSER=pbem "
        for line in (line for block in blocks(ALONE) for line in _done(found, block)):
            if line.startswith((*OF_A_SYSTEM, "pbem ")) or line.endswith(("bash)", "createuser --pwprompt pbem_owner")):
                continue
            line = line.replace("runuser -u postgres -- ", as_postgres).replace("runuser -u pbem -- ", "")
            line = found.here(line.replace(" -g pbem", "").replace(" -o pbem", ""))
            done = found.does(line, {})
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        yield found


def _done(machine: Machine, block: list[str]) -> list[str]:
    """What is left to be done when a block is written down that is part of a file."""
    if block[0].startswith(("PATH=", "PBEM_DATABASE=")):
        name = "owner.env" if block[0].startswith("PBEM_DATABASE") else "office.env"
        lines = [f'PATH="{machine.beside["PATH"]}"' if line.startswith("PATH=") else line for line in block]
        text = "".join(f"{machine.here(line)}\n" for line in lines).replace("PGPASSWORD=\n", "PGPASSWORD=secret\n")
        (machine.folder / "etc" / name).write_text(text)
    elif block[0].startswith("["):
        with (machine.office / "pbem.toml").open("a") as settings:
            settings.write("\n".join(["", *block, ""]))
    elif not block[0].startswith("recipient_delimiter"):  # of Postfix, which has its own test
        return block
    return []


@pytest.fixture(scope="session")
def of_the_office(alone: Machine) -> dict[str, str]:
    """What the environment of the office has, as its file says."""
    text = (alone.folder / "etc" / "office.env").read_text()
    return {name: value.strip('"') for name, _, value in (line.partition("=") for line in text.splitlines())}
