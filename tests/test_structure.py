"""The house: no rooms too full, no function too long, no circle of imports, nothing open without a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trees import nodes

pytestmark = pytest.mark.xdist_group("trees")

ROOT = Path(__file__).parents[1]

MOST_FILES = 30
"""In one folder of pbem."""
LONGEST = 60
"""Lines of a function, from its `def` on."""
MOST_PARAMETERS = 7
"""Of a function, beside `self`; the options of a command are its own."""


def sources() -> Iterator[tuple[str, str]]:
    """Each module of pbem: its path, and its text."""
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in nodes(text) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return sum(one.arg not in ("self", "cls") for one in given)


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether click calls it, with all its options."""
    return any(".command" in ast.unparse(one) for one in function.decorator_list)


def test_no_folder_is_too_full() -> None:
    folders = {path.parent for path in (ROOT / "pbem").rglob("*.py")}

    assert [str(one) for one in folders if len(list(one.glob("*.py"))) > MOST_FILES + 1] == []  # and its __init__


def test_no_function_is_too_long() -> None:
    assert [
        f"{path}: {one.name}"
        for path, text in sources()
        for one in functions(text)
        if (one.end_lineno or one.lineno) - one.lineno + 1 > LONGEST
    ] == []


def test_no_function_asks_for_too_much() -> None:
    assert [
        f"{path}: {one.name}"
        for path, text in sources()
        for one in functions(text)
        if parameters(one) > MOST_PARAMETERS and not is_command(one)
    ] == []


def is_closed(case: ast.match_case) -> bool:
    """Whether nothing is left for it: the types say so."""
    return ast.unparse(case.body[0]).startswith("assert_never(")


def reasoned(case: ast.match_case, lines: list[str]) -> bool:
    """Whether a comment stands on its line, or on that before or after it."""
    return "#" in "".join(lines[case.pattern.lineno - 2 : case.pattern.lineno + 1])


def test_a_case_for_all_the_rest_says_why() -> None:
    """Unions are closed: who adds to one is shown every place where it is told apart."""
    assert [
        f"{path}, line {node.pattern.lineno}"
        for path, text in sources()
        for node in nodes(text)
        if isinstance(node, ast.match_case)
        and isinstance(node.pattern, ast.MatchAs)
        and node.pattern.name is None
        and not is_closed(node)
        and not reasoned(node, text.splitlines())
    ] == []
