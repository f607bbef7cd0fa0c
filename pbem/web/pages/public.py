"""What everybody may see: scenarios and rulebooks, and the games that their umpire has shown."""

from __future__ import annotations

import base64
import hashlib
import re

from pbem.desk.deeds.of_campaign import PUBLIC
from pbem.desk.library.scenarios import find_scenario, listing
from pbem.desk.office.inside import inside
from pbem.kernel.errors import BadScenario, Refused
from pbem.reports.pages.environment import environment
from pbem.reports.pages.rulebook import rulebook_html
from pbem.reports.pages.sliced import sliced
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, File, Go, NotThere, Page

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_FILE = re.compile(r"[a-z0-9][a-z0-9.-]{0,79}\.(html|xml)")
_MEDIA = {"html": "text/html; charset=utf-8", "xml": "application/atom+xml"}
_SCRIPT = re.compile(rb"<script(?:\s[^<>]*)?>(.*?)</script>", re.DOTALL)


def scenarios(ask: Ask) -> Answer:
    """What can be played here."""
    return Page("web/scenarios.html", {"scenarios": [one.card for one in listing(ask.office.folder)]})


def scenario(ask: Ask) -> Answer:
    """One scenario: its roles and its options; no briefing, which is its role's alone."""
    name = f"{ask.named['system']}/{ask.named['name']}"
    try:
        found = find_scenario(ask.office.folder, name)
        rules = bool(found.rulebook())
    except (BadScenario, Refused):
        raise NotThere from None
    options = found.files["scenario"].get("options", {})
    return Page("web/scenario.html", {"scenario": found, "card": found.card, "options": options, "rules": rules})


def rules(ask: Ask) -> Answer:
    """The rulebook of a scenario."""
    name = f"{ask.named['system']}/{ask.named['name']}"
    try:
        found = find_scenario(ask.office.folder, name)
        text = found.rulebook()
    except (BadScenario, Refused):
        raise NotThere from None
    if not text:
        raise NotThere
    page = rulebook_html(text, environment(resources("templates"), ask.office.templates))
    return Page("web/scenario-rules.html", {"card": found.card, "page": sliced(page)})


def index(ask: Ask) -> Answer:
    """The games that are shown."""
    return _file(ask, "index.html")


def at_top(ask: Ask) -> Answer:
    """A file beside them, or a game, which begins with its index."""
    name = ask.named["name"]
    if _FILE.fullmatch(name):
        return _file(ask, name)
    if _NAME.fullmatch(name) and (ask.office.folder / PUBLIC / name).is_dir():
        return Go("/public/")
    raise NotThere


def of_game(ask: Ask) -> Answer:
    """A page of a game that is shown."""
    return _file(ask, ask.named["campaign"], ask.named["name"])


def _file(ask: Ask, *parts: str) -> Answer:
    *folders, name = parts
    if not all(_NAME.fullmatch(one) for one in folders) or not (found := _FILE.fullmatch(name)):
        raise NotThere
    path = inside(ask.office.folder, PUBLIC, *parts)
    if not path.is_file():
        raise NotThere
    data = path.read_bytes()
    return File(data, _MEDIA[found[1]], public=True, policy=policy_of(data) if found[1] == "html" else "")


def policy_of(page: bytes) -> str:
    """What a browser may do with a page that was published with its scripts in it: run those, and nothing else."""
    hashes = sorted({base64.b64encode(hashlib.sha256(found).digest()).decode() for found in _SCRIPT.findall(page)})
    scripts = " ".join(f"'sha256-{one}'" for one in hashes) or "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
