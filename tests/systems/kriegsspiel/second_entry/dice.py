"""The dice as their sides were dumped, and the fire tables that were drawn from them."""

from __future__ import annotations

DUMP = """
I   : 30 20 10 4  D 25 10  25 15 8 2    : 30 20 10 4  T 30 12  25 15 8 5
I   : 15 10 4 2   R 15 6   10 6 2 1     : 40 25 12 6  D 25 10  30 17 8 4
I   : 60 50 25 12 T 30 12  50 34 16 8   : 10 6 3 3    R 15 6   7 4 2 2
II  : 20 10 5 3   O - -    25 5 3 1     : 20 10 5 3   R 15 8   - - - -
II  : 40 25 15 8  R 15 8   30 20 10 6   : 40 25 15 8  D 25 10  30 20 10 6
II  : 60 40 25 12 T 30 12  50 30 20 10  : 20 10 5 3   R 15 8   25 5 3 1
III : 40 25 10 7  R 15 8   30 20 12 10  : 40 25 10 7  R 15 8   30 20 12 10
III : 20 10 6 5   T 30 12  15 12 8 6    : 20 10 8 6   D 25 10  20 15 9 7
III : 20 15 6 3   R 15 8   15 12 8 6    : 60 40 18 10 D 25 10  - 30 16 12
IV  : - - - -     D 15 10  - - - -      : - - - -     R 15 8   - - - -
IV  : - - - -     T 30 12  - - - -      : - - - -     O - -    - - - -
IV  : - - - -     O - -    - - - -      : - - - -     R 15 8   - - - -
V   : 25 16 6 3   D 25 10  20 12 8 3    : 25 16 6 3   D 25 10  20 12 8 4
V   : 30 20 10 5  T 30 12  25 15 10 5   : 20 15 5 2   R 15 8   15 8 7 4
V   : 12 8 4 1    R 15 8   8 6 5 2      : 12 8 4 1    O - -    8 6 5 2
"""
"""Face by face, two to a line; a dash where the dump has nothing."""

DUMP_AGAINST_TABLES = """
III 4 left 1 20
III 4 left 2 10
III 5 left 4 3
IV 1 losses 1 15
V 2 right 4 4
V 3 left 3 10
V 3 left 4 5
"""
"""Die, face, side, number and what the dump has where the printed tables, or all the other dice, have another."""

INFANTRY = """
I left    400   4   4   2   6  12   3
I left    300  10  10   4  12  25   3
I left    200  20  20  10  25  50   6
I left    100  30  30  15  40  60  10
I right   400   2   5   1   4   8   2
I right   300   8   8   2   8  16   2
I right   200  15  15   6  17  34   4
I right   100  25  25  10  30  50   7
II left   400   3   3   8   8  12   3
II left   300   5   5  15  15  25   5
II left   200  10  10  25  25  40  10
II left   100  20  20  40  40  60  20
II right  400   1   1   6   6  10   1
II right  300   3   3  10  10  20   3
II right  200   5   5  20  20  30   5
II right  100  25  25  30  30  50  25
"""
"""The printed table of infantry fire: the farthest range first."""

CIRCLES = """
I   black 3 white 3 blank 0
II  black 3 white 2 blank 1
III black 4 white 2 blank 0
IV  black 3 white 1 blank 2
V   black 4 white 1 blank 1
"""
"""¶5."""

FLAMES = "I 1, II 2, III 3, IV 0, V 0"
"""¶48: one in six, and even chances; Die II between them."""

CHANCES = "I 1:1, II 3:2, III 2:1, IV 3:1, V 4:1"
"""The introduction."""

PLAIN = """
DIE_BY_INDEX = I II III IV V
DIE4_D_PRINTED = 15
SIDES / I / left = half battalion in close order
SIDES / I / right = 2 skirmish zugs without cover
SIDES / II / left = 2 skirmish zugs of jager with cover
SIDES / II / right = 2 skirmish zugs of line infantry with cover
SIDES / III / left = 6lb battery, good effect
SIDES / III / right = 8 howitzers, good effect
SIDES / V / left = 6lb battery, bad effect
SIDES / V / right = 8 howitzers, bad effect
LETTERS / R = repulsed
LETTERS / D = defeated
LETTERS / T = totally defeated
"""
