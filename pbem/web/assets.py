"""What a page is drawn and moved by: one style sheet, and the scripts; the same for everybody, and kept by browsers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment

from pbem.reports.drawing.colours import drawing_css
from pbem.reports.hexes.style import hex_css
from pbem.reports.plane.style import plane_css
from pbem.reports.replay.page import script as reel_script

_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")


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
    css = env.get_template("web/room.css").render(drawing=within_svg(drawing_css()), boards=f"{hex_css()}{plane_css()}")
    files = {"room.css": Asset(css.encode(), "text/css; charset=utf-8")}
    for path in sorted((templates / "web").glob("*.js")):
        files[path.name] = Asset(path.read_bytes(), "text/javascript; charset=utf-8")
    files["reel.js"] = Asset(reel_script(env).encode(), "text/javascript; charset=utf-8")
    files["reel.css"] = Asset(env.get_template("replay/page.css").render().encode(), "text/css; charset=utf-8")
    whole = hashlib.sha256(b"".join(name.encode() + one.data for name, one in sorted(files.items())))
    return Assets(whole.hexdigest()[:16], files)


def within_svg(css: str) -> str:
    """Rules for what is drawn, held to drawings: their names are short words, which a page has for other things.

    >>> within_svg(".open{fill:red}.old .cell,.old .card{fill:none}")
    'svg .open{fill:red}svg .old .cell,svg .old .card{fill:none}'
    """
    return _RULE.sub(lambda rule: f"{','.join(f'svg {one.strip()}' for one in rule[1].split(','))}{{{rule[2]}}}", css)
