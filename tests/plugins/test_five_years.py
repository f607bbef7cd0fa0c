"""Five years of Diplomacy through an office: by letters, to the last winter, and the log is verified."""

from __future__ import annotations

from pathlib import Path

from tests.plugins.test_diplomacy import PACKAGE, path, run

__all__ = ["path"]

PROGRAM = """
import sys
from pathlib import Path

from click.testing import CliRunner
from pbem.cli import main

sys.path.insert(0, sys.argv[1])
from sheets import sheets


def pbem(*words):
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, (words, done.output)
    return done.output


def letter(number, role, sheet):
    return (
        f"From {role}@player.example Thu Jan  1 00:00:00 2026\\n"
        f"From: {role} <{role}@player.example>\\nTo: office@example.org\\nSubject: Re: [five] orders\\n"
        f"Message-ID: <{number}@player.example>\\n\\n{sheet}\\n\\n"
    )


pbem("campaign", "new", "five", "diplomacy/standard", "--trust", "address", "--option", "last_year=1905")
for role in ("austria", "england", "france", "germany", "italy", "russia", "turkey"):
    pbem("player", "add", "five", role, "--name", role, "--address", f"{role}@player.example")
pbem("campaign", "start", "five")
number = 0
for moment, of_all in sheets().items():
    box = ""
    for role, sheet in of_all.items():
        number += 1
        box += letter(number, role, sheet)
    Path("box").write_text(box)
    received = pbem("mail", "receive", "box")
    assert received.count(f"{moment}: accepted") == len(of_all), received
    pbem("turn", "run", "five", "--early")
    pbem("turn", "release", "five")
print(pbem("verify", "five"))
print(pbem("campaign", "show", "five"))
"""


def test_five_years_by_letters_are_verified(path: str, tmp_path: Path) -> None:
    office = tmp_path / "office"
    address = ("--address", "office@example.org", "--gm", "gm@example.org")
    run(path, tmp_path, "-c", "from pbem.cli import main; main()", "init", str(office), *address)

    told = run(path, office, "-c", PROGRAM, str(PACKAGE / "tests"))
    assert "five is sound" in told
    assert "turns 1901–1905" in told
    assert "nobody has won" in told
