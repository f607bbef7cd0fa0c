"""Games in a folder that a club puts on the web: its pages are written anew, those of other games stay."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.library.readied import decoded
from pbem.desk.office.inside import inside
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.published import chosen, drawn
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import ReportIssued
from pbem.reports.pages.environment import environment
from pbem.reports.replay.page import published_html
from pbem.reports.replay.site import MOVING, Game, feed_xml, game_of, index_html, turn_html
from pbem.resources import resources

PUBLIC = "public"
"""The folder of the office in which the pages of published games lie."""

CARD = "game.json"
"""In the folder of a game: what the index says of it."""


def write(office: Office, campaign: str, folder: Path, names: Sequence[str], *, everything: bool) -> list[Path]:
    """Write *campaign* as *names* see it, or all, into *folder*: its pages, the index and the feed; gives the files.

    :raises Refused: as `published.chosen` does, or if the folder cannot be written.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        eyes = chosen(dossier, names, everything=everything, alone=False)
    seen = reel_of(office, campaign, eyes)
    with office.read() as connection:
        record = drawn(office, connection, dossier, seen)
    env = environment(resources("templates"), office.templates)
    game = game_of(record, _made_known(dossier, eyes))
    own = inside(folder, dossier.id)
    files = {inside(own, turn.file): turn_html(record, game, turn, env) for turn in game.turns}
    files[inside(own, MOVING)] = published_html(record, env, home="../index.html")
    files[inside(own, CARD)] = msgspec.json.encode(game).decode()
    games = [one for one in _games(folder) if one.campaign != dossier.id] + [game]
    files[folder / "index.html"] = index_html(games, env)
    files[folder / "feed.xml"] = feed_xml(games, env)
    try:
        own.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, "utf-8")
        for path in own.glob("turn-*.html"):
            if path not in files:
                path.unlink()  # of a turn that was annulled since
    except OSError as error:
        raise Refused(f"the pages cannot be written to {folder}: {error.strerror}.") from None
    return list(files)


def take_down(office: Office, campaigns: Sequence[str]) -> None:
    """Take the pages of *campaigns* away that the office shows to everybody, and out of the index and the feed."""
    folder = office.folder / PUBLIC
    gone = [own for one in campaigns if (own := inside(folder, one)).is_dir()]
    for own in gone:
        shutil.rmtree(own)
    if gone:
        env, left = environment(resources("templates"), office.templates), _games(folder)
        (folder / "index.html").write_text(index_html(left, env), "utf-8")
        (folder / "feed.xml").write_text(feed_xml(left, env), "utf-8")


def _games(folder: Path) -> list[Game]:
    """The games that are in *folder* already; what is no card of one is passed over."""
    found = []
    for path in sorted(folder.glob(f"*/{CARD}")):
        try:
            game = decoded(path.read_bytes(), Game)
        except (OSError, msgspec.MsgspecError):
            continue
        if game.campaign == path.parent.name:
            found.append(game)
    return found


def _made_known(dossier: Dossier, eyes: Sequence[str]) -> dict[str, str]:
    """When each turn was last made known, to whom these eyes are."""
    roles = [Role(one) for one in eyes if one in dossier.roles] or list(dossier.roles)
    found: dict[str, str] = {}
    for one in dossier.log.own:
        if isinstance(one.event, ReportIssued) and one.event.role in roles:
            moment = one.event.moment
            turn = str(moment.turn) if moment.turn and moment.exchange else "S"
            found[turn] = f"{datetime.fromtimestamp(one.at / 1_000_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    return found
