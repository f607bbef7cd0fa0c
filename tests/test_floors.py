"""Who may import whom, and what may not be touched below the desk: read from the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.trees import Nodes, nodes

pytestmark = pytest.mark.xdist_group("trees")

ROOT = Path(__file__).parents[1]


class Floor(NamedTuple):
    """What the modules of a package may import: other packages of pbem, and guests from outside."""

    packages: frozenset[str]
    guests: frozenset[str]


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def climbing(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FLOORS = {
    "cli": Floor(words("desk kernel reports resources web"), words("click rich")),
    "web": Floor(words("desk kernel reports resources"), words("fastapi jinja2 msgspec starlette uvicorn")),
    "suite": Floor(words("desk reports ground rules orders kernel resources"), words("hypothesis msgspec pytest")),
    "desk": Floor(
        words("storage reports mail rules orders kernel resources"),
        words("msgspec cryptography procrastinate tomlkit"),
    ),
    "systems": Floor(words("ground rules orders kernel"), words("msgspec")),
    "reports": Floor(words("ground rules orders kernel"), words("msgspec jinja2 css_inline markdown_it resvg_py PIL")),
    "mail": Floor(
        words("kernel"),
        words("msgspec aiosmtplib imap_tools aiosmtpd selectolax dkim authres flufl icalendar"),
    ),
    "storage": Floor(words("kernel"), words("msgspec sqlmodel sqlalchemy alembic psycopg")),
    "rules": Floor(words("ground orders kernel"), words("msgspec")),
    "orders": Floor(words("kernel"), words("msgspec lark rapidfuzz")),
    "ground": Floor(words(""), words("msgspec")),
    "kernel": Floor(words(""), words("msgspec")),
    "resources": Floor(words(""), words("")),
}
"""The desk reaches the systems through the registry in ``rules``, which knows them by entry points."""

ROOMS = {
    "desk": climbing(
        "library office books worlds reels pages post access sheets turns gm players deeds proof intake ways reading "
        "house study"
    ),
    "mail": climbing("wire reading trust doors leaving"),
    "reports": climbing("text drawing hexes plane maps pages replay"),
}
SYSTEM = climbing("tables world scene field mind play knowing command march fire works melee turn sheets page gm")
"""Those of a system, in each the same; `knowing`, `command` and `works` are Kriegsspiel's alone."""
ROOMS |= {f"systems.{path.parent.name}": SYSTEM for path in sorted((ROOT / "pbem/systems").glob("*/__init__.py"))}
"""The rooms of a package, from the ground up: a module imports of its own package only what stands in its room, or in
one before it.  Where there are no rooms, each file is one noun."""

APART = {("desk", "study"): words("library worlds"), ("reports", "plane"): words("text drawing")}
"""Rooms that are open to less than all before them."""

ALONE = {
    "cryptography": "pbem.desk.office.signature",
    "procrastinate": "pbem.desk.house.worker",
    "tomlkit": "pbem.desk.office.gms_written",
}
"""Guests that one module alone may let in, since few commands have need of them."""

DISTRIBUTIONS = {
    "PIL": "pillow",
    "css_inline": "css-inline",
    "dkim": "dkimpy",
    "flufl": "flufl.bounce",
    "imap_tools": "imap-tools",
    "markdown_it": "markdown-it-py",
    "resvg_py": "resvg-py",
}
"""Guests that are not installed under the name by which they are imported."""

DATA = words("tzdata")
"""Dependencies that nobody imports: the standard library finds the time zones by itself."""

READ_BY_ITS_OWNER = words("python-multipart")
"""What starlette imports to read forms."""

BELOW_THE_DESK = FLOORS.keys() - words("cli desk suite web")
CHANCE_AND_CLOCK = words("random secrets time uuid")
READINGS = words("""
    datetime.date.today datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow
    email.utils.localtime email.utils.make_msgid
""")
"""Below the desk nobody asks what time it is or makes up a name: both come in as arguments."""

PURE = words("ground kernel orders rules systems")
"""Where an answer depends on the arguments alone, and is exact."""

OUTSIDE = words("""
    asyncio ctypes fileinput glob http importlib io locale logging mmap multiprocessing os pathlib pickle
    platform select selectors shelve shutil signal smtplib socket sqlite3 subprocess sys tempfile threading
    urllib
""")
"""The machine and what lies about it: files, processes, other machines."""

EXCUSED = {
    "id": words("pbem.rules.lately"),
    "importlib": words("pbem.rules.registry"),
    "pathlib": words("pbem.orders.table pbem.orders.tongues pbem.rules.cases pbem.rules.ledger pbem.rules.registry"),
    "sys": words("pbem.rules.registry"),
}
"""The registry finds the systems by the import system; it, the ledger, the tongues and the tables read files that ship
with the code.  What is kept of an answer is known by what was asked of being the same object, and never shows."""

