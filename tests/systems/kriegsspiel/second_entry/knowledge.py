"""The introduction, ¶1, ¶6 to ¶8 and ¶70, and what was made for play by letter: clock, papers, sight, ground."""

from __future__ import annotations

SIGHTING = """
formed body, from far to near:  4000 something, 1500 arm, 1500 strength, 700 subtype, 350 number
patrol or zug, from far to near: 2000 something, 1000 arm, 800 strength, 400 subtype, 200 number
single man, from far to near: 1000 something, 600 arm, 500 strength, 300 subtype, 100 number
"""

INTERRUPTS = """
W1 first_contact     off
W2 attack_declared   urgent
W3 combat_result     off
W4 dispatch_in
W5 urgent_report     off
W6 out_of_orders     off
W7 personal_danger   urgent
W8 alarm
W9 arrival
W10 arrived          off
"""
"""`off`: a player may switch it off."""

URGENT = """
first_sight patrol_first_sight attacked attack_repulsed beaten retiring_under_canister losses_passed battery_lost
ammunition_out bridge order_impossible way_blocked wrong_superior overruled
"""

NORMAL = "patrol_sight change arrived work_finished no_orders"

PLAIN = """
MOVE_MINUTES = 2
TICKS = 12
SIGHT_TICKS = 4 8 12
STEPS = clock papers decisions movement fire canister attacks adjustments reports
TICK_ORDER = persons cavalry artillery infantry train
DECIMAL_ZOLL = 400
PACE_MILLIMETRES = 753
AREA_ORDER = town village farm garden wood_thick wood_light swamp
SLOPE_STEP = 100
LINES / hedge = 1 2, 1 1, 3 1
LINES / fence = 1 2, 1 1, 3 1
LINES / ditch = 1 2, 1 2, 3 1
LINES / wall = - - -
LINES / sunken = 1 1, 1 1, -
LINES / earthwork = 0 1, -, -
DIKE / slope = 15
DIKE / paces = 10
GAP_PARTY = 25
WADING = 1 2 1
STEPPING = 1 2, 1 2, 1 1
WRITING = 40 8
READING_MOVES / unit = 1
READING_MOVES / staff_commander = 1
READING_MOVES / player = 0
READING_MOVES / voice = 0
PAUSE_WITH_ADDRESSEE = 2
DETOUR = 500
DETOUR_MOVES = 1
ADDRESSEE_NEAR = 500
MET_AT / cavalry = 300
MET_AT / infantry = 200
SKIRMISH_FIRE = 200
MET_DIE / usual = II
MET_DIE / foot_post = IV
ESCAPE_MOVES = 2
COPY_AFTER = 2
REPORT_EVERY = 2
OBSERVER_EVERY = 5
CHANGE_AFTER = 5
IDLE_AFTER = 3
SIGNALS = 4 3000
COLUMN_PASSES_ON = 500
INTERRUPT_PACES / new_body = 600
INTERRUPT_PACES / danger_infantry = 600
INTERRUPT_PACES / danger_cavalry = 1000
INTERRUPT_PACES / friend_between = 300
INTERRUPT_PACES / idle_unit = 1000
INTERRUPT_PACES / idle_enemy = 2000
INTERRUPT_PACES / attack_present = 200
INTERRUPT_PACES / arrival_at = 50
INTERRUPT_MOVES / new_body = 15
INTERRUPT_MOVES / danger_again = 10
CAPTURED_WITHIN = 50
SAVED_WITHIN = 100
SUCCESSOR_AFTER = 5
WOUNDED = 200 10 30
ESCORT_PACES = 50
STAFF_SUPPORT = 600 200
INITIATIVE / face_infantry = 400
INITIATIVE / face_cavalry = 800
INITIATIVE / recall_skirmishers = 600
INITIATIVE / halt_before = 600
INITIATIVE / go_on_after = 3
RELIEVED = 100 2 100 300
OBSERVE_FROM / cavalry = 900
OBSERVE_FROM / infantry = 600
OUTPOSTS / paces_a_post = 500
OUTPOSTS / most = 8
OUTPOSTS / highest_within = 100
OUTPOSTS / picket_behind = 300
DEMONSTRATE / to = 500
DEMONSTRATE / retires = 300
HIDDEN / within = 300
HIDDEN / inside_wood = 60
HIDDEN / fires_at = 100
SUPERIOR_FORCE = 3 2 1000 400
SIGHT_FACTORS / clear = 1 1
SIGHT_FACTORS / haze = 3 5
SIGHT_FACTORS / rain = 3 5
SIGHT_FACTORS / snow = 2 5
SIGHT_FACTORS / day = 1 1
SIGHT_FACTORS / twilight = 1 2
SIGHT_FACTORS / on_the_move = 3 4
SIGHT_FACTORS / behind = 1 2
SIGHT_FACTORS / inside_edge = 1 2
SIGHT_FACTORS / telescope = 5 4
SIGHT_CAPS / fog = 300
SIGHT_CAPS / night = 100
SIGHT_CAPS / night_moon = 300
SIGHT_CAPS / in_melee = 400
SIGHT_MOVING = 400
STRENGTH_GUESSES = 3 4, 1 1, 5 4
POSITION_ERROR = 1 20
EYES / observer = 2
EYES / person_mounted = 3
EYES / unit = 3
TOPS / infantry = 2
TOPS / artillery = 2
TOPS / cavalry = 3
TOPS / wood_light = 8
TOPS / wood_thick = 12
TOPS / building = 10
SEEN_THROUGH / wood_light = 50
SEEN_THROUGH / wood_thick = 0
SEEN_THROUGH / building = 0
EDGE = 50
HIDDEN_BEHIND_LINES = 300
STREET_SIGHT = 15
VIEW_ARCS / unit_front = 120
VIEW_ARCS / look = 60
NOISES / cannon = 8000
NOISES / musketry = 2500
NOISES / explosion = 8000
NOISES / burning_village = 6000
NOISE_DIRECTION = 30
EXPOSURE_STEP = 50
SAME_SYMBOL = 300 5
FADE = 5 15 30
FORGOTTEN_AFTER = 5
PREPARED_SEEN = 100
RELIABILITY / patrol = certain
RELIABILITY / unit = certain
RELIABILITY / spy = probable
RELIABILITY / inhabitants = doubtful
INHABITANTS = 1 2, 2 1
ONE_PLAYER / battalions = 6
ONE_PLAYER / squadrons = 8
ONE_PLAYER / batteries = 1
"""
