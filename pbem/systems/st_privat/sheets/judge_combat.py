"""Fire, charges and standing reactions on receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.square import OPPOSITE, Square, direction, distance, is_diagonal
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Complaint, Judgement
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.sight import in_arc
from pbem.systems.st_privat.fire import artillery, rifle
from pbem.systems.st_privat.fire.aims import rules_of_reason
from pbem.systems.st_privat.melee.melee import attackable
from pbem.systems.st_privat.play.pauses import SETUP, moves_now
from pbem.systems.st_privat.scene.words import DIRECTIONS, names, side_name
from pbem.systems.st_privat.sheets.roster import Claim, Roster, superseded
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.fact import FireReason
from pbem.systems.st_privat.world.language import Draft
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, SIDES

WEAPON = {"french": "the Chassepot", "prussian": "the needle gun"}


def judge(roster: Roster, sheet: Sequence[Draft], moves: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """The orders of fire and melee and the reactions that stand, and what is said of all.

    *moves* are the movement orders of the same sheet that stand.
    """
    complaints: list[Complaint] = []
    passed: list[Draft] = []
    unplaced = roster.field.battle.phase in SETUP
    for draft in sheet:
        wrong = roster.wrong_units(draft, say.units_of(draft.order), in_box=unplaced) or _wrong(roster, draft, moves)
        if wrong is not None:
            complaints.append(wrong)
        else:
            passed.append(draft)
    passed, again = _one_charge_a_square(passed)
    complaints += again
    claims = [Claim(draft, _claims(roster, draft.order)) for draft in passed]
    stand, said = superseded(claims)
    drafts = [claim.draft for claim in stand]
    drafts, orphans = _after_others(drafts)
    doubts = [doubt for draft in drafts for doubt in _doubts(roster, draft, [*moves, *drafts])]
    return drafts, complaints + orphans + said + doubts


def _claims(roster: Roster, order: say.AnyOrder) -> tuple[str, ...]:
    """What an order commits, so that a later line can commit it otherwise; most commit nothing."""
    match order:
        case say.Fire() | say.HoldFire() if order.units != ("all",):
            return tuple(f"{name} fires" for name in roster.meant(order))
        case say.Shoot():
            return (f"{order.gun} fires",)
        case say.Charge():
            return tuple(f"{name} charges" for name in roster.meant(order))
        case say.Initiative():
            return ("initiative",)
    return (f"line {order.line}",)


def _wrong(roster: Roster, draft: Draft, moves: Sequence[Draft]) -> Complaint | None:
    """Why a line cannot be carried out, by what its writer knows; of most there is nothing to say before they are."""
    match draft.order:
        case say.Fire() as order:
            return _wrong_fire(roster, draft, order)
        case say.Shoot() as order:
            return _wrong_shot(roster, draft, order, moves)
        case say.Charge() as order:
            return _wrong_charge(roster, draft, order)
        case say.Reveal() as order:
            return _wrong_reveal(roster, draft, order)
        case say.Retreat(toward=toward) if "off" in toward and roster.side != FRENCH:
            return draft.refused(Wrong("only the French leave the board", "SP-MOV-10"))
    return None


# ------------------------------------------------------------------ fire


@rule("SP-RIF-01", "SP-RIF-02")
def _wrong_fire(roster: Roster, draft: Draft, order: say.Fire) -> Complaint | None:
    shooters = roster.meant(order)
    for index, unit in enumerate(order.units):
        if not unit.startswith("@") and roster.piece(unit).kind != "infantry":
            gun = roster.piece(unit).is_gun
            instead = f"shoot {unit} ... at {order.square}" if gun else ""
            return draft.refused(
                Wrong(f"{unit} is no infantry and has no rifles", "SP-RIF-01", instead), f"units.{index}"
            )
    reach = max(away for away in (1, 2, 3) if rifle.hit_max(roster.side, away))
    for name in shooters:
        at, _ = roster.where(name)
        if at is not None and distance(at, order.square) > reach:
            far = distance(at, order.square)
            why = f"{order.square} is {far} squares from {name} at {at}; {WEAPON[roster.side]} reaches {reach}"
            return draft.refused(Wrong(why, "SP-RIF-02"), "square")
    return None


@rule("SP-ART-01", "SP-ART-02", "SP-ART-03", "SP-SGE-05")
def _wrong_shot(roster: Roster, draft: Draft, order: say.Shoot, moves: Sequence[Draft]) -> Complaint | None:
    gun = roster.piece(order.gun)
    if not gun.is_gun:
        return draft.refused(Wrong(f"{gun.id} is no gun", "SP-ART-02"), "units")
    loads = artillery.CARRIED[gun.kind]
    if order.ammunition not in loads:
        has = " or ".join(loads)
        return draft.refused(Wrong(f"{gun.id} fires {has}, not {order.ammunition}", "SP-ART-02"), "ammunition")
    at, _ = roster.where(gun.id)
    away = distance(at, order.square) if at is not None else 0
    maker = artillery.made_by(gun)
    if not artillery.hit_max(maker, order.ammunition, away):
        reach = [one for one in range(1, 19) if artillery.hit_max(maker, order.ammunition, one)]
        why = f"{order.square} is {away} from {gun.id} at {at}; {order.ammunition} reaches {reach[0]} to {reach[-1]}"
        return draft.refused(Wrong(why, "SP-ART-01"), "square")
    turned = gun.turned_this_turn or any(
        isinstance(move.order, say.Turn) and gun.id in move.order.units for move in moves
    )
    if order.turn and gun.facing and (OPPOSITE[gun.facing] == order.turn or (turned and order.turn != gun.facing)):
        why = f"{gun.id} may turn 90 degrees and fire; from {gun.facing} to {order.turn} is a move"
        return draft.refused(Wrong(why, "SP-ART-03"), "turn_first")
    if order.equipment:
        return _wrong_equipment(roster, draft, order)
    return None


@rule("SP-DMG-02")
def _wrong_equipment(roster: Roster, draft: Draft, order: say.Shoot) -> Complaint | None:
    thing = roster.field.battle.pieces.get(order.equipment)
    if order.equipment not in roster.sides:
        return draft.complaint(
            Judgement.NOT_UNDERSTOOD, Wrong(f'there is no piece "{order.equipment}"', "SP-GEN-02"), "equipment"
        )
    if thing is None or thing.side == roster.side or not thing.is_equipment:
        why = f"{order.equipment} is no gun or limber of the enemy that you can see"
        return draft.refused(Wrong(why, "SP-DMG-02"), "equipment")
    return None


@rule("SP-HID-04")
def _wrong_reveal(roster: Roster, draft: Draft, order: say.Reveal) -> Complaint | None:
    pieces = [roster.piece(name) for name in roster.meant(order)]
    if any(piece.is_troops_face_down for piece in pieces):
        return None
    why = f"{names(piece.id for piece in pieces)}: only troops that lie face down are turned up"
    return draft.refused(Wrong(why, "SP-HID-04"), "units")


# ------------------------------------------------------------------ charges


@rule("SP-MEL-01", "SP-TRN-02")
def first_mover_charges(roster: Roster, draft: Draft) -> Complaint | None:
    """The refusal of a charge by the side that moves first."""
    battle = roster.field.battle
    if not isinstance(draft.order, say.Charge) or battle.first_mover != roster.side:
        return None
    why = f"{side_name(roster.side)} move first in turn {battle.turn}; only the side that moves second charges"
    return draft.refused(Wrong(why, "SP-TRN-02" if battle.turn == 1 else "SP-MEL-01"))


@rule("SP-MEL-01", "SP-MEL-03", "SP-MEL-06")
def _wrong_charge(roster: Roster, draft: Draft, order: say.Charge) -> Complaint | None:
    for index, unit in enumerate(order.units):
        if not unit.startswith("@") and not roster.piece(unit).is_ranked:
            why = f"only infantry and cavalry charge, and {unit} is {_a(roster.piece(unit).kind)}"
            instead = f"charge ... at {order.square} with {unit}" if roster.piece(unit).kind == "general" else ""
            return draft.refused(Wrong(why, "SP-MEL-01", instead), f"units.{index}")
    cards = roster.field.cards(order.square, ENEMY[roster.side])
    if order.if_odds and cards and roster.field.options.if_odds_on_cards == "called_off":
        why = f"{order.square} shows cards, and against cards nobody knows the odds"
        instead = draft.order.text.replace(f"if odds {order.if_odds}", "").strip()
        return draft.refused(Wrong(why, "SP-MEL-10", " ".join(instead.split())), "odds")
    if order.general:
        return _wrong_general(roster, draft, order)
    return None


def _a(kind: str) -> str:
    word = kind.replace("_", " ")
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _wrong_general(roster: Roster, draft: Draft, order: say.Charge) -> Complaint | None:
    if wrong := roster.wrong_id(order.general):
        return draft.complaint(wrong[0], wrong[1], "general")
    if roster.piece(order.general).kind != "general":
        return draft.refused(Wrong(f"{order.general} is no general", "SP-MEL-06"), "general")
    at, _ = roster.where(order.general)
    squares = {roster.where(name)[0] for name in roster.meant(order)}
    if at not in squares:
        why = f"{order.general} is at {at}; a general joins from a square that attacks"
        return draft.refused(Wrong(why, "SP-MEL-06"), "general")
    return None


@rule("SP-MEL-03")
def _one_charge_a_square(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """A square is attacked once: of two charges on it the second is refused."""
    stand: list[Draft] = []
    complaints: list[Complaint] = []
    taken: dict[str, int] = {}
    for draft in drafts:
        order = draft.order
        if isinstance(order, say.Charge) and order.square in taken:
            why = f"line {taken[order.square]} charges {order.square}; all who attack a square go in one order"
            complaints.append(draft.refused(Wrong(why, "SP-MEL-03"), "square"))
            continue
        if isinstance(order, say.Charge):
            taken[order.square] = order.line
        stand.append(draft)
    return stand, complaints


@rule("SP-MEL-10", "SP-MEL-03")
def _after_others(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """A charge `after` another needs that other, and may not wait for itself."""
    stand = list(drafts)
    complaints: list[Complaint] = []
    while True:
        led = {
            draft.order.square for draft in stand if isinstance(draft.order, say.Charge) and draft.order.after is None
        }
        grown = True
        while grown:
            more = {d.order.square for d in stand if isinstance(d.order, say.Charge) and d.order.after in led} - led
            led, grown = led | more, bool(more)
        lost = [draft for draft in stand if isinstance(draft.order, say.Charge) and draft.order.square not in led]
        if not lost:
            return stand, complaints
        for draft in lost:
            assert isinstance(draft.order, say.Charge)
            why = f"there is no charge on {draft.order.after} that could go before"
            complaints.append(draft.refused(Wrong(why, "SP-MEL-03"), "after"))
        stand = [draft for draft in stand if draft not in lost]


# ------------------------------------------------------------------ doubts


def _doubts(roster: Roster, draft: Draft, sheet: Sequence[Draft]) -> list[Complaint]:
    """What looks unwise, from what the writer knows."""
    match draft.order:
        case say.Charge() as order:
            found = _doubtful_charge(roster, order)
        case say.Fire() as order:
            found = _held(order, sheet) or _doubtful_fire(roster, order)
        case say.Shoot() as order:
            found = _held(order, sheet) or _doubtful_shot(roster, order, sheet)
        # What stands in force, and what is shown, is never unwise.
        case _:
            return []
    return [draft.complaint(Judgement.DOUBTFUL, found)] if found else []


@rule("SP-RIF-07", "SP-ART-09")
def _held(order: say.Fire | say.Shoot, sheet: Sequence[Draft]) -> Wrong | None:
    """A later line that holds all fire holds this one too."""
    for draft in sheet:
        later = draft.order
        if isinstance(later, say.HoldFire) and later.units == ("all",) and later.line > order.line:
            rule_id = "SP-RIF-07" if isinstance(order, say.Fire) else "SP-ART-09"
            return Wrong(f"line {later.line} holds all fire, and comes after this one", rule_id)
    return None


@rule("SP-RIF-06", "SP-MEL-10")
def _is_bare(roster: Roster, at: Square) -> bool:
    """Whether a square shows no enemy, and none can come into it before it is fired at or charged."""
    return not (moves_now(roster.field.battle, ENEMY[roster.side]) or attackable(roster.field, at, roster.side))


@rule("SP-LOS-05", "SP-RIF-06")
def _doubtful_fire(roster: Roster, order: say.Fire) -> Wrong | None:
    """Stands that do not look at their target, or a target that shows nobody."""
    options, averse = roster.field.options, []
    for name in roster.meant(order):
        (at, _), facing = roster.where(name), roster.facing(name)
        if at is not None and facing is not None and not in_arc(options, at, facing, order.square):
            averse.append(name)
    if averse:
        return Wrong(f"{order.square} does not lie in front of {names(averse)}", "SP-LOS-05")
    if _is_bare(roster, order.square):
        return Wrong(f"no enemy is to be seen in {order.square}", "SP-RIF-06")
    return None


@rule("SP-MEL-02", "SP-MEL-10")
def _doubtful_charge(roster: Roster, order: say.Charge) -> Wrong | None:
    """Stands that are not straight before the square or do not look at it, or a square that shows nobody."""
    for name in roster.meant(order):
        (at, _), facing = roster.where(name), roster.facing(name)
        if at is None:
            continue
        if distance(at, order.square) != 1 or is_diagonal(at, order.square):
            return Wrong(f"{name} at {at} does not stand straight in front of {order.square}", "SP-MEL-02")
        if facing is not None and facing != direction(at, order.square):
            return Wrong(f"{name} at {at} looks {DIRECTIONS[facing]}, not at {order.square}", "SP-MEL-02")
    if _is_bare(roster, order.square):
        return Wrong(f"no enemy is to be seen in {order.square}", "SP-MEL-10")
    return None


WAITING: tuple[FireReason, ...] = ("line_of_sight", "not_spotted", "no_enemy", "nothing_there", "own_troops")
"""What a move that is still to come may mend."""

SHOTS: Mapping[FireReason, str] = {
    "arc": "{at} does not lie in front of {it}",
    "line_of_sight": "{it} does not see into {at}",
    "not_spotted": "nobody of yours sees {at}",
    "no_enemy": "no enemy is to be seen in {at}",
    "nothing_there": "nothing of that kind is to be seen in {at}",
    "moved": "{it} moves this turn, and a gun that moved does not fire",
    "unlimbered": "{it} comes off its limber this turn, and does not fire before the next",
    "limbered": "{it} is on its limber",
    "no_crew": "{it} has no gunners beside it",
    "own_troops": "own troops stand in the nine squares round {at}; without the word danger the order is not executed",
    "hidden": "{it} is hidden and does not fire before it is brought on",
}
"""Why a shot may not be fired, for the receipt."""


@rule("SP-ART-02", "SP-ART-03", "SP-SGE-01", "SP-LOS-05")
def _doubtful_shot(roster: Roster, order: say.Shoot, sheet: Sequence[Draft]) -> Wrong | None:
    """Why a gun will not fire as ordered, by what its writer knows and what his sheet does with it.

    What can still be mended by moves of this exchange is left out.
    """
    field, battle = roster.field, roster.field.battle
    gun = roster.piece(order.gun)
    if gun.square is None:
        return None
    placed = gun.on_table or "siege" in roster.revealing
    facing = roster.facing(gun.id)
    as_it_will_be = replace(
        gun,
        on_table=placed,
        facing=facing or gun.facing,
        moved_this_turn=gun.moved_this_turn or gun.id in roster.going,
        unlimbered_this_turn=gun.unlimbered_this_turn or _is_unlimbered(gun.id, sheet),
    )
    reason = artillery.doubt(field, as_it_will_be, order)
    still_to_come = any(moves_now(battle, side) for side in SIDES)
    if reason is None or reason not in SHOTS or (reason in WAITING and still_to_come):
        bare = order.aim == "troops" and _is_bare(roster, order.square)
        return Wrong(SHOTS["no_enemy"].format(at=order.square, it=gun.id), "SP-RIF-06") if bare else None
    instead = {"hidden": "siege reveal", "own_troops": f"{order.text} danger"}.get(reason, "")
    return Wrong(
        SHOTS[reason].format(at=order.square, it=gun.id), rules_of_reason(reason, order.ammunition)[0], instead
    )


def _is_unlimbered(gun: str, sheet: Sequence[Draft]) -> bool:
    """Whether a sheet takes a gun off its limber."""
    orders = [draft.order for draft in sheet]
    return any(
        (isinstance(order, say.Unlimber) and order.gun == gun)
        or (isinstance(order, say.Move) and order.unlimber is not None and gun in order.units)
        for order in orders
    )
