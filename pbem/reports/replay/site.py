"""A game as pages of a club's web space: one a turn, an index of all its games, and a feed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.reports.replay.page import Chronicle, chronicles_of, drawings, drawn_with, turn_of
from pbem.reports.replay.record import Record

if TYPE_CHECKING:
    from jinja2 import Environment


MOVING = "index.html"
"""In the folder of a game: the page in which it moves."""


class Turn(Struct, frozen=True):
    """A turn of a game that is on a site."""

    name: str
    """`3`; `S` is the set-up."""
    updated: str
    """RFC 3339."""
    headline: str

    @property
    def file(self) -> str:
        """Of its page, in the folder of its game."""
        return f"turn-{self.name.lower()}.html"

    @property
    def title(self) -> str:
        """`Turn 3`."""
        return "The set-up" if self.name == "S" else f"Turn {self.name}"


class Game(Struct, frozen=True):
    """A game that is on a site."""

    campaign: str
    title: str
    game: str
    over: str
    running: bool
    turns: tuple[Turn, ...]

    @property
    def updated(self) -> str:
        """When its last turn was made known."""
        return max((turn.updated for turn in self.turns), default="1970-01-01T00:00:00Z")


def game_of(record: Record, updated: dict[str, str]) -> Game:
    """What a site says of a game; *updated* says when each turn was made known."""
    heaviest: dict[str, tuple[int, str]] = {}
    for beat in record.beats:
        if beat.annulled:
            continue
        turn = turn_of(beat.moment)
        said = heaviest.setdefault(turn, (-1, ""))
        for eyes in record.eyes[:1]:
            seen = beat.seen.get(eyes.name)
            if seen is not None and seen.headline and seen.weight > said[0]:
                heaviest[turn] = (seen.weight, seen.headline)
    turns = tuple(Turn(name, updated[name], words) for name, (_, words) in heaviest.items() if name in updated)
    return Game(record.campaign, record.title, record.game, record.over, record.beside.running, turns)


def turn_html(record: Record, game: Game, turn: Turn, env: Environment) -> str:
    """The page of one turn: what was told, and the map at its end."""
    chronicles = [_of_turn(one, turn.name) for one in chronicles_of(record)]
    at = game.turns.index(turn)
    html: str = env.get_template("replay/turn.html").render(
        record=record,
        game=game,
        turn=turn,
        before=game.turns[at - 1] if at else None,
        after=game.turns[at + 1] if at + 1 < len(game.turns) else None,
        moving=MOVING,
        chronicles=chronicles,
        **drawn_with(record, drawings(record, chronicles)),
    )
    return html


def _of_turn(chronicle: Chronicle, turn: str) -> Chronicle:
    return replace(chronicle, chapters=tuple(one for one in chronicle.chapters if one.turn == turn))


def index_html(games: list[Game], env: Environment) -> str:
    """The page that lists all *games*, the one that moved last first."""
    html: str = env.get_template("replay/index.html").render(games=_newest(games))
    return html


def feed_xml(games: list[Game], env: Environment, most: int = 60) -> str:
    """The Atom feed of the newest turns of all *games*."""
    entries = sorted(((turn.updated, game, turn) for game in games for turn in game.turns), key=lambda one: one[0])
    newest = entries[: -most - 1 : -1]
    xml: str = env.get_template("replay/feed.xml").render(
        entries=[(game, turn, _id(game.campaign, turn.name)) for _, game, turn in newest],
        updated=newest[0][0] if newest else "1970-01-01T00:00:00Z",
        id=_id("all games"),
    )
    return xml


def _newest(games: list[Game]) -> list[Game]:
    return sorted(games, key=lambda game: game.updated, reverse=True)


def _id(*names: str) -> str:
    """A name of an entry that stays the same: a UUID (RFC 9562, version 8) made of what it is of."""
    digits = hashlib.sha256("/".join(("pbem", *names)).encode()).hexdigest()
    return f"urn:uuid:{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"
