"""Fire, combat and sieges in words; what belongs to one combat goes into one box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.names import Role
from pbem.orders.prose import cap, listed, signed
from pbem.rules.contract import Teller
from pbem.rules.view import Table, Told
from pbem.systems.empire_1870.fire.losses import loser_losses
from pbem.systems.empire_1870.page.sentences import Column, Row, told
from pbem.systems.empire_1870.scene import words
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables.charts import CFT_COLUMNS, MAJOR_BATTLE_SP
from pbem.systems.empire_1870.world import outcomes_combat as c
from pbem.systems.empire_1870.world.fact import Fact, Modifier
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN
from pbem.systems.empire_1870.world.state import War

HOW: Mapping[str, str] = {"march": "March combat", "planned": "Planned attack", "sortie": "Sortie"}


def _policy(words: str) -> str:
    """A standing order as small print names it."""
    return words.replace("default: ", "the default, ")


# ------------------------------------------------------------------ chassepot fire


def _fire(scene: Scene, fact: c.ChassepotFire, mind: War, role: Role) -> Sequence[Told]:
    target = scene.place_name(fact.target_hex)
    before = words.summed(fact.losses.before) if fact.losses else None
    lost = fact.losses.eliminated if fact.losses else 0
    hit = f"{fact.lp} LP" if fact.lp else "no effect"
    gone = f", {lost} SP eliminated" if lost else ""
    again = "once more " if fact.extra_roll_of else ""
    whom = words.sp(before) if before else "the Germans"
    firers = f"{fact.total_sp} French SP at {words.places(scene, [one.hex for one in fact.firers])}"
    jam = f"  A mitrailleuse jammed at {scene.place_name(fact.jam)}." if fact.jam else ""
    text = f"{firers} fired {again}at {whom} in {target}: {hit}{gone}.{jam}"
    policy = f"  Policy: {_policy(fact.policy)}." if fact.policy else ""
    headline = f"Chassepots at {words.town_name(scene, fact.target_hex)}"
    return [
        told(
            fact,
            mind,
            text,
            lead="Chassepot fire.",
            note=f"The step {fact.step[0]} to {fact.step[1]}.{policy}",
            tables=(_fire_box(scene, fact),),
            weight=min(1 + fact.lp + lost, 4) if fact.lp else 0,
            headline=headline,
            lost=(fact.target_hex, lost) if lost else None,
        )
    ]


def _fire_box(scene: Scene, fact: c.ChassepotFire) -> Table:
    most = CFT_COLUMNS[fact.base_column - 1]
    upto = f"up to {most} SP" if most else f"above {CFT_COLUMNS[-2]} SP"
    rows = [(f"SP at {scene.place_name(one.hex)} (WE-OCF-01)", str(one.sp.sp)) for one in fact.firers]
    rows.append((f"{fact.total_sp} SP: column, {upto} (WE-OCF-02)", str(fact.base_column)))
    rows += [(f"Shift: {words.FACTORS.get(one.name, one.name)} ({one.rule})", signed(one.value)) for one in fact.shifts]
    rows.append(("Column used (WE-OCF-02)", str(fact.column)))
    rows.append((f"Dice {fact.roll // 10}, {fact.roll % 10}: LP (WE-OCF-02)", str(fact.lp)))
    if fact.losses:
        rows.append(("SP before", words.statuses(words.summed(fact.losses.before))))
        rows.append(("SP after (WE-OCF-03)", _after(fact.losses)))
    return Table(
        caption=f"Fire into {scene.place_name(fact.target_hex)}",
        columns=("Factor", "Value"),
        rows=tuple(rows),
        numbers=(1,),
    )


def _after(losses: c.Losses) -> str:
    return words.statuses(words.summed(losses.after))


# ------------------------------------------------------------------ combat


def _cavalry(scene: Scene, fact: c.CavalryRetreated, mind: War, role: Role) -> Sequence[Told]:
    die = f"Die {fact.die}: 5 or 6 lets it go." if fact.die else "No die was needed."
    if fact.allowed and fact.path:
        text = f"{fact.hq} did not wait for the attack at {scene.place_name(fact.hex)}."
    elif fact.allowed:
        text = f"{fact.hq} found no way back from {scene.place_name(fact.hex)}."
    else:
        text = f"{fact.hq} could not get away from {scene.place_name(fact.hex)} and stood."
    return [told(fact, mind, text, note=die)]


def _joined(scene: Scene, fact: c.CombatJoined, mind: War, role: Role) -> Sequence[Told]:
    place = scene.place_name(fact.hex)
    attackers = words.summed(fact.attackers)
    whence = "" if fact.how == "sortie" else f"From {words.places(scene, [one.hex for one in fact.attackers])} "
    who = words.force(fact.attacker_hqs, attackers, fact.attacker)
    whom = words.force(fact.defender_hqs, fact.defenders.sp, ENEMY[fact.attacker])
    verb = "made a sortie against" if fact.how == "sortie" else "attacked"
    text = f"{cap(f'{whence}{who}')} {verb} {whom}."
    gist = f"{cap(_gist_of(fact, role))} attacked at {words.town_name(scene, fact.hex)}"
    theirs, ours = ", ".join(fact.defender_hqs) or "none", ", ".join(fact.attacker_hqs) or "none"
    rows = (
        Row("HQs", {"attacker": ours, "defender": theirs}),
        Row(
            "SP before",
            {"attacker": words.statuses(attackers), "defender": words.statuses(fact.defenders.sp)},
            "WE-CBT-13",
        ),
        Row("Ground", {"defender": fact.terrain_column}, "WE-CBT-05"),
    )
    lead = f"{HOW[fact.how]} at {place}."
    return [told(fact, mind, text, lead=lead, gist=gist, combat=fact.combat, attacker=fact.attacker, rows=rows)]


def _gist_of(fact: c.CombatJoined, role: Role) -> str:
    """The attackers in a summary, where there is no room for a whole staff: `A2, G3 and 3 HQs more`."""
    hqs = list(fact.attacker_hqs)
    if not hqs:
        return words.subject(fact.attacker, role)
    return listed(hqs if len(hqs) <= MOST_NAMED else [*hqs[: MOST_NAMED - 1], f"{len(hqs) - MOST_NAMED + 1} HQs more"])


MOST_NAMED = 3
"""So many HQs are named in a summary."""


def _totals(scene: Scene, fact: c.CombatTotals, mind: War, role: Role) -> Sequence[Told]:
    rows = []
    for column, hexes in (("attacker", fact.attacker_hexes), ("defender", (fact.defender_hex,))):
        side: Column = "attacker" if column == "attacker" else "defender"
        for one in hexes:
            where = f" of {scene.place_name(one.hex)}" if len(hexes) > 1 else ""
            rows.append(Row(f"Value by status{where}", {side: str(one.status_value)}, "WE-STA-02"))
            for halving in one.halvings:
                rows.append(Row(f"Halved: {halving.name}{where}", {side: str(halving.value)}, halving.rule))
            if one.cavalry and not one.has_loc:
                rows.append(Row(f"Of it cavalry, not halved{where}", {side: str(one.cavalry)}, "WE-UNI-03"))
    if fact.sr:
        rows.append(Row("SR of the fortress", {"defender": f"+{fact.sr}"}, "WE-CBT-03"))
    rows.append(Row("Total", {"attacker": str(fact.attacker_total), "defender": str(fact.defender_total)}, "WE-CBT-03"))
    attack, defence = fact.ratio.split(":")
    rows.append(Row("Ratio", {"attacker": fact.ratio, "defender": f"{defence}:{attack}"}, "WE-CBT-04"))
    return [told(fact, mind, "", combat=fact.combat, rows=tuple(rows), follows=True)]


def _guns(scene: Scene, fact: c.ArtilleryCommitted, mind: War, role: Role) -> Sequence[Told]:
    side = fact.side or FRENCH
    mine = side == role
    note = ""
    if mine:
        note = f"Artillery: {fact.cost} RP paid, {fact.rp_left} left.  Policy: {_policy(fact.policy)}."
    row = Row("Artillery", {_column(side): f"{fact.cost} RP"}, "WE-CBT-07")
    rp = ("Artillery", -fact.cost) if mine else None
    return [told(fact, mind, "", note=note, combat=fact.combat, rows=(row,), rp=rp, follows=True)]


def _column(side: Role) -> Column:
    return "french" if side == FRENCH else "german"


def _dice(scene: Scene, fact: c.CombatDice, mind: War, role: Role) -> Sequence[Told]:
    side = fact.side or FRENCH
    shown = list(fact.faces)
    rows = [Row("Dice", {_column(side): " + ".join(map(str, shown))}, "WE-CBT-09")]
    if fact.rerolled:
        rows.append(Row("Of these thrown again", {_column(side): f"{fact.old}, now {fact.new}"}, "WE-CBT-08"))
    policy = f"  Policy: {_policy(fact.policy)}." if fact.policy else ""
    note = f"{words.ADJECTIVE[side]} dice.{policy}"
    return [told(fact, mind, "", note=note, combat=fact.combat, rows=tuple(rows), follows=True)]


def _hq_rows(scene: Scene, modifiers: Sequence[Modifier]) -> list[Row]:
    rows = []
    for one in modifiers:
        word = one.name.split()[0]
        if one.name in scene.headquarters:
            column: Column = "french" if scene.headquarters[one.name].side == FRENCH else "german"
        else:
            column = "french" if word == FRENCH else "german" if word == GERMAN else "attacker"
        name = f"HQ {one.name}" if one.name in scene.headquarters else cap(one.name.removeprefix(f"{word} "))
        rows.append(Row(name if column != "attacker" else cap(one.name), {column: signed(one.value)}, one.rule))
    return rows


def _resolved(scene: Scene, fact: c.CombatResolved, mind: War, role: Role) -> Sequence[Told]:
    attacker, name = fact.attacker, words.town_name(scene, fact.hex)
    beaten = ENEMY[fact.winner]
    rows = [
        Row("CRM", {"attacker": signed(fact.crm[0]), "defender": signed(fact.crm[1])}, "WE-CBT-05"),
        *_hq_rows(scene, fact.hq_drm),
        Row("Final DRM", {"attacker": signed(fact.attacker_drm), "defender": signed(fact.defender_drm)}, "WE-CBT-06"),
        Row("FCS", {"french": str(fact.fcs_french), "german": str(fact.fcs_german)}, "WE-CBT-09"),
        Row("Won by", {_column(fact.winner): str(fact.spread)}, "WE-CBT-09"),
    ]
    loss = {one.side: one for one in fact.losses}
    at_once, points = loser_losses(fact.spread)
    for what, by_side, rule in (
        ("SP lost at once", {beaten: str(at_once)}, "WE-CBT-10"),
        ("LP", {beaten: str(points), fact.winner: str(fact.winner_lp)}, "WE-CBT-10, WE-CBT-11"),
        ("SP lost in all", {side: str(one.eliminated) for side, one in loss.items()}, "WE-STA-01"),
        ("SP after", {side: _after(one) for side, one in loss.items()}, "WE-CBT-12"),
    ):
        rows.append(Row(what, {_column(side): value for side, value in by_side.items()}, rule))
    won = (
        f"{cap(words.subject(fact.winner, role))} won by {fact.spread}"
        if fact.spread
        else "It was a tie, which is German"
    )
    tolls = [
        f"{words.subject(side, role)} lost {_toll(loss[side], fact, side)}"
        for side in (beaten, fact.winner)
        if side in loss
    ]
    text = f"{won}: {'; '.join(tolls)}."
    carried = fact.winner == attacker
    headline = f"{name} carried by {words.side_name(attacker)}" if carried else f"The attack on {name} beaten off"
    gone = sum(one.eliminated for one in fact.losses)
    cost = listed_losses(fact.losses)
    present = sum(words.summed(one.before).sp for one in fact.losses)
    gist = f"{'and won' if carried else 'in vain'}{f'; {cost} fell' if cost else ''}."
    return [
        told(
            fact,
            mind,
            text,
            combat=fact.combat,
            rows=tuple(rows),
            follows=True,
            weight=min(9, 7 + (present >= MAJOR_BATTLE_SP) + gone // BLOODY),
            headline=headline,
            gist=gist,
            lost=(fact.hex, gone) if gone else None,
        )
    ]


BLOODY = 4
"""So many SP dead make a combat weigh as much more as its being a major battle does."""


def _toll(one: c.Losses, fact: c.CombatResolved, side: Role) -> str:
    points = fact.winner_lp if side == fact.winner else loser_losses(fact.spread)[1]
    if one.eliminated and not words.summed(one.after).sp:
        return f"all {one.eliminated} SP"
    parts = [f"{one.eliminated} SP"] if one.eliminated else []
    parts += [f"{points} LP"] if points else []
    return " and ".join(parts) or "nothing"


def listed_losses(losses: Sequence[c.Losses]) -> str:
    """`2 French SP and 1 German SP`; empty if none were eliminated."""
    return " and ".join(f"{one.eliminated} {words.ADJECTIVE[one.side]} SP" for one in losses if one.eliminated)


def _hq_check(scene: Scene, fact: c.HqCasualtyCheck, mind: War, role: Role) -> Sequence[Told]:
    cause = "doubles in the combat" if fact.cause == "combat" else "the chassepot fire"
    if fact.result == "none":
        return [told(fact, mind, "", note=f"HQ check of {fact.hq} after {cause}: {fact.die}, nothing.", follows=True)]
    back = f", back on turn {fact.return_turn}" if fact.return_turn and fact.side == role else ""
    face = " and shows its other face" if fact.result == "flipped" else ""
    text = f"{words.hq_title(scene, mind, fact.hq)} was struck{face}: off the map{back}."
    weight = 9 if scene.headquarters[fact.hq].rank == "army" else 6
    headline = "The Emperor is wounded" if fact.hq == "NAP" else f"{fact.hq} has lost its commander"
    note = f"HQ check of {fact.hq} after {cause}: {fact.die}."
    return [told(fact, mind, text, note=note, follows=True, weight=weight, headline=headline, gist=text)]


def _displaced(scene: Scene, fact: c.HqDisplaced, mind: War, role: Role) -> Sequence[Told]:
    if fact.to is not None:
        text = f"{fact.hq}, without SP, fled from {scene.place_name(fact.start)} to {scene.place_name(fact.to)}."
    elif fact.return_turn:
        text = f"{fact.hq}, without SP, left the map and comes back on turn {fact.return_turn}."
    else:
        text = f"{fact.hq}, without SP, fled from {scene.place_name(fact.start)}."
    return [told(fact, mind, text, follows=True)]


def _retreated(scene: Scene, fact: c.Retreated, mind: War, role: Role) -> Sequence[Told]:
    who = words.force(fact.units, fact.sp, fact.side or FRENCH)
    place = scene.place_name(fact.start)
    gone = fact.losses.eliminated if fact.losses else 0
    stayed = f"  {fact.stayed} SP stayed in the fortress." if fact.stayed else ""
    if fact.eliminated:
        text = f"{cap(words.sp(fact.sp))} had no way back from {place} and were lost.{stayed}"
        headline = f"{fact.sp.sp} SP cut off at {words.town_name(scene, fact.start)}"
        lost = (fact.start, fact.sp.sp)
        return [told(fact, mind, text, follows=True, weight=8, headline=headline, gist=text, lost=lost)]
    if not fact.path:
        return [told(fact, mind, f"{cap(who)} stayed at {place}.", follows=True)]
    text = f"{cap(who)} fell back to {scene.place_name(fact.path[-1])}."
    if fact.river_dice:
        more = f", {gone} SP eliminated" if gone else ""
        text += f"  The river cost {sum(fact.river_dice)} LP{more}."
    return [
        told(
            fact,
            mind,
            text + stayed,
            note=f"Retreat by {' '.join(fact.path)}.",
            follows=True,
            lost=(fact.start, gone) if gone else None,
        )
    ]


def _advanced(scene: Scene, fact: c.Advanced, mind: War, role: Role) -> Sequence[Told]:
    text = f"{cap(words.force(fact.units, fact.sp, fact.side or FRENCH))} advanced into {scene.place_name(fact.to)}."
    return [told(fact, mind, text, follows=True)]


# ------------------------------------------------------------------ sieges


def _shut(scene: Scene, fact: c.GarrisonShut, mind: War, role: Role) -> Sequence[Told]:
    how = "are shut in the fortress" if fact.shut else "are free again"
    return [told(fact, mind, f"{cap(words.sp(fact.sp))} at {scene.place_name(fact.hex)} {how}.", follows=True)]


def _siege(scene: Scene, fact: c.SiegeChecked, mind: War, role: Role) -> Sequence[Told]:
    place, side = scene.place_name(fact.hex), fact.side or GERMAN
    if not fact.friendly_sp:
        return [told(fact, mind, f"{place} is besieged no longer.")]
    inside = f" and {fact.garrison} SP inside" if fact.garrison else ""
    serves = f"no siege, but its hex serves the LOC of {words.side_name(side)}" if fact.loc_open else "no siege"
    state = "it is under siege" if fact.besieged else serves
    # A ratio below 1:1 has no name of its own: rounded, it would read 1:1.
    odds = f", {fact.ratio}" if fact.loc_open or fact.besieged else ""
    text = f"{place}: {fact.friendly_sp} SP against SR {fact.sr}{inside}{odds}: {state}."
    return [told(fact, mind, text)]


def _assault(scene: Scene, fact: c.SiegeAssault, mind: War, role: Role) -> Sequence[Told]:
    name = words.town_name(scene, fact.hex)
    added = "".join(f", {one.name} {signed(one.value)}" for one in fact.drms if one.value)
    sign = ">" if fact.total > fact.sr else "≤"
    note = f"Die {fact.die}{added}: {fact.total} {sign} SR {fact.sr}."
    if not fact.destroyed:
        return [told(fact, mind, f"The siege assault on {name} failed.", note=note, follows=True)]
    lost = f" with {fact.garrison_lost} SP" if fact.garrison_lost else ""
    text = f"{name} has fallen{lost}: the fortress is destroyed."
    return [told(fact, mind, text, note=note, weight=9, headline=f"{name} has fallen", gist=text)]


COMBAT: Mapping[type[Fact], Teller] = {
    c.ChassepotFire: _fire,
    c.CavalryRetreated: _cavalry,
    c.CombatJoined: _joined,
    c.CombatTotals: _totals,
    c.ArtilleryCommitted: _guns,
    c.CombatDice: _dice,
    c.CombatResolved: _resolved,
    c.HqCasualtyCheck: _hq_check,
    c.HqDisplaced: _displaced,
    c.Retreated: _retreated,
    c.Advanced: _advanced,
    c.GarrisonShut: _shut,
    c.SiegeChecked: _siege,
    c.SiegeAssault: _assault,
}
"""How each kind of fact of fire, combat and siege is told."""
