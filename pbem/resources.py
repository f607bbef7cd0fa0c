"""Where the files lie that ship with the office and are not code.

Only the desk and the command line ask; whoever works below them is told the folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parent


def resources(name: Literal["templates", "migrations", "campaigns", "docs"], package: Path = PACKAGE) -> Path:
    """Find a folder that ships with the office.

    In an installed office it lies inside *package*, under ``_data``; in a checkout, beside it.

    Raises FileNotFoundError, naming both places, when it is in neither.
    """
    places = (package / "_data" / name, package.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"the office's {name} are missing: no folder {places[0]} or {places[1]}; install pbem again"
    )
