"""What conformance cases may ask of the charts of fire, combat, retreat and siege."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.contract import Ask, ask
from pbem.systems.empire_1870.field import ratios
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.fire import chassepot, losses
from pbem.systems.empire_1870.melee import artillery, retreat, siege, totals
from pbem.systems.empire_1870.play.picking import fresh
from pbem.systems.empire_1870.play.standing import DEFAULTS, policy
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables.charts import ARTILLERY_COST, CFT_COLUMNS, HQ_CASUALTIES, SIEGE_DRMS
from pbem.systems.empire_1870.world.orders import Amount, React, Reaction, amount_of
from pbem.systems.empire_1870.world.outcomes_combat import Kind
from pbem.systems.empire_1870.world.parts import ENEMY, Hq
from pbem.systems.empire_1870.world.stacks import STATUSES, Stack, count, of_status
from pbem.systems.empire_1870.world.state import War

AT = Hex("0101")
"""Where SP stand that are asked about without a place."""


def stack_of(text: str) -> Stack:
    """SP as orders have them: `8SP` good ones, or `2G+1D+1M`."""
    return fresh(amount_of(text) or Amount())


def text_of(stack: Stack) -> str:
    """SP by status, as orders have them; `0SP` if there are none."""
    by_status = zip("GDM", (count(of_status(stack, status)) for status in STATUSES), strict=True)
    found = [f"{number}{letter}" for letter, number in by_status if number]
    return "+".join(found) or "0SP"


# ------------------------------------------------------------------ chassepot fire


def cft_column(_scene: Scene, _war: War, sp: int) -> int:
    """The column of the Chassepot Fire Table for so many SP."""
    return chassepot.column_of(sp)


def cft(_scene: Scene, _war: War, roll: int) -> list[int]:
    """LP of a roll in each column of the Chassepot Fire Table."""
    return [chassepot.loss_points(column, roll) for column in range(1, len(CFT_COLUMNS) + 1)]


def fire_at(scene: Scene, war: War, target: str, shown: int = 1) -> dict[str, object]:
    """Fire into a hex, at so many SP, as things stand: who fires with how much, the columns, what shifts them."""
    field = Field(scene, war)
    firers, _ = chassepot.firers_at(field, Hex(target), shown)
    if not firers:
        return {"firers": []}
    base, moved, column = chassepot.shifted(field, Hex(target), firers)
    sp = sum(one.count for stack in firers.values() for one in stack)
    return {"firers": sorted(firers), "sp": sp, "base": base, "column": column, "shifts": [one.name for one in moved]}


def fire_targets(scene: Scene, war: War, start: str, to: str) -> list[str]:
    """Where a German force can be fired at that steps from one hex into another."""
    return [*chassepot.targets(Field(scene, war), Hex(start), Hex(to))]


# ------------------------------------------------------------------ combat


def ratio(_scene: Scene, _war: War, attack: int, defence: int) -> str:
    """The ratio of two totals, the attacker's first."""
    return ratios.ratio_text(ratios.ratio(attack, defence))


def crm(_scene: Scene, _war: War, odds: str, column: str) -> list[int]:
    """Modifiers of attacker and defender."""
    one, _, other = odds.partition(":")
    return [*totals.crm((int(one), int(other)), column)]


def terrain_column(scene: Scene, war: War, at: str, defender: str) -> str:
    """The column of the combat ratio matrix for a hex."""
    return totals.terrain_column(Field(scene, war), Hex(at), Role(defender))


def attack_value(scene: Scene, war: War, side: str, start: str, target: str, how: Kind) -> int:
    """What all SP of a hex count for in a `march` or `planned` attack on another."""
    field = Field(scene, war)
    shares = {Hex(start): field.stack(Role(side), Hex(start))}
    hqs = tuple(one.id for one in field.hqs(Role(side), Hex(start)))
    battle = totals.Battle(name="", how=how, attacker=Role(side), shares=shares, hqs=hqs, hex=Hex(target))
    return totals.attack_total(field, battle).total


def defence_value(scene: Scene, war: War, side: str, at: str) -> int:
    """What a side in a hex counts for in defence, with the SR of a fortress of its own."""
    battle = totals.Battle(name="", how="planned", attacker=ENEMY[Role(side)], shares={}, hex=Hex(at))
    return totals.defence_total(Field(scene, war), battle).total


def hq_drm(scene: Scene, war: War, side: str, names: list[str], sp: int, role: str, leader: str = "") -> int:
    """What HQs, or an inherent one, add to an `attack` or a `defence` of so many SP."""
    hqs: list[Hq] = [war.hqs[name] for name in names]
    found = totals.hq_modifiers(Role(side), hqs, sp, attacks=role == "attack", leader=leader)
    return sum(one.value for one in found)


def artillery_cost(_scene: Scene, _war: War, side: str, total: int, terrain: str) -> int:
    """RP for artillery by a total and the column of the defending hex."""
    return artillery.share_up(artillery.share_up(total, ARTILLERY_COST[side]), artillery.ground_factor(terrain))


