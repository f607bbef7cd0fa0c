"""A password or a token, fetched when a server asks for it: it may have changed since the last time."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pbem.kernel.errors import PbemError

Secret = Callable[[], str]
"""Gives a password or a token.

:raises NoSecret: if there is none now.
"""

_PATIENCE: Final = 30.0
_WORDS: Final = 200


class NoSecret(PbemError):
    """There is no password or token; the text says where it was looked for, never what was found."""


def given(secret: str) -> Secret:
    """One that is known."""
    return lambda: secret


def from_file(path: Path) -> Secret:
    """The first line of a file, read each time."""

    def read() -> str:
        try:
            return _first_line(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise NoSecret(f"{path}: {(error.strerror or str(error)).lower()}.") from None
        except UnicodeDecodeError:
            raise NoSecret(f"{path}: this is no text.") from None

    return read


def from_command(command: str, *, patience: float = _PATIENCE) -> Secret:
    """The first line that a command of the shell prints, run each time; it may take *patience* seconds."""

    def run() -> str:
        try:
            done = subprocess.run(
                command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoSecret(f"`{command}` gave no answer within {patience:g} seconds.") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[:_WORDS]
            raise NoSecret(f"`{command}` failed with {done.returncode}: {said or 'it said nothing'}")
        return _first_line(done.stdout.decode("utf-8", "replace"), f"`{command}`")

    return run


def _first_line(text: str, place: str) -> str:
    line = text.partition("\n")[0].strip()
    if not line:
        raise NoSecret(f"{place}: its first line is empty.")
    return line
