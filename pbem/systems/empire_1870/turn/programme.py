"""The Action Phase: initiative, programmes, passes, and where a pulse ends (WE-SEQ)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import may_act, on_map
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.play.picking import pick, unspent
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.victory import Points, check_ends, score
from pbem.systems.empire_1870.scene.reasons import because
from pbem.systems.empire_1870.tables.charts import CASUALTIES_PER_VP, MAJOR_BATTLE_SP
from pbem.systems.empire_1870.turn.activation import Chain, plan_of, run
from pbem.systems.empire_1870.turn.conditions import Plan, holds
from pbem.systems.empire_1870.world import outcomes as o
from pbem.systems.empire_1870.world.fact import both, in_part, owner_only
from pbem.systems.empire_1870.world.orders import Act, AnyOrder, Div, Drop, Insert, Pass
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, SIDES, Entry
from pbem.systems.empire_1870.world.patches import GamePatch
from pbem.systems.empire_1870.world.state import remaining

# ------------------------------------------------------------------ programmes


@rule("WE-SEQ-04")
def _numbered(orders: Sequence[Act | Div | Pass], sheet: int) -> tuple[Entry, ...]:
    return tuple(Entry(number, order, sheet=sheet) for number, order in enumerate(orders, start=1))


def edited(queue: Sequence[Entry], edits: Sequence[Drop | Insert], sheet: int) -> tuple[Entry, ...]:
    """A queue with `DROP` and `INSERT` carried out; both count the entries as they stood when the sheet was read."""
    last = max((one.number for one in queue), default=0)
    dropped = {edit.number for edit in edits if isinstance(edit, Drop)}
    found: list[Entry] = []
    for place in range(1, len(queue) + 2):
        for edit in edits:
            # What is put before an entry past the last stands at the end.
            if isinstance(edit, Insert) and min(edit.number, len(queue) + 1) == place:
                last += 1
                found.append(Entry(last, edit.entry, sheet=sheet))
        if place <= len(queue) and place not in dropped:
            found.append(queue[place - 1])
    return tuple(found)


@rule("WE-SEQ-04", "WE-SEQ-01")
def take_programmes(play: Play, side: Role, orders: Sequence[AnyOrder]) -> None:
    """Put a side's programme into force: a new one, an edited one, or at the first exchange of a turn none."""
    war = play.war
    if war.phase not in ("administration", "action"):
        return
    queue = war.programme.get(side, ())
    new = [order for order in orders if isinstance(order, Act | Div | Pass)]
    edits = [order for order in orders if isinstance(order, Drop | Insert)]
    if edits and not new:
        after = edited(remaining(war, side), edits, max(1, war.pulse))
        for edit in edits:
            play.answer(side, edit, "done")
    elif new or war.phase == "administration":
        after = _numbered(new, max(1, war.pulse))
    else:
        after = queue
    if war.phase == "action":
        kept = {entry.number for entry in after if entry in queue}
        _not_run(play, side, [entry for entry in queue if entry.number not in kept], "replaced")
    if after != queue:
        play.happens(
            o.ProgrammeSet, **owner_only(side, "WE-SEQ-04"), entries=len(after), game=GamePatch(programme={side: after})
        )


# ------------------------------------------------------------------ one entry


@rule("WE-SEQ-04")
def _impossible(play: Play, side: Role, order: Act | Div) -> str:
    """Why an entry's root cannot act, as a code of the ledger; empty: it can (WE-SEQ-04)."""
    if isinstance(order, Act):
        hq = play.hq(order.hq)
        if not on_map(hq) or hq.hex is None:
            return "hq_not_on_map"
        return "already_activated" if hq.spent else "" if order.lines else "nothing_to_do"
    stack = play.stack(side, order.hex)
    if not stack:
        return "no_sp_there"
    return "" if unspent(stack) else "already_activated"


@rule("WE-SEQ-04")
def _condition(play: Play, side: Role, order: Act | Div) -> bool:
    if isinstance(order, Act):
        plan = plan_of(play, side, order)
    else:
        stack = pick(unspent(play.stack(side, order.hex)), order.amount, command_limit(side, None))
        plan = Plan(action=order.action, shares={order.hex: stack})
    return holds(play.knowledge(side), side, order.provided, plan)


