"""The charts a second time: row by row as printed, run together as they came, and every other number read anew.

A row of `PRINTED` is the line of the print without its name; the tests join the cells of our tables and compare.
`PLAIN` has every cell that is no chart, by eyes that had not seen the tables: table / key = value.
"""

from __future__ import annotations

MORALE = """
Advance             | n/an/an/an/an/an/a n/an/a6+543-1
Charge              | 4+3,21n/a 15+ 4 32,1n/an/an/an/a
Stand To Charge     | 4+3216+ 54,32,17+654-1
Artillery/MG Losses | 4+3216+ 543-17+n/a65-1
Rifle Losses        | 3+21n/a5+4 32,16+543-1
Melee Lost          | 5+n/a43-16+ n/a54-17+n/a65-1
Inf after cav melee | 6+n/a54-17+ n/a65-18+n/a76-1
Flank/Rear Threat   | 4+3216+ 543-17+n/an/a6-1
MTD Officer KIA     | 4+3216+5 43-17+n/an/a6-1
FU Routs            | 4+3216+5 43-17+n/an/a6-1
Rally from Shaken   | 3+21n/a4+3 2,1n/a5+43-1n/a
Rally from WD       | 4+n/a32,15+ n/a43-16+n/a54-1
Rally from Rout     | 5+n/an/a4-16+ n/an/a5-17+n/an/a6-1
"""
"""Level by level: pass, S, WD, R."""

MORALE_AGAINST_PRINT = {"Charge": ("4+3,21n/a15+432,1", "4+3,21n/a5+432,1")}
"""Where the tables are not the print: what stands there, and what is read (GC-MOR-02)."""

MOVEMENT = """
french       | 6"9"18"-1/2-1/212" 6"12"
austrian     | 6"9"n/a-1/2-1/212" 6"12"
prussian     | 9"12"18"-1/2-1/2 12"6"12"
bavarian     | 9"12"n/a-1/2-1/2 12"6"12"
cavalry      | 12"18"n/a1d6 turns1 turn18" 9"18"
artillery+mg | n/a9"/12"n/a1d6 turns1/2n/a 6"12"
"""
"""Line, column or skirmish, officer, linear cross, formation change, charge, WD, rout."""

FIRING_DICE = """
French infantry    | 8D6D4D2D
Prussian infantry  | 6D5D3D2D
French artillery   | 6D5D3D2D
Prussian artillery | 8D6D4D2D
French MG          | 8D6D4D2D
"""

FIRING = """
French infantry    | 4-105-106-107-107-10 9,1018"
Prussian infantry  | 4-105-106-109,107-10 9,10 9"
French artillery   | 4-107-108-109,108-10 9,10 36"
Prussian artillery | 3-105-106-107-106-10 8-10 48"
French MG          | 3-105-106-107-107-10 9,1018"
"""

MELEE_DICE = """
French Zouaves     | 8D6D4D 2D
All other infantry | 6D5D3D2D
Cavalry            | 12D10D6D4D
"""

