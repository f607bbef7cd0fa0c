"""What a shell is told to complete commands, campaigns and roles."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from pbem.cli import main
from pbem.cli.books.completion import SHELLS
from tests.kit.terminal import Terminal


def completed(*typed: str) -> list[str]:
    """What may follow what was typed, the last word of which is begun."""
    *words, begun = typed
    shell = ShellComplete(main, {}, "pbem", "_PBEM_COMPLETE")
    return [one.value for one in shell.get_completions(words, begun)]


def test_commands_are_completed() -> None:
    assert completed("cam") == ["campaign"]
    assert completed("turn", "rel") == ["release"]


def test_campaigns_and_their_roles_are_completed(begun: Terminal) -> None:
    assert completed("turn", "show", "") == ["ford"]
    assert completed("turn", "show", "f") == ["ford"]
    assert completed("turn", "show", "x") == []
    assert completed("player", "withdraw", "ford", "") == ["smuggler", "guard"]
    assert completed("player", "withdraw", "ford", "g") == ["guard"]
    assert completed("player", "withdraw", "nothing", "g") == []


def test_where_there_is_no_office_nothing_is_completed_and_nothing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PBEM_OFFICE", raising=False)
    monkeypatch.chdir(tmp_path)

    assert completed("turn", "show", "") == []
    assert completed("--office", str(tmp_path), "turn", "show", "") == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_what_it_reads(shell: str) -> None:
    assert f"_PBEM_COMPLETE={shell}_complete" in Terminal().does("completion", shell)
