"""Every chart and table of the game typed a second time, from the printed text again and in other shapes.

What print has lost is typed from the ledger's text: movement and saves stand on their sides, fire by columns, and
footprints and firing stands as they come out for so many stands.
"""

from __future__ import annotations

MOVEMENT = """
            i.line i.double i.column i.skirmish i.road i.square c.line c.column c.skirmish c.road c.dis f.lim f.unl h.lim h.unl leader
road          3      3        4        4          5      0        5      6        6          7      3     5     1     6     1     6
open          3      3        4        4          3      0        5      6        6          4      3     4     1     5     1     6
rough         2      2        3        3          2      0        3      4        4          3      2     2     1     3     1     6
town          2      2        3        3          3      0        2      3        3          4      2     2     1     2     1     6
woods         1      1        2        2          1      0        1      2        2          1      1     0     0     0     0     6
high_hill     2      2        3        3          2      0        4      5        5          3      2     2     1     3     1     6
"""  # noqa: E501 - a row of the chart is a row
"""HL-MOV-02."""

FIRE = """
                rifle  rifle  musket musket carbine carbine canister canister artillery artillery bombardment
                short  long   short  long   short   long    short    long     short     long
dense, open       3      4      4      5      5       6       3        4        4         5         6
dense, covered    4      5      5      6      6       6       4        5        5         6         6
line, open        4      5      5      6      6       6       4        5        5         6         6
line, covered     5      6      6      6      6       6       5        6        6         6         6
right, open       5      6      6      6      6       6       5        6        6         6         6
right, covered    6      6      6      6      6       6       6        6        6         6         6
"""
"""HL-FIR-03."""

SAVES = """
stands     1  2  3  4  5  6
elite      5  5  4  3  3  3
regular    6  5  5  4  4  3
second     X  6  5  5  4  4
artillery  X  5  5  4  4  4
"""
"""HL-SAV-02."""

TUNED = """
                rifle  rifle  canister canister artillery artillery
                short  long   short    long     short     long
dense, open       4      5      2        3        3         4
dense, covered    5      6      3        4        4         5
line, open        5      6      3        3        3         4
line, covered     6      6      4        4        4         5
right, open       6      6      4        4        4         5
right, covered    6      6      5        5        5         6
"""
"""HL-FIR-03 on the Kourgane Hill, where it is not as above."""

TUNED_SAVES = """
artillery  X  4  3  3  2  2
"""
"""HL-SAV-02 on the Kourgane Hill."""

TARGETS = """
dense: infantry column, infantry road_column, infantry double_line, infantry square, foot_artillery limbered,
    horse_artillery limbered, cavalry line, cavalry column, cavalry road_column
line: infantry line, infantry skirmish, cavalry skirmish, cavalry dismounted, foot_artillery unlimbered,
    horse_artillery unlimbered
"""
"""HL-FIR-03."""

FIRING = """
stands                      1 2 3 4 5 6 7 8
infantry line               1 2 3 4 5 6 7 8
infantry skirmish           1 2 3 4 5 6 7 8
infantry double_line        1 1 2 2 3 3 4 4
infantry column             1 2 2 2 2 2 2 2
infantry road_column        1 1 1 1 1 1 1 1
infantry square             1 1 1 1 1 1 1 2
cavalry line                0 0 0 0 0 0 0 0
cavalry column              0 0 0 0 0 0 0 0
cavalry road_column         0 0 0 0 0 0 0 0
cavalry skirmish            1 2 3 4 5 6 7 8
cavalry dismounted          1 2 3 4 5 6 7 8
foot_artillery unlimbered   1 2 3 4 5 6 7 8
foot_artillery limbered     0 0 0 0 0 0 0 0
horse_artillery unlimbered  1 2 3 4 5 6 7 8
horse_artillery limbered    0 0 0 0 0 0 0 0
"""
"""HL-FIR-02."""

