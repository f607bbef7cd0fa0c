"""The containers: what they are made of is there, and their commands, run on this machine, do what they are for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.metadata import requires
from ipaddress import ip_address, ip_network
from pathlib import Path

import psycopg
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deploy.machine import DEPLOY, ROOT, Machine, machine
from tests.deploy.reading import COMPOSE, OURS, SERVICES, step, steps, typed
from tests.kit.server import Server, program

pytestmark = pytest.mark.xdist_group("containers")

STAY = [name for name in OURS if SERVICES[name]["restart"] == "always"]

SECRETS = {"PBEM_KEY_HEX": "0f" * 32, "OWNER_PASSWORD": "owners", "OFFICE_PASSWORD": "offices"}

_GIVEN = re.compile(r"\$\{(\w+):\?\}")


# ------------------------------------------------------------------------------------------------- images


def copied(folder: str) -> list[str]:
    """What an image takes from beside it."""
    return [name for one, rest in steps(folder) if one == "COPY" and "--from" not in rest for name in rest.split()[:-1]]


def test_an_image_is_made_of_what_is_there() -> None:
    assert {"pbem", "campaigns", "migrations", "templates"} <= set(copied("."))
    assert [name for name in copied(".") if not (ROOT / name).exists()] == []
    assert [name for name in copied("relay") if not (DEPLOY / "relay" / name).exists()] == []


def test_of_the_folder_nothing_else_is_handed_over() -> None:
    lines = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}

    assert lines[1] == "*"
    assert let_in == set(copied("."))
    assert not [name for name in let_in if fnmatch(name, "*key*") or fnmatch(name, ".*")]


def test_it_runs_as_nobody_in_particular_and_holds_no_secret() -> None:
    said = dict(steps("."))

    assert said["USER"] == "pbem"
    assert said["VOLUME"] == said["WORKDIR"] == "/office"
    assert "PYTHONDONTWRITEBYTECODE" not in said["ENV"]
    assert [name for name, _ in steps(".") if name == "ARG"] == []
    assert not re.search("KEY|PASSWORD", " ".join(rest for name, rest in steps(".") if name in ("ENV", "RUN")))


def needed(asked: list[Requirement]) -> set[str]:
    """What *asked* takes, and all that this takes in turn, by what is installed here."""
    seen: set[tuple[str, frozenset[str]]] = set()
    while asked:
        one = asked.pop()
        known = canonicalize_name(one.name), frozenset(one.extras)
        if known not in seen:
            seen.add(known)
            for told in map(Requirement, requires(one.name) or ()):
                if told.marker is None or any(told.marker.evaluate({"extra": extra}) for extra in ("", *one.extras)):
                    asked.append(told)
    return {name for name, _ in seen}


def test_its_lock_names_all_that_the_office_needs_with_pages_and_a_server() -> None:
    lock = (ROOT / "requirements-club.lock").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["web"], *extras["postgres"], *extras["build"]]

    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}
    assert needed([Requirement(one) for one in asked]) <= locked


def test_a_wheel_is_built_and_installed_by_its_own_lines(tmp_path: Path) -> None:
    for name in copied("."):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / "src").mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / "src" / name)
    lines = [rest for one, rest in steps(".") if one == "RUN" and "/opt/pbem" in rest]
    assert len(lines) == 5
    for line in lines:
        # What the lock names is here already, and the net is not asked.
        if "requirements-club.lock" in line:
            [packages] = (tmp_path / "opt/pbem/lib").glob("python*/site-packages")
            (packages / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")
        elif "pip check" not in line:
            line = re.sub(r"(?<![\w.])/(opt|src|dist)\b", rf"{tmp_path}/\1", line)
            line = line.replace("python -m venv", f"{sys.executable} -m venv")
            done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False, cwd=tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    installed = tmp_path / "opt/pbem/bin/pbem"
    done = subprocess.run([installed, "scenario", "list"], capture_output=True, text=True, check=False, cwd="/", env={})
    assert "graveyard" in done.stdout, done.stderr


# ------------------------------------------------------------------------------------------------- services


def said(service: str) -> dict[str, str]:
    """What the environment of a service has."""
    given = SERVICES[service].get("environment", {})
    return {name: _GIVEN.sub(lambda found: SECRETS[found[1]], str(value)) for name, value in given.items()}


def test_each_begins_when_the_tables_are_there_and_are_for_the_office() -> None:
    waits = {name: service.get("depends_on", {}) for name, service in SERVICES.items()}

    assert waits["upgrade"] == {"postgres": {"condition": "service_healthy"}}
    assert waits["grants"] == {"upgrade": {"condition": "service_completed_successfully"}}
    assert STAY == ["office", "worker", "web"]
    for name in STAY:
        assert waits[name] == {"grants": {"condition": "service_completed_successfully"}}
        assert int(SERVICES[name]["stop_grace_period"].removesuffix("s")) > 62, "longer than a worker waits"
        assert said(name)["PGPASSWORD"] == "offices", "the owner's is with who alters tables alone"
    assert SERVICES["worker"]["deploy"]["replicas"] == 2


def test_what_they_are_given_is_there() -> None:
    given = {one for service in SERVICES.values() for one in service.get("volumes", ())}
    lying = [one.partition(":")[0] for one in given if one.startswith("./")]
    secrets = re.findall(r"^(\w+)=$", (DEPLOY / "env.example").read_text("utf-8"), re.MULTILINE)

    assert [name for name in lying if not (DEPLOY / name).exists()] == []
    assert {one.partition(":")[0] for one in given if not one.startswith("./")} == COMPOSE["volumes"].keys()
    assert set(secrets) == SECRETS.keys() == set(_GIVEN.findall((DEPLOY / "compose.yaml").read_text("utf-8")))


def test_the_network_is_the_one_that_the_office_and_its_relay_believe() -> None:
    [inside] = COMPOSE["networks"]["inside"]["ipam"]["config"]
    settings = tomllib.loads((DEPLOY / "pbem.toml").read_text("utf-8"))
    relay = (DEPLOY / "relay" / "main.cf").read_text("utf-8")
    [believed] = re.findall(r"^mynetworks = (.*)$", relay, re.MULTILINE)

    assert (
        settings["listen"]["networks"] == settings["web"]["proxies"] == settings["web"]["metrics"] == [inside["subnet"]]
    )
    assert ip_address(inside["gateway"]) in ip_network(inside["subnet"])
    # Behind the gateway the world may stand: whoever that is may not mail through the relay.
    assert believed.split(", ") == ["127.0.0.0/8", f"!{inside['gateway']}", inside["subnet"]]


@pytest.fixture(scope="module")
def containers(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine in place of the containers: a folder for their volume, a database, what `upgrade` and `grants` do."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE contained OWNER pbem_owner")
    with machine(tmp_path_factory.mktemp("containers"), server, "contained") as found:
        found.office.mkdir(mode=0o700)
        text = found.here((DEPLOY / "pbem.toml").read_text("utf-8"))
        (found.office / "pbem.toml").write_text(text, "utf-8")
        found.beside["PBEM_OFFICE"] = str(found.office)
        for name, command in (("upgrade", ["pbem", *SERVICES["upgrade"]["command"]]), ("grants", granted(found))):
            done = found.does(command, {one: found.here(value) for one, value in said(name).items()} | at(found, name))
            assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        yield found


def granted(machine: Machine) -> list[str]:
    command: list[str] = SERVICES["grants"]["command"]
    [mounted] = SERVICES["grants"]["volumes"]
    here, there, _ = mounted.split(":")
    assert (DEPLOY / here).is_file()
    return [word.replace(there, str(DEPLOY / here)) for word in command]


def at(machine: Machine, name: str) -> dict[str, str]:
    """Where the server is, for who asks it by name."""
    if name != "grants":
        return {}
    # It makes a role, which in the container its owner may: there he is the server's own.
    return {"PGHOST": str(machine.server.folder), "PGDATABASE": machine.database, "PGUSER": "pbem"}


def healthy(machine: Machine, name: str) -> bool:
    """Whether a service is, as its container asks."""
    test = SERVICES[name].get("healthcheck", {}).get("test") or ["CMD", *step(".", "HEALTHCHECK")]
    assert test[0] == "CMD"
    return machine.does([machine.here(word) for word in test[1:]], {}).returncode == 0


@pytest.mark.parametrize("name", STAY)
def test_what_stays_gets_well_and_ends_when_it_is_told(name: str, containers: Machine) -> None:
    command = [*step(".", "ENTRYPOINT"), *(containers.here(word) for word in SERVICES[name]["command"])]
    around = {one: containers.here(value) for one, value in said(name).items()}
    assert not healthy(containers, name)

    with containers.keeps(command, around, lambda: healthy(containers, name)):
        pass


def test_an_image_alone_is_an_office(containers: Machine) -> None:
    command = [*step(".", "ENTRYPOINT"), *(containers.here(word) for word in step(".", "CMD"))]
    asked = [containers.here(word) for word in step(".", "HEALTHCHECK")]

    with containers.keeps(command, said("office"), lambda: containers.does(asked, {}).returncode == 0):
        pass


def test_the_server_is_asked_as_its_container_asks(containers: Machine) -> None:
    kind, name, *rest = SERVICES["postgres"]["healthcheck"]["test"]
    found = program(name)
    assert found is not None

    rest = [word.replace("127.0.0.1", str(containers.server.folder)) for word in rest]
    assert kind == "CMD"
    assert containers.does([found, *rest], {}).returncode == 0


@pytest.mark.parametrize("heading", ["Containers", "Looking after it", "A new version"])
def test_what_is_typed_into_a_container_does_what_it_is_for(heading: str, containers: Machine) -> None:
    lines = list(typed(heading))
    assert lines
    for line in lines:
        done = containers.does([word.replace("/office/", f"{containers.office}/") for word in line], said("office"))
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
