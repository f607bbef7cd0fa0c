"""Keeps letters in the database of an office, as its desk does: bytes and row in one transaction."""

from __future__ import annotations

from types import TracebackType

from pbem.mail.doors.imap import Found, Place
from pbem.storage import blobs, letters
from pbem.storage.database import open_office, reading, transaction

_OF_ORIGIN = "SELECT id FROM letter WHERE source = 'imap' AND origin = :origin"


class Keeper:
    """The letters of one office."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine = open_office(url)

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._engine.dispose()

    def keep(self, raw: bytes, *, way: str = "lmtp", origin: str | None = None) -> None:
        """Keep a letter, and commit."""
        with transaction(self._engine) as connection:
            digest = blobs.keep(connection, raw, at=1)
            letters.receive(connection, letters.NewLetter(digest=digest, source=way, at=1, origin=origin))

    def keep_found(self, found: Found) -> None:
        """Keep one that lay on a server."""
        self.keep(found.raw, way="imap", origin=found.place.key)

    def known(self, place: Place) -> bool:
        """Whether one of that place was kept."""
        with reading(self._engine) as connection:
            return connection.execute(_OF_ORIGIN, {"origin": place.key}).one_or_none() is not None

    def origins(self) -> list[str | None]:
        """Where all letters lay."""
        with reading(self._engine) as connection:
            return [letter.origin for letter in letters.listing(connection)]

    def raws(self) -> list[bytes]:
        """All letters, the first first."""
        with reading(self._engine) as connection:
            return [blobs.fetch(connection, letter.digest) for letter in letters.listing(connection)]
