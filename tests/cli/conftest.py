from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.terminal import Terminal
from tests.systems.play import SIXTH


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in an empty folder, with the toy installed and no office at hand."""
    monkeypatch.syspath_prepend(str(SIXTH))
    monkeypatch.delenv("PBEM_OFFICE", raising=False)
    monkeypatch.chdir(tmp_path)
    return Terminal()


@pytest.fixture
def begun(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    """An office in the folder at hand, in which the campaign `ford` has begun."""
    terminal.does("init", "office", "--address", "office@office.example", "--gm", "gm@office.example")
    monkeypatch.chdir(tmp_path / "office")
    terminal.does("campaign", "new", "ford", "toy/ford", "--trust", "address", "--option", "last_turn=1")
    for role in ("smuggler", "guard"):
        terminal.does("player", "add", "ford", role, "--name", role.title(), "--address", f"{role}@player.example")
    terminal.does("campaign", "start", "ford")
    return terminal