FOOTPRINTS = """
stands                      1         2         3         4         5         6         8
infantry line               1.5x1.0   3.0x1.0   4.5x1.0   6.0x1.0   7.5x1.0   9.0x1.0   12.0x1.0
infantry double_line        1.5x3.0   1.5x3.0   3.0x3.0   3.0x3.0   4.5x3.0   4.5x3.0   6.0x3.0
infantry column             3.0x1.0   3.0x1.0   3.0x2.0   3.0x2.0   3.0x3.0   3.0x3.0   3.0x4.0
infantry road_column        1.5x1.0   1.5x2.0   1.5x3.0   1.5x4.0   1.5x5.0   1.5x6.0   1.5x8.0
infantry square             3.0x3.0   3.0x3.0   3.0x3.0   3.0x3.0   3.0x3.0   3.0x3.0   3.0x3.0
infantry skirmish           1.5x1.0   5.0x1.0   8.5x1.0   12.0x1.0  15.5x1.0  19.0x1.0  26.0x1.0
cavalry line                1.5x1.5   3.0x1.5   4.5x1.5   6.0x1.5   7.5x1.5   9.0x1.5   12.0x1.5
cavalry column              3.0x1.5   3.0x1.5   3.0x3.0   3.0x3.0   3.0x4.5   3.0x4.5   3.0x6.0
cavalry road_column         1.5x1.5   1.5x3.0   1.5x4.5   1.5x6.0   1.5x7.5   1.5x9.0   1.5x12.0
cavalry skirmish            1.5x1.5   5.0x1.5   8.5x1.5   12.0x1.5  15.5x1.5  19.0x1.5  26.0x1.5
cavalry dismounted          1.5x1.0   3.0x1.0   4.5x1.0   6.0x1.0   7.5x1.0   9.0x1.0   12.0x1.0
foot_artillery unlimbered   1.5x1.5   1.5x1.5   3.5x1.5   3.5x1.5   5.5x1.5   5.5x1.5   7.5x1.5
foot_artillery limbered     1.0x2.5   1.0x2.5   1.0x5.0   1.0x5.0   1.0x7.5   1.0x7.5   1.0x10.0
horse_artillery unlimbered  1.5x1.5   1.5x1.5   3.5x1.5   3.5x1.5   5.5x1.5   5.5x1.5   7.5x1.5
horse_artillery limbered    1.0x2.5   1.0x2.5   1.0x5.0   1.0x5.0   1.0x7.5   1.0x7.5   1.0x10.0
"""
"""HL-GEO-01."""

PITCHES = "line 1.5, dismounted 1.5, skirmish 3.5, unlimbered 2.0"
"""From stand to stand (HL-GEO-03)."""

CROSSING = """
leader       free:  stream ford bridge wall trench hedge
foot_front   die:   stream bridge wall trench            free:  ford hedge
foot_files   die:   stream wall trench                   free:  ford bridge hedge
horse_front  die:   stream bridge                        free:  ford hedge           never: wall trench
horse_files  die:   stream wall trench                   free:  ford bridge hedge
limbered     die:   ford                                 free:  bridge hedge         never: stream wall trench
unlimbered   even:  stream ford bridge wall              free:  hedge                die:   trench
"""
"""HL-MOV-08, HL-MOV-09."""

CHARTS = """
wheel: above 5 degrees; 3 legs; 90 degrees; 2" for line double_line dismounted
carbine: 10"
figures: 3 infantry, 2 cavalry, 1 foot_artillery, 1 horse_artillery
leader: 1.0x1.0
victory: 2 unit_destroyed, 1 unit_routing, 2 battery_lost, 1 battery_abandoned, 3 brigadier_killed, \
6 army_commander_killed, 2 unit_exited, 6 margin
scale: 30 inch_yards, 20 turn_minutes, 200 stand_men
"""
"""HL-MOV-06, HL-FIR-04, HL-SAV-03, HL-GEO-01, HL-WIN-01, HL-MOV-01."""

TURN = """
PHASES = initiative, move, fire_artillery, fire_small, charge, melee, reinforce, end
DIE = 6
INITIATIVE = held_initiative 1, won_most_combats 1, more_routing -1
SEGMENTS = 1 initiative chosen outward, 2 other opposite inward, 3 initiative opposite outward, 4 other chosen outward
FORMATIONS = infantry skirmish line double_line column road_column square, \
cavalry skirmish line column road_column dismounted, \
foot_artillery limbered unlimbered, horse_artillery limbered unlimbered
ARMS = infantry musket rifle none, cavalry carbine none, foot_artillery gun, horse_artillery gun
GUNNERS_PER_GUN = 2
INCH = 1"
TENTH = 0.1"
SKIRMISH_GAP = 2"
DOUBLE_LINE = 4"
DOUBLE_LINE_DEGREES = 20
SLIDE = 2"
FORMED_WITHIN = 45
ONE_DIE = 1
FORWARD = 45
EVEN = 2
PIPS_PER_CHIT = 1
DICE_PER_FRIEND = 1
MOVING_CAVALRY = 4"
REINFORCE_BEYOND = 40"
CONTACT = 0.1"
CROSSING_WITHIN = 1"
ATTACH_WITHIN = 1"
LEADER_GAP = 3"
LEADER_RIDES_BACK = 12"
WOODS_SIGHT = 6"
EDGE = 1"
ON_CREST = 2"
BLOCKS_NEAR_TARGET = 6"
BENEFITS = move pull fire fire_save morale melee melee_save
COMMAND_DICE = russian 1, turkish 1, french 2, british 2, sardinian 2
ELITE_COMMAND = 3
POINT_COST = 1
BENEFIT_PLUS = 1
EXTRA_DICE = 1
EXTRA_CHITS = 1
BRIGADIER_WITHIN = 24"
BRIGADE_CHAIN = 6"
SUCCESSOR_FROM = 5
ARMY_PULL = 1
POINTS_LOST = 1 2
CHITS = pair_of_sixes 1, unit_commander_killed 1, brigadier_killed 1, army_commander_killed 3, \
charge_morale_failed 1, friend_routed 1, friend_withdrew_through 1, lost_combat 1, withdrew 1, winner_die_one 1
ROUT_NEAR = 6"
DIE_PER_CHIT = -1
NOT_BY_CHITS = initiative rally withdrawal rout bombardment winner_loss spike command_points successor
LEADER_STANDS = infantry 1, cavalry 1, foot_artillery 0, horse_artillery 0
MORALE_NEED = 8
ROUT_DICE = 4
WITHDRAWAL_DICE = 3
RALLY_CHITS = 1
AUTOMATIC_PULL = 1
PULL_FROM = 1 2
"""

