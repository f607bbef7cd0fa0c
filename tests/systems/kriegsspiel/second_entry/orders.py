"""What orders and reactions may hold: made for play by letter."""

from __future__ import annotations

PLAIN = """
REACTIONS / attacked infantry by infantry = stand, countercharge, retire PLACE, stand
REACTIONS / attacked_by_cavalry = square, stand, retire PLACE, square, stand
REACTIONS / attacked cavalry by cavalry = countercharge, stand, retire PLACE, countercharge, retire
REACTIONS / attacked cavalry by infantry = retire PLACE, countercharge, stand, retire
REACTIONS / attacked battery = stay, withdraw PLACE, until N, until 300, withdraw
REACTIONS / skirmishers_attacked = fall_back, stand, fall_back
REACTIONS / fired_on = stand, shift cover, retire N, stand
REACTIONS / superior_force = retire at RATIO, none
REACTIONS / losses = retire at P%, none
REACTIONS / victory infantry = halt, pursue N, pursue without halt, return, halt
REACTIONS / victory cavalry = halt, pursue N, pursue without halt, return, pursue 2
REACTIONS / defeat = retreat to PLACE, none
REACTIONS / enemy_seen = report, report_and_halt, report_and_attack, ignore, report
REACTIONS / fire_policy = at_will, hold until N, canister_only, at_will
REACTIONS / lost_contact = stay, rejoin, stay
REACTIONS / messenger_missing = repeat, ignore, ignore
REACTIONS / prisoners = escort, leave, escort
OUTNUMBERED = 5 3
CAVALRY_RETIRES = 600
UNDER_CANISTER = 6
FIRES_AT / infantry = 300
FIRES_AT / artillery = 3
PATROL_SIZES = 1 2 10 21 25
LIMITS / shift = 400
LIMITS / prolonge = 300
LIMITS / prolonge_downhill = 10
LIMITS / infantry_fire = 400
LIMITS / bombard = 2000
LIMITS / dig_moves = 360
LIMITS / detachments = 12
LIMITS / posts = 8
LIMITS / signal = 4
LIMITS / dismount_enemy = 300
LIMITS / occupy_halts = 300
LIMITS / follow = 1000
LIMITS / at_place = 50
LIMITS / target_near = 500
"""
