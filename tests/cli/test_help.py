"""What every command says of itself."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from pbem.cli import COMMANDS, main
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN
from tests.kit.terminal import Terminal


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below *group*, with the words it is called by."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


EVERY = dict(commands(main))


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_every_command_has_help_with_an_example_that_calls_it(words: tuple[str, ...]) -> None:
    said = Terminal().does(*words, "--help")

    assert "Example:" in said
    assert f"pbem {' '.join(words)}" in said.partition("Example:")[2]


@pytest.mark.parametrize("words", [words for words in EVERY if words[-1] in ("list", "show")], ids=" ".join)
def test_what_lists_or_shows_can_print_json(words: tuple[str, ...]) -> None:
    assert "--json" in Terminal().does(*words, "--help")


def groups(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words that *group* and every group below it are called by."""
    yield path
    context = click.Context(group)
    for name in group.list_commands(context):
        if isinstance(command := group.get_command(context, name), click.Group):
            yield from groups(command, (*path, name))


@pytest.mark.parametrize("words", list(groups(main)), ids=lambda words: " ".join(words) or "pbem")
def test_no_line_that_tells_me_what_a_command_does_is_cut(words: tuple[str, ...]) -> None:
    said = Terminal().does(*words, "--help").partition("Commands:")[2]

    assert said
    assert [line for line in said.splitlines() if line.rstrip().endswith(("...", "…"))] == []
    assert all(one.rstrip().endswith(".") for one in re.split(r"\n  (?=\S)", said) if one.strip())


def test_every_option_is_explained() -> None:
    dumb = [
        f"{' '.join(words)} {option.opts[0]}"
        for words, command in EVERY.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]

    assert dumb == []


def test_the_short_help_of_the_table_is_that_of_the_command() -> None:
    context = click.Context(main)
    for name, (_, says) in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert (command.help or "").splitlines()[0].startswith(says.rstrip(".").split(":")[0][:12])


def loaded(*words: str) -> list[str]:
    """Which modules a command leaves loaded."""
    program = (
        "import sys\nfrom pbem.cli import main\n"
        f"main({list(words)!r}, prog_name='pbem', standalone_mode=False)\n"
        "print('|', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.partition("|")[2].split()


def test_help_loads_nothing_but_click_and_the_table() -> None:
    bare = subprocess.run(
        [sys.executable, "-c", "import sys, click\nprint(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    more = set(loaded("--help")) - set(bare)

    assert {name for name in more if name.startswith("pbem.")} == {
        "pbem.cli",
        "pbem.cli.lazy",
        "pbem.kernel",
        "pbem.kernel.errors",
    }
    assert len(more) < 30, sorted(more)


def test_the_help_of_a_group_loads_that_group_alone() -> None:
    mine = {name for name in loaded("turn", "--help") if name.startswith("pbem.") or name == "rich"}

    assert mine == {
        "pbem.cli",
        "pbem.cli.lazy",
        "pbem.cli.common",
        "pbem.cli.turn",
        "pbem.kernel",
        "pbem.kernel.errors",
    }


def test_what_signs_files_is_loaded_where_one_is_written_or_read_and_nowhere_else(tmp_path: Path) -> None:
    office, file = ("--office", str(tmp_path)), str(tmp_path / "ford.jsonl")
    role = ("--name", "Ann", "--address")
    calls: dict[tuple[str, ...], bool] = {
        ("init", str(tmp_path), "--address", "office@office.example"): True,
        ("doctor",): False,
        ("campaign", "new", "bremm", "crossroads/golden-bremm"): False,
        ("player", "add", "bremm", "german", *role, "ann@player.example"): False,
        ("player", "add", "bremm", "french", *role, "ben@player.example"): False,
        ("campaign", "start", "bremm"): False,
        ("turn", "run", "bremm", "--early"): False,
        ("campaign", "show", "bremm"): False,
        ("history", "log", "bremm"): False,
        ("verify", "bremm"): False,
        ("db", "backup", f"{file}.sqlite"): False,
        ("campaign", "export", "bremm", file): True,
    }

    for words, loads in calls.items():
        given = words if words[0] == "init" else (*office, *words)
        assert ("cryptography" in loaded(*given)) == loads, words


@pytest.mark.parametrize(
    ("words", "meant"),
    [(("tunr",), "pbem turn"), (("turn", "shwo"), "pbem turn show"), (("xyzzy",), "pbem --help")],
)
def test_a_command_that_there_is_not_is_answered_with_the_one_that_was_meant(
    words: tuple[str, ...], meant: str
) -> None:
    result = Terminal().types(*words)

    assert result.exit_code == 2
    assert result.stderr.startswith(f'usage: there is no "{" ".join(words)}".')
    assert result.stderr.rstrip().endswith((meant, f"{meant} --help"))
    assert result.stderr.count("\n") == 1


def test_the_help_of_a_ruling_names_the_rules_that_have_option() -> None:
    said = " ".join(Terminal().does("rule", "--help").split())
    having = []
    for name in BUILT_IN:
        module = import_module(registry.load(name).direct.__module__)
        assert {"place", "set", "remove"} <= set(module.VERBS)
        if "option" in module.VERBS:
            having.append(name)

    assert f"{', '.join(sorted(having)[:-1])} and {sorted(having)[-1]} have option" in said


@pytest.mark.parametrize(
    ("word", "meant"), [("office", ""), ("ofice", ""), ("tunr", "turn"), ("campain", "campaign"), ("rum", "")]
)
def test_only_a_command_that_is_much_alike_is_taken_for_what_was_meant(word: str, meant: str) -> None:
    said = Terminal().types(word).stderr

    assert ("Did you mean: " in said) is bool(meant)
    assert said.rstrip().endswith(f" {meant}" if meant else "--help")