COMBAT = """
LONG_RANGE = musket 10", rifle 20", canister 10", artillery 40", bombardment 80"
SHORT_SHARE = 1 2
ARC = 45
REAR = 135
PRIORITIES = charging firing advancing nearest
ADVANCED_BY = 1"
FIRE_MODIFIERS = command_point 1, brigadier 1, busy -1, chit -1
LONG_RANGE_SHARE = 1 2
SIX = 6
SIXES_PER_CHIT = 2
SIXES_PER_LEADER = 3
CANISTER_DICE = 2
STATIONARY_TURNS = 3
SAVE_MODIFIERS = command_point 1, brigadier 1, chit -1
FIGURES_PER_FAILURE = 1
LEADER_ORDER = unit_commander brigadier army_commander
OUTNUMBERED = 2 1
MELEE = cavalry_charging_double_line 2, cavalry_charging_single_line 1, behind_wall 1, behind_stream 1, \
behind_trench 1, on_high_crest 1, infantry_attacking_in_column 1, infantry_in_double_line 1, infantry_in_square 1, \
leader_stand 1, command_point 1, brigadier 1, hit_from_rear -1, unlimbered_artillery -1, standing_cavalry -1, \
dismounted_cavalry -1, chit -1, routing -2, limbered_artillery -2, skirmishing -2
COVER_MODIFIERS = behind_wall behind_stream behind_trench on_high_crest
COVER_MOST = 2
LOSER_HIT = 2
WINNER_SIXES_PER_LEADER = 3
WINNER_TOLL = 1 2 1 1, 2 1 1 0, 3 1 1 0, 4 1 3 0, 5 1 3 0, 6 1 3 0
BLOCKED_AT = 1"
SPIKED_FROM = 4
"""

FORCES = """
B-COD allied Codrington 69,70: UK-7 5 line 61,67; UK-33 5 line 69,67; UK-23 5 line 77,67; UK-RB 3 skirmish 80,62 elite
B-BUL allied Buller 93,70: UK-19 5 line 85,67; UK-88 5 line 93,67; UK-77 5 line 101,67
B-GDS allied Bentinck 70,81: UK-GG 6 line 60.5,78 elite; UK-SG 6 line 70,78 elite; UK-CG 6 line 79.5,78 elite; \
UK-A2 4 limbered 55,78 foot
B-HIG allied Colin Campbell 96.5,81: UK-42 5 line 88.5,78 elite; UK-93 5 line 96.5,78 elite; UK-79 5 line 104.5,78 elite
B-PEN allied Pennefather 53.5,72: UK-30 5 column 57.5,69; UK-55 5 column 53.5,69; UK-95 5 column 49.5,69; \
UK-A1 4 limbered 44,69 foot
B-ADA allied Adams 30,72: UK-41 5 line 22,69; UK-49 5 line 30,69; UK-47 5 line 38,69 musket
B-LCV allied Cardigan 110,76: UK-HA 4 limbered 108,71 horse elite; UK-LD 4 column 114,72 cavalry; \
UK-LN 4 column 114,79 cavalry elite
B-KAZ russian Kvetsinsky 75,35: RU-1 6 column 71,38; RU-2 6 column 79,38; RU-3 6 column 72,30; RU-4 6 column 80,30; \
RU-A1 6 unlimbered 74,42 foot
B-SUZ russian Shchelkanov 92,30: RU-5 6 column 96,33 faces 30; RU-6 6 column 89,26; \
RU-A2 4 unlimbered 93,39.5 foot faces 20
B-BOR russian Verevkin 48,35: RU-7 6 column 42,36; RU-8 6 column 60.5,36; RU-9 3 skirmish 62,53 elite rifle; \
RU-A3 4 unlimbered 46,39 foot; RU-A4 4 unlimbered 53,39 foot
B-RES russian Khrushchov 56,14: RU-10 6 column 52,18; RU-11 6 column 60,18; RU-12 6 column 44,18 second
B-RCV russian Khaletsky 109,24: RU-HA 4 limbered 104,24 horse; RU-C1 6 column 109,30 cavalry; \
RU-C2 4 skirmish 109,41 cavalry carbine second
"""
"""The Kourgane Hill by brigades.  What is not said: regular infantry; allied with rifles, facing 180, with two dice for
command points; Russian with muskets, facing 0, with one."""

LEADERS = "AC-1 Lord Raglan 50,78; AC-2 Prince Gorchakov 66,30"

AIMS = "Great Redoubt 6, Lesser Redoubt 3, Kourgane Summit 4, Causeway Knolls 3"
"""All Russian unless taken; four inches round each (HL-WIN-01)."""