PLAIN_PRINTED = """
MORALE_DIE / french / infantry = 8
MORALE_DIE / french / artillery = 8
MORALE_DIE / french / mg = 8
MORALE_DIE / bavarian / infantry = 8
MORALE_DIE / austrian / infantry = 8
MORALE_DIE / prussian / infantry = 10
MORALE_DIE / prussian / artillery = 10
MORALE_DIE / bavarian / artillery = 10
MORALE_DIE / austrian / artillery = 10
MORALE_DIE_OF / zouave = 10
ZOC / french = 6
ZOC / bavarian = 6
ZOC / austrian = 6
ZOC / prussian = 9
MORALE_MODIFIERS / officer = 1
MORALE_MODIFIERS / hard_cover = 2
MORALE_MODIFIERS / elite = 2
COVER_WITHIN = 3
STATUS_DICE / shaken = -1
MARKERS / shaken = blue
MARKERS / withdrawn = white
MARKERS / routed = red
MARKERS / green = green
MARKERS / skirmish = yellow
MARKERS / prone = brown
STATUS_OF / S = shaken
STATUS_OF / WD = withdrawn
STATUS_OF / R = routed
FIRE_HALVES / withdrawn = 1/2
MELEE_HALVES / withdrawn = 1/2
CROSSING_DIE = 6
DIFFICULT / all = 2
DIFFICULT / light = 3/2
PASSING_FRIEND = 1/3
ROAD_BONUS = 1/3
CONTOUR = 1/3
LED_UNITS = 3
LEADING_NATION = prussian
JOKERS / Joker = german
JOKERS / Joker* = controller
OFFICER_MOVES / french = 18
OFFICER_MOVES / prussian = 18
OFFICER_MOVES / bavarian = -
OFFICER_MOVES / austrian = -
HIT_DIE = 10
FIRE_COLUMN_DICE = -2
JAM_DIE = 6
JAM_FACE = 6
WOODS_SIGHT = 3
THREAT_WITHIN / Flank/Rear Threat = 6
THREAT_WITHIN / MTD Officer KIA = 6
THREAT_WITHIN / FU Routs = 6
MELEE_HIT = 8
MELEE_MODIFIERS / charging = 2
MELEE_MODIFIERS / french_cover = 3
MELEE_MODIFIERS / hard_cover = 2
MELEE_MODIFIERS / soft_cover = 1
MELEE_MODIFIERS / elevation = 1
MELEE_MODIFIERS / cavalry_against_infantry = 2
MELEE_MODIFIERS / against_cover = -1
MELEE_MODIFIERS / against_elevation = -1
MELEE_MODIFIERS / prussian_later_rounds = 2
MELEE_MODIFIERS / shaken = -1
PRUSSIAN_ROUND = 2
OFFICER_DIE = 10
OFFICER_KILLED / infantry = 10
OFFICER_KILLED / artillery = 9
OFFICER_KILLED / melee = 9
STRENGTH / french / infantry = 20
STRENGTH / french / cavalry = 12
STRENGTH / french / artillery = 12
STRENGTH / french / mg = 12
STRENGTH / prussian / infantry = 24
STRENGTH / prussian / cavalry = 12
STRENGTH / prussian / artillery = 12
STRENGTH / bavarian / infantry = 24
STRENGTH / bavarian / cavalry = 12
STRENGTH / bavarian / artillery = 12
STRENGTH / austrian / infantry = 24
STRENGTH / austrian / cavalry = 12
STRENGTH / austrian / artillery = 12
STRENGTH_OF / zouave = 24
STRENGTH_OF / chasseur = 24
VOLLEY_EVERY = 5
HALF = 1/2
AFTER_MELEE_FIRE = 1/2
SURRENDERS = artillery mg
HALF_RANGE = 1/2
"""
"""What the two printed pages say outside the charts."""