def brings_guns(scene: Scene, war: War, side: str, role: str, held: int, cost: int, odds: str) -> bool:
    """Whether the policy of a side brings its guns up, for `attack` or `defence`, at RP held, cost and odds."""
    reaction: Reaction = "artillery_attack" if role == "attack" else "artillery_defence"
    order = policy(war, Role(side), reaction)
    one, _, other = odds.partition(":")
    return held >= cost and artillery.wants(order, held - cost, cost, (int(one), int(other)))


def winner(_scene: Scene, _war: War, french: int, german: int) -> str:
    """Who wins at two final scores."""
    return totals.winner_of(french, german)


def loser_losses(_scene: Scene, _war: War, spread: int) -> list[int]:
    """SP that the loser has eliminated at once, and LP after that."""
    return [*losses.loser_losses(spread)]


def winner_losses(_scene: Scene, _war: War, spread: int) -> int:
    """LP of the winner."""
    return losses.winner_losses(spread)


def after_losses(_scene: Scene, _war: War, sp: str, eliminated: int, points: int, words: str) -> str:
    """SP (`5G+1D`) after losses under a policy (`spread`, `concentrate`, `keep 3`), by status."""
    word, _, number = words.partition(" ")
    order = React(line=0, text="", reaction="losses", word=word, numbers=(int(number),) if number else ())
    return text_of(losses.take_losses({AT: stack_of(sp)}, eliminated, points, order).shares.get(AT, ()))


def hq_casualty(_scene: Scene, _war: War, die: int) -> str:
    """What becomes of an HQ that is checked: `flipped`, `unchanged` (a casualty on its face), `none`."""
    return HQ_CASUALTIES[die]


def retreat_path(scene: Scene, war: War, side: str, at: str, fought: list[str]) -> list[str]:
    """Where all SP of a side in a hex would retreat to, beaten in a march combat by enemies from these hexes."""
    field, hexes = Field(scene, war), tuple(map(Hex, fought))
    force = retreat.Beaten(
        side=Role(side), hex=Hex(at), stack=field.stack(Role(side), Hex(at)), ignoring=hexes, fought=hexes
    )
    return [*retreat.retreat_path(field, force, policy(war, Role(side), "retreat", Hex(at)))]


def default_policy(_scene: Scene, _war: War, reaction: Reaction) -> str:
    """The first word of the reaction of a side that has said nothing."""
    return DEFAULTS[reaction].word


# ------------------------------------------------------------------ sieges


def siege_ratio(scene: Scene, war: War, side: str, at: str) -> str:
    """The ratio of a side in the hex of an enemy fortress to its SR and the SP inside."""
    return ratios.ratio_text(siege.siege_ratio(Field(scene, war), Role(side), Hex(at)))


def siege_drm(scene: Scene, war: War, side: str, at: str, to_one: int) -> int:
    """What is added to the die of an assault at a ratio to 1, with the HQs that are there."""
    return sum(one.value for one in siege.siege_modifiers(Field(scene, war), Role(side), Hex(at), to_one))


def siege_chart(_scene: Scene, _war: War, to_one: int) -> int:
    """The die modifier of a ratio to 1."""
    return SIEGE_DRMS[min(to_one, max(SIEGE_DRMS))]


COMBAT_ASKS: Mapping[str, Ask] = {
    "cft_column": ask(cft_column, "WE-OCF-02"),
    "cft": ask(cft, "WE-OCF-02"),
    "fire_at": ask(fire_at, "WE-OCF-01", "WE-OCF-02"),
    "fire_targets": ask(fire_targets, "WE-OCF-01"),
    "ratio": ask(ratio, "WE-CBT-04"),
    "crm": ask(crm, "WE-CBT-05"),
    "terrain_column": ask(terrain_column, "WE-CBT-05", "WE-MOV-02"),
    "attack_value": ask(attack_value, "WE-CBT-03", "WE-LOC-04", "WE-MCB-01"),
    "defence_value": ask(defence_value, "WE-CBT-03", "WE-CBT-13", "WE-RAI-03"),
    "hq_drm": ask(hq_drm, "WE-HQ-01", "WE-HQ-02"),
    "artillery_cost": ask(artillery_cost, "WE-CBT-07", "WE-MOV-02"),
    "brings_guns": ask(brings_guns, "WE-CBT-07"),
    "winner": ask(winner, "WE-CBT-09"),
    "loser_losses": ask(loser_losses, "WE-CBT-10"),
    "winner_losses": ask(winner_losses, "WE-CBT-11"),
    "after_losses": ask(after_losses, "WE-CBT-12", "WE-STA-01"),
    "hq_casualty": ask(hq_casualty, "WE-HQC-01"),
    "retreat_path": ask(retreat_path, "WE-RET-01", "WE-RET-02", "WE-RET-03"),
    "default_policy": ask(default_policy, "WE-CBT-12", "WE-RET-02", "WE-CBT-07"),
    "siege_ratio": ask(siege_ratio, "WE-SIE-02"),
    "siege_drm": ask(siege_drm, "WE-SIE-03"),
    "siege_chart": ask(siege_chart, "WE-SIE-03"),
}
"""The questions, by name, and the rules that answer them."""
