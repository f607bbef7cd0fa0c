"""Every chart of the game typed a second time, by other eyes and in other shapes than the first.

The matrix stands on its side, the fire table by columns, the HQs by their bonuses; the rest is rows of text.
"""

from __future__ import annotations

CRM = """
ratio      | 1:6 1:5 1:4 1:3 1:2 1:1 2:1 3:1 4:1 5:1 6:1
clear A    |  -6  -5  -4  -3  -2   0   2   3   4   5   6
clear D    |   6   5   4   3   2   0  -2  -3  -4  -5  -6
forest A   |  -7  -6  -5  -4  -3  -1   1   2   3   4   5
forest D   |   6   5   4   3   2   0  -2  -3  -4  -5  -6
rough A    |  -7  -6  -5  -4  -3  -1   1   2   3   4   5
rough D    |   6   5   4   3   2   0  -2  -3  -4  -5  -6
town A     |  -6  -5  -4  -3  -2   0   2   3   4   5   6
town D     |   7   6   5   4   3   1  -1  -2  -3  -4  -5
fortress A |  -7  -6  -5  -4  -3  -1   1   2   3   4   5
fortress D |   7   6   5   4   3   1  -1  -2  -3  -4  -5
mountain A |  -8  -7  -6  -5  -4  -2   0   1   2   3   4
mountain D |   7   6   5   4   3   1  -1  -2  -3  -4  -5
"""
"""WE-CBT-05."""

CFT = """
firing SP | 11-13 14-16 21-26 31-36 41-46 51-56 61-63 64-66
1-2       |   0     0     0     0     0     1     1     1
3-5       |   0     0     0     0     1     1     1     2
6-9       |   0     0     0     1     1     1     2     2
10-14     |   0     0     1     1     1     2     2     3
15-20     |   0     1     1     1     2     2     3     3
21+       |   1     1     1     2     2     3     3     4
"""
"""WE-OCF-02."""

SHIFTS = """
target in clear                          | right 1
firers in an undestroyed French fortress | right 1
target in mountain                       | left 1
target in a German fortress              | left 1
"""
"""WE-OCF-02."""

TERRAIN = """
       clear  mp 1       artillery x1
      forest  mp 2       artillery x1.5
       rough  mp 2       artillery x1
    mountain  mp 3       artillery x2
     neutral  mp closed  artillery x1
"""
"""WE-MOV-02."""

EXTRA = """
river hexside                                     | 1
into a hex with a friendly SP, French             | 1
out of a hex where a friendly SP stays, French    | 1
into an EZOC with a cautious HQ                   | 1
into a French town or fortress, German, by option | 1
pick-up, German HQ                                | 1
sortie                                            | 1
exit                                              | 1
entrain                                           | 1
ride                                              | 1
detrain                                           | 1
"""
"""WE-MOV-02, WE-MOV-03, WE-MOV-04, WE-SIE-06, WE-VIC-05, WE-RAI-01."""

COMMAND = """
                  French  German
inherent division      4       3
division piece         4       4
corps                 12       8
army                  16      12
"""
"""WE-HQ-02, WE-HQ-03."""

INHERENT = """
French AB 0 DB +1 MA 3
German AB 0 DB 0 MA 4
"""
"""WE-HQ-02."""

MOBILIZATION = """
                              French  German
RP each turn                  10      14
RP for 1 SP                   2       1
RP for 1 HQ                   5       5
SP in a hex                   1       2
HQs in a hex                  1       1
hexes from the enemy          3       2
in towns                      no      yes
SP on the railway             3       any
RP for 1 SP that entrains     1       0
hexes of a planned attack     2       3
RP for artillery, 11 SP       11      6
SP eliminated for 1 VP        3       2
"""
"""WE-RP-01, WE-ADM-01, WE-ADM-02, WE-RAI-02, WE-PLA-01, WE-CBT-07, WE-VIC-01."""

SIEGE = "2:1 +0, 3:1 +1, 4:1 +2, 5:1 +3, army HQ +1"
"""WE-SIE-03."""

