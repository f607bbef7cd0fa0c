"""What stands in the files of `deploy`: units, containers, services, and the lines that one is to type."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from tests.deploy.machine import DEPLOY

UNITS = sorted(path.name for path in (DEPLOY / "systemd").iterdir())
README = (DEPLOY / "README.md").read_text("utf-8")


def entries(unit: str) -> list[tuple[str, str]]:
    """What a unit says, each entry by its name; a name may come more than once."""
    text = (DEPLOY / "systemd" / unit).read_text("utf-8")
    return [(name, value) for name, _, value in (line.partition("=") for line in text.splitlines() if "=" in line)]


def words(unit: str, name: str = "ExecStart", *, instance: str = "1") -> list[str]:
    """The command of a unit, in words, as systemd reads it."""
    [line] = [value for entry, value in entries(unit) if entry == name]
    return shlex.split(line.replace("%i", instance).replace("%%", "%").replace("$$", "$"))


def steps(folder: str) -> list[tuple[str, str]]:
    """The steps of a Containerfile, each its instruction and what stands with it."""
    text = (DEPLOY / folder / "Containerfile").read_text("utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line.strip())]


def step(folder: str, name: str) -> list[str]:
    """The words of the last step of that name, which is written as a list."""
    rest = [rest for one, rest in steps(folder) if one == name][-1]
    found: list[str] = json.loads(rest[rest.index("[") :])
    return found


COMPOSE: Mapping[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: Mapping[str, Mapping[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service.get("image") == "pbem"]
"""The services that are pbem."""


def blocks(heading: str) -> list[list[str]]:
    """What is set off under a heading of the README, its lines; what an empty line parts is two."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert section, heading
    found = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    return [[line[4:] for line in block.splitlines()] for block in found]


def typed(heading: str) -> Iterator[list[str]]:
    """The commands of pbem that are typed under a heading."""
    for block in blocks(heading):
        for line in block:
            if found := re.search(r"(?:^|exec \w+ )pbem (\w.*)$", line):
                yield ["pbem", *shlex.split(found[1])]
