"""What has changed in the shape of the office's own events."""

from __future__ import annotations

from pbem.storage.upcast import Json, Upcasts


def _in_time(annulled: dict[str, Json]) -> dict[str, Json]:
    """Until then only the reason told an annulment by a sheet in time from one by the GM."""
    return {**annulled, "stays_open": annulled["reason"] == "a message came before the hour"}


OFFICE = Upcasts([("exchange_annulled", 1, _in_time)])