VP = """
French take a German town            +1
Germans take it back                 -1
German fortress destroyed            +2
French fortress of 1 destroyed        0
French fortress of 2 destroyed        0
French fortress of 3 destroyed       -1
French fortress of 4 destroyed       -1
French fortress of 5 destroyed       -2
French fortress of 6 destroyed       -2
Germans take a French town           -1
French take it back                  +1
French win a major battle            +1
Germans win a major battle           -1
"""
"""WE-VIC-01."""

NUMBERS = """
most RP                                      99
good SP that make a zone of control           3
hexes of a line of communication              2
lowest extra MP of a forced march             1
highest extra MP of a forced march            3
highest sum that keeps a forced march good    7
RP of a rally                                 1
RP of a recovery                              1
highest ratio                                 6
least total of a side                         1
SP eliminated at spread 0 or 1                1
SP of a cavalry division                      4
highest die at which cavalry must fight       4
shortest retreat                              1
longest retreat                               2
ratio of a hex that is friendly for supply    1
SP of a major battle                         16
marker at the start                          11
marker of a German victory                    0
marker of a French victory                   20
SP of a corps that leaves                     8
corps that must leave                         2
lowest roll that checks HQs                  64
highest roll that checks HQs                 66
lowest roll that jams                        11
highest roll that jams                       13
"""
"""WE-RP-01, WE-ZOC-01, WE-LOC-02, WE-FRC-01, WE-RAL-01, WE-REC-01, WE-CBT, WE-RET-01, WE-SIE-05, WE-VIC, WE-OCF-02."""

HALVED = """
attacker of a march combat | 1 of 2
without a line             | 1 of 2
on the train               | 1 of 2
"""
"""WE-MCB-01, WE-CBT-03, WE-RAI-03."""

COUNTED = "army 1, corps 1, division all"
"""WE-HQ-01."""

SPREADS = """
spread       0 1 2 3 4 5 6 7 8 13
eliminated   1 1 1 1 2 2 3 3 4  6
loser, LP    0 0 1 2 2 3 3 4 4  7
winner, LP   0 0 1 1 2 2 3 3 4  6
"""
"""WE-CBT-10, WE-CBT-11."""

DICE = """
d6        1       2         3    4    5    6
1d3       1       1         2    2    3    3
casualty  flipped unchanged none none none none
"""
"""WE-UNI-02, WE-HQC-01."""

HEADQUARTERS = """
id    rank      front      back       back's name    name
NAP   army      -1  0 3c   -2 -1 3c   -              Napoleon III
F1    corps      1  2 4     0  1 4    Ducrot         MacMahon
F2    corps      0  2 3c    0  1 3    Bataille       Frossard
F3    corps      0  2 3c    0  1 3c   Decaen         Bazaine
F4    corps      1  2 4     0  1 3    Grenier        Ladmirault
F5    corps     -1  1 3c    0  0 3    Wimpffen       de Failly
F6    corps      0  3 4     0  1 3    Bisson         Canrobert
F7    corps      0  1 4    -1  1 3    Liebert        F. Douay
IG    corps      1  2 4c    0  1 4    Deligny        Bourbaki
CR12  corps      0  1 3    -1  1 3    Grandchamp     Lebrun
CR13  corps      0  1 4    -1  0 3    Blanchard      Vinoy
A1    army       1 -1 5     0  0 5    Manteuffel     Steinmetz
A2    army       1  1 5     0  0 5    Stiehle        Friedrich Karl
A3    army       1  1 5     0  0 5    Blumenthal     Crown Prince of Prussia
A4    army       1  1 5     0  0 5    Schlotheim     Crown Prince of Saxony
G1    corps      1  1 5     0  0 5    Bentheim       Manteuffel
G3    corps      2  1 5     1  0 5    Stuelpnagel    C. v. Alvensleben
G4    corps      1  1 5     0  0 5    Schoeler       G. v. Alvensleben
G5    corps      1  1 5     0  0 5    Schmidt        Kirchbach
G7    corps      0  1 5     0  0 5    Kameke         Zastrow
G8    corps      2  1 5     1  0 5    Barnekow       Goeben
G9    corps      0  1 5     0  0 5    Wrangel        Manstein
G10   corps      1  1 5     0  0 5    Kraatz         Voigts-Rhetz
G11   corps      1  1 5     0  0 5    Gersdorff      Bose
G12   corps      1  1 5     0  0 5    Montbe         Georg
GD    corps      1  1 5     0  0 5    Pape           August of Wuerttemberg
B1    corps      0  1 5     0  0 4    Stephan        von der Tann
B2    corps      0  1 4     0  0 4    Bothmer        Hartmann
WUD   division   0  1 4     0  0 4    Reitzenstein   Obernitz
BAD   division   0  1 4     0  0 4    Gluemer        Beyer
CD1   division   0 -1 6     0 -1 6    Luederitz      Hartmann
CD4   division   1 -1 6     0 -1 6    Bernhardi      Albrecht
CD5   division   0 -1 6     0 -1 6    Redern         Rheinbaben
CD6   division   0 -1 6     0 -1 6    Rauch          Mecklenburg
"""
"""WE-HQ-01; NAP to CR13 are French."""

