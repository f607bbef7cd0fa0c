"""The GM's language: directives become facts.  The same words serve rulings, scenarios and conformance cases.

place SIDE SP at HEX [disrupted|demoralized] [spent] [inside] [entrained]      SP: 8SP, or 2G+1D+1M
place HQ[+HQ] at HEX [spent]
SETUP HQ AT HEX, SIDE: SETUP nSP AT HEX       any set-up order, at any time and place
set HQ ATTRIBUTE VALUE          an attribute of an HQ
set SIDE HEX ATTRIBUTE VALUE    status, spent, inside, entrained of all SP that a side has in a hex
set HEX ATTRIBUTE VALUE         controller; destroyed, besieged of a fortress
set SIDE resource_points N
set ATTRIBUTE VALUE             turn, pulse, phase, vp, activation_no, activations_of_pulse, rail_sp_used, turn_of
remove HQ wounded|pool|out
remove SIDE [SP at] HEX
option NAME VALUE
SIDE: ORDER [; ORDER …]         standing orders, and entries for its programme; INSERT n puts the next before entry n
end french|german|draw [major|minor]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, cast

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from pbem.ground.hexes import Hex, parse_hex
from pbem.kernel.names import Aspect, Role
from pbem.orders.names import name_key
from pbem.orders.sheet import Line, Reading
from pbem.rules.contract import World
from pbem.rules.directives import BadDirective, carried_out, number_of, options_with, patched, plain, read_as, side_of
from pbem.systems.empire_1870.march.garrison import settle_garrison
from pbem.systems.empire_1870.play.picking import fresh, pick
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import set_standing
from pbem.systems.empire_1870.play.victory import change_control, stays_with_garrison, win
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets.reading import read
from pbem.systems.empire_1870.tables.headquarters import ALIASES
from pbem.systems.empire_1870.turn.programme import edited
from pbem.systems.empire_1870.turn.setup import break_seals
from pbem.systems.empire_1870.world import orders as say
from pbem.systems.empire_1870.world.fact import Fact, both, owner_only
from pbem.systems.empire_1870.world.options import parse_options
from pbem.systems.empire_1870.world.outcomes import GmRuling, ProgrammeSet
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, SIDES, Ended, Entry, Fortress, Hq, Mark
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch, faced
from pbem.systems.empire_1870.world.stacks import STATUSES, Group, Stack, Status, count, together, without
from pbem.systems.empire_1870.world.state import War

FORMS = {
    "place": "place german 8SP at 2405",
    "setup": "SETUP G8 AT 2405",
    "set": "set G8 face replacement",
    "remove": "remove G8 wounded",
    "option": "option mitrailleuse true",
    "french:": "french: REACT CHASSEPOT NEVER",
    "german:": "german: DIV 2605 3SP MARCH 2705",
    "end": "end french minor",
}
"""Each directive by an example."""

AT_START = ("setup", "free_vp", "french_cavalry_hqs")
"""Options that shape the empty map, and so can be chosen with the campaign alone."""


@dataclass(slots=True)
class _Ruling:
    """A directive being carried out: the play that it changes, its text, and the roles that the GM marked."""

    play: Play
    text: str
    marks: Mapping[Role, Aspect]

    def rule(
        self,
        side: Role | None = None,
        *,
        stacks: dict[Hex, Stack] | None = None,
        hqs: dict[str, HqPatch] | None = None,
        game: GamePatch | None = None,
        removes: tuple[str, ...] = (),
    ) -> None:
        """Record a ruling: a public one, or one side's own affair, of which the enemy learns what he can see of it."""
        head = both(None) if side is None else owner_only(side)
        head["known"] |= self.marks
        toll = sum(self.play.field.sp(side, at) - count(stack) for at, stack in (stacks or {}).items()) if side else 0
        self.play.happens(
            GmRuling,
            **head,
            private=("text", "removes") if side else (),
            text=self.text,
            removes=removes,
            stacks={side: stacks} if side and stacks else {},
            toll={side: toll} if side and toll else {},
            hqs=hqs or {},
            game=game,
        )


def direct(scene: Scene, world: World[War, War], lines: Sequence[Line], known: Mapping[Role, Aspect]) -> Reading[Fact]:
    """Directives into facts, known to whom they concern and to the roles that *known* marks."""
    play = Play.ruled(scene, world)

    def carry_out(verb: Callable[[_Ruling, Sequence[str]], None], text: str, words: Sequence[str]) -> None:
        verb(_Ruling(play, text, known), words)
        play.look()

    complaints = carried_out(lines, VERBS, FORMS, carry_out)
    return Reading(tuple(play.facts), complaints)


# ------------------------------------------------------------------ place