PLAIN_RECONSTRUCTED = """
MORALE_DIE / french / cavalry = 8
MORALE_DIE / bavarian / cavalry = 8
MORALE_DIE / austrian / cavalry = 8
MORALE_DIE / prussian / cavalry = 10
NATION_SIDE / french = french
NATION_SIDE / prussian = german
NATION_SIDE / bavarian = german
NATION_SIDE / austrian = german
ARMS / french = infantry cavalry artillery mg
ARMS / prussian = infantry cavalry artillery
ARMS / bavarian = infantry cavalry artillery
ARMS / austrian = infantry cavalry artillery
SUBTYPES / french = line chasseur zouave
SUBTYPES / prussian = line jaeger
SUBTYPES / bavarian = line jaeger
SUBTYPES / austrian = line jaeger
BASES = 4
LEVELS / 20 = 0 5 10 15 20
LEVELS / 24 = 0 6 12 18 24
LEVELS / 12 = 0 3 6 9 12
STATUS_MARKERS = shaken withdrawn routed
FORMATIONS / infantry = line column skirmish
FORMATIONS / cavalry = line column
FORMATIONS / artillery = deployed limbered
FORMATIONS / mg = deployed limbered
BASE_SIZE / infantry = 2 3/2
BASE_SIZE / cavalry = 2 2
BASE_SIZE / artillery = 2 2
BASE_SIZE / mg = 2 2
FOOTPRINTS / infantry / line = 8 3/2
FOOTPRINTS / infantry / column = 4 3
FOOTPRINTS / infantry / skirmish = 11 3/2
FOOTPRINTS / cavalry / line = 8 2
FOOTPRINTS / cavalry / column = 4 4
FOOTPRINTS / artillery / deployed = 4 2
FOOTPRINTS / artillery / limbered = 2 4
FOOTPRINTS / mg / deployed = 4 2
FOOTPRINTS / mg / limbered = 2 4
ATTACHED_WITHIN = 1
GREEN_FIRE / half = 1/2
GREEN_FIRE / full = 1
OFFICER_RIDES = 18
SUITS / french = H D
SUITS / german = S C
CARD_COLOURS / french = red
CARD_COLOURS / german = black
CARDS_IN_SUIT = 13
MOST_ACTIVATIONS = 2
CONTROL_DIE = 10
FIRST_CONTROL = french
RESULTS = pass S WD R
CHECKED_LEVELS = 1 2 3
CHARGE_L1 / WD = 4 3 2 1
CHARGE_L1 / R = 4 3 2 1
TRIGGERS = Advance Charge Stand To Charge Artillery/MG Losses Rifle Losses Melee Lost Inf after cav melee \
Flank/Rear Threat MTD Officer KIA FU Routs
LOSSES_ROW / infantry = Rifle Losses
LOSSES_ROW / artillery = Artillery/MG Losses
LOSSES_ROW / mg = Artillery/MG Losses
HARD_COVER_HELPS = Stand To Charge Artillery/MG Losses Rifle Losses Melee Lost Inf after cav melee Flank/Rear Threat
STOPS_SHORT = 1
ESCAPE_ARC = 45
RALLY_ROW / shaken = Rally from Shaken
RALLY_ROW / withdrawn = Rally from WD
RALLY_ROW / routed = Rally from Rout
RALLIED_MAY / shaken = act but not charge
RALLIED_MAY / withdrawn = half
RALLIED_MAY / routed = face
DIE_TURNS = 1d6 turns
GUNS_BY_NATION / french = 9
GUNS_BY_NATION / austrian = 9
GUNS_BY_NATION / prussian = 12
GUNS_BY_NATION / bavarian = 12
FRONT_ARC = 45
REAR_ARC = 135
FREE_WHEEL = 45
WHEEL_DEGREES_AN_INCH = 15
LARGEST_WHEEL = 90
BIG_TURN = 1/2
BACKWARDS = 1/2
ENEMY_GAP = 1
CHARGE_GAP = 1/10
STEP = 1/10
CLOSED / artillery = woods town
CLOSED / mg = woods town
CLOSED / cavalry line = woods town
COVER / wall = hard
COVER / trench = hard
COVER / hedge = soft
COVER / railway = soft
COVER / stream = none
COVER / road = none
LINE_COVER_WITHIN = 1
OBSTACLES = wall hedge trench railway stream
CREST_WITHIN = 2
WOODS_EDGE = 1
MOST_MOVE = 4/3
FIRE_ROW / french / infantry = French infantry
FIRE_ROW / french / artillery = French artillery
FIRE_ROW / french / mg = French MG
FIRE_ROW / prussian / infantry = Prussian infantry
FIRE_ROW / prussian / artillery = Prussian artillery
FIRE_ROW / bavarian / infantry = Prussian infantry
FIRE_ROW / bavarian / artillery = Prussian artillery
FIRE_ROW / austrian / infantry = Prussian infantry
FIRE_ROW / austrian / artillery = Prussian artillery
SITUATIONS = column line skirmish far cover cover_far
FIRE_HALVES / half = 1/2
FIRE_HALVES / green = 1/2
FEWEST_FIRING = 1
OFFICER_KILLED / mg = 10
FARTHEST_CHARGE = 24
CHARGE_LEVELS = 0 1 2
CHARGERS = infantry cavalry
FEWEST_MELEE = 1
DRAWN_FALL_BACK = 3
POINTS = 2 1 1 3 2 2
HELD_WITHIN = 3
EXIT_WITHIN = 2
VICTORY_MARGIN = 5
"""
"""What the ledger settles where the print is silent."""
