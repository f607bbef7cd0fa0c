"""How the name of a place or a person is looked up, however it is written."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

WRITTEN_OUT = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))


LONGEST = 200
"""No name is longer: of a longer text the beginning is compared, for to bring marks into order takes ever longer."""

_REMEMBERED = 4096
"""So many names are remembered with their keys: of a reading the same few hundred are looked up for each line."""

_STRANGE = re.compile(r"[^0-9A-Za-z/]+")


def folded(text: str) -> str:
    """A text as words are compared: without capitals, umlauts written out.

    >>> folded("Schöne Grüße")
    'schoene gruesse'
    """
    found = text.casefold()
    for letter, letters in WRITTEN_OUT:
        found = found.replace(letter, letters)
    return found


def name_key(name: str) -> str:
    """A name as it is looked up: without capitals, blanks, accents and marks; umlauts may be written out.

    >>> name_key("Saint-Dizier"), name_key("Mülhausen"), name_key("Pont-à-Mousson")
    ('saintdizier', 'muelhausen', 'pontamousson')
    >>> name_key("Muehlrode_Bridge"), name_key("Raglan's  Knoll "), name_key("1/F")
    ('muehlrodebridge', 'raglansknoll', '1/f')
    """
    return _key(name[:LONGEST])


@lru_cache(maxsize=_REMEMBERED)
def _key(name: str) -> str:
    plain = name.casefold() if name.isascii() else unicodedata.normalize("NFKD", folded(name))
    return _STRANGE.sub("", plain)
