"""A page in its frame: the office's name, the ways from here, who is signed in, and what was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment
from msgspec import Struct

from pbem.reports.text.speech import phrase_later
from pbem.web.asking import Ask


class Room(Struct, frozen=True):
    """What the frame of a page needs besides who asks."""

    assets: str
    """Where style and scripts are."""
    seal: str
    """What forms bear."""
    says: str
    """What is told once; empty: nothing."""
    place: str
    """The address of the office's pages."""


class Way(Struct, frozen=True):
    """A link of the frame."""

    to: str
    name: str
    here: bool


PLAYERS = (
    ("/games", phrase_later("My games")),
    ("/letters", phrase_later("Letters")),
    ("/calendar", phrase_later("Calendar")),
    ("/me", phrase_later("My data")),
)
GMS = (("/desk", "The desk"), ("/desk/campaigns", "Campaigns"), ("/desk/people", "People"), ("/desk/post", "Post"))


def ways(ask: Ask) -> list[Way]:
    """The links of the frame, for whoever is signed in."""
    listed = (*(GMS if ask.person.rights else ()), *(PLAYERS if ask.person.player else ()))
    paths = [to for to, _ in listed]
    here = max((to for to in paths if ask.path == to or ask.path.startswith(f"{to}/")), key=len, default="")
    return [Way(to, name, to == here) for to, name in listed]


def shown(env: Environment, ask: Ask, room: Room, template: str, values: Mapping[str, Any]) -> str:
    """A page as HTML."""
    who = ask.person
    name = (who.player.name if who.player else "") or ("The umpire" if who.rights else "")
    html: str = env.get_template(template).render(
        **{
            "ask": ask,
            "room": room,
            "ways": ways(ask),
            "office": ask.office.settings.name,
            "reply": ask.office.settings.address,
            "who": name,
            "zone": ask.zone,
            "now": ask.now,
            **values,
        }
    )
    return html
