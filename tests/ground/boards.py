"""Hexes and boards to try things on, as hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

from pbem.ground.hexes import Board, Hex, hex_at

BOARD = Board((5, 31), (1, 18))

COLUMNS = ROWS = st.integers(20, 60)
"""Far enough from the last names that every hex has its six neighbours, and theirs."""


def hexes() -> st.SearchStrategy[Hex]:
    """A hex in the middle of all that have a name: even and odd rows, even and odd columns."""
    return st.builds(hex_at, COLUMNS, ROWS)


def near() -> st.SearchStrategy[Hex]:
    """A hex of a patch so small that two of them often meet."""
    return st.builds(hex_at, st.integers(20, 24), st.integers(20, 24))
