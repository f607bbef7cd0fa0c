"""Artillery fire by faces, one to a line, and all that ¶4, ¶43 to ¶51, ¶68 and the appendix say of fire."""

from __future__ import annotations

GUNFIRE = """
good 1 | 12lb  9 13 31 50 | 6lb  7 10 25 40 | 7lb 10 12 20 30 | 10lb 3 4 6 9
good 2 | 12lb  9 13 31 50 | 6lb  7 10 25 40 | 7lb 10 12 20 30 | 10lb 3 5 7 10
good 3 | 12lb  6  8 13 25 | 6lb  5  6 10 20 | 7lb  6  8 12 15 | 10lb 1 2 4 5
good 4 | 12lb  8 10 25 38 | 6lb  6  8 20 30 | 7lb  7  9 15 20 | 10lb 2 3 5 6
good 5 | 12lb  6  8 19 25 | 6lb  5  6 15 20 | 7lb  6  8 12 15 | 10lb 1 2 4 5
good 6 | 12lb 12 22 50 75 | 6lb 10 18 40 60 | 7lb 12 16 30 50 | 10lb 4 5 9 13
bad 1  | 12lb  3  7 20 31 | 6lb  3  6 16 25 | 7lb  3  8 12 20 | 10lb 1 2 4 6
bad 2  | 12lb  3  7 20 31 | 6lb  3  6 16 25 | 7lb  3  8 12 20 | 10lb 1 3 5 6
bad 3  | 12lb  5 10 25 37 | 6lb  4  8 20 30 | 7lb  5 10 15 25 | 10lb 2 3 5 8
bad 4  | 12lb  2  6 18 25 | 6lb  2  5 15 20 | 7lb  4  7  8 15 | 10lb 1 2 2 5
bad 5  | 12lb  1  5 10 15 | 6lb  1  4  8 12 | 7lb  2  5  6  8 | 10lb - 1 2 2
bad 6  | 12lb  1  5 10 15 | 6lb  1  4  8 12 | 7lb  2  5  6  8 | 10lb - 2 1 2
"""
"""The farthest class first, as printed."""

