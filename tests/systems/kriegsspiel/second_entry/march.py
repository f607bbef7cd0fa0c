"""¶3, ¶34 to ¶41 and ¶59: the march table stands here by its columns, from top to bottom."""

from __future__ import annotations

MARCH = """
even         200 300 400  250 400 400  600 800 800 800  900 900 900  250 400 250 400  300  900  600 250 900 700  200
swamp          -   -   -    -   -   -    -   -   -   -    -   -   -    -   -   -   -    -    -    - 100   -   -    -
wood_light   200 250 250  250 400 400  600   - 600 600  700   - 700  200 250 200 300    -  600  600 250 800 700  150
wood_thick     -   -   -    -   -   -    -   -   -   -    -   -   -    -   -   -   -    -    -    -   - 200 100    -
slope_5_10   150 150 150  150 300 300  400 600 600 600  700 700 700  150 200 150 250  200  600  500 200 800 600  100
slope_10_15  100 100 100  100 200 200  300   - 400 400  500   - 500  100 150 100 200  150  400  400 150 600 300   50
slope_15_35    -   -   -    -   -   -    -   -  25  25    -   -  25   25  50  50  50    -   50  200 100 400 200    -
road_15_25   100 100 100  150 300 300  300   - 400 400  500   - 500  150 150 150 150    -  150  550 250 700 500  100
road_25_35    50  50  50  100 200 200    -   -  50  50    -   -  50   50  50 100 100    -  100  250 200 150 100   50
garden         -   -   -    - 200 300    -   -   -   -    -   -   -    -   -   -   -    -    -  100 200 400 200    -
"""

ROWS = """
march_inf march_hcav march_lcav
inf_action inf_run skirm_run
hcav_deploy hcav_attack hcav_pursuit hcav_retreat
lcav_deploy lcav_attack lcav_pursuit
a12 a12_fast a6 a6_fast ropes horse_fast
cav_patrol inf_patrol msg_first msg_after
wagons
"""

