"""A scenario of one's own begins as a copy of one that is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pbem.desk.library.scenarios import find_scenario
from pbem.kernel.errors import Refused
from pbem.mail.reading.naming import for_machines

LEFT = shutil.ignore_patterns("demo", "sample-orders", "__pycache__")
"""What is of that scenario alone: its demonstration, and orders that name it."""
_NAME = re.compile(r'^name = ".*"$', re.MULTILINE)


def copy_scenario(office: Path, scenario: str, name: str) -> Path:
    """Copy *scenario* into the office as *name*, with the rulebook of its game; gives its folder.

    :raises Refused: if there is no such scenario, if it cannot be called so, or if there is one of that name.
    """
    found = find_scenario(office, scenario)
    for_machines(name, "scenario")
    home = office / "campaigns" / found.card.system
    to = home / name
    if to.exists():
        raise Refused(f"{to} is there already: choose another name.")
    shutil.copytree(found.folder, to, ignore=LEFT)
    head = to / "scenario.toml"
    head.write_text(_NAME.sub(f'name = "{name}"', head.read_text("utf-8"), count=1), "utf-8")
    rulebook = found.folder.parent / "rulebook.md"
    if rulebook.is_file() and not (home / rulebook.name).exists():
        shutil.copy(rulebook, home)
    return to
