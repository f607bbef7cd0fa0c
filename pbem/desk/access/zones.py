"""The clock by which a player has hours told: any that there is, written as people write it, or what is near."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from zoneinfo import available_timezones

from pbem.kernel.errors import Refused
from pbem.orders.suggest import like
from pbem.reports.text.speech import Row, phrase

NEAR = 5
"""So many names are said that may have been meant."""

LONGEST = 60


def zone_called(written: str) -> str:
    """The time zone that somebody means who has *written* its name, in whatever letters.

    >>> zone_called("europe/paris"), zone_called("America/New York")
    ('Europe/Paris', 'America/New_York')
    >>> zone_called("Paris")
    Traceback (most recent call last):
    pbem.kernel.errors.Refused: there is no time zone "Paris".  Near it: Europe/Paris.

    :raises Refused: if there is none; it says what is near.
    """
    name = "_".join(written.split())
    if found := _zones().get(name.casefold()):
        return found
    said = near(name)
    then = phrase("Write one like Europe/Berlin.")
    if said:
        then = phrase("Near it: {zones:or}.", zones=Row(said))
    none = phrase('there is no time zone "{zone}".', zone=written.strip()[:LONGEST])
    raise Refused(f"{none}  {then}")


def near(name: str) -> list[str]:
    """The zones that may be meant by *name*: those of a place that is called so or nearly so, then names like it.

    >>> near("Berln"), near("Europe/Pariss"), near("Mars/Base")
    (['Europe/Berlin'], ['Europe/Paris'], [])
    """
    places: dict[str, list[str]] = {}
    for zone in sorted(_zones().values()):
        if not zone.startswith("Etc/"):  # their signs are the other way round: nobody means them
            places.setdefault(zone.rpartition("/")[2], []).append(zone)
    place = name.rpartition("/")[2]
    same = [called for called in places if called.casefold() == place.casefold()]
    found = [zone for called in same or like(place, places) for zone in places[called]]
    return (found or [zone for zone in like(name, _zones().values()) if not zone.startswith("Etc/")])[:NEAR]


@cache
def _zones() -> Mapping[str, str]:
    """Every zone by its name in small letters."""
    return {name.casefold(): name for name in available_timezones()}
