"""Order lines to begin from.  What would change anything stands behind `#`; what is in force stands there as well.

Sent back whole, a template gives no order that its owner did not write.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.ground.bearing import show_bearing
from pbem.ground.plane import distance
from pbem.kernel.names import Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.sheet import offered
from pbem.systems.kriegsspiel.mind.beliefs import believed
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import body_form, kind_words
from pbem.systems.kriegsspiel.scene.words import BODY_WORDS, form_words, person_name, place_written
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.world.mind import Known, Mind
from pbem.systems.kriegsspiel.world.orders import Line

COLUMN = 41
"""Where the second mark of a line stands, if the order is no longer."""

ENTRIES = 12
"""Enemy bodies that are listed at most, the newest first."""


_line = partial(offered, column=COLUMN)


class _Template:
    """What one commander may begin from."""

    def __init__(self, scene: Scene, mind: Mind, role: Role) -> None:
        self.scene, self.mind, self.bench = scene, mind, Bench(scene, mind, role)

    # ------------------------------------------------------------ himself

    def himself(self, call: Call) -> Iterator[str]:
        """His own acts."""
        mind, scene = self.mind, self.scene
        at = place_written(scene, mind.at)
        riding = f", riding to {mind.riding_to}" if mind.riding_to else ""
        with_ = f", with {mind.rides_with}" if mind.rides_with else ""
        yield f"# {scene.clock(mind.move)}.  You are at {at}{riding}{with_}.  Take a line's first mark away to give it."
        yield _line("ride to PLACE", "or: ride with UNIT, stay, look N")
        if call.why:
            yield f"# You are asked: {call.why}."
        yield _line("wake if enemy within 800 of PLACE", "or: wake at HH:MM")
        for wake in mind.wakes:
            yield f"# in force: wake {'at' if wake.text[:1].isdigit() else 'if'} {wake.text}"
        if mind.muted:
            yield f"# switched off: {', '.join(mind.muted)}"

    def dispositions(self) -> Iterator[str]:
        """What may be said before the first move."""
        mind, scene = self.mind, self.scene
        yield "# Dispositions.  What you leave out begins at its listed place, without orders."
        yield _line("intention: TEXT", "for the umpire")
        for name in self.bench.gathered([unit for unit in self.own() if unit in mind.entry_of]):
            move, entry = mind.entry_of[self.bench.members(name)[0]]
            plan = self.bench.plan(self.bench.members(name)[0])
            others = f", or {', '.join(plan.or_by)}" if plan is not None and plan.or_by else ""
            yield _line(f"enter {name} by {entry}", f"{scene.clock(move)}{others}")
        for unit in self.own():
            if (known := mind.own.get(unit)) is not None:
                state = known.state
                where = f"{state.at.x},{state.at.y} facing {_way(state.facing)}"
                yield _line(f"start {unit} at {where}", form_words(state.formation))

    # ------------------------------------------------------------ troops

    def own(self) -> list[str]:
        """The units that are his own, as the order of battle has them."""
        return self.bench.own()

    def troops(self) -> Iterator[str]:
        """His units as last known, each with a line to begin from."""
        reach = self.mind.options.voice_range
        carries = f"Your voice carries {reach} paces; beyond it goes a paper."
        if self.mind.phase == "setup":
            carries = "What you order now is in their hands when play opens."
        yield f"# Your troops as you know them.  {carries}"
        for unit in self.own():
            known = self.mind.own.get(unit)
            if known is None:
                continue
            near = self._near(unit)
            yield _line(f"{'voice' if near else 'to'} {unit}: ...", self._state(unit, known))
            yield from self._in_force(unit)
        for name in self.bench.gathered([unit for unit in self.own() if self.mind.is_to_come(unit)]):
            move, entry = self.mind.entry_of[self.bench.members(name)[0]]
            yield _line(f"to {name}: ...", f"enters by {entry} at {self.scene.clock(move)}")
        others = [unit for unit in self.mind.command if unit not in self.own()]
        if others:
            yield f"# Under those below you: {', '.join(self.bench.gathered(others))}."

    def _near(self, unit: str) -> bool:
        at = self.bench.at(unit) if self.mind.phase != "setup" else None
        return at is not None and distance(self.mind.at, at) <= self.mind.options.voice_range

    def _state(self, unit: str, known: Known) -> str:
        state, scene = known.state, self.scene
        parts = [f"{scene.clock(state.seen)} {place_written(scene, state.at)}"]
        supposed = believed(scene, self.mind, unit, self.mind.move)
        if supposed is not None and supposed[1]:
            parts.append(f"believed at {place_written(scene, supposed[0])}")
        parts.append(body_form(state))
        if state.body != "fresh":
            parts.append(BODY_WORDS[state.body])
        if state.losses not in ("", "none"):
            parts.append(f"losses {state.losses}")
        if state.zugs_out:
            parts.append(f"{state.zugs_out} zugs out")
        if state.doing:
            parts.append(f'doing "{state.doing}"')
        return ", ".join(parts)

    def _in_force(self, unit: str) -> Iterator[str]:
        """The reactions and triggers that he has ordered."""
        reactions: dict[str, str] = {}
        triggers: tuple[Line, ...] = ()
        for _, lines in self.mind.orders.get(unit, ()):
            orders = [line for line in lines if line.order is not None or line.lapse]
            if orders and not orders[0].then:
                triggers = ()
            triggers = (*triggers, *(line for line in lines if line.test is not None and not line.lapse))
            reactions |= {line.react[0]: line.react[1] for line in lines if line.react is not None}
        for key, value in reactions.items():
            yield f"#   in force: react {key} {value}"
        for line in triggers:
            yield f"#   in force: {line.text}"

    # ------------------------------------------------------------ others

    def comrades(self) -> Iterator[str]:
        """Persons of his side, and who can be talked to."""
        mind, scene = self.mind, self.scene
        for one in mind.comrades.values():
            verb = "say" if one.id in mind.near and mind.phase != "setup" else "letter"
            name = person_name(scene, one.id)
            taken = ", taken" if one.captured else "" if one.id in mind.players else ", without a player"
            at = self.bench.person_at(one.id)
            where = f"{scene.clock(one.seen)} at {place_written(scene, at)}" if at is not None else "not yet on the map"
            yield _line(f"{verb} {name}: TEXT", f"{where}{taken}")

    def enemies(self) -> Iterator[str]:
        """The entries that orders may name."""
        known = [one for one in self.mind.entries.values() if not one.dropped]
        if not known:
            return
        yield "# Enemies on your page; orders may name them (attack e1)."
        newest = sorted(known, key=lambda one: (-one.tiding.seen, int(one.id[1:])))
        for one in newest[:ENTRIES]:
            tiding = one.tiding
            what = kind_words(tiding)
            seen = f"{self.scene.clock(tiding.seen)} at {place_written(self.scene, tiding.at)}"
            yield f"#   {one.id}: {what}, {seen}, by {tiding.source}"


def _way(bearing: int) -> str:
    """A bearing as orders have it."""
    shown = show_bearing(bearing)
    return shown if shown.isalpha() else f"bearing {shown}"


def template(scene: Scene, mind: Mind, role: Role, pause: Pause) -> tuple[str, ...]:
    """The lines for what *role* may send now; none if it may send nothing."""
    call = pause.call(role)
    if call is None:
        return ()
    made = _Template(scene, mind, role)
    parts = [made.himself(call)]
    if "setup" in call.sorts:
        parts.append(made.dispositions())
    parts += [made.troops(), made.comrades(), made.enemies()]
    lines: list[str] = []
    for one in parts:
        block = list(one)
        lines += [*block, ""] if block else []
    return tuple(lines[:-1])