SHAKY = words("hash id input open print")
"""Builtins whose answer changes from run to run, or that reach outside."""

INEXACT = words("pbem.ground.plane")
"""Where floats are at home; whatever leaves is rounded."""

EXACT_MATH = words("math.comb math.gcd math.isqrt math.lcm math.perm math.prod")


def imports(of: Nodes) -> Iterator[tuple[int, str]]:
    """Every name that is imported, wherever the import stands: its line, and the name in full."""
    for node in of:
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
            case ast.Call(
                func=ast.Name("import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(str(name)), *_],
            ):
                yield node.lineno, name


def uses(of: Nodes) -> Iterator[tuple[int, str]]:
    """Every builtin and imported name that is read: its line, and the name in full."""
    known: dict[str, str] = {}
    bound: set[str] = set()
    called: set[str] = set()
    for node in of:
        match node:
            case ast.Import():
                known |= {alias.asname: alias.name for alias in node.names if alias.asname}
            case ast.ImportFrom():
                known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            case ast.Name(name, ast.Store()) | ast.arg(name):
                bound.add(name)
            case ast.Call(ast.Name(name)):
                called.add(name)
    own = bound - called

    def full(node: ast.expr) -> str:
        match node:
            case ast.Name(name):
                return "" if name in own else known.get(name, name)
            case ast.Attribute(value, attribute):
                return f"{full(value)}.{attribute}"
        return ""

    for node in of:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.lineno, full(node)


def floats(of: Nodes) -> Iterator[int]:
    """The lines where a number comes about that is not exact."""
    for node in of:
        match node:
            case ast.BinOp(op=ast.Div(), right=ast.Constant(str()) | ast.JoinedStr()):
                pass  # a path
            case ast.Constant(float()) | ast.Name("float") | ast.BinOp(op=ast.Div()):
                yield node.lineno


def bar(module: str, name: str) -> str:
    """Why *module* may not import *name*; empty where it may."""
    home, (top, *rest) = module.split(".")[1:], name.split(".")
    floor = home[0] if home else "pbem"
    if top == "pbem":
        if not rest or rest[0] not in FLOORS:
            return ""  # the version, which anybody may tell
        if rest[0] != floor:
            return "" if floor in FLOORS and rest[0] in FLOORS[floor].packages else f"not below {floor}"
        return "another system" if floor == "systems" and home[1:2] != rest[1:2] and home[1:] else ""
    if top in sys.stdlib_module_names:
        if top in CHANCE_AND_CLOCK and floor in BELOW_THE_DESK:
            return "chance and clock are the desk's"
        return f"{floor} is pure" if top in OUTSIDE and floor in PURE and module not in EXCUSED.get(top, ()) else ""
    if floor not in FLOORS or top not in FLOORS[floor].guests:
        return f"no guest of {floor}"
    return f"{ALONE[top]} alone lets it in" if ALONE.get(top, module) != module else ""


def upstairs(module: str, name: str) -> str:
    """Why *module* may not import *name*, of its own package, by the order of the rooms; empty where it may."""
    for package, rooms in ROOMS.items():
        home = f"pbem.{package}."
        if not module.startswith(home) or not name.startswith(home):
            continue
        room, other = (one.removeprefix(home).split(".")[0] for one in (module, name))
        if room not in rooms:
            return f"{module} stands in no room"
        open_to = APART.get((package, room), frozenset(rooms[: rooms.index(room)]))
        return "" if other == room or other in open_to else f"{room} is not above {other}"
    return ""


def complaints(module: str, source: str) -> list[str]:
    """What *module*, by its dotted name, does that its floor forbids."""
    all_of_it = nodes(source)
    floor = [*module.split("."), "pbem"][1]
    exact = floor in PURE and module not in INEXACT
    found = [(line, f"imports {name}: {why}") for line, name in imports(all_of_it) if (why := bar(module, name))]
    found += [(line, f"imports {name}: {why}") for line, name in imports(all_of_it) if (why := upstairs(module, name))]
    for line, name in uses(all_of_it):
        if name in READINGS and floor in BELOW_THE_DESK:
            found.append((line, f"uses {name}: chance and clock are the desk's"))
        if name in SHAKY and floor in PURE and module not in EXCUSED.get(name, ()):
            found.append((line, f"uses {name}: {floor} is pure"))
        if name.startswith("math.") and name not in EXACT_MATH and exact:
            found.append((line, f"uses {name}: {floor} is exact"))
    if exact:
        found += [(line, f"makes a float: {floor} is exact") for line in floats(all_of_it)]
    return [f"{module}, line {line}, {what}" for line, what in sorted(set(found))]


def modules() -> Iterator[tuple[str, str]]:
    """Each module of pbem: its dotted name, and its source."""
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path.read_text("utf-8")


def circle(sources: Mapping[str, str]) -> list[str]:
    """Modules that import each other in a circle, for types too: each is imported by the one before it."""
    imported: dict[str, set[str]] = {}
    for module, source in sources.items():
        named = (home(name, sources) for _, name in imports(nodes(source)))
        imported[module] = {name for name in named if name not in ("", module)}
    try:
        TopologicalSorter(imported).prepare()
    except CycleError as found:
        return [str(module) for module in found.args[1]]
    return []


def home(name: str, there: Collection[str]) -> str:
    """The module of those that are *there* in which an imported *name* stands; empty: in none."""
    while name and name not in there:
        name = name.rpartition(".")[0]
    return name


def test_every_module_keeps_to_its_floor() -> None:
    assert [complaint for module, source in modules() for complaint in complaints(module, source)] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(dict(modules())) == []


def test_a_circle_is_found_though_it_is_for_types_alone() -> None:
    types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pbem.kernel.log import Log"

    assert circle({"pbem.kernel.log": "from pbem.kernel import word", "pbem.kernel.word": types}) != []
    assert circle({"pbem.kernel.log": "from pbem.kernel import word", "pbem.kernel.word": "import pbem.kernel"}) == []


def test_every_package_has_a_floor() -> None:
    packages = {module.split(".")[1] for module, _ in modules() if "." in module}

    assert packages <= FLOORS.keys()


def test_every_module_of_a_package_with_rooms_stands_in_one() -> None:
    homes = {
        package: {
            module.removeprefix(f"pbem.{package}.").split(".")[0] for module, _ in modules() if within(module, package)
        }
        for package in ROOMS
    }

    assert [(package, room) for package, rooms in homes.items() for room in rooms - {*ROOMS[package]}] == []
    assert all(homes[package] == {*rooms} for package, rooms in ROOMS.items() if "systems." not in package)


def within(module: str, package: str) -> bool:
    return module.startswith(f"pbem.{package}.")


def test_the_guests_are_the_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {re.split(r"[^\w.-]", line)[0] for line in project["dependencies"]}
    of_web, of_postgres, of_suite = (
        {re.split(r"[^\w.-]", line)[0].partition("[")[0] for line in project["optional-dependencies"][name]}
        for name in ("web", "postgres", "suite")
    )
    guests = frozenset[str]().union(*(floor.guests for name, floor in FLOORS.items() if name not in ("suite", "web")))

    assert {DISTRIBUTIONS.get(guest, guest) for guest in guests} == (declared - DATA) | of_postgres
    assert {DISTRIBUTIONS.get(guest, guest) for guest in FLOORS["web"].guests - guests} == of_web - READ_BY_ITS_OWNER
    assert FLOORS["suite"].guests - guests == of_suite


@pytest.mark.parametrize(
    ("module", "strangers"),
    [
        ("pbem", "msgspec"),
        ("pbem.kernel", "pydantic sqlalchemy jinja2"),
        ("pbem.storage.database", "psycopg sqlalchemy alembic"),
        ("pbem.systems.st_privat", "pbem.ground.plane pydantic sqlalchemy jinja2"),
        ("pbem.cli", "pbem.desk pbem.storage pbem.reports pydantic sqlalchemy alembic jinja2 rich asyncio"),
        ("pbem.cli.web", "pbem.web fastapi starlette uvicorn pbem.desk asyncio"),
    ],
)
def test_a_module_loads_only_what_it_needs(module: str, strangers: str) -> None:
    program = f"import sys, {module}; print(*sorted(set({strangers.split()!r}) & sys.modules.keys()))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert loaded.split() == []


FORBIDDEN = {
    "a package above": ("pbem.kernel.log", "import pbem.storage.log", "not below kernel"),
    "a package beside": ("pbem.mail.doors.inbox", "from pbem.storage import log", "not below mail"),
    "a package by its name alone": ("pbem.ground.path", "from pbem import kernel", "not below ground"),
    "a guest of another module": ("pbem.desk.house.clock", "import cryptography", "signature alone lets it in"),
    "inside a function": ("pbem.rules.cases", "def f():\n    import pbem.desk", "line 2, imports pbem.desk"),
    "only for types": (
        "pbem.orders.sheet",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pbem.rules.view import View",
        "not below orders",
    ),
    "by the import system": (
        "pbem.kernel.fold",
        "from pbem.kernel import importer\nimporter.import_module('pbem.desk.house.clock')",
        "not below kernel",
    ),
    "a system from the rules": ("pbem.rules.registry", "import pbem.systems.st_privat", "not below rules"),
    "a system from the desk": (
        "pbem.desk.intake.receive",
        "from pbem.systems import st_privat",
        "not below desk",
    ),
    "another system": (
        "pbem.systems.crossroads.fire.fire",
        "from pbem.systems.half_league.fire import volley",
        "another system",
    ),
    "resources below the desk": ("pbem.reports.maps.maps", "from pbem.resources import resources", "not below"),
    "a room above": ("pbem.desk.books.seeds", "from pbem.desk.intake import intake", "books is not above intake"),
    "a room above, for types": (
        "pbem.mail.wire.limits",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pbem.mail.trust.grade import grade",
        "wire is not above trust",
    ),
    "a room beside": ("pbem.reports.plane.relief", "from pbem.reports.hexes import stacks", "plane is not above hexes"),
    "a stranger": ("pbem.reports.maps.maps", "import numpy", "no guest of reports"),
    "a guest of another floor": ("pbem.kernel.event", "import pydantic", "no guest of kernel"),
    "a guest of the whole": ("pbem", "import msgspec", "no guest of pbem"),
    "chance": ("pbem.systems.st_privat.fire", "from random import randint", "the desk's"),
    "chance in storage": ("pbem.storage.log", "import uuid", "the desk's"),
    "a clock": ("pbem.mail.leaving.outbox", "import time", "the desk's"),
    "a reading of the clock": (
        "pbem.storage.log",
        "from datetime import UTC, datetime\nnow = datetime.now(UTC)",
        "uses datetime.datetime.now",
    ),
    "a reading under another name": (
        "pbem.kernel.log",
        "import datetime as calendar\nread = calendar.date.today",
        "uses datetime.date.today",
    ),
    "a made-up name": ("pbem.mail.leaving.outbox", "import email.utils\nemail.utils.make_msgid()", "the desk's"),
    "files": ("pbem.kernel.log", "from pathlib import Path", "kernel is pure"),
    "the environment": ("pbem.rules.ledger", "import os", "rules is pure"),
    "the import system in a system": (
        "pbem.systems.st_privat",
        "import importlib.resources",
        "systems is pure",
    ),
    "an open file": ("pbem.orders.grammar", "open('orders.txt')", "uses open"),
    "a shaky hash": ("pbem.systems.st_privat.page.view", "sorted(units, key=hash)", "uses hash"),
    "an id beside a field of that name": (
        "pbem.systems.st_privat.world.state",
        "class Unit:\n    id: str\nid(Unit)",
        "uses id",
    ),
    "a float": ("pbem.systems.st_privat.melee.melee", "ODDS = 1.5", "makes a float"),
    "a division": ("pbem.ground.square", "half = width / 2", "makes a float"),
    "a root": ("pbem.ground.square", "import math\nmath.sqrt(2)", "uses math.sqrt"),
}


@pytest.mark.parametrize(("module", "source", "complaint"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_is_forbidden_is_found(module: str, source: str, complaint: str) -> None:
    [found] = complaints(module, source)

    assert complaint in found


ALLOWED = {
    "a package below": ("pbem.systems.st_privat.fire", "from pbem.rules.contract import System"),
    "its own package": ("pbem.systems.st_privat.fire", "from pbem.systems.st_privat import tables"),
    "a room below": ("pbem.desk.intake.receive", "from pbem.desk.books.dossiers import Dossier"),
    "the version": ("pbem.mail.leaving.outbox", "from pbem import __version__"),
    "the clock at the desk": (
        "pbem.desk.house.clock",
        "import time\nfrom datetime import datetime\ndatetime.now()",
    ),
    "files in storage": ("pbem.storage.blobs", "from pathlib import Path\nopen(Path('a') / 'b')"),
    "a moment that is given": ("pbem.kernel.campaign", "from datetime import datetime\ndue: datetime"),
    "a field that is called id": ("pbem.kernel.campaign", "def f(id):\n    return id"),
    "the registry": ("pbem.rules.registry", "from importlib import metadata, resources\nresources / 'a'"),
    "exact arithmetic": ("pbem.ground.square", "import math\nmath.isqrt(5 // 2)"),
    "floats on the plane": ("pbem.ground.plane", "import math\nmath.sqrt(0.5 / 2)"),
}


@pytest.mark.parametrize(("module", "source"), ALLOWED.values(), ids=ALLOWED)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert complaints(module, source) == []