def _drop(play: Play, side: Role, entry: Entry, reason: str, *, wait: bool = False) -> None:
    """An entry that is not run: dropped, or kept to be tried again."""
    queue = play.war.programme.get(side, ())
    kept = replace(entry, waiting=True)
    after = tuple(kept if one == entry else one for one in queue) if wait else _less(queue, entry)
    if wait and entry.waiting:
        return
    play.happens(
        o.EntrySkipped,
        **owner_only(side, "WE-SEQ-04", *because(reason)),
        entry=entry.number,
        line=entry.order.line,
        text=entry.order.text,
        reason=reason,
        tried_again=wait,
        game=GamePatch(programme={side: after}),
    )
    play.answer(side, entry.order, "standing" if wait else "not carried out", reason, sheet=entry.sheet)


def _less(queue: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    return tuple(one for one in queue if one.number != entry.number)


@rule("WE-SEQ-03", "WE-SEQ-04")
def take(play: Play, side: Role, *, won: bool) -> Chain | Literal["entry", "empty"]:
    """Let a side take its activation: the first entry that can run, or a pass (by its entry, or for want of one)."""
    # Those that wait come first, each in its order.
    for entry in sorted(play.war.programme.get(side, ()), key=lambda one: not one.waiting):
        order = entry.order
        if isinstance(order, Pass):
            _pass(play, side, won=won, entry=entry)
            return "entry"
        if why := _impossible(play, side, order):
            _drop(play, side, entry, why)
        elif _condition(play, side, order) or (
            isinstance(order, Div) and not isinstance(order.provided.otherwise, str)
        ):
            return _activate(play, side, entry, order, won=won)
        else:
            _drop(play, side, entry, "condition_false", wait=order.provided.otherwise == "wait")
    _pass(play, side, won=won)
    return "empty"


def _pass(play: Play, side: Role, *, won: bool, entry: Entry | None = None) -> None:
    queue = play.war.programme.get(side, ())
    game = GamePatch(passed=side, passed_by_entry=entry is not None)
    if entry is not None:
        game = replace(game, programme={side: _less(queue, entry)})
    play.happens(
        o.ActivationTaken,
        **in_part(side, "WE-SEQ-03"),
        entry=entry.number if entry else 0,
        initiative_won=won,
        passed=True,
        by_entry=entry is not None,
        private=("entry", "root", "by_entry"),
        game=game,
    )
    if entry is not None:
        play.answer(side, entry.order, "done", sheet=entry.sheet)


def _activate(play: Play, side: Role, entry: Entry, order: Act | Div, *, won: bool) -> Chain:
    war = play.war
    play.fire_losses = 0
    play.happens(
        o.ActivationTaken,
        **in_part(side, "WE-SEQ-04"),
        entry=entry.number,
        root=order.hq if isinstance(order, Act) else order.hex,
        initiative_won=won,
        private=("entry", "root", "by_entry"),
        activation_no=war.activation_no + 1,
        game=GamePatch(
            activation_no=war.activation_no + 1,
            activations_of_pulse=war.activations_of_pulse + 1,
            turn_of=ENEMY[side],
            passed=None,
            passed_by_entry=False,
            programme={side: _less(war.programme.get(side, ()), entry)},
        ),
    )
    chain = run(play, side, entry, order)
    if play.war.options.vp_cft_losses and play.fire_losses:
        points = play.fire_losses // CASUALTIES_PER_VP[GERMAN]
        score(play, Points("chassepot fire", points, ("WE-OCF-03", "WE-VIC-03")))
    return chain


# ------------------------------------------------------------------ initiative and pulses


@rule("WE-SEQ-02", "WE-SET-02", "WE-SET-03")
def initiative(play: Play) -> Role:
    """Who may activate next: a die each, the higher wins, a tie is German."""
    war = play.war
    first = play.scene.game.first_activation
    if war.options.setup == "historic" and first != "rolled" and (war.turn, war.activation_no) == (1, 0):
        winner = FRENCH if first == "french" else GERMAN
        play.happens(o.InitiativeRolled, **both(None, "WE-SET-02"), winner=winner, rolled=False)
        return winner
    if war.options.initiative_mode == "alternate" and war.turn_of is not None:
        play.happens(o.InitiativeRolled, **both(None, "WE-SEQ-02"), winner=war.turn_of, rolled=False)
        return war.turn_of
    french, german = (play.throw(f"initiative_{side}", "next") for side in (FRENCH, GERMAN))
    winner = FRENCH if french.faces[0] > german.faces[0] else GERMAN
    play.happens(
        o.InitiativeRolled,
        **both(None, "WE-SEQ-02"),
        dice=(french, german),
        die_french=french.faces[0],
        die_german=german.faces[0],
        winner=winner,
    )
    return winner


@rule("WE-SEQ-03")
def all_spent(play: Play) -> bool:
    """Whether nothing is left to activate on the map."""
    stacks = (stack for table in play.war.stacks.values() for stack in table.values())
    return not any(map(unspent, stacks)) and not any(map(may_act, play.war.hqs.values()))


@rule("WE-SEQ-03")
def play_pulse(play: Play) -> None:
    """Play activations until the pulse, or the Action Phase, is at its end."""
    while not play.war.ended:
        if all_spent(play):
            _end_phase(play, "all_spent")
            return
        winner = initiative(play)
        passes: list[str] = []
        for side in (winner, ENEMY[winner]):
            done = take(play, side, won=side == winner)
            play.look()
            if isinstance(done, Chain):
                check_ends(play)
                if _pulse_ends(play, done):
                    return
                break
            passes.append(done)
        if len(passes) == len(SIDES):
            _both_passed(play, explicit=set(passes) == {"entry"})
            return


@rule("WE-SEQ-03")
def _pulse_ends(play: Play, chain: Chain) -> bool:
    """End a pulse that is not the last after so many activations, or after a battle, if the options say so."""
    war = play.war
    if war.ended is not None:
        _leave_unrun(play)
        return True
    if war.pulse >= war.options.pulses:
        return False
    if war.options.pause_on_battle and chain.battle_sp >= MAJOR_BATTLE_SP:
        _end_pulse(play, "battle")
        return True
    if war.activations_of_pulse >= war.options.pulse_length:
        _end_pulse(play, "activations")
        return True
    return False


@rule("WE-SEQ-03")
def _both_passed(play: Play, *, explicit: bool) -> None:
    """Two passes in succession end the phase; in a pulse that is not the last only two `PASS` entries do."""
    if explicit or play.war.pulse >= play.war.options.pulses:
        _end_phase(play, "both_passed")
    else:
        _end_pulse(play, "both_passed")


def _end_pulse(play: Play, reason: Literal["activations", "both_passed", "battle", "all_spent"]) -> None:
    play.happens(
        o.PulseEnded,
        **both(None, "WE-SEQ-03"),
        reason=reason,
        game=GamePatch(pulse=max(1, play.war.pulse) + 1, activations_of_pulse=0, passed=None),
    )


@rule("WE-SEQ-04")
def _leave_unrun(play: Play) -> None:
    """What is left of the programmes when the Action Phase is over is not carried out, and its writer is told."""
    for side in SIDES:
        _not_run(play, side, play.war.programme.get(side, ()), "phase_over")


def _not_run(play: Play, side: Role, entries: Sequence[Entry], reason: str) -> None:
    """Tell a side of entries that never came to run, and why."""
    for entry in entries:
        rules = ("WE-SEQ-04", *because(reason))
        play.answer(side, entry.order, "not carried out", reason, *rules, sheet=entry.sheet)


def _end_phase(play: Play, reason: Literal["both_passed", "all_spent"]) -> None:
    _leave_unrun(play)
    play.happens(
        o.ActionPhaseEnded, **both(None, "WE-SEQ-03"), reason=reason, game=GamePatch(phase="siege", passed=None)
    )
