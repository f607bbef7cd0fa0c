"""The sources of pbem as trees: each parsed and walked once, however many tests read it."""

from __future__ import annotations

import ast
from functools import cache

Nodes = tuple[ast.AST, ...]


@cache
def nodes(source: str) -> Nodes:
    """All nodes of a source, the outer before the inner."""
    return tuple(ast.walk(ast.parse(source)))
