"""Where the office is.  Says no more, so that what needs no office need not read its settings."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.kernel.errors import Refused

FILE = "pbem.toml"
FOLDER_VARIABLE = "PBEM_OFFICE"


def find_office(told: Path | None, at: Path) -> Path:
    """The folder of the office: the one *told*, that of the environment, or the next one from *at* upwards.

    :raises Refused: if there is none.
    """
    named = told or (Path(os.environ[FOLDER_VARIABLE]) if os.environ.get(FOLDER_VARIABLE) else None)
    if named is not None:
        if not (named / FILE).is_file():
            raise Refused(f"{named} is no office: it has no {FILE}.  pbem init {named} makes one.")
        return named.absolute()
    for folder in (at.absolute(), *at.absolute().parents):
        if (folder / FILE).is_file():
            return folder
    raise Refused(f"no office here: there is no {FILE} in {at.absolute()} or above it.  pbem init makes one.")
