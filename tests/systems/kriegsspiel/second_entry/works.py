"""¶66 and ¶71 to ¶78: the table of strongholds stands here by its columns, the classes by their lists."""

from __future__ import annotations

STRONGHOLD = """
                   fresh                        tired
                   1   2   3    4    5     |    1    2    3
light      2       II  I   II*  III* IV*   |    II   II   III
light      1       I   I   II*  III* IV*   |    I    II   III
strong     2       III II  I    II*  III*  |    III  III  IV
strong     1       II  I   II*  III* IV*   |    II   II   III
fortified  2       V   III I    II*  III*  |    V    V    V
fortified  1       II  II  I    II*  III*  |    II   III  IV
"""

DEFENCES = """
light: wood edge, hedge, village light fencing, road with side ditches, incline 15 to under 20,
    bridge over a small stream or ditch, ford covered by troops, sunken road covered by troops
strong: village solid defences, town wall not built for defence, dike, field work hasty, wet ditch, stream hard to wade,
    incline 20 to under 25, barricaded entrance or defile, bridge over a river of 50 paces or more
fortified: town strengthened outskirts, town wall built for defence, field work fully built, incline 25 and over,
    town entrance with gateway or barricade
"""

PLAIN = """
TROOPS_NEEDED / outskirts = 400 600 400
TROOPS_NEEDED / field_work = 300 400 200
DEFILE_NEEDED / widest = 60
DEFILE_NEEDED / half_battalions = 1
DEFILE_NEEDED / zugs = 2
SECTOR / angle = 60
SECTOR / reach = 300
SECTOR / least = 200
INCLINE_CLASSES = 15 light, 20 strong, 25 fortified
WIDE_RIVER = 50
DEFENCE_CLASSES = light strong fortified
ATTACKS_FORGOTTEN = 5
PAUSE = 1
FRESH_MOVES = 10
TOO_FEW / defender = 1 3 1
TOO_FEW / attacker = 1 4 -1
DISMOUNTED = 4 1
STRONGHOLD_CANISTER = 2
STRONGHOLD_LOSS / attack_fails = 15
STRONGHOLD_LOSS / attack_succeeds = 18
STRONGHOLD_FIRE = II right 2
LEAST_ZUGS = 2
FEET_A_PACE = 12 5
PONTOON_SECTION = 50
PONTOON_MOVES / usual = 10
PONTOON_MOVES / under_ball = 12
PONTOON_MOVES / in_the_water = 8
PONTOON_MOVES / joined = 6
PONTOON_MOVES / under_canister = -
DISMANTLE = 10 10
PONTOON_FEET = 15
FLOATING_SECTION = 25
FLOATING_MOVES / infantry = 15
FLOATING_MOVES / all = 30
FLOATING_NEAR = 300
FLOATING_WIDE / width = 50
FLOATING_WIDE / wide = 2
FLOATING_WIDE / rapid_or_far = 3
TRESTLE_COLLECTING / train = 0
TRESTLE_COLLECTING / pioneers = 45
TRESTLE_COLLECTING / carpenters = 90
PREPARING / blowing / untimed = 30
PREPARING / blowing / timed = 90
PREPARING / burning / untimed = 30
PREPARING / burning / timed = 90
MATCH = 3
POWDER_NEAR = 300
BURNING / put_out_within = 5
BURNING / destroyed_after = 15
TEARING_UP / planks = 10
TEARING_UP / whole = 60
TEARING_LONG = 100 3, 400 4
REPAIR / stone = 10 -
REPAIR / wood = 10 25
OBSTACLE_MOVES = 60
OBSTACLE_PARTY = 50
CLEARING = 1 2
WORK_STOPS = 300
WORKS / barricade = 60 50 -
WORKS / barricade, large party or pioneers = 30 200 -
WORKS / village border strong = 90 - 600
WORKS / field work, hasty = 360 - 300
DAM_MOVES = 30
BOATS / large = 100 25 1
BOATS / small = 25 0 0
BOATS / double_pontoon = 50 10 1
BATTALION_BOATS = 9
EMBARKING / infantry = 1
EMBARKING / cavalry = 2
EMBARKING / artillery = 2
BOAT_RATES / downstream = 250
BOAT_RATES / upstream = 100
BOAT_RATES / across = 150
SWIMMING / prepare = 5
SWIMMING / paces_a_move = 50
SWIMMING / form = 1
BOAT_TURNS_BACK = 10
"""
