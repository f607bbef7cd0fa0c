"""What cases may ask of attacks: odds, letters, tables of cavalry and strongholds, pursuit, capture."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.gm.values import lookup, point, reckoned
from pbem.systems.kriegsspiel.melee import strongholds
from pbem.systems.kriegsspiel.melee.capture import is_enough
from pbem.systems.kriegsspiel.melee.fighters import worth
from pbem.systems.kriegsspiel.melee.flanks import part_taken
from pbem.systems.kriegsspiel.melee.guns_attacked import lost_in_flank, situation_of
from pbem.systems.kriegsspiel.melee.letters import Beaten, forced
from pbem.systems.kriegsspiel.melee.odds import by_numbers, with_points
from pbem.systems.kriegsspiel.melee.points import is_mass
from pbem.systems.kriegsspiel.melee.prisoners import escort_men
from pbem.systems.kriegsspiel.melee.pursuits import paces_of
from pbem.systems.kriegsspiel.melee.retreats import recovery
from pbem.systems.kriegsspiel.melee.second_line import behind, counts_of_second, meeting
from pbem.systems.kriegsspiel.play.losses import beaten_losses, victors_shares
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables import attack as of_attack
from pbem.systems.kriegsspiel.tables.cavalry import column_die, line_die, mass_die
from pbem.systems.kriegsspiel.tables.dice import DICE, DIE_BY_INDEX
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.march import CAVALRY_RETREAT, INFANTRY_FLIGHT, INFANTRY_RETREAT, RETREAT_MOVES
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.state import War


def named(index: int, *, foregone: bool = False) -> str:
    """A die and whom it favours: `III attackers`; `I`: nobody; `foregone attackers`."""
    who = "attackers" if index > 0 else "defenders"
    if foregone:
        return f"foregone {who}"
    return f"{DIE_BY_INDEX[abs(index)]} {who}" if index else "I"


# ------------------------------------------------------------------ odds


def odds(_scene: Scene, _war: War, attackers: str | int, defenders: str | int, points: int = 0) -> str:
    """The die for so many against so many, with points of the attackers."""
    found = with_points(by_numbers(Fraction(attackers), Fraction(defenders)), points)
    return named(found.step, foregone=found.foregone)


def odds_after(_scene: Scene, _war: War, die: str, favoured: str, points: int) -> str:
    """The die of a table with points of the attackers added."""
    start = DIE_BY_INDEX.index(die) * (1 if favoured == "attackers" else -1)
    return named(with_points(start, points).step)


def letter(_scene: Scene, _war: War, thrown: str, *so: str) -> str:
    """The letter that stands for one thrown.

    *so*: `column`, `not_defending`, `line`, `mass`, `second_infantry`, `second_cavalry`, `defile`, `before`,
    `by_cavalry`.
    """
    only = {"second_infantry": "KS-SEC-10", "second_cavalry": "KS-SEC-03", "defile": "KS-STR-08"}
    found, _ = forced(
        thrown,
        Beaten(
            cavalry_on_column="KS-CAV-01" if "column" in so else "",
            not_defending="not_defending" in so,
            line="line" in so,
            mass="mass" in so,
            only_repulsed=next((rule_id for word, rule_id in only.items() if word in so), ""),
            beaten_before="before" in so,
            by_cavalry="by_cavalry" in so,
        ),
    )
    return found


def melee_loss(_scene: Scene, _war: War, die: str, face: int, stands: str, arm: str, d4_inf: int = 25) -> int:
    """Points for each block of the beaten, by the letter that stands."""
    return beaten_losses(DICE[die][face - 1], stands, die, arm, d4_inf=d4_inf)


def strength(_scene: Scene, war: War, unit: str) -> str:
    """What a unit counts in a fight."""
    return str(worth(war.units[unit]).whole)


def mass(_scene: Scene, war: War, *units: str) -> bool:
    """Whether units are a mass."""
    return is_mass([war.units[unit] for unit in units])


def recovers(_scene: Scene, _war: War, beaten: str, move: int, option: str = "from_defeat") -> list[int]:
    """The first moves in which the beaten can defend themselves, and attack."""
    options = Options(recovery="cumulative" if option == "cumulative" else "from_defeat")
    return list(recovery(beaten, move, options))


def part(_scene: Scene, _war: War, degrees: int) -> str:
    """`front`, `flank` or `rear`, by degrees off the front."""
    return part_taken(degrees * 100)


def attack_distance(_scene: Scene, _war: War, what: str) -> int:
    """`contact`, `flank cavalry`, `flank infantry`, `near cavalry`, `near infantry`, `rally`, `secure`."""
    table = {
        "contact": of_attack.CONTACT, "flank cavalry": of_attack.FLANK_FROM["cavalry"],
        "flank infantry": of_attack.FLANK_FROM["infantry"],
        "near cavalry": of_attack.NEAR_INFANTRY["cavalry"], "near infantry": of_attack.NEAR_INFANTRY["infantry"],
        "rally": of_attack.RALLY_DISTANCE,
        "secure": of_attack.SECURE_FLANK[0],
    }  # fmt: skip
    return table[what]


# ------------------------------------------------------------------ cavalry and lines


def cavalry_on_mass(_scene: Scene, _war: War, squadrons: int, battalions: int) -> str:
    """The die for a mass."""
    return mass_die(squadrons, Fraction(battalions))


def cavalry_on_line(_scene: Scene, _war: War, squadrons: int, battalions: str | int) -> str:
    """The die for a line whose flanks are not taken."""
    return line_die(squadrons, Fraction(battalions))


def reach_front(_scene: Scene, _war: War, squadrons: int, front: int, long: int) -> str:
    """Squadrons of one line that meet a first line."""
    return str(meeting(squadrons, front, long))


def second_counts(_scene: Scene, _war: War, first: int, second: int, enemy: int) -> str:
    """What a second line adds against a single line."""
    return str(counts_of_second(Fraction(first), Fraction(second), Fraction(enemy)))


# ------------------------------------------------------------------ retreat and capture


def pursuit(_scene: Scene, _war: War, troops: str) -> list[int]:
    """Paces of cavalry in the first five moves after a won fight."""
    return [paces_of(troops, number) for number in range(1, 6)]


def retreat(_scene: Scene, _war: War, troops: str) -> list[int]:
    """Paces of the beaten, move by move; of infantry as it is and by choice."""
    return list(CAVALRY_RETREAT[troops]) if troops in CAVALRY_RETREAT else [INFANTRY_RETREAT, INFANTRY_FLIGHT]


def surrounded(_scene: Scene, _war: War, around: str, within: str | int) -> bool:
    """Whether so many are enough to surround so many."""
    return is_enough(Fraction(around), Fraction(within))


def escort(_scene: Scene, _war: War, prisoners: int) -> int:
    """Men that an escort needs."""
    return escort_men(prisoners * MAN_TW)


def surprise(_scene: Scene, _war: War, what: str) -> int:
    """A number of the rule of surprise."""
    return of_attack.SURPRISE[what]


# ------------------------------------------------------------------ batteries and strongholds


def battery_situation(
    _scene: Scene, _war: War, half_battalions: str | int, squadrons: str | int, ground: str = ""
) -> str:
    """Situation, die and whom black is for, on ground that `covers`, is `narrow`, or both: `A2 III attackers`."""
    name = situation_of(
        Fraction(half_battalions), Fraction(squadrons), covers="covers" in ground, is_narrow="narrow" in ground
    )
    return f"{name} {of_attack.BATTERY[name].die or '-'} {of_attack.BATTERY[name].black}"


def battery_in_flank(_scene: Scene, _war: War, kind: str, half_battalions: str | int, squadrons: str | int) -> bool:
    """Whether a battery taken in flank is lost without a throw."""
    return lost_in_flank(kind, Fraction(half_battalions), Fraction(squadrons))


def stronghold_die(_scene: Scene, _war: War, troops: str, number: int, place_class: str, held: int) -> str:
    """A cell of the table of strongholds: `II defenders`."""
    return named(strongholds.start_index(troops, number, place_class, held))


def stronghold_number(_scene: Scene, _war: War, moves: str, now: int) -> int:
    """The number of an attack after others in those moves."""
    return strongholds.attack_number(tuple((int(move), "red") for move in moves.split()), "red", now)


def stronghold_needs(
    _scene: Scene, _war: War, kind: strongholds.Kind, long: int, defending: str | int = 1
) -> list[int]:
    """Half battalions that are adequate, of defender and attacker."""
    return list(strongholds.needed(kind, long, Fraction(defending)))


def stronghold_points(
    _scene: Scene, _war: War, kind: strongholds.Kind, long: int, defending: str | int, attacking: str | int
) -> int:
    """Points of the attackers by too few troops on either side."""
    return strongholds.too_few(
        strongholds.needed(kind, long, Fraction(defending)), Fraction(defending), Fraction(attacking)
    ).points


def stronghold_class(scene: Scene, _war: War, name: str) -> str:
    """The class of a place as the map has it."""
    found = strongholds.stronghold_named(scene.chart, name)
    return found.defences if found is not None else "-"


def stronghold_sector(scene: Scene, _war: War, name: str, start: str) -> int:
    """Paces of a place that are attacked from somewhere."""
    found = strongholds.stronghold_named(scene.chart, name)
    return strongholds.sector(scene.chart, found, point(start)) if found is not None else 0


def stronghold_fire(_scene: Scene, _war: War, face: int, zugs: int, light: str = "day") -> int:
    """Points of the attackers by the zugs of the defenders."""
    numbers = DICE["II"][face - 1].right
    return strongholds.attackers_loss(numbers[1] if numbers is not None else 0, zugs, night=light == "night")


ATTACK_ASKS: Mapping[str, Ask] = {
    "odds": ask(odds, "KS-ODD-02", "KS-ODD-10", "KS-ODD-01", "KS-CAV-06", "KS-SEC-12"),
    "odds_after": ask(odds_after, "KS-ODD-10", "KS-ODD-03", "KS-ODD-04", "KS-ATK-05"),
    "odds_points": lookup(of_attack.POINTS, "KS-ATK-05", "KS-ODD-03", "KS-ODD-04", "KS-ODD-05", "KS-ODD-06",
    "KS-ODD-07", "KS-ODD-09",
        "KS-SEC-09", "KS-RET-06", "KS-RET-09", "KS-STR-07",
    ),
    "letter": ask(
        letter, "KS-ODD-11", "KS-ODD-07", "KS-ODD-08", "KS-ODD-09", "KS-SEC-03", "KS-SEC-10", "KS-STR-08", "KS-CAV-01",
        "KS-CAV-02", "KS-CAV-04",
    ),
    "melee_loss": ask(melee_loss, "KS-LOS-05", "KS-DIE-05", "KS-DIE-07"),
    "victors": reckoned(victors_shares, "KS-LOS-05"),
    "strength": ask(strength, "KS-ODD-01", "KS-STR-06"),
    "mass": ask(mass, "KS-ODD-09"),
    "recovers": ask(recovers, "KS-ATK-07"),
    "part": ask(part, "KS-FLK-01"),
    "declared_at": lookup(of_attack.DECLARED_AT, "KS-ATK-01"),
    "attack_distance": ask(attack_distance, "KS-FLK-02", "KS-ODD-05", "KS-CMD-03", "KS-TUR-04", "KS-CAV-03"),
    "cavalry_on_column": reckoned(column_die, "KS-CAV-01"),
    "cavalry_on_mass": ask(cavalry_on_mass, "KS-CAV-02"),
    "cavalry_on_line": ask(cavalry_on_line, "KS-CAV-03"),
    "second_line": reckoned(behind, "KS-SEC-01", "KS-SEC-07", "KS-SEC-08"),
    "reach_front": ask(reach_front, "KS-SEC-05", "KS-SEC-06"),
    "second_counts": ask(second_counts, "KS-SEC-06"),
    "pursuit": ask(pursuit, "KS-RET-01"),
    "retreat": ask(retreat, "KS-RET-02", "KS-RET-04"),
    "retreat_moves": lookup(RETREAT_MOVES, "KS-RET-05"),
    "surrounded": ask(surrounded, "KS-PRI-01"),
    "escort": ask(escort, "KS-PRI-04"),
    "surprise": ask(surprise, "KS-SUR-01", "KS-SUR-02"),
    "battery_situation": ask(battery_situation, "KS-BAT-01", "KS-BAT-02"),
    "battery_in_flank": ask(battery_in_flank, "KS-FLK-03"),
    "stronghold_die": ask(stronghold_die, "KS-STR-03"),
    "stronghold_number": ask(stronghold_number, "KS-STR-04"),
    "stronghold_needs": ask(stronghold_needs, "KS-STR-01"),
    "stronghold_points": ask(stronghold_points, "KS-STR-05"),
    "stronghold_class": ask(stronghold_class, "KS-STR-02"),
    "stronghold_sector": ask(stronghold_sector, "KS-STR-01"),
    "stronghold_fire": ask(stronghold_fire, "KS-STR-09", "KS-NIG-01"),
}  # fmt: skip
"""What cases may ask, by name."""
