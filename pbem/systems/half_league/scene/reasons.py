"""Why an order was not carried out, or only otherwise: the codes that facts carry, and what they say."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "gone": "the unit is no longer on the field",
    "routing": "the unit was routing",
    "no_room": "there was no room for the new formation",
    "no_chits": "the unit had no chit left",
    "no_point": "no command point was left for it",
    "by_option": "an option of this campaign does not allow it",
    "no_second_chit": "the unit had no second chit",
    "too_far": "the brigadier was more than 24 inches off",
    "given": "the brigadier had given his benefit of this turn",
    "attacker_spent": "the attacker had spent his: the defender keeps his",
    "army_mode": "the army commander had helped this brigade this turn, and the brigadier may not as well",
    "brigadier_mode": "the brigadier had helped this brigade this turn, and the army commander may not as well",
    "not_attached": "he was not attached",
    "fallen": "he had fallen",
    "with_unit": "he was with a unit",
    "attached_late": "he was not attached at the start of the turn: his unit alone has it",
    "successor_failed": "the successor's die did not give it",
    "reserve_held": "the reserve had not been released",
    "not_on_road": "the unit was not on a road in road column",
    "target_unknown": "the target was no longer known under that name",
    "target_not_in_arc": "the target was not in the front arc",
    "lower_priority": "a target of a higher priority had to be fired at",
    "not_eligible": "no stand had range, arc and sight to it",
    "not_stationary": "battery and target must have stood still for three turns",
    "out_of_range": "it was not between 40 and 80 inches off",
    "not_able": "its formation does not allow it",
    "near_enemy": "it was not more than 40 inches from every enemy in sight",
    "fired_or_fought": "it had fired or fought this turn",
    "has_chits": "it had chits",
    "no_initiative": "your side had not the initiative",
    "roll_lost": "the enemy won the roll",
    "no_moment": "its moment never came",
    "blocked": "there was something in the way at once",
    "no_way": "the enemy was too near to ride there",
    "too_far_turn": "the turn was more than 45 degrees by then",
    "never_filled": "there were not so many chits",
}
"""By code."""
