"""What the pages for people tell them to type exists, and so do the places to which they point."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from textwrap import dedent, indent
from typing import get_type_hints

import click
import pytest

from pbem.cli import main
from pbem.desk.library.scenarios import folders
from pbem.desk.office.settings import Settings
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
_FENCED = re.compile(r"^```[^\n`]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def indented(page: str) -> str:
    """A page, what stands in it between fences indented instead, without the remarks at the ends of lines."""
    return _FENCED.sub(lambda one: indent(re.sub(r"(?m)\s+# .*$", "", one[1].replace("\\\n", "")), "    "), page)


PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (
        *map(ROOT.joinpath, ("README.md", "MEASURED.md", "CONTRIBUTING.md", "deploy/README.md")),
        *(one for one in (ROOT / "docs").rglob("*.md") if one.parent.name != "reference"),
    )
}
ALL = "\n".join(indented(page) for page in PAGES.values())
OFFICE, RULES = indented(PAGES["docs/gm.md"]), PAGES["docs/rules.md"]

LARGEST = 150_000
"""Bytes of a picture."""

_PASSAGES = re.compile(r"^    (pbem (?!unix ).+)$|`(pbem(?! --office`)[^`]*)`", re.MULTILINE)
_KEPT = re.compile(r"/bin/pbem (.+)$", re.MULTILINE)
"""Commands that a unit of systemd, a mail server or cron is to run."""
_REMARK = re.compile(r"\s{3,}\S.*$")


def named() -> list[list[str]]:
    """Every command that they name, in words; remarks beside it and redirections are cut."""
    found = []
    for line, passage in _PASSAGES.findall(ALL):
        words = shlex.split(_REMARK.sub("", line or " ".join(passage.split())))
        found.append(words[1 : words.index("<")] if "<" in words else words[1:])
    found += [line.split() for line in _KEPT.findall(ALL)]
    return [words for words in found if words]


def test_its_unit_its_mail_server_and_its_cron_run_the_office() -> None:
    kept = [line.partition("autumn ")[2] for line in _KEPT.findall(OFFICE)]

    assert kept == ["mail receive", "run", "run --once"]


def test_its_unit_is_one_of_systemd_and_stops_as_the_office_does() -> None:
    written = re.search(r"^    \[Unit\]\n(?:(?:    .*)?\n)+?    WantedBy=.*$", OFFICE, re.MULTILINE)
    assert written
    unit = ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # so that names keep their capitals
    unit.read_string(dedent(written[0]))

    assert unit.sections() == ["Unit", "Service", "Install"]
    assert unit["Service"]["ExecStart"].endswith(" run")
    assert unit["Service"].get("KillSignal", "SIGTERM") == "SIGTERM"


def test_settings_that_it_names_are_there() -> None:
    told = set(re.findall(r"`\[([a-z]+)\] ([a-z_]+)", ALL))

    assert told
    for table, entry in told:
        assert entry in get_type_hints(Settings)[table].__struct_fields__, f"[{table}] {entry}"


def resolved(words: list[str]) -> tuple[click.Command, click.Context, list[str]]:
    """The command that *words* call, and what is left for it."""
    command: click.Command = main
    context, rest = click.Context(main, info_name="pbem"), list(words)
    if rest[:1] == ["--office"]:
        del rest[:2]
    while isinstance(command, click.Group) and rest:
        name = rest.pop(0)
        found = command.get_command(context, name)
        assert found is not None, f"pbem has no {' '.join(words)}"
        command, context = found, click.Context(found, info_name=name, parent=context)
    return command, context, rest


def test_it_names_commands() -> None:
    assert len(named()) > 15


@pytest.mark.parametrize("words", named(), ids=" ".join)
def test_a_command_that_it_names_is_there_with_its_options(words: list[str]) -> None:
    command, context, rest = resolved(words)

    works_alone = not isinstance(command, click.Group) or command.invoke_without_command
    assert works_alone, f"pbem {' '.join(words)} is a group of commands"
    known = {name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)}
    assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= known


@pytest.mark.parametrize("words", [words for words in named() if len(words) > 3], ids=" ".join)
def test_a_command_that_it_writes_out_is_whole(words: list[str]) -> None:
    command, context, rest = resolved(words)
    rest = rest[: rest.index(">")] if ">" in rest else rest

    command.make_parser(context).parse_args(list(rest))
    missing = [
        one.name
        for one in command.params
        if one.required and isinstance(one, click.Argument) and not [word for word in rest if word[0] != "-"]
    ]
    assert missing == []


def test_what_it_says_can_be_made_can_be_made() -> None:
    made = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    told = set(re.findall(r"(?:^ {4}|`)make ([a-z]+)\b", ALL, re.MULTILINE))

    assert told
    assert told <= made


def test_paths_that_it_names_are_there() -> None:
    named = {(ROOT, path) for path in re.findall(r"`((?:pbem|tests|campaigns|templates)/[\w./-]+)`", ALL)}
    named |= {
        ((ROOT / page).parent, path)
        for page, text in PAGES.items()
        for path in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text)
    }

    assert named
    assert [path for home, path in named if not path.endswith("NAME") and not (home / path).exists()] == []


def test_it_shows_a_map_of_the_demonstration_of_each_system() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((campaigns/([\w-]+)/[\w-]+/demo/[\w.-]+\.png)\)", README)

    assert sorted(system for _, system in shown) == sorted(BUILT_IN)
    assert all((ROOT / path).stat().st_size < LARGEST for path, _ in shown)


def test_the_systems_scenarios_and_rules_that_it_names_are_there() -> None:
    [table] = re.findall(r"^\| system .*?\n\n", RULES, re.MULTILINE | re.DOTALL)
    rows = [line.split("|")[1:4] for line in table.strip().splitlines()[2:]]

    assert [row[0].strip(" `") for row in rows] == sorted(BUILT_IN)
    for system, _, scenarios in rows:
        shipped = {folder.name for name, _, folder in folders(None) if name == system.strip(" `")}
        assert set(re.findall(r"`([\w-]+)`", scenarios)) <= shipped
    # The author's book has a game of its own, whose rules its own test knows.
    ours = "\n".join(page for name, page in PAGES.items() if name != "docs/author.md")
    for rule in re.findall(r"\b[A-Z]{2}-[A-Z]+-\d+\b", ours):
        assert any(rule in registry.ledger_of(system).rules for system in BUILT_IN), rule
