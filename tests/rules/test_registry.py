"""Systems are found by name, imported when asked for, and known by the hash of what decides their games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.kernel.errors import UnknownSystem
from pbem.rules import registry
from pbem.rules.contract import AnySystem

ROOT = Path(__file__).parents[2]


def test_a_system_of_another_package_is_found_by_its_entry_point(toy: AnySystem) -> None:
    assert "toy" in registry.names()
    assert toy.name == "toy"
    assert registry.ledger_of("toy").rules


def test_an_unknown_system_is_refused_with_those_installed() -> None:
    with pytest.raises(UnknownSystem, match=r'"chess".*st-privat'):
        registry.load("chess")


def test_listing_the_systems_imports_none_of_them() -> None:
    code = (
        "import sys; from pbem.rules import registry; print(registry.names());"
        "print([m for m in sys.modules if m.startswith('pbem.systems.')])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout

    assert "st-privat" in printed
    assert printed.endswith("[]\n")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: AnySystem) -> Path:
    """A package of two files in the place of the toy's."""
    package = tmp_path / "copied_system"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "ledger.toml").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "package_of", lambda name: "copied_system")
    return package


def test_the_same_content_has_the_same_hash(toy: AnySystem, copied: Path) -> None:
    once = registry.content_hash(toy)
    (copied / "__pycache__").mkdir()
    (copied / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    (copied / "fire.cpython-311-x86_64-linux-gnu.so").write_bytes(b"compiled")

    assert registry.content_hash(toy) == once
    assert len(once) == 64


def test_what_a_package_says_that_it_continues_is_known_and_no_part_of_its_rules(toy: AnySystem, copied: Path) -> None:
    once = registry.content_hash(toy)
    assert registry.continued(toy) == frozenset()

    (copied / "continues.toml").write_text('[[rules]]\ncontent = "77c0"\nwhat = "as played in spring"\n')

    assert registry.continued(toy) == {"77c0"}
    assert registry.content_hash(toy) == once


@pytest.mark.parametrize("change", ["code", "data", "a new file", "a new name"])
def test_any_change_changes_the_hash(toy: AnySystem, copied: Path, change: str) -> None:
    once = registry.content_hash(toy)
    match change:
        case "code":
            (copied / "__init__.py").write_text("x = 1")
        case "data":
            (copied / "ledger.toml").write_text("#")
        case "a new file":
            (copied / "tables.py").write_text("")
        case _:
            (copied / "ledger.toml").rename(copied / "ladger.toml")

    assert registry.content_hash(toy) != once


def test_what_every_system_plays_with_counts_and_what_judges_it_does_not() -> None:
    named = {name for package in registry.SHARED for name, _ in registry._sources(package)}

    assert {"kernel/dice.py", "orders/grammar.py", "rules/contract.py"} <= named
    assert not {f"rules/{name}.py" for name in ("cases", "coverage", "expectations", "matching")} & named
