"""The sheets of a game, as `five_years.txt` has them."""

from __future__ import annotations

from pathlib import Path

from pbem.kernel.names import Role

FIVE_YEARS = Path(__file__).parent / "five_years.txt"


def sheets() -> dict[str, dict[Role, str]]:
    """By exchange and power."""
    found: dict[str, dict[Role, str]] = {}
    for paragraph in FIVE_YEARS.read_text("utf-8").split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if lines:
            moment, role = lines[0].split()
            found.setdefault(moment, {})[Role(role)] = "\n".join(lines[1:])
    return found
