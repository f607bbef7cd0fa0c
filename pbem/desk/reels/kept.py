"""Reels that are kept: beats of turns that are over are made once.

They are kept for the eyes that they were made for, words apart from pictures, under all that they depend on: the rules
as they are installed, the shape of the reel, and how often the game was annulled.  Without them every answer is the
same.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier, installed
from pbem.desk.library.readied import decoded
from pbem.desk.office.office import Office
from pbem.desk.reels.reel import eyes_of, headed, past_of
from pbem.desk.reels.seeing import chapters
from pbem.desk.worlds import worlds
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.errors import StorageError
from pbem.kernel.names import CampaignId
from pbem.rules.reel import VERSION, Beat, Change, Reel
from pbem.rules.reeling import Making, Stands
from pbem.storage import snapshots
from pbem.storage.database import Connection

REELS = "reel/"
"""How the systems of all folds begin that are of reels."""

Kept = TypeVar("Kept")

Changes = list[dict[str, Change]]
"""What changes by each beat, by eyes."""


class _Made(NamedTuple):
    """What was made of a chapter."""

    upto: int
    """Its last fact."""
    beats: Sequence[Beat]
    shown: Stands
    """The last picture that each of the eyes had."""
    world: AnyWorld


class _Shelf(NamedTuple):
    """Where a reel is kept."""

    campaign: CampaignId
    system: str
    eyes: tuple[str, ...]
    key: str

    def fold(self, what: str) -> str:
        return f"{what}/{self.key}"

    def put(self, connection: Connection, what: str, seq: int, data: object, *, alone: bool = False) -> None:
        snapshots.keep(
            connection,
            self.campaign,
            seq=seq,
            system=f"{REELS}{self.system}/{what}/{'+'.join(self.eyes)}",
            fold=self.fold(what),
            data=zlib.compress(msgspec.json.encode(data), 1),
            thin=((0, seq),) if alone else (),
        )


def reel_of(office: Office, campaign: str, names: Sequence[str] = (), *, pictures: bool = True) -> Reel:
    """The reel of *campaign* as *names* see it; without *pictures*, what was kept of it has none.

    :raises UnknownCampaign: if there is none of that name.
    :raises UnknownRole: if there is no such role.
    :raises Refused: if the rules have no past to show.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        eyes = eyes_of(dossier, names)
        making = Making(past_of(dossier), dossier.scene, eyes)
        shelf = _shelf(office, dossier, eyes)
        beats, after, shown = _taken(connection, shelf, pictures=pictures)
        world = None
        if after:
            world = worlds.world_at(office, connection, dossier.upto(after))
            making.resume(shown, world)
        made: list[_Made] = []
        for chapter in chapters(dossier, eyes, after=after, world=world, before=beats):
            new = tuple(making.beats(chapter.seen))
            beats += new
            if chapter.closed:
                made.append(_Made(chapter.upto, new, making.shown, chapter.world))
    if made:
        with suppress(StorageError):  # another process writes: it will be made again
            _keep(office, dossier, shelf, made)
    return headed(dossier, eyes, beats)


def _shelf(office: Office, dossier: Dossier, eyes: tuple[str, ...]) -> _Shelf:
    upon = (installed(office, dossier.system), VERSION, len(dossier.annulments), eyes)
    key = hashlib.sha256(msgspec.json.encode(upon)).hexdigest()[:32]
    return _Shelf(dossier.id, dossier.system.name, eyes, key)


def _taken(connection: Connection, shelf: _Shelf, *, pictures: bool) -> tuple[list[Beat], int, Stands]:
    """The beats that are kept, the last fact of the last, and what its eyes were shown then; none, if any is spoilt."""
    words = snapshots.every(connection, shelf.campaign, fold=shelf.fold("words"))
    last = snapshots.latest(connection, shelf.campaign, fold=shelf.fold("shown"))
    if not words or last is None or last.seq != words[-1].seq:
        return [], 0, Stands()
    try:
        beats = [beat for row in words for beat in _read(row.data, list[Beat])]
        if pictures:
            rows = snapshots.every(connection, shelf.campaign, fold=shelf.fold("pictures"))
            changes = [change for row in rows for change in _read(row.data, Changes)]
            beats = [_with(beat, change) for beat, change in zip(beats, changes, strict=True)]
        return beats, last.seq, _read(last.data, Stands)
    except (msgspec.MsgspecError, zlib.error, ValueError):
        return [], 0, Stands()


def _keep(office: Office, dossier: Dossier, shelf: _Shelf, made: Sequence[_Made]) -> None:
    """Keep what was made, and the world after the last of it, from which the next is made."""
    last, fold = made[-1], installed(office, dossier.system)
    with office.write() as connection:
        known = snapshots.latest(connection, dossier.id, fold=fold, upto=last.upto)
        if known is None or known.seq < last.upto:
            worlds.keep_snapshot(office, connection, dossier.upto(last.upto), worlds.packed(last.world))
        for one in made:
            shelf.put(connection, "words", one.upto, [_with(beat, {}) for beat in one.beats])
            changes = [{eyes: seen.change for eyes, seen in beat.seen.items()} for beat in one.beats]
            shelf.put(connection, "pictures", one.upto, changes)
        shelf.put(connection, "shown", last.upto, last.shown, alone=True)


def _with(beat: Beat, changes: dict[str, Change]) -> Beat:
    """The beat with those changes of its pictures, and no others."""
    seen = {eyes: replace(one, change=changes.get(eyes, Change())) for eyes, one in beat.seen.items()}
    return replace(beat, seen=seen)


def _read(data: bytes, type: type[Kept]) -> Kept:
    return decoded(zlib.decompress(data), type)
