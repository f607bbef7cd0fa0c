"""Where a file is written that is called by names of others: in its folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from pbem.kernel.errors import Refused


def inside(folder: Path, *names: str) -> Path:
    """The place in *folder* that is called by *names*, each of them one step down.

    >>> inside(Path("reports"), "ford", "5a.html")
    PosixPath('reports/ford/5a.html')

    :raises Refused: if a name is none of one step, so that the place could lie outside.
    """
    for name in names:
        if name in ("", ".", "..") or not name.isprintable() or set(name) & set("/\\"):
            raise Refused(f"nothing can be written under the name {name[:60]!r}: it would lie outside {folder}.")
    return folder.joinpath(*names)
