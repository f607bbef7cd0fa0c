"""Whom the office trusts, where those of the system are not meant."""

from __future__ import annotations

import ssl
from pathlib import Path

from pbem.kernel.errors import Refused


def trusted(path: Path, setting: str) -> ssl.SSLContext:
    """The certificates of a file (PEM), which *setting* of `pbem.toml` names.

    :raises Refused: if they cannot be read.
    """
    try:
        return ssl.create_default_context(cafile=str(path))
    except OSError as error:
        raise Refused(f"{setting}: {path}: {error.strerror or error}.") from None
