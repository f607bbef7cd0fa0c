"""Bytes between two processes, over a pipe: each piece behind its length."""

from __future__ import annotations

from typing import IO, Final

_LENGTH: Final = 8


def put(stream: IO[bytes], data: bytes) -> None:
    """Write one piece, and see it on its way.

    :raises OSError: if nobody reads it any more.
    """
    stream.write(len(data).to_bytes(_LENGTH))
    stream.write(data)
    stream.flush()


def take(stream: IO[bytes]) -> bytes | None:
    """The next piece; None at the end of the stream, or where it breaks off."""
    length = stream.read(_LENGTH)
    if len(length) < _LENGTH:
        return None
    size = int.from_bytes(length)
    data = stream.read(size)
    return data if len(data) == size else None
