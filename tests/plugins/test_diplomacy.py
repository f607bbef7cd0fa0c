"""Diplomacy, by an outsider: its own tests, and the contract suite, as if it were installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path(__file__).parent / "pbem-diplomacy"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where Python looks: this checkout, the package, and the entry points that installing it would write."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
    folder = tmp_path_factory.mktemp("path")
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = project["entry-points"]["pbem.systems"]
    info.joinpath("entry_points.txt").write_text(
        "\n".join(("[pbem.systems]", *(f"{name} = {where}" for name, where in entries.items()))) + "\n"
    )
    return os.pathsep.join(map(str, (ROOT, PACKAGE, folder)))


def run(path: str, folder: Path, *arguments: str) -> str:
    """Let Python run something that must succeed, in an empty folder; give what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:xdist")


def test_its_own_tests_pass(path: str, tmp_path: Path) -> None:
    assert " passed" in run(
        path, tmp_path, *PYTEST, "--confcutdir", str(PACKAGE), "--rootdir", str(PACKAGE), str(PACKAGE / "tests")
    )


def test_all_cases_of_the_adjudicators_document_pass(path: str, tmp_path: Path) -> None:
    table = run(path, tmp_path, str(PACKAGE / "tests" / "datc_cases.py")).splitlines()

    assert len(table) == 12, "a head, ten sections, and their sum"
    assert table[-1].split() == ["all", "171", "173", "0"]


def test_it_keeps_the_contract(path: str, tmp_path: Path) -> None:
    suite = ("-p", "pbem.suite.plugin", "--pyargs", "pbem.suite", "--system", "diplomacy")

    assert " passed" in run(path, tmp_path, *PYTEST, *suite)


def test_its_types_are_strict(path: str, tmp_path: Path) -> None:
    strict = ("-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "pbem_diplomacy")

    assert "Success" in run(path, tmp_path, *strict)