_FLAGS = ("disrupted", "demoralized", "spent", "inside", "entrained")


def _place(ruling: _Ruling, words: Sequence[str]) -> None:
    at_word = next((n for n, word in enumerate(words) if word.lower() == "at"), 0)
    if not at_word or len(words) < at_word + 2:
        raise BadDirective("it reads: place SIDE SP at HEX [disrupted|demoralized] [spent] [inside] [entrained]")
    at = _hex(ruling.play, words[at_word + 1])
    flags = [word.lower() for word in words[at_word + 2 :]]
    if strange := [flag for flag in flags if flag not in _FLAGS]:
        raise BadDirective(f'"{strange[0]}" is none of {", ".join(_FLAGS)}')
    if at_word == 2:
        _place_sp(ruling, side_of(words[0], SIDES), _amount(words[1]), at, flags)
    elif at_word == 1:
        _place_hqs(ruling, [_hq(ruling.play, name) for name in words[0].split("+")], at, spent="spent" in flags)
    else:
        raise BadDirective("before `at` stand a side and SP, or HQs")


def _place_sp(ruling: _Ruling, side: Role, amount: say.Amount, at: Hex, flags: Sequence[str]) -> None:
    play, enemy = ruling.play, ENEMY[side]
    inside = "inside" in flags
    if inside and not play.field.sr(at):
        raise BadDirective(f"there is no fortress at {at} to be inside of")
    theirs = play.stack(enemy, at)
    if theirs and not inside and not all(one.inside for one in theirs):
        raise BadDirective(f"the enemy stands at {at}; only a garrison `inside` a fortress shares its hex with him")
    if not theirs and (lone := play.field.hqs(enemy, at)):
        raise BadDirective(f"{' and '.join(hq.id for hq in lone)} of the enemy stand at {at}: move or remove HQs first")
    worst: Status = next((one for one in STATUSES if one in flags), "good")
    new = fresh(amount, worst, spent="spent" in flags, entrained="entrained" in flags, inside=inside)
    ruling.rule(side, stacks={at: together(play.stack(side, at), new)})
    if play.field.controller(at) != side and not stays_with_garrison(play.field, side, at):
        change_control(play, side, at, "ruling")


def _place_hqs(ruling: _Ruling, hqs: Sequence[Hq], at: Hex, *, spent: bool) -> None:
    side = hqs[0].side
    if any(hq.side != side for hq in hqs):
        raise BadDirective("one directive places HQs of one side")
    if any(not one.inside for one in ruling.play.stack(ENEMY[side], at)):
        raise BadDirective(f"the enemy stands at {at}")
    patch = HqPatch(state="map", hex=at, return_turn=0, spent=spent)
    ruling.rule(side, hqs={hq.id: patch for hq in hqs})


def _setup(ruling: _Ruling, words: Sequence[str]) -> None:
    found = re.fullmatch(r"(\S+)(?: of (\S+))? at (\S+)", " ".join(words).lower())
    if not found:
        raise BadDirective("it reads: SETUP HQ AT HEX, or: SETUP nSP OF HQ AT HEX")
    what, whose, at = found.groups()
    if not re.fullmatch(r"\d+sp", what):
        _place_hqs(ruling, [_hq(ruling.play, what)], _hex(ruling.play, at), spent=False)
    elif whose:
        _place_sp(ruling, _hq(ruling.play, whose).side, _amount(what), _hex(ruling.play, at), ())
    else:
        raise BadDirective(f"whose SP?  Write `german: SETUP {what.upper()} AT {at}`")


# ------------------------------------------------------------------ set


def _set(ruling: _Ruling, words: Sequence[str]) -> None:
    play = ruling.play
    head = words[0].lower() if words else ""
    if head in SIDES and len(words) == 3 and words[1].lower() == "resource_points":
        ruling.rule(Role(head), game=GamePatch(resource_points={Role(head): number_of(words[2], 0, 99)}))
    elif head in SIDES and len(words) == 4:
        _set_stack(ruling, Role(head), _hex(play, words[1]), words[2].lower(), words[3].lower())
    elif len(words) == 3 and (head.upper() in play.war.hqs or _means_hq(play, head, words[1].lower())):
        _set_hq(ruling, _hq(play, words[0]), words[1].lower(), words[2])
    elif head in SIDES:
        raise BadDirective(f"of a side one sets: set {head} resource_points 7, or: set {head} HEX status disrupted")
    elif len(words) == 3:
        _set_hex(ruling, _hex(play, words[0]), words[1].lower(), words[2].lower())
    elif len(words) == 2:
        _set_game(ruling, head, words[1].lower())
    else:
        raise BadDirective("it reads: set HQ ATTRIBUTE VALUE, set HEX ATTRIBUTE VALUE, or: set ATTRIBUTE VALUE")


