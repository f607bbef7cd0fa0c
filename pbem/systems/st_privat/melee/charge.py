"""A charge from its declaration to the last advance.

Nothing is thrown here: `go_in` says whether a die is needed, `fight` takes the die that has fallen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.fire.aims import lost
from pbem.systems.st_privat.march.formation import close_up
from pbem.systems.st_privat.melee import melee
from pbem.systems.st_privat.melee.advance import advance
from pbem.systems.st_privat.melee.casualties import spend
from pbem.systems.st_privat.melee.fallback import fall_back
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import cap
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, ChargeReason, in_part, owner_only
from pbem.systems.st_privat.world.patches import GamePatch, Patch
from pbem.systems.st_privat.world.pieces import ENEMY, Piece

REASONS: dict[ChargeReason, tuple[str, str]] = {
    "not_adjacent": ("SP-MEL-02", "they do not stand beside the square"),
    "not_facing": ("SP-MEL-02", "they do not look at the square"),
    "diagonal": ("SP-MEL-02", "a charge goes straight, not across a corner"),
    "infantry_at_cavalry": ("SP-MEL-04", "infantry does not charge cavalry in the open"),
    "square_attacked": ("SP-MEL-03", "the square was charged before this turn"),
    "retreated": ("SP-MEL-10", "they fell back earlier in the melees"),
    "attacked_before": ("SP-MEL-03", "they had attacked before"),
    "eliminated": ("SP-MEL-10", "nobody was left to charge"),
    "demolishes": ("SP-DMG-03", "they were pulling something down, and do nothing else this turn"),
    "empty": ("SP-MEL-10", "no enemy was left in the square"),
    "odds": ("SP-MEL-10", "the odds were worse than you asked for"),
    "cards": ("SP-MEL-08", "face-down cards lay in the square, so that the odds could not be known"),
    "odds_forbidden": ("SP-MEL-08", "odds worse than 1-4 may not be tried"),
}  # fmt: skip
"""Why a charge was not made: the rule, and the words for the report."""


@dataclass(frozen=True)
class Ready:
    """A charge that waits for its die."""

    order: say.Charge
    attack: melee.Attack
    attack_cv: c.Value
    defence_cv: c.Value
    odds: str
    column: str
    shift: int
    shift_reasons: tuple[str, ...]


@rule("SP-HID-04", "SP-MEL-10")
def _face_down(play: Play, units: Sequence[str]) -> bool:
    """Whether a face-down stand was to make a charge: if it is not made, the enemy learns nothing of it."""
    return any(play.battle.pieces[one].hidden for one in units)


def _fail(play: Play, side: Role, order: say.Charge, units: Sequence[str], reason: ChargeReason) -> None:
    reached = reason not in ("not_adjacent", "not_facing", "diagonal")
    hidden = _face_down(play, units)
    play.tell(
        c.ChargeFailed(
            rules=cited(REASONS[reason][0], *(("SP-HID-04",) if hidden else ())),
            known=BOTH if reached and units and not hidden else owner_only(side),
            side=side,
            units=tuple(units),
            target=order.square,
            reason=reason,
        )
    )


def _call_off(
    play: Play,
    side: Role,
    order: say.Charge,
    attack: melee.Attack,
    reason: ChargeReason,
    stood: str = "",
    rule_id: str = "SP-MEL-10",
) -> None:
    units = tuple(p.id for p in attack.stands)
    hidden = _face_down(play, units)
    play.tell(
        c.ChargeCalledOff(
            rules=cited(rule_id, *(("SP-HID-04",) if hidden else ())),
            known=owner_only(side) if hidden else in_part(side),
            side=side,
            units=units,
            target=order.square,
            reason=reason,
            odds=stood,
            wanted=order.if_odds,
        )
    )
    play.report(side, order, "not carried out", f"Called off: {REASONS[reason][1]}.", reason=reason)


@rule("SP-MEL-03", "SP-MEL-10", "SP-HID-07", "SP-HID-04", "SP-GEN-02")
def go_in(play: Play, side: Role, order: say.Charge) -> Ready | None:
    """Take a charge as far as it goes without a die: who can go, what lies in the square, what the odds are."""
    target = order.square
    play.tell(*lost(play.field, side, order))
    named = [p.id for p in melee.chargers(play.field, side, order)]
    if target in play.battle.squares_attacked:
        _fail(play, side, order, named, "square_attacked")
        said = f"{target} had been charged before."
        play.report(side, order, "not carried out", said, reason="square_attacked")
        return None
    if not melee.attackable(play.field, target, side):
        _fail(play, side, order, named, "empty")
        play.report(side, order, "not carried out", f"No enemy was left in {target}.", reason="empty")
        return None
    attack = melee.muster(play.field, side, order)
    for reason, units in attack.left_out.items():
        _fail(play, side, order, units, reason)
    if not attack.stands:
        if not attack.left_out:
            _fail(play, side, order, (), "eliminated")
        reason = next(iter(attack.left_out), "eliminated")
        play.report(side, order, "not carried out", f"{cap(REASONS[reason][1])}.", reason=reason)
        return None
    cards = play.field.cards(target, ENEMY[side])
    if cards and order.if_odds and play.battle.options.if_odds_on_cards == "called_off":
        _call_off(play, side, order, attack, "cards", rule_id="SP-MEL-08")
        return None
    if cards and not _turn_cards_up(play, attack, order):
        return None
    blind = bool(cards) and play.battle.options.if_odds_on_cards == "called_off"
    return _weigh(play, attack, order, blind=blind)


@rule("SP-HID-04", "SP-HID-07")
def _turn_cards_up(play: Play, attack: melee.Attack, order: say.Charge) -> bool:
    """Turn the cards of the square up and take dummies off; whether anything is left to fight."""
    side, target = attack.side, attack.target
    down = [p for p in play.field.at(target, ENEMY[side]) if p.hidden]
    dummies = [p for p in down if p.kind == "dummy"]
    real = [p for p in down if p.kind != "dummy"]
    others = [p for p in play.field.visible(target, ENEMY[side]) if not p.hidden]
    alone = not real and not others
    if real:
        play.turn_up(real, "attacked")
    play.drop_dummies(target, dummies, "charged" if alone else "attacked", "SP-HID-07")
    if not alone:
        return True
    _go_in(play, attack, "SP-HID-07")
    play.report(side, order, "done", f"{target} held dummies only; they are off, and nobody resisted.")
    return False


def _declare(play: Play, attack: melee.Attack, *rules: str) -> None:
    play.tell(
        c.ChargeDeclared(
            rules=cited("SP-MEL-01", *rules),
            side=attack.side,
            units=tuple(p.id for p in attack.stands),
            target=attack.target,
            general=attack.general.id if attack.general else "",
            game=GamePatch(squares_attacked=(*play.battle.squares_attacked, attack.target)),
            changes={p.id: Patch(attacked_this_turn=True) for p in attack.stands},
        )
    )


def _spent(play: Play, attack: melee.Attack) -> None:
    """Face-down attackers turn up by charging (only the French have any)."""
    play.turn_up([p for p in attack.stands if p.hidden], "charged")


def _go_in(play: Play, attack: melee.Attack, rule_id: str) -> None:
    """Go into a square where nobody resists."""
    _declare(play, attack, rule_id)
    _spent(play, attack)
    advance(play, attack.stands, attack.generals, (attack.target,), 1, attacker=True, charged_from=attack.squares)
    close_up(play)


@rule("SP-MEL-08")
def _weigh(play: Play, attack: melee.Attack, order: say.Charge, *, blind: bool) -> Ready | None:
    """The odds of a charge, and whether it is made at them.

    Who went in *blind*, at cards, did not know them: he fights at 1-4 even where worse odds may not be tried, for
    cards are turned up for a melee and not for a look.
    """
    side, target = attack.side, attack.target
    field = play.field
    attack_cv = melee.attack_value(attack)
    defence_cv = melee.defence_value(field, target, ENEMY[side], attack.squares)
    if not defence_cv.total:
        _go_in(play, attack, "SP-CAP-06")
        play.report(side, order, "done", f"{target} held nobody who could resist; it was entered.")
        return None
    options = play.battle.options
    reasons = tuple(melee.shifts(field, attack, field.visible(target, ENEMY[side])))
    stood = melee.odds(attack_cv.total, defence_cv.total)
    final, shift = melee.column(attack_cv.total, defence_cv.total, reasons, options)
    if not blind and melee.is_forbidden(attack_cv.total, defence_cv.total, options):
        _call_off(play, side, order, attack, "odds_forbidden", stood, "SP-MEL-08")
        return None
    if order.if_odds and charts.COLUMNS.index(final) < charts.COLUMNS.index(order.if_odds):
        _call_off(play, side, order, attack, "odds", final)
        return None
    _declare(play, attack, *(("SP-MEL-06",) if attack.general else ()))
    _spent(play, attack)
    return Ready(order, attack, attack_cv, defence_cv, stood, final, shift, reasons)


@rule("SP-MEL-09", "SP-CAS-06", "SP-MOR-01")
def fight(play: Play, ready: Ready, throw: Throw) -> None:
    """What the die brings: losses of both sides at once, then the beaten fall back, then the winner advances."""
    attack, side = ready.attack, ready.attack.side
    defenders = play.field.visible(attack.target, ENEMY[side])
    fought = _resolved(play, ready, throw, defenders)
    play.tell(fought)
    counted = {**ready.defence_cv.stands, **ready.defence_cv.crews}
    engaged = [p for p in defenders if counted.get(p.id, 0) > 0 or p.kind == "general"]
    _take_losses(play, attack, fought, engaged, defenders)
    _give_way(play, attack, fought)
    _go_forward(play, attack, fought, engaged)
    close_up(play)
    told = _in_words(ready, fought.die, fought.attacker_result, fought.defender_result)
    play.report(side, ready.order, "done", f"{told}{_alone(ready)}")


def _resolved(play: Play, ready: Ready, throw: Throw, defenders: Sequence[Piece]) -> c.MeleeResolved:
    """The melee as the die decides it."""
    attack, options = ready.attack, play.battle.options
    die = throw.faces[0]
    attacker, defender, errata = melee.result(ready.column, die, options)
    ours, theirs = ready.attack_cv.total, ready.defence_cv.total
    if options.casualty_value == "enemy_total":
        ours, theirs = theirs, ours
    return c.MeleeResolved(
        rules=_rules_of(ready, attacker, defender),
        dice=(throw,),
        side=attack.side,
        attacker_squares=attack.squares,
        defender_square=attack.target,
        attackers=tuple(p.id for p in attack.stands),
        defenders=tuple(p.id for p in defenders),
        attack_cv=ready.attack_cv,
        defence_cv=ready.defence_cv,
        odds=ready.odds,
        column_shift=-ready.shift,
        shift_reason=", ".join(ready.shift_reasons),
        column=ready.column,
        die=die,
        attacker_result=attacker,
        defender_result=defender,
        errata_used=errata,
        attacker_factors=melee.factors(ours, attacker),
        defender_factors=melee.factors(theirs, defender),
    )


def _take_losses(
    play: Play, attack: melee.Attack, fought: c.MeleeResolved, engaged: Sequence[Piece], defenders: Sequence[Piece]
) -> None:
    """What the defenders lose, those *engaged* of them first, and then what the attackers do."""
    ours = [*attack.stands, *attack.generals]
    if fought.defender_result == "X":
        _wipe_out(play, defenders)
        play.capture_in(attack.target, attack.side, "SP-CAS-06")
    else:
        spend(play, fought.defender_factors, engaged, defenders, (attack.target,))
    if fought.attacker_result == "X":
        _wipe_out(play, ours)
    else:
        beside = [p for at in attack.squares for p in play.field.visible(at, attack.side)]
        spend(play, fought.attacker_factors, ours, beside, attack.squares)


def _give_way(play: Play, attack: melee.Attack, fought: c.MeleeResolved) -> None:
    """The beaten fall back, the attackers before the defenders."""
    attacker, defender = melee.moved(fought.attacker_result), melee.moved(fought.defender_result)
    if fought.attacker_result == "X":
        _shake_bystanders(play, attack)
    elif attacker < 0:
        fall_back(play, attack.side, attack.squares, (attack.target,), -attacker)
    if fought.defender_result != "X" and defender < 0:
        fall_back(play, ENEMY[attack.side], (attack.target,), attack.squares, -defender)


def _go_forward(play: Play, attack: melee.Attack, fought: c.MeleeResolved, engaged: Sequence[Piece]) -> None:
    """The one side that may go forward does: the attackers, or those *engaged* of the defenders."""
    attacker, defender = melee.moved(fought.attacker_result), melee.moved(fought.defender_result)
    if attacker > 0 and not defender > 0:
        into, by = (attack.target,), attack.squares
        advance(play, attack.stands, attack.generals, into, attacker, attacker=True, charged_from=by)
    elif defender > 0 and not attacker > 0:
        stands = [p for p in engaged if p.is_ranked]
        generals = [p for p in engaged if p.kind == "general"]
        advance(play, stands, generals, attack.squares, defender, attacker=False, charged_from=(attack.target,))


def _rules_of(ready: Ready, *results: str) -> tuple[RuleId, ...]:
    """Every rule that shaped a melee."""
    ours, theirs = ready.attack_cv, ready.defence_cv
    also = {
        "SP-MEL-06": ours.command or ours.general or theirs.command or theirs.general,
        "SP-FOR-03": len(ready.attack.squares) > 1,
        "SP-MEL-03": len(ready.attack.squares) > 1,
        "SP-FOR-06": any(piece.kind == "cavalry" for piece in ready.attack.stands),
        "SP-CAS-06": "X" in results,
        "SP-MOR-01": any(text.startswith("S") for text in results),
    }
    return cited(
        "SP-MEL-01", "SP-MEL-02", "SP-MEL-05", "SP-MEL-07", "SP-MEL-08", "SP-MEL-09", "SP-CAS-04", "SP-FOR-02",
        "SP-GEN-04", *(name for name, holds in also.items() if holds),
    )  # fmt: skip


def _wipe_out(play: Play, pieces: Sequence[Piece]) -> None:
    """Everything there is removed; guns and limbers are taken, guns for use if they can be (SP-CAS-06)."""
    for piece in pieces:
        if piece.is_gun and play.battle.options.captured_guns_usable:
            continue
        play.remove(play.piece(piece.id), "captured" if piece.is_equipment else "wiped_out", "SP-CAS-06")


@rule("SP-CAS-06")
def _shake_bystanders(play: Play, attack: melee.Attack) -> None:
    """What those do who stood in the attacking squares and took no part (`x_bystanders`)."""
    squares = {"rout_3": 3, "retreat_1": 1, "stand": 0}[play.battle.options.x_bystanders]
    left = tuple(at for at in attack.squares if play.field.visible(at, attack.side))
    if squares and left:
        fall_back(play, attack.side, left, (attack.target,), squares)


@rule("SP-MEL-06")
def _alone(ready: Ready) -> str:
    """That the general did not go along whom the charge names: he fell, or nobody of his square went."""
    general = ready.order.general
    return f"  {general} did not go along." if general and ready.attack.general is None else ""


def _in_words(ready: Ready, die: int, attacker: str, defender: str) -> str:
    """The charge in a sentence, for the side that made it."""
    beaten_off = attacker == "X" or melee.moved(attacker) < 0
    cleared = defender == "X" or melee.moved(defender) < 0
    if beaten_off and cleared:
        outcome = "Both sides gave way"
    elif beaten_off:
        outcome = "The charge was beaten off"
    elif cleared:
        outcome = f"{ready.attack.target} was cleared"
    else:
        outcome = "Nobody gave way"
    return f"{outcome}: {ready.column}, die {die}, {attacker} for you, {defender} for the enemy."
