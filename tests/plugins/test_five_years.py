"""Five years of Diplomacy through an office: by letters, to the last winter, and the log is verified."""

from __future__ import annotations

from pathlib import Path

from tests.kit.quick import STAMP
from tests.plugins.test_diplomacy import path, run

__all__ = ["path"]


def test_five_years_by_letters_are_verified(path: str, tmp_path: Path) -> None:
    # Its hundred pictures are drawn as small as those of other tests (tests.kit.quick).
    small = f"from pbem.desk.pages import pages; pages.MAP_WIDTH = {STAMP}; "
    pbem = ("-c", f"{small}from pbem.cli import main; main()")
    told = run(path, tmp_path, *pbem, "demo", "shown", "--system", "diplomacy")

    assert "diplomacy-demo is sound" in told
    assert "resolve again turns 1901–1905" in told
    assert told.count(": accepted (") == 100
    assert "nobody has won" in run(path, tmp_path / "shown", *pbem, "campaign", "show", "diplomacy-demo")
