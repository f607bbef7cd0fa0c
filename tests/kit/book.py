"""The blocks of a book, and what is done with each: files are written, snippets laid over them, commands run.

The first word behind a fence says the language, the rest what is done with it:

    ```python crowns/turn.py             laid over that file: what it defines takes the place of what has its name
    ```python crowns/orders.py whole     is that file, whole
    ```python crowns/state.py quoted     stands in that file
    ```toml crowns/suite/cases.toml more comes at the end of that file
    ```console                           lines behind `$` are commands, the others what they print; `…` is anything
    ```pycon                             is asked of Python
    ```text                              for the eye
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

FENCE = re.compile(r"^```(\w+)(?: +(\S+))?(?: +(\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """One block."""

    language: str
    file: str
    how: str
    text: str
    line: int
    """Of the book."""


def blocks(book: str) -> Iterator[Block]:
    """The blocks of a book, in their order."""
    for found in FENCE.finditer(book):
        language, file, how, text = found.groups(default="")
        yield Block(language, file, how, text, book[: found.start()].count("\n") + 1)


class Command(NamedTuple):
    """A command, and what it prints."""

    line: str
    prints: Sequence[str]


def commands(text: str) -> list[Command]:
    """The commands of a block; one goes on in the next line behind a backslash."""
    found: list[tuple[str, list[str]]] = []
    for line in text.replace("\\\n", "").splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.strip():
            found[-1][1].append(line.strip())
    return [Command(line, prints) for line, prints in found]


def printed(wanted: Sequence[str], out: str) -> str:
    """The first of the *wanted* lines that does not stand in *out*, in this order; empty: all of them do."""
    lines = [" ".join(line.split()) for line in out.splitlines()]
    at = 0
    for one in wanted:
        pattern = re.compile(".*".join(re.escape(" ".join(part.split())) for part in one.split("…")))
        found = next((number for number in range(at, len(lines)) if pattern.search(lines[number])), None)
        if found is None:
            return one
        at = found + 1
    return ""


# ------------------------------------------------------------------ snippets


class Part(NamedTuple):
    """Something that a module defines, with its decorators, and the words below it."""

    name: str
    text: str


def parts(source: str) -> list[Part]:
    """All that a module has at its top, one after the other; imports are called `""`."""
    lines, found = source.splitlines(), list[Part]()
    body = ast.parse(source).body
    for number, node in enumerate(body):
        if isinstance(node, ast.Expr) and number and found:
            # The words below a constant belong to it.
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{text}")
            continue
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        found.append(Part(_name(node), "\n".join(lines[first - 1 : node.end_lineno])))
    return found


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return node.name
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
            return ast.unparse(target)
        case ast.Import() | ast.ImportFrom():
            return ""
        case _:  # the words at the head of a module
            return "__doc__"


def imported(source: str) -> dict[str, set[str]]:
    """The names that a module imports, by the module from which."""
    found: dict[str, set[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom):
            found.setdefault(node.module or "", set()).update(ast.unparse(one) for one in node.names)
    return found


def laid_over(source: str, snippet: str) -> str:
    """A module with a snippet laid over it.

    What the snippet defines takes the place of what has its name; what is new stands before the next of these, or at
    the end; what it imports is imported besides.
    """
    there = [part for part in parts(source) if part.name]
    plain = [line for line in _imports(source) if not line.startswith("from ")]
    at = {part.name: number for number, part in enumerate(there)}
    new: list[Part] = []
    for part in (one for one in parts(snippet) if one.name):
        if part.name in at:
            number = next(number for number, one in enumerate(there) if one.name == part.name)
            there[number : number + 1] = [*new, part]
            new = []
        else:
            new.append(part)
    names = imported(source)
    for module, more in imported(snippet).items():
        names.setdefault(module, set()).update(more)
    future = names.pop("__future__", set())
    head = [f"from __future__ import {', '.join(sorted(future))}", *plain]
    head += [f"from {module} import {', '.join(sorted(some))}" for module, some in sorted(names.items())]
    words = [part.text for part in there if part.name == "__doc__"]
    rest = [part.text for part in (*there, *new) if part.name != "__doc__"]
    return "\n\n".join([*words, "\n".join(head), *rest]) + "\n"


def _imports(source: str) -> list[str]:
    return [ast.unparse(node) for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
