"""What a page is drawn and moved by: one style sheet, and the scripts; the same for everybody, and kept by browsers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

from pbem.desk.library.looks import sides_css
from pbem.reports.drawing.colours import drawing_css
from pbem.reports.hexes.style import hex_css
from pbem.reports.plane.style import plane_css
from pbem.reports.replay.page import script as reel_script

_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_CLASS = re.compile(r"(?<![\w.)])\.(?=[a-z])")


class Asset(NamedTuple):
    """A file that pages ask for."""

    data: bytes
    media: str


class Assets(NamedTuple):
    """All of them, by name, under a name that is another when any of them is."""

    version: str
    files: Mapping[str, Asset]


def assets(templates: Path, env: Environment) -> Assets:
    """Read them from *templates*."""
    boards = f"{hex_css()}{plane_css()}"
    sides = sides_css()
    css = env.get_template("web/room.css").render(drawing=drawn_alone(drawing_css() + sides), boards=boards)
    files = {"room.css": Asset(css.encode(), "text/css; charset=utf-8")}
    for path in sorted((templates / "web").glob("*.js")):
        files[path.name] = Asset(path.read_bytes(), "text/javascript; charset=utf-8")
    files["icon.svg"] = Asset((templates / "web/icon.svg").read_bytes(), "image/svg+xml")
    files["reel.js"] = Asset(reel_script(env).encode(), "text/javascript; charset=utf-8")
    reel = env.get_template("web/reel.css").render(boards=boards + sides)
    files["reel.css"] = Asset(reel.encode(), "text/css; charset=utf-8")
    whole = hashlib.sha256(b"".join(name.encode() + one.data for name, one in sorted(files.items())))
    return Assets(whole.hexdigest()[:16], files)


def drawn_alone(css: str) -> str:
    """Rules for what is drawn, held to drawings: their names are short words, which a page has for other things.

    A rule that asked for the drawing around it would be lost where a part is drawn a second time by `use`.

    >>> drawn_alone(".open{fill:red}.old .cell,.old .card{fill:none}")
    'svg|*.open{fill:red}svg|*.old svg|*.cell,svg|*.old svg|*.card{fill:none}'
    """
    return _RULE.sub(lambda rule: f"{_CLASS.sub('svg|*.', rule[1])}{{{rule[2]}}}", css)
