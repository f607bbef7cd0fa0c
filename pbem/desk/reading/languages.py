"""In which language a page is said: that of its role, else what a player has chosen anywhere, else the browser's."""

from __future__ import annotations

from pbem.desk.books.spoken_to import language_of
from pbem.desk.office.office import Office
from pbem.kernel.names import PlayerId
from pbem.reports.text.speech import ENGLISH, spoken

MOST = 20
"""So many languages that a browser names are looked at."""


def of_page(office: Office, player: PlayerId | None, campaign: str, accepts: str) -> str:
    """The language of a page of a *campaign*, or of none; *accepts*: what the browser asks for, of who is no player."""
    if player is None:
        return asked_for(accepts)
    with office.read() as connection:
        return language_of(office, connection, player, campaign)


def asked_for(accepts: str) -> str:
    """The first language of an `Accept-Language` that is spoken here, by its weight; English, if none is.

    >>> asked_for("fr, de-AT;q=0.8, en;q=0.9"), asked_for("nl, *;q=0.5"), asked_for("de;q=x")
    ('en', 'en', 'en')
    """
    found = []
    for at, one in enumerate(accepts.split(",")[:MOST]):
        name, _, weight = one.partition(";")
        code = name.strip().casefold().partition("-")[0]
        number = weight.strip().casefold().removeprefix("q=") or "1"
        if code in spoken() and number.replace(".", "", 1).isdecimal():
            found.append((-float(number), at, code))
    return min(found)[2] if found else ENGLISH
