"""The author's book: every file, snippet, command and letter in it is written, laid, typed and sent, in its order."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.kit.book import Block, Command, blocks, commands, laid_over, printed

ROOT = Path(__file__).parents[1]
BOOK = (ROOT / "docs" / "author.md").read_text("utf-8")

RUNNER = """
import json, os, sys
from click.testing import CliRunner
from pbem.cli import main
for words, folder, given in json.load(sys.stdin):
    os.chdir(folder)
    done = CliRunner().invoke(main, words, input=given.encode(), prog_name="pbem")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    print(json.dumps([done.exit_code, done.output]))
"""
"""Types commands in one process, as long as no file is changed between them."""

ELSEWHERE = ("pip install -e crowns", "pytest --pyargs pbem.suite --system crowns")
"""What is done with the skeleton as it was written, and takes long: `test_wheel` does it, in another environment."""


class Reader:
    """Who does what the book says, in a folder of his own."""

    def __init__(self, folder: Path) -> None:
        self.start = self.here = folder
        self.laid = False
        """Whether the game is another than the skeleton."""

    @property
    def environment(self) -> Mapping[str, str]:
        """That in which he types: what he installs is found."""
        path = (self.start / "installed", self.start / "crowns", *map(Path, sys.path))
        return os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "COLUMNS": "200",
            # Its plugin takes seconds to load, and is not asked for.
            "PYTEST_ADDOPTS": "-p pbem.suite.plugin -p no:cacheprovider -p no:schemathesis",
        }

    def does(self, block: Block) -> None:
        """Do what a block says."""
        match block.language, block.how:
            case "text", "":
                pass  # for the eye
            case "console", _:
                self.types(commands(block.text))
            case "pycon", _:
                test = doctest.DocTestParser().get_doctest(block.text, {}, "the book", None, block.line)
                assert not doctest.DocTestRunner(verbose=False).run(test).failed
            case _, "quoted":
                there = (self.start / block.file).read_text("utf-8")
                for part in block.text.strip().split("\n\n\n"):
                    assert part in there, f"{block.file} has no such part:\n{part}"
            case "python", "":
                self.write(block, laid_over((self.start / block.file).read_text("utf-8"), block.text))
            case _, "whole":
                self.write(block, block.text)
            case _:
                raise AssertionError(f"line {block.line}: nobody knows what to do with it")

    def write(self, block: Block, text: str) -> None:
        """Write a file."""
        path = self.start / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self.laid = self.laid or path.suffix == ".py"

    def types(self, lines: Sequence[Command]) -> None:
        """Type commands, and see that they print what they are said to."""
        waiting: list[tuple[Command, list[str], str, str]] = []
        for command in lines:
            typed, _, given = command.line.partition(" < ")
            words = shlex.split(typed)
            if words[0] == "cd":
                self.here = (self.here / words[1]).resolve()
            elif words[0] == "pbem":
                text = (self.here / given).read_text("utf-8") if given else ""
                waiting.append((command, words[1:], str(self.here), text))
            else:
                self.pbem(waiting)
                waiting = []
                self.others(command, words)
        self.pbem(waiting)

    def pbem(self, waiting: Sequence[tuple[Command, list[str], str, str]]) -> None:
        """Type commands of the office."""
        if not waiting:
            return
        given = json.dumps([one[1:] for one in waiting])
        out = self.run([sys.executable, "-c", RUNNER], given)
        for (command, *_), line in zip(waiting, out.splitlines(), strict=True):
            code, said = json.loads(line)
            assert code == 0, f"{command.line}:\n{said}"
            self.see(command, said)

    def others(self, command: Command, words: Sequence[str]) -> None:
        """Type another command."""
        if command.line in ELSEWHERE and not self.laid:
            return self.install()
        program = {"python": [sys.executable], "pytest": [sys.executable, "-m", "pytest"]}[words[0]]
        return self.see(command, self.run([*program, *words[1:]]))

    def run(self, words: Sequence[str], given: str = "") -> str:
        """Run a program that must succeed; gives what it printed."""
        done = subprocess.run(
            words,
            cwd=self.here if self.here.exists() else self.start,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words[1:]}:\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def see(self, command: Command, said: str) -> None:
        """See that a command said what it is said to."""
        missing = printed(command.prints, said)
        assert not missing, f"{command.line}\ndoes not say: {missing}\n{said}"

    def install(self) -> None:
        """What pip leaves of a package that stays where it is: its name, and its entry points."""
        entry = re.search(r'^\[project.entry-points."(.+)"\]\n(.+)$', self.project, re.MULTILINE)
        assert entry
        folder = self.start / "installed" / "pbem_crowns-0.1.0.dist-info"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: pbem-crowns\nVersion: 0.1.0\n")
        (folder / "entry_points.txt").write_text(f"[{entry[1]}]\n{entry[2].replace(chr(34), '')}\n")

    @property
    def project(self) -> str:
        """The project file of the game."""
        return (self.start / "crowns" / "pyproject.toml").read_text("utf-8")


def test_what_the_book_shows_is_written_typed_and_sent_and_comes_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_OFFICE", raising=False)
    reader = Reader(tmp_path)
    for block in blocks(BOOK):
        try:
            reader.does(block)
        except Exception as error:
            raise AssertionError(f"docs/author.md, line {block.line}: {error}") from error


def test_places_to_which_it_points_are_there() -> None:
    heads = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.+)$", BOOK, re.MULTILINE)
    }

    assert set(re.findall(r"\]\(#([\w-]+)\)", BOOK)) <= heads


def test_it_names_every_field_of_the_contract() -> None:
    from pbem.rules.contract import System

    assert [name for name in System.__dataclass_fields__ if f"`{name}`" not in BOOK] == []
