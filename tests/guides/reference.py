"""The references that the guides lead to, made of the code: every command, every word, every directive."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import click

from pbem.cli import main
from pbem.desk.deeds.words import WORDS as OF_GMS
from pbem.orders.commands import WORDS
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN

MADE = "This page is made of the program itself."
_READS = re.compile(r"it reads: (.+)")


def commands() -> str:
    """Every command with what it does, its options and an example."""
    parts = [
        "# The commands\n",
        f"What can be typed as `pbem …`, each with its options and an example; the same comes by `--help`. {MADE}\n",
    ]
    for words, command, context in _below(main, click.Context(main, info_name="pbem")):
        if len(words) == 1:
            parts.append(f"## {words[0]}\n")
        if not isinstance(command, click.Group) or command.invoke_without_command:
            parts.append(_command(words, command, context))
        elif len(words) == 1:
            parts.append(f"{_flowing(command.help or '')}\n")
    return "\n".join(parts)


def _below(
    group: click.Group, context: click.Context, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        own = click.Context(command, info_name=name, parent=context)
        yield (*path, name), command, own
        if isinstance(command, click.Group):
            yield from _below(command, own, (*path, name))


def _command(words: tuple[str, ...], command: click.Command, context: click.Context) -> str:
    about, _, example = (command.help or "").replace("\b", "").partition("Example:")
    usage = " ".join([f"pbem {' '.join(words)}", *command.collect_usage_pieces(context)])
    lines = [f"### pbem {' '.join(words)}\n", f"`{usage}`\n", f"{_flowing(about)}\n"]
    if example.strip():
        lines += ["```text", *(line.strip() for line in example.strip().splitlines()), "```\n"]
    options = [found for one in command.get_params(context) if (found := one.get_help_record(context))]
    lines += [f"- `{name}`: {_flowing(says)}" for name, says in options if says and not name.endswith("--help")]
    return "\n".join(lines).rstrip() + "\n"


def _flowing(text: str) -> str:
    paragraphs = (" ".join(one.split()) for one in text.strip().split("\n\n"))
    return "\n\n".join(one.replace("|", "or") if one.startswith("|") else one for one in paragraphs)


def words() -> str:
    """What players and GMs may write to the office."""
    lines = [
        "# The words to the office\n",
        f"What a letter to the office may say besides orders, a word on a line. {MADE}\n",
        "## A player's words\n",
        *(f"- `{word.example}`: {' '.join(word.says.split())}" for word in WORDS.values()),
        "",
        "## A GM's words\n",
        "- `game NAME`: of which game the words below it are",
    ]
    for gms in OF_GMS.values():
        first, *below = gms.example.splitlines()
        again = " It is shown first, and done when a code comes back." if gms.asks_back else ""
        under = f", below it `{'`, `'.join(below)}`" if below else ""
        lines.append(f"- `{first}`{under}: {' '.join(gms.says.split())}.{again}".replace("..", "."))
    return "\n".join(lines) + "\n"


def directives() -> str:
    """Every directive of every system: how it reads, an example, what may be set."""
    parts = [
        "# The directives\n",
        f"What a GM may say to `pbem rule`, by system: how it reads, and an example. {MADE}\n",
        "In every system `die NAME = FACE` fixes a throw to come, as `die 5B/melee/J-10 = 4`.\n",
    ]
    for name in sorted(BUILT_IN):
        system = registry.load(name)
        module = import_module(system.direct.__module__)
        parts += [f"## {system.title} (`{name}`)\n", "| directive | reads | example |", "| --- | --- | --- |"]
        reads = _forms(module)
        for verb in module.VERBS:
            form = " or ".join(f"`{one}`" for one in reads.get(verb, ())).replace("|", " or ")
            parts.append(f"| `{verb}` | {form or 'as its example'} | `{module.FORMS[verb]}` |")
        parts += ["", *_settable(module)]
    return "\n".join(parts).rstrip() + "\n"


def _forms(module: ModuleType) -> dict[str, list[str]]:
    """By verb, how its directive reads, as it is told to who writes it wrongly."""
    found: dict[str, list[str]] = {"option": ["option NAME VALUE"]} if "option" in module.VERBS else {}
    home = module.__name__.rpartition(".")[0]
    sources = {inspect.getsource(one) for name, one in sorted(sys.modules.items()) if name.startswith(f"{home}.")}
    for source in sorted(sources):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and (said := _READS.match(node.value)):
                for form in re.split(r",? or: |, (?=set )", said[1]):
                    verb = form.split()[0].casefold()
                    text = re.split(r";|, (?:of|the number|or see)", form)[0]
                    if verb in module.VERBS and text not in found.setdefault(verb, []):
                        found[verb].append(text)
    return found


_OF = {"StructurePatch": "structures", "Patch": "a unit", "UnitPatch": "a unit", "OfficerPatch": "an officer"}
_OF |= {"LeaderPatch": "a leader", "HqPatch": "a headquarters"}


def _settable(module: ModuleType) -> list[str]:
    patches = sorted((name, one) for name, one in vars(module).items() if name in _OF)
    return [
        f"Of {_OF[name]} may be set: {', '.join(f'`{one}`' for one in kind.__struct_fields__)}.\n"
        for name, kind in patches
    ]


def manual() -> str:
    """The manual page: every command with its options, as `man` reads it."""
    whole = click.Context(main, info_name="pbem")
    parts = [
        '.TH PBEM 1 "" "pbem" "The campaign office"',
        ".SH NAME",
        r"pbem \- a campaign office for war games played by mail",
        ".SH SYNOPSIS",
        r"\fBpbem\fR [\fB\-\-office\fR \fIFOLDER\fR] [\fB\-\-by\fR \fINAME\fR] \fICOMMAND\fR ...",
        ".SH DESCRIPTION",
        "Orders come in by mail, into a log that nobody changes; reports go out, each with what its reader may know.",
        "The guides are printed by \\fBpbem guide\\fR.",
        ".SH OPTIONS",
        *_tagged(main, whole),
        ".SH COMMANDS",
    ]
    for path, command, context in _below(main, whole):
        if isinstance(command, click.Group) and not command.invoke_without_command:
            continue
        about, _, example = (command.help or "").replace("\b", "").partition("Example:")
        usage = " ".join([f"pbem {' '.join(path)}", *command.collect_usage_pieces(context)])
        parts += [f".SS {_troff(usage)}", *_prose(about), *_tagged(command, context)]
        if example.strip():
            parts += [".PP", ".EX", *(_troff(line.strip()) for line in example.strip().splitlines()), ".EE"]
    parts += [".SH ENVIRONMENT"]
    for name, says in ENVIRONMENT.items():
        parts += [".TP", rf"\fB{name}\fR", _troff(says)]
    parts += [".SH EXIT STATUS", *_prose(STATUS), ".SH SEE ALSO", "\\fBpbem guide gm\\fR, \\fBpbem guide commands\\fR"]
    return "\n".join(parts) + "\n"


ENVIRONMENT = {
    "PBEM_OFFICE": "The folder of the office, where --office does not say it.",
    "PBEM_BY": "Of several GMs the one who does it, where --by does not say it.",
    "PBEM_LOG": "text or json: how lines are printed that a process says in its course.",
    "PBEM_SMTP_PASSWORD": "The password of the mail server by which letters leave.",
    "NO_COLOR": "Not empty: nothing is coloured.",
}
STATUS = "0: done. 1: refused, and the line on standard error says why. 2: not understood."


def _tagged(command: click.Command, context: click.Context) -> list[str]:
    options = [found for one in command.get_params(context) if (found := one.get_help_record(context))]
    return [
        line
        for name, says in options
        if says and not name.endswith("--help")
        for line in (".TP", rf"\fB{_troff(name)}\fR", _troff(" ".join(says.split())))
    ]


def _prose(text: str) -> list[str]:
    paragraphs = [" ".join(one.split()) for one in text.strip().split("\n\n")]
    return [line for one in paragraphs if one for line in (".PP", _troff(one))]


def _troff(text: str) -> str:
    """A line as troff prints it, whatever it begins with."""
    told = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("’", "'")
    return f"\\&{told}" if told[:1] in (".", "'") else told


PAGES = {"commands": commands, "words": words, "directives": directives}