def _means_hq(play: Play, head: str, attribute: str) -> bool:
    """Whether a word must mean an HQ: what is set is an attribute of one, and it is no side and no place."""
    place = parse_hex(head) or play.scene.places.get(name_key(head))
    return attribute in HqPatch.__struct_fields__ and head not in SIDES and place is None


def _set_hq(ruling: _Ruling, hq: Hq, attribute: str, value: str) -> None:
    patch = patched(HqPatch, attribute, value, {"hex": lambda at: _hex(ruling.play, at)}, "an HQ")
    if patch.face is not UNSET:
        patch = faced(ruling.play.scene.headquarters[hq.id], patch.face)
    if patch.state not in (UNSET, "map"):
        patch = replace(patch, hex=None)
    ruling.rule(hq.side, hqs={hq.id: patch})


def _set_stack(ruling: _Ruling, side: Role, at: Hex, attribute: str, value: str) -> None:
    stack = ruling.play.stack(side, at)
    if not stack:
        raise BadDirective(f"there are no {side} SP at {at}")
    if attribute not in ("status", "spent", "inside", "entrained"):
        raise BadDirective(f'SP have no attribute "{attribute}"; they have status, spent, inside, entrained')
    new = [read_as(Group, {**asdict(one), attribute: plain(value)}, attribute, value) for one in stack]
    ruling.rule(side, stacks={at: together(new)})


def _set_hex(ruling: _Ruling, at: Hex, attribute: str, value: str) -> None:
    play = ruling.play
    if attribute == "controller":
        change_control(play, side_of(value, SIDES), at, "ruling")
    elif attribute in ("destroyed", "besieged"):
        if not play.field.cell(at).fortress:
            raise BadDirective(f"there is no fortress at {at}")
        now = play.war.fortresses.get(at, Fortress())
        new = read_as(Fortress, {**asdict(now), attribute: plain(value)}, attribute, value)
        if attribute == "destroyed" and new.destroyed and play.field.garrison(at):
            raise BadDirective(f"a garrison is shut in at {at}: remove it first")
        ruling.rule(game=GamePatch(fortresses={at: new}))
    else:
        raise BadDirective(
            f'a hex has no attribute "{attribute}"; it has controller, and its fortress destroyed, besieged'
        )


_GAME = ("turn", "pulse", "phase", "vp", "activation_no", "activations_of_pulse", "rail_sp_used", "turn_of")


def _set_game(ruling: _Ruling, attribute: str, value: str) -> None:
    if attribute not in _GAME:
        raise BadDirective(f'"{attribute}" is no attribute of the game; there are {", ".join(_GAME)}')
    game = patched(GamePatch, attribute, value, {"vp": lambda text: number_of(text, 0, 20)}, "the game")
    if game.phase == "action" and not ruling.play.war.pulse:
        game = replace(game, pulse=1)
    ruling.rule(FRENCH if attribute == "rail_sp_used" else None, game=game)


# ------------------------------------------------------------------ remove, option, end


def _remove(ruling: _Ruling, words: Sequence[str]) -> None:
    play = ruling.play
    if len(words) == 2 and words[0].lower() not in SIDES:
        hq, cause = _hq(play, words[0]), words[1].lower()
        if cause not in ("wounded", "pool", "out"):
            raise BadDirective(f'"{words[1]}" is no cause; there are wounded, pool, out')
        patch = HqPatch(hex=None, state=cast(Literal["wounded", "pool", "out"], cause), spent=False)
        if cause == "wounded":
            patch = replace(patch, return_turn=play.war.turn + 1)
        ruling.rule(hq.side, hqs={hq.id: patch}, removes=(hq.id,))
        return
    if len(words) not in (2, 4) or (len(words) == 4 and words[2].lower() != "at"):
        raise BadDirective("it reads: remove HQ wounded|pool|out, or: remove SIDE [SP at] HEX")
    side, at = side_of(words[0], SIDES), _hex(play, words[-1])
    stack = play.stack(side, at)
    amount = _amount(words[1]) if len(words) == 4 else say.Amount(everything=True)
    taken = pick(stack, amount, sum(one.count for one in stack))
    if not taken:
        raise BadDirective(f"there are no such {side} SP at {at}")
    lone = play.field.hqs(side, at)
    if lone and taken == stack and play.field.sp(ENEMY[side], at):
        names = " and ".join(hq.id for hq in lone)
        raise BadDirective(f"{names} would stand alone among the enemy at {at}: move or remove HQs first")
    ruling.rule(side, stacks={at: without(stack, taken)}, removes=(f"{side} {at}",))
    if play.field.sr(at) and not play.field.sp(side, at):
        # Besiegers whom a ruling takes away hold nobody in any more.
        settle_garrison(play, at)


