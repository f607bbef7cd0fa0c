"""The sheets of the demonstration: five years of a game that might have been.

France and England go against Germany, Austria and Italy against Turkey, and Russia between them, until each turns on
the other.
"""

from __future__ import annotations

import tomllib
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pbem_diplomacy

from pbem.kernel.names import Role

DEMO = Path(pbem_diplomacy.__file__).parent / "campaigns" / "diplomacy" / "standard" / "demo"


def sheets() -> dict[str, dict[Role, str]]:
    """By exchange and power."""
    found: dict[str, dict[Role, str]] = {}
    for step in tomllib.loads((DEMO / "demo.toml").read_text("utf-8"))["step"]:
        for name in step["letters"]:
            moment, role = name.removesuffix(".eml").split("-")
            letter = message_from_bytes((DEMO / name).read_bytes(), policy=default)
            found.setdefault(moment.upper(), {})[Role(role)] = str(letter.get_content()).strip()
    return found