PLAIN = """
INFANTRY_BANDS = 100 200 300 400
WEAPONS / close_order = I left
WEAPONS / skirmishers_open = I right
WEAPONS / jaeger_cover = II left
WEAPONS / line_cover = II right
ZUGS_PER_NUMBER = 2
FORMATION_FIRE / line = 1 1
FORMATION_FIRE / attack_column = 1 2
FORMATION_FIRE / zug_column = 1 2
FORMATION_FIRE / square = 1 2
FORMATION_FIRE / march_column = 0 1
MOVED_FIRE / close_order = 100 1 1
MOVED_FIRE / skirmishers = 100 1 1, 250 1 2
MOVED_FIRE / guns_by_ropes = 0 1 1, 100 1 2
FIRE_ARC / close_order = 45
FIRE_ARC / skirmishers = 90
FIRE_ARC / artillery = 45
SHIFTED_ARC = 90
SHIFTED_FIRE = 1 2
LANE = 25
OVER_HEADS = 10 1 2
SKIRMISH_FIGHT = 1 4 3 150
CARBINES = 1 4 2
RANGE_CLASSES / foot_12 = 500 1000 1500 2000
RANGE_CLASSES / howitzer_10 = 500 1000 1500 2000
RANGE_CLASSES / foot_6 = 400 800 1200 1800
RANGE_CLASSES / horse_6 = 400 800 1200 1800
RANGE_CLASSES / howitzer_7 = 400 800 1200 1800
CLASS_SHOT / cannon = small canister, large canister, elevation shot, random shot
CLASS_SHOT / howitzer = small canister, large canister, grenade, smaller charge, grenade, heavier charge
CANISTER_CLASSES = 1 2
GUNFIRE_AS / horse_6 = foot_6
QUALITY_DIE / good = III
QUALITY_DIE / bad = V
TWELVE_POUNDER = 5 4
GUNS / foot_6 = 6 2
GUNS / horse_6 = 6 2
GUNS / foot_12 = 6 2
GUNS / howitzer_7 = 0 8
HOWITZERS_OF / foot_12 = howitzer_10 2
HOWITZERS_OF / foot_6 = howitzer_7 8
HOWITZERS_OF / horse_6 = howitzer_7 8
GOOD_GROUND / slope = 10
GOOD_GROUND / swamp = 50
GOOD_GROUND / lines = 2
GOOD_GROUND / undulations = 3
GOOD_GROUND / undulation_slope = 3
GOOD_VIEW / view = 200
GOOD_VIEW / swamp_near = 100
GOOD_VIEW / slope = 20
SAMPLES = 50
INCREASES / columns / cannon = 1 4
INCREASES / columns / grenade = 1 3
INCREASES / lines / cannon = 1 4
INCREASES / lines / grenade = 1 4
INCREASES / skirmishers / cannon = 1 4
INCREASES / skirmishers / grenade = 1 4
INCREASES / flank / cannon = 1 4
INCREASES / flank / grenade = 1 4
CHAIN_NEAR = 100
FLANK_FIRE = 60
THREAT = 400
COVER / defending / infantry = 1 2
COVER / defending / canister = 1 2
COVER / defending / ball = 1 3
COVER / defending / grenade = 1 3
COVER / sheltered / infantry = 0 1
COVER / sheltered / canister = 0 1
COVER / sheltered / ball = 0 1
COVER / sheltered / grenade = 1 3
SHELTER_WOOD = 200
SHELTER_KNOWN = 10
BOMBARDED = 1 3
NIGHT_INFANTRY = 1 2
NIGHT_ARTILLERY = 600
NIGHT_MELEE = 1 2
BOMBARDMENT / wood = 8 1 4 2 2 4, 5 III 150 10
BOMBARDMENT / stone = 8 3 4 6 2 12, 10 II 500 10
SET_FIRE_DIE = I
BOMBARD_MOVES = 50
BURNED_POINTS = 10
BREACH_NEAR / foot_12 = 600
BREACH_NEAR / foot_6 = 400
BREACH_NEAR / horse_6 = 400
BREACH_FAR = 900
BREACH_IDLE / near = 2
BREACH_IDLE / far = 6
BREACH_DICE / strong / 1 = I I
BREACH_DICE / strong / 2 = I II
BREACH_DICE / weak / 1 = II II
BREACH_DICE / weak / 2 = II II
BREACH_WIDTH = 18
BREACH_GUNS = 4
STONE_BRIDGE_MOVES = 30
MAN_TW = 12
POINT_TW / three_ranks = 60
POINT_TW / two_ranks = 40
POINT_TW / skirmishers = 15
POINT_TW / cavalry = 18
GUN_POINTS = 25 2
OFF_AT / half_battalion = 90
OFF_AT / battalion = 180
OFF_AT / squadron = 60
OFF_AT / gun_pair = 25
OFF_AT / skirmish_zug = 60
OFF_AT / platoon = 15
LARGER_PIECE = 5 6
SMALLER_PIECE = 4 6
EXCHANGE / battalion = 0 2 1 1 250, 30 2 5 6 208, 60 2 4 6 167, 90 1 1 1 125
EXCHANGE / half_battalion = 0 1 1 1 125, 15 1 5 6 104, 30 1 4 6 83, 45 0 0 1 0
REMNANTS_JOIN = 225 10
DEFENDERS_LOSS / half_battalion = 10
DEFENDERS_LOSS / zug = 5
VICTORS_LOSS = 1 2
FOLLOWED_LOSS = 1 2
REPORTED_LOSS = 0 1 none, 0 1 light, 1 6 1/6, 2 6 2/6, 1 2 half, 1 2 more
ROUNDS / foot_6 = 56 14, 2 8, 152 40, 0 0
ROUNDS / horse_6 = 48 12, 2 8, 152 40, 0 0
ROUNDS / foot_12 = 12 8, 1 1, 80 20, 0 0
ROUNDS / howitzer_7 = 15 5, 1 1, 66 15, 1 2
ROUNDS / howitzer_10 = 4 4, 2 1, 44 9, 1 2
ROUNDS_A_MOVE / canister = 6
ROUNDS_A_MOVE / elevation = 4
ROUNDS_A_MOVE / random = 6
WAGONS_NEAR = 1500
BALL_FOR_CANISTER = 1 2
INFANTRY_ROUNDS = 60 10
"""
