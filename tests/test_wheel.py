"""The office as it is installed: a wheel, made from the source distribution, in its own environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BIN = Path(sys.executable).parent
"""Where the programs of this environment are."""

SOURCE = {".py", ".toml", ".typed", ".lark"}

pytestmark = pytest.mark.xdist_group("wheel")


def run(*command: str | Path, cwd: Path, told: Mapping[str, str] | None = None) -> str:
    """Run a command that must succeed, with more in its environment; give what it printed."""
    environment = os.environ | (told or {})
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network from a copy of what is committed or about to be."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            copy = folder / "source" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((ROOT / name).read_bytes())
    out = folder / "out"
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, cwd=folder / "source")
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def office(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose environment holds the wheel, and sees the dependencies of this one but not its pbem."""
    folder = tmp_path_factory.mktemp("office")
    run(sys.executable, "-m", "venv", "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", wheel)
    run(python, "-m", "pip", *install, cwd=folder)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    # A folder in a .pth is searched, but no .pth in it is read: the checkout is not on the path.
    Path(packages, "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def test_the_wheel_holds_what_the_office_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    beside = {
        path.relative_to(ROOT).as_posix()
        for name in ("templates", "migrations", "campaigns", "docs")
        for path in (ROOT / name).rglob("*")
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)
    }

    assert {f"pbem/_data/{name}" for name in beside} <= held
    assert any(name.endswith(".ttf") for name in held)
    assert any(name.endswith(".data/data/share/man/man1/pbem.1") for name in held)
    assert not [name for name in held if name.startswith("tests/")]


def test_the_wheel_holds_all_of_pbem_and_says_that_it_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pbem").rglob("*") if path.suffix in SOURCE}

    assert code <= held
    assert "pbem/py.typed" in held


def test_the_installed_office_is_not_the_checkout(office: Path) -> None:
    where = run("venv/bin/python", "-c", "import pbem; print(pbem.__file__)", cwd=office)

    assert Path(where.strip()).is_relative_to(office)


def test_the_installed_office_finds_its_resources(office: Path) -> None:
    program = "from pbem.resources import resources; print(resources('templates'))"
    where = Path(run("venv/bin/python", "-c", program, cwd=office).strip())

    assert where.is_relative_to(office)
    assert (where / "fonts" / "DejaVuSans.ttf").is_file()


@pytest.fixture(scope="module")
def index(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What tells those who install programs of a folder with the wheel and all that it needs, and of nothing else."""
    folder = tmp_path_factory.mktemp("index")
    shutil.copy(wheel, folder)
    asked = (
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
        "-r",
        ROOT / "requirements.lock",
    )
    run(sys.executable, "-m", "pip", "wheel", *asked, "--wheel-dir", folder, cwd=folder)
    home = tmp_path_factory.mktemp("home")
    places = {"HOME": home, "PIPX_HOME": home / "pipx", "PIPX_BIN_DIR": home / "bin", "PIPX_MAN_DIR": home / "man"}
    kept = {name: str(place) for name, place in places.items()}
    return {**kept, "UV_CACHE_DIR": str(home / "cache"), "UV_NO_INDEX": "1", "UV_FIND_LINKS": str(folder)}


def test_pipx_installs_the_command_and_its_manual_page(index: dict[str, str], tmp_path: Path) -> None:
    run(BIN / "pipx", "install", "--python", sys.executable, "pbem", cwd=tmp_path, told=index)

    assert run(Path(index["PIPX_BIN_DIR"], "pbem"), "--version", cwd=tmp_path).startswith("pbem, version ")
    assert Path(index["PIPX_MAN_DIR"], "man1", "pbem.1").read_text("utf-8").startswith(".TH PBEM 1")


def test_uvx_plays_the_demo_of_what_was_never_installed(index: dict[str, str], tmp_path: Path) -> None:
    told = run(BIN / "uvx", "--python", sys.executable, "pbem", "demo", cwd=tmp_path, told=index)
    reports = re.findall(r"^/\S+\.html$", told, re.MULTILINE)

    assert reports, f"the demo names no report:\n{told}"
    for report in reports:
        assert "<html" in Path(report).read_text("utf-8")


def test_a_system_of_ones_own_is_begun_installed_and_keeps_the_contract(office: Path) -> None:
    python, ask = "venv/bin/python", ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis")
    run("venv/bin/pbem", "rules", "new", "mine", cwd=office)
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
    run(python, "-m", "pip", *install, "-e", "mine", cwd=office)

    assert "mine" in run("venv/bin/pbem", "rules", "list", cwd=office)
    run("venv/bin/pbem", "scenario", "check", "mine/first", cwd=office)
    assert " passed" in run(python, *ask, "--pyargs", "pbem.suite", "--system", "mine", cwd=office)
    assert " passed" in run(python, *ask, "mine/tests", cwd=office)


def test_a_game_by_others_is_installed_by_pip_and_plays(office: Path) -> None:
    python, pbem = "venv/bin/python", office / "venv" / "bin" / "pbem"
    brought = office / "pbem-diplomacy"
    shutil.copytree(ROOT / "tests" / "plugins" / brought.name, brought, ignore=shutil.ignore_patterns("__pycache__"))
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
    run(python, "-m", "pip", *install, brought, cwd=office)
    club = office / "club"

    assert "diplomacy" in run(pbem, "rules", "list", cwd=office)
    run(pbem, "init", club, "--address", "office@example.org", "--gm", "gm@example.org", cwd=office)
    opened = run(pbem, "campaign", "new", "spring", "diplomacy/standard", "--trust", "address", cwd=club)
    assert "spring is open" in opened
    cases = brought / "pbem_diplomacy" / "suite" / "cases"
    assert "33 passed, 0 failed" in run(pbem, "rules", "check", cases, cwd=office)