DU_BARAIL = "FCR   division   0  0 5     0  0 5    du-Barail      du Barail"
"""WE-UNI-03: French, cavalry, by option."""

FORTRESSES = """
6: Paris 0810, Metz 2107, Mainz 2701
5: Strasbourg 2609, Besancon 2118, Belfort 2314
4: Thionville 2105, Verdun 1807, Langres 1814, Germersheim 2805, Rastatt 2708
3: Soissons 1107, Mezieres 1504, Sedan 1604, Montmedy 1805, Longwy 1905, Toul 2009
3: Phalsbourg 2408, Bitche 2507, Neuf-Brisach 2613, Landau 2706, Saarlouis 2305
2: Laon 1205, Auxonne 1918, Marsal 2208, Selestat 2511
1: Vitry 1510
"""
"""Fortresses by their SR; Mainz, Germersheim, Rastatt, Landau and Saarlouis are German."""

GERMAN_FORTRESSES = "Mainz Germersheim Rastatt Landau Saarlouis"

FRENCH_TOWNS = """
Versailles 0710, Compiegne 0906, Melun 0912, Meaux 1009, Chateau-Thierry 1108, Sens 1213, Epernay 1308, Reims 1407,
Troyes 1412, Rethel 1505, Chalons 1509, Saint-Dizier 1610, Dijon 1718, Bar-le-Duc 1809, Chaumont 1813,
Neufchateau 1912, Pont-a-Mousson 2008, Nancy 2109, Vesoul 2115, Forbach 2206, Luneville 2210, Epinal 2212,
Sarrebourg 2409, Mulhouse 2514, Woerth 2607, Wissembourg 2707
"""

GERMAN_TOWNS = """
Trier 2203, Saarbruecken 2306, Zweibruecken 2405, Kreuznach 2502, Kaiserslautern 2504, Offenburg 2610,
Freiburg 2713, Darmstadt 2801, Worms 2803, Mannheim 2804, Karlsruhe 2807, Heidelberg 2904
"""

SET_UP = """
F1 2608 3, - 2609 3, - 2607 3, - 2707 3
F2 2306 10
F3 2206 12
F4 2205 12
F5 2507 6, - 2406 3, - 2407 3
F6 2207 12
F7 2514 6, - 2513 3, - 2314 3
NAP 2107 16, IG 2108 12
A1 2304 12, G7 2305 8, G8 2405 8, G1 2403 8
A2 2504 12, G3 2505 8, CD5 2505 4, G10 2404 8, G4 2604 8, GD 2603 8, G9 2503 8, G12 2705 8, CD6 2605 4
A3 2713 12, G5 2713 8, CD4 2713 4, G11 2612 8, B1 2612 8, WUD 2612 4, B2 2614 8, BAD 2614 4
"""
"""The default set-up: HQ (`-`: none), hex, SP; 110 French and 160 German."""
