"""The HQ tables, as printed: ratings of both faces, and the names that orders may use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

from pbem.rules.ledger import charts
from pbem.systems.empire_1870.tables.charts import Ratings

Rank = Literal["army", "corps", "division"]


class Face(NamedTuple):
    """One side of an HQ piece."""

    ratings: Ratings
    cautious: bool


class Headquarters(NamedTuple):
    """An HQ piece: both faces and what is printed beside them."""

    id: str
    side: str
    name: str
    rank: Rank
    front: Face
    successor: str
    """Who stands on the other face; empty: the same man, wounded."""
    back: Face
    cavalry: bool = False


_FRENCH_AS_PRINTED = """
NAP   Napoleon III            army    -1/ 0/3c                  -2/-1/3c
F1    I Corps, MacMahon       corps   +1/+2/4   Ducrot           0/+1/4
F2    II Corps, Frossard      corps    0/+2/3c  Bataille         0/+1/3
F3    III Corps, Bazaine      corps    0/+2/3c  Decaen           0/+1/3c
F4    IV Corps, Ladmirault    corps   +1/+2/4   Grenier          0/+1/3
F5    V Corps, de Failly      corps   -1/+1/3c  Wimpffen         0/ 0/3
F6    VI Corps, Canrobert     corps    0/+3/4   Bisson           0/+1/3
F7    VII Corps, F. Douay     corps    0/+1/4   Liebert         -1/+1/3
IG    Imperial Guard, Bourbaki  corps  +1/+2/4c  Deligny         0/+1/4
CR12  12th Corps, Lebrun      corps    0/+1/3   Grandchamp      -1/+1/3
CR13  13th Corps, Vinoy       corps    0/+1/4   Blanchard       -1/ 0/3
"""

_GERMAN_AS_PRINTED = """
A1    1st Army, Steinmetz                       army      +1/-1/5  Manteuffel     0/ 0/5
A2    2nd Army, Friedrich Karl                  army      +1/+1/5  Stiehle        0/ 0/5
A3    3rd Army, Crown Prince of Prussia         army      +1/+1/5  Blumenthal     0/ 0/5
A4    4th Army, Crown Prince of Saxony          army      +1/+1/5  Schlotheim     0/ 0/5
G1    I Corps, Manteuffel                       corps     +1/+1/5  Bentheim       0/ 0/5
G3    III Corps, C. v. Alvensleben              corps     +2/+1/5  Stuelpnagel   +1/ 0/5
G4    IV Corps, G. v. Alvensleben               corps     +1/+1/5  Schoeler       0/ 0/5
G5    V Corps, Kirchbach                        corps     +1/+1/5  Schmidt        0/ 0/5
G7    VII Corps, Zastrow                        corps      0/+1/5  Kameke         0/ 0/5
G8    VIII Corps, Goeben                        corps     +2/+1/5  Barnekow      +1/ 0/5
G9    IX Corps, Manstein                        corps      0/+1/5  Wrangel        0/ 0/5
G10   X Corps, Voigts-Rhetz                     corps     +1/+1/5  Kraatz         0/ 0/5
G11   XI Corps, Bose                            corps     +1/+1/5  Gersdorff      0/ 0/5
G12   XII (Saxon) Corps, Georg                  corps     +1/+1/5  Montbe         0/ 0/5
GD    Guard Corps, August of Wuerttemberg       corps     +1/+1/5  Pape           0/ 0/5
B1    I Bavarian Corps, von der Tann            corps      0/+1/5  Stephan        0/ 0/4
B2    II Bavarian Corps, Hartmann               corps      0/+1/4  Bothmer        0/ 0/4
WUD   Wuerttemberg Division, Obernitz           division   0/+1/4  Reitzenstein   0/ 0/4
BAD   Baden Division, Beyer                     division   0/+1/4  Gluemer        0/ 0/4
CD1   1st Cavalry Division, Hartmann            division   0/-1/6  Luederitz      0/-1/6
CD4   4th Cavalry Division, Prince Albrecht        division  +1/-1/6  Bernhardi      0/-1/6
CD5   5th Cavalry Division, Rheinbaben          division   0/-1/6  Redern         0/-1/6
CD6   6th Cavalry Division, Duke of Mecklenburg   division   0/-1/6  Rauch          0/-1/6
"""

_OPTIONAL_AS_PRINTED = """
FCR   du Barail               division 0/ 0/5  du Barail         0/ 0/5
"""

_ROW = re.compile(r"(\w+) +(.+?) +(army|corps|division) +(\S+/ ?\S+/\S+) +(\D*?) *([-+]?\d/ ?\S+/\S+)")

CAVALRY = ("CD1", "CD4", "CD5", "CD6", "FCR")
"""The HQs that are cavalry divisions; FCR by option only (WE-UNI-03)."""


def _face(printed: str) -> Face:
    ab, db, ma = printed.split("/")
    return Face(Ratings(int(ab), int(db), int(ma.rstrip("c"))), cautious=ma.endswith("c"))


def _headquarters(side: str, printed: str) -> dict[str, Headquarters]:
    found = {}
    for row in printed.strip().splitlines():
        match = _ROW.fullmatch(row)
        if match is None:
            raise ValueError(f"no row of an HQ table: {row}")
        id_, name, rank, front, successor, back = match.groups()
        found[id_] = Headquarters(
            id_, side, name, cast(Rank, rank), _face(front), successor, _face(back), cavalry=id_ in CAVALRY
        )
    return found


HEADQUARTERS: Mapping[str, Headquarters] = {
    **_headquarters("french", _FRENCH_AS_PRINTED),
    **_headquarters("german", _GERMAN_AS_PRINTED),
}
"""Every HQ by its id (WE-HQ-01); who takes part, and where, stands in a scenario's forces."""

FRENCH_CAVALRY: Mapping[str, Headquarters] = _headquarters("french", _OPTIONAL_AS_PRINTED)
"""What the option `french_cavalry_hqs` adds to the French pool (WE-UNI-03)."""

ALIASES: Mapping[str, Mapping[str, str]] = {
    "french": {
        "i": "F1", "ii": "F2", "iii": "F3", "iv": "F4", "v": "F5", "vi": "F6", "vii": "F7",
        "12cr": "CR12", "13cr": "CR13", "guard": "IG", "napoleon": "NAP",
    },
    "german": {
        "i": "G1", "iii": "G3", "iv": "G4", "v": "G5", "vii": "G7", "viii": "G8", "ix": "G9", "x": "G10",
        "xi": "G11", "xii": "G12", "guard": "GD", "ib": "B1", "iib": "B2",
        "1cd": "CD1", "4cd": "CD4", "5cd": "CD5", "6cd": "CD6",
        "1st": "A1", "2nd": "A2", "3rd": "A3", "4th": "A4",
    },
}  # fmt: skip
"""Other names of HQs in the orders of their own side, in small letters (WE-UNI-01)."""

TABLE_RULES = charts(
    {
        "HEADQUARTERS": "WE-HQ-01 WE-HQC-02",
        "CAVALRY": "WE-UNI-03",
        "FRENCH_CAVALRY": "WE-UNI-03",
        "ALIASES": "WE-UNI-01",
    }
)
"""Which rules each table plays."""