PLAIN = """
UPHILL_ONLY = ropes slope_10_15
BROKEN = inf_run
RULER / ropes = 400
RULER / a6_fast = 600
RULER / msg_first = 800
RULER / horse_fast = 800
FIELD_COLUMNS = 5 even, 10 slope_5_10, 15 slope_10_15, 35 slope_15_35
ROAD_COLUMNS = 10 even, 15 slope_5_10 road_15_25, 25 road_15_25, 35 road_25_35
STEEPEST_COLUMN = 35
BEYOND_STEEPEST = 50
RUN_LIMITS / inf_run = 2 5
RUN_LIMITS / skirm_run = 1 3
RUN_LIMITS / a12_fast = 1 3
RUN_LIMITS / a6_fast = 2 6
RUN_LIMITS / horse_fast = 2 6
RUN_USED_UP / inf_run = inf_action
RUN_USED_UP / skirm_run = inf_action
RUN_USED_UP / a12_fast = a12
RUN_USED_UP / a6_fast = a6
RUN_USED_UP / horse_fast = hcav_deploy
RATE_CLASS / line = infantry
RATE_CLASS / jaeger = infantry
RATE_CLASS / pioneer_company = infantry
RATE_CLASS / cuirassier = heavy_cavalry
RATE_CLASS / dragoon = heavy_cavalry
RATE_CLASS / hussar = light_cavalry
RATE_CLASS / uhlan = light_cavalry
RATE_CLASS / mounted_jaeger = light_cavalry
RATE_CLASS / horse_6 = horse_artillery
RATE_CLASS / foot_6 = foot_6
RATE_CLASS / howitzer_7 = foot_6
RATE_CLASS / foot_12 = foot_12
RATE_CLASS / munition_wagons = train
RATE_CLASS / pontoon_train = train
RATE_CLASS / supply = train
GAITS / infantry / march = march_inf -
GAITS / infantry / run = inf_run -
GAITS / heavy_cavalry / walk = march_hcav 200
GAITS / heavy_cavalry / march = march_hcav -
GAITS / heavy_cavalry / trot = hcav_deploy -
GAITS / heavy_cavalry / gallop = hcav_retreat -
GAITS / light_cavalry / walk = march_lcav 200
GAITS / light_cavalry / march = march_lcav -
GAITS / light_cavalry / trot = lcav_deploy 600
GAITS / light_cavalry / gallop = lcav_deploy -
GAITS / horse_artillery / march = march_hcav -
GAITS / horse_artillery / trot = hcav_deploy -
GAITS / horse_artillery / fast = horse_fast -
GAITS / foot_12 / march = march_inf -
GAITS / foot_12 / fast = a12_fast -
GAITS / foot_6 / march = march_inf -
GAITS / foot_6 / fast = a6_fast -
GAITS / train / march = wagons -
ACTIVITY_ROWS / march / infantry = march_inf
ACTIVITY_ROWS / march / foot_12 = march_inf
ACTIVITY_ROWS / march / foot_6 = march_inf
ACTIVITY_ROWS / march / heavy_cavalry = march_hcav
ACTIVITY_ROWS / march / horse_artillery = march_hcav
ACTIVITY_ROWS / march / light_cavalry = march_lcav
ACTIVITY_ROWS / march / train = wagons
ACTIVITY_ROWS / in_action / infantry = inf_action
ACTIVITY_ROWS / in_action / heavy_cavalry = hcav_deploy
ACTIVITY_ROWS / in_action / horse_artillery = hcav_deploy
ACTIVITY_ROWS / in_action / light_cavalry = lcav_deploy
ACTIVITY_ROWS / in_action / foot_12 = a12
ACTIVITY_ROWS / in_action / foot_6 = a6
ACTIVITY_ROWS / closing / infantry = inf_action
ACTIVITY_ROWS / closing / foot_12 = a12
ACTIVITY_ROWS / closing / foot_6 = a6
ACTIVITY_ROWS / closing / horse_artillery = hcav_deploy
ACTIVITY_ROWS / charge / heavy_cavalry = hcav_attack
ACTIVITY_ROWS / charge / light_cavalry = lcav_attack
ACTIVITY_ROWS / pursuit / heavy_cavalry = hcav_pursuit
ACTIVITY_ROWS / pursuit / light_cavalry = lcav_pursuit
ACTIVITY_ROWS / retreat / heavy_cavalry = hcav_retreat
ACTIVITY_ROWS / retreat / light_cavalry = lcav_pursuit
ROUTE_COLUMNS = section_column closed_sections interval_column cav_twos cav_threes battery_column_1 battery_column_2
IN_ACTION_SIGHT = 2000
IN_ACTION_MOVES = 5
CLOSING_FROM = 600
GALLOP_PACES = 2000
REFORMING / infantry = 250 inf_action
REFORMING / foot_artillery = 300 a6
REFORMING / horse_artillery = 600 hcav_deploy
REFORMING / heavy_cavalry = 600 hcav_deploy
REFORMING / light_cavalry = 600 hcav_deploy
REFORMING_GALLOP / horse_artillery = 800
REFORMING_GALLOP / heavy_cavalry = 800
REFORMING_GALLOP / light_cavalry = 900
OUTRIDERS / infantry = 400
OUTRIDERS / heavy_cavalry = 800
OUTRIDERS / light_cavalry = 900
RECONNOITRING / infantry = 200
RECONNOITRING / cavalry = 400
OPEN_COUNTRY = 300 5
SEARCHED = 150
WIDTHS / main / infantry = 18
WIDTHS / main / cavalry = 12
WIDTHS / main / artillery = 8
WIDTHS / main / train = 4
WIDTHS / small / infantry = 12
WIDTHS / small / cavalry = 6
WIDTHS / small / artillery = 4
WIDTHS / small / train = 4
PASSAGES / highway = main
PASSAGES / large_bridge = main
PASSAGES / small_road = small
PASSAGES / small_bridge = small
PASSAGES / temporary_bridge = small
PASSAGES / gateway = small
PASSAGES / street = -
PASSAGES / defile = -
PASSAGES / sunken = small
PASSAGES / ford = small
NARROWING_MOVES = 1
TEMPORARY_BRIDGE / infantry = 200
TEMPORARY_BRIDGE / cavalry = 200
TEMPORARY_BRIDGE / artillery = 150
TEMPORARY_BRIDGE / train = 150
CAVALRY_STEEPEST_CHARGE = 10
GROUND / dry / troops = 1 1
GROUND / dry / wheels = 1 1
GROUND / dry / main_road = 1 1
GROUND / soft / troops = 9 10
GROUND / soft / wheels = 3 4
GROUND / soft / main_road = 1 1
GROUND / deep / troops = 7 10
GROUND / deep / wheels = 1 2
GROUND / deep / main_road = 9 10
NIGHT_MARCH = 3 4
WOOD_EDGE = 50
COLUMN_GAP = 25
COLUMN_THICKNESS = 10
ENTRY_HELD = 300
ENTRY_WAIT = 10
PATH_GRID = 50
PURSUIT / light_cavalry = 0 500 900 900 600
PURSUIT / heavy_cavalry = 0 400 800 800 600
PURSUIT_FLANK_COLUMNS = 800
CAVALRY_RETREAT / light_cavalry = 900 900 600
CAVALRY_RETREAT / heavy_cavalry = 800 800 600
INFANTRY_RETREAT = 250
INFANTRY_FLIGHT = 500
SKIRMISHERS_RETREAT = 400 400 250
RETREAT_MOVES / R = 2
RETREAT_MOVES / D = 3
RETREAT_MOVES / T = 5
RETREAT_RESERVE = 800 200
TIRED / fighting = 4 15
TIRED / beaten = 1 20
REST_MOVES = 10
"""
