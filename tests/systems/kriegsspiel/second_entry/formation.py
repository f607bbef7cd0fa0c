"""¶2 and ¶9 to ¶33, the appendix I to V: bodies, forms, skirmishers."""

from __future__ import annotations

FORMATIONS = """
¶9  line                  | battalion    | front 250      | deep 10      |
¶10 open_column           | battalion    | front 75 37 12 | deep 250     | wheels
¶11 interval_column       | battalion    | front 37 18 12 | deep 250     | wheels
¶12 closed_sections       | battalion    | front 12       | deep 125     |
¶13 zug_column            | battalion    | front 37       | deep 35 75   |
¶14 section_column        | battalion    | front 12       | deep 125 250 |
¶15 attack_column         | battalion    | front 75       | deep 17      |
IV  square                | battalion    | front 75       | deep 25      |
¶15 brigade_mass          | 6 battalions | front 150      | deep 120     |
¶16 skirmish_order        | 2 zugs       | front 125      | deep 150     |
¶17 cav_line              | regiment     | front 400      | deep 8       |
¶18 cav_twos              | regiment     | front 4        | deep 1200    |
¶19 cav_threes            | regiment     | front 6        | deep 800     |
¶20 cav_open_column       | regiment     | front 12 25 100| deep 400     | wheels
¶22 cav_half_troops       | regiment     | front 12       | deep 300     |
¶23 cav_troops            | regiment     | front 25       | deep 200     |
¶24 cav_divisions         | regiment     | front 300      | deep 110     |
¶25 squadron_column       | regiment     | front 100      | deep 200     |
¶26 mounted_skirmish      | squadron     | front 200      | deep 50      |
¶27 battery_wide          | battery      | front 200      | deep 30      |
¶28 battery_narrow        | battery      | front 100      | deep 30      |
¶29 battery_open_column   | battery      | front 4 8 20   | deep 200     | wheels
¶29 battery_column_1      | battery      | front 4        | deep 300     |
¶30 battery_column_2      | battery      | front 8        | deep 150     |
¶31 battery_column_4      | battery      | front 25       | deep 75      |
¶32 battery_line_limbered | battery      | front 100 200  | deep 30      |
¶33 wagons                | block        | front 4        | deep 50      |
"""

ARMS = "¶9-16 infantry, IV infantry, ¶17-26 cavalry, ¶27-32 artillery, ¶33 train"

ZUGS_OUT = """
none         | two halves in three ranks | 900             | front 250
1 2 3 4      | two halves in two ranks   | 825 750 675 600 | front 250
5            | one half is a larger piece  | 525           | front 229
6            | one half is a smaller piece | 450           | front 208
7 8          | one half, the reserve     | 375 300         | front 125
9 10 11 12   | supports alone            | 225 150 75 0    | front 0
"""

PLAIN = """
MEN / battalion = 900
MEN / half_battalion = 450
MEN / company = 225
MEN / zug = 75
MEN / picket25 = 25
MEN / picket10 = 10
MEN / regiment = 600
MEN / squadron = 150
MEN / troop21 = 21
MEN / troop10 = 10
GUNS_OF / battery = 8
GUNS_OF / half_battery = 4
GUNS_OF / gun_pair = 2
FRONTS / battalion = 250
FRONTS / half_battalion = 125
FRONTS / half_battalion_depth = 75
FRONTS / squadron = 100
FRONTS / battery = 200
FRONTS / regiment_gap = 25
KINDS / infantry = line jaeger
KINDS / cavalry = cuirassier dragoon hussar uhlan mounted_jaeger
KINDS / artillery = foot_6 horse_6 foot_12 howitzer_7
KINDS / pioneers = pioneer_company
KINDS / train = munition_wagons pontoon_train supply
WAGON_BLOCKS / foot_12 = 2
WAGON_BLOCKS / foot_6 = 1
WAGON_BLOCKS / horse_6 = 1
WAGON_BLOCKS / howitzer_7 = 1
MARCHED_OUT = 5
TWO_TOGETHER / zug_column = 70 150
TWO_TOGETHER / battery_line_limbered = 60
CAVALRY_GAPS / cav_twos = 200 200 400
CAVALRY_GAPS / cav_threes = 100 100 200
BATTERY_INTERVALS / battery_wide = 18 24
BATTERY_INTERVALS / battery_narrow = 7 10
BRIGADE_MASS / columns = 2
BRIGADE_MASS / front = 75
BRIGADE_MASS / row = 40
CAVALRY_DIVISIONS / divisions = 2
CAVALRY_DIVISIONS / front = 100
CAVALRY_DIVISIONS / gap = 100
OPEN_ORDER_WAGONS = 50
SQUARE_RATE = 100
USUAL / route = section_column
USUAL / manoeuvre = zug_column
USUAL / attack = attack_column
CHANGE_MOVES / line attack_column = 1 1
CHANGE_MOVES / attack_column line = 1 1
CHANGE_MOVES / attack_column square = 1 2
CHANGE_MOVES / march_column attack_column = 1 1
CHANGE_MOVES / closed_column closed_column = 1 2
LEAST_CHANGE = 1 1
UNLIMBERING / horse_6 = 1 2
UNLIMBERING / foot_6 = 1 2
UNLIMBERING / foot_12 = 1 1
UNLIMBERING / howitzer_7 = 1 1
TWO_PIECES / 5 = 208
TWO_PIECES / 6 = 167
MOST_ZUGS / battalion = 12
MOST_ZUGS / half_battalion = 6
MOST_ZUGS / company = 3
THIRD_RANK / battalion = 4
THIRD_RANK / half_battalion = 2
ONE_HALF_OUT = 6 450 125
CHAIN_AHEAD = 100 200 300
SUPPORTS_BEHIND = 150
PAIRS_APART = 5 10
SCREEN = 20
GROUP_DISTANCES / between_columns = 200 200
GROUP_DISTANCES / infantry_lines = 150 200
GROUP_DISTANCES / cavalry_lines = 400 800
GROUP_DISTANCES / wagons_behind = 1000 1500
CORPS / infantry_divisions = 4 4
CORPS / cavalry_divisions = 1 1
CORPS / artillery_brigades = 1 1
CORPS / pioneer_companies = 2 2
INFANTRY_DIVISION / battalions = 9 10
INFANTRY_DIVISION / cavalry_regiments = 1 1
INFANTRY_DIVISION / foot_6 = 1 1
INFANTRY_DIVISION / supply_columns = 1 1
INFANTRY_DIVISION / field_hospitals = 1 1
CAVALRY_DIVISION / cavalry_regiments = 6 8
CAVALRY_DIVISION / horse_6 = 1 2
CAVALRY_DIVISION / supply_columns = 1 1
ARTILLERY_BRIGADE / foot_12 = 3 3
ARTILLERY_BRIGADE / foot_6 = 1 1
ARTILLERY_BRIGADE / horse_6 = 1 2
ARTILLERY_BRIGADE / howitzer_7 = 1 1
ARTILLERY_BRIGADE / park_columns = 6 6
ARTILLERY_BRIGADE / technical_columns = 1 1
ARTILLERY_BRIGADE / craft_columns = 1 1
ARTILLERY_BRIGADE / pontoon_trains = 1 1
REGIMENT / musketeers = 2
REGIMENT / fusiliers = 1
BATTALION / companies = 4
BATTALION / zugs = 8
BATTALION / groups = 12
BATTALION / ranks = 3
SECTION_FILES = 4 6
COLUMN_FRONTS = 75 37 18 12
"""