def _option(ruling: _Ruling, words: Sequence[str]) -> None:
    play = ruling.play
    options = options_with(parse_options, play.war.options, words, AT_START)
    opened = options.fog == "open" and play.war.options.fog != "open"
    ruling.rule(game=GamePatch(options=options))
    if opened:
        # What both may look at from now on; the fog shows them the pieces by itself.
        ruling.rule(game=GamePatch(resource_points=dict(play.war.resource_points)))


def _end(ruling: _Ruling, words: Sequence[str]) -> None:
    winner, kind = (*(word.lower() for word in words), "", "")[:2]
    if winner not in ("french", "german", "draw") or kind not in ("", "major", "minor"):
        raise BadDirective("it reads: end french|german|draw [major|minor]")
    how = "draw" if winner == "draw" else kind or "minor"
    ended = msgspec.convert({"winner": winner, "kind": how, "condition": "ruling"}, Ended)
    play = ruling.play
    ruling.rule()
    win(play, ended, game=GamePatch(phase="over", course=Mark(play.war.turn, play.war.vp)))
    break_seals(play)


# ------------------------------------------------------------------ orders of a side


def _orders(side: Role, ruling: _Ruling, words: Sequence[str]) -> None:
    for order in _read(ruling.play, side, " ".join(words)):
        _give(ruling, side, order)


def _read(play: Play, side: Role, text: str) -> Sequence[say.AnyOrder]:
    """Orders of a side, one after the other between semicolons; only their words are judged."""
    lines = [Line(number, one.strip()) for number, one in enumerate(text.split(";"), start=1)]
    reading = read(play.scene, lines, play.minds[side], side, None)
    wrong = [one for one in reading.complaints if one.judgement.refuses]
    if wrong:
        raise BadDirective(wrong[0].why)
    return [say.unlined(one) for one in reading.items]


def _give(ruling: _Ruling, side: Role, order: say.AnyOrder) -> None:
    """Put an order into force, as if it had been in the side's last sheet."""
    play = ruling.play
    queue = play.war.programme.get(side, ())
    if isinstance(order, say.SetupHq):
        _place_hqs(ruling, [_hq(play, order.hq)], order.hex, spent=False)
    elif isinstance(order, say.SetupSp):
        _place_sp(ruling, side, say.Amount(count=order.count), order.hex, ())
    elif isinstance(order, say.Root):
        last = max((entry.number for entry in queue), default=0)
        _programme(play, side, (*queue, Entry(last + 1, order, sheet=max(1, play.war.pulse))))
    elif isinstance(order, say.Edit):
        _programme(play, side, edited(queue, [order], max(1, play.war.pulse)))
    elif isinstance(order, say.Raising):
        raise BadDirective("mobilization is ordered for a turn; place the SP or the HQ, and set the RP")
    else:
        set_standing(play, side, order)


def _programme(play: Play, side: Role, queue: tuple[Entry, ...]) -> None:
    play.happens(ProgrammeSet, **owner_only(side), entries=len(queue), game=GamePatch(programme={side: queue}))


VERBS: dict[str, Callable[[_Ruling, Sequence[str]], None]] = {
    "place": _place,
    "setup": _setup,
    "set": _set,
    "remove": _remove,
    "option": _option,
    "end": _end,
    **{f"{side}:": partial(_orders, side) for side in SIDES},
}


# ------------------------------------------------------------------ names


def _hq(play: Play, text: str) -> Hq:
    names = [text.upper(), *(ALIASES[side].get(text.lower(), "") for side in SIDES)]
    found = [play.war.hqs[name] for name in dict.fromkeys(names) if name in play.war.hqs]
    if len(found) != 1:
        if not found:
            raise BadDirective(f"there is no HQ {text}; there are {', '.join(play.war.hqs)}")
        raise BadDirective(f'"{text}" is not one HQ: {" or ".join(hq.id for hq in found)}?')
    return found[0]


def _hex(play: Play, text: str) -> Hex:
    at = parse_hex(text) or play.scene.places.get(name_key(text))
    if at is None or at not in play.scene.cells:
        raise BadDirective(f'"{text}" is no hex and no place of the map')
    if play.field.cell(at).terrain == "neutral":
        raise BadDirective(f"{at} is neutral")
    return at


def _amount(text: str) -> say.Amount:
    amount = say.amount_of(text)
    if amount is None:
        raise BadDirective(f'"{text}" is no amount of SP; write 8SP, or 2G+1D+1M')
    return amount
