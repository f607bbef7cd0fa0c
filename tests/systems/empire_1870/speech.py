"""What a commander in the war of 1870 would name in an order line: his HQs and stacks, and the hexes about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from pbem.ground.hexes import Hex, distance, neighbours
from pbem.kernel.names import Role
from pbem.systems.empire_1870.world.parts import ENEMY, Hq
from pbem.systems.empire_1870.world.state import War, remaining
from tests.systems.play import Game

LARGEST = "france-1870"
NEVER = ("force/assault", "div/assault")
"""An assault is ordered by an HQ of its own men."""
VALUES: dict[str, tuple[int, ...]] = {
    "pulse_length": (1, 8, 30),
    "turn_limit": (2, 8, 20),
    "draw_vp": (2, 5, 10),
    "free_vp": (4, 10, 16),
    "sp_cap.french": (0, 60, 160),
    "sp_cap.german": (0, 80, 175),
    "pool_schedule.G1": (1, 3),
    "pool_schedule.FCR": (1, 2),
    "river_attack_drm": (-2, 0, 2),
}
"""Of options that are numbers: some that they may be."""

BLOCK = {"force": 4.0, "self": 3.0}
"""What stands in a block, and how likely; a block of a lower HQ is made by itself."""


class Speaker:
    """Thinks of one own HQ, or of a stack, and names what is about it."""

    def __init__(self, game: Game, role: Role, random: Random) -> None:
        self.mind: War = game.world.minds[role]
        self.role, self.random, self.scene = role, random, game.scene
        self.own = sorted(self.mind.stacks.get(role, {}))
        self.hqs = [hq for hq in self.mind.hqs.values() if hq.side == role and hq.state == "map" and hq.hex]
        self.enemies = sorted({*self.mind.occupied, *self.mind.stacks.get(ENEMY[role], {})})
        cells = self.scene.cells.items()
        self.towns = [at for at, cell in cells if cell.town or cell.fortress] or [at for at, _ in cells][:20]
        self.at: Hex | None = None
        self.here: Hex | None = None
        self.hq: Hq | None = None

    def begin(self) -> None:
        """Think of an HQ, or of a stack."""
        self.hq = self.random.choice(self.hqs) if self.hqs else None
        self.here = self.hq.hex if self.hq else self.random.choice(self.own) if self.own else None
        self.at = self.here

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal, after the words already said."""
        random = self.random
        if terminal == "HEX":
            return self._hex(said)
        if terminal == "NAME":
            named = [cell.name for cell in self.scene.cells.values() if cell.name]
            home = {"french": "FR", "german": "DE"}[self.role]
            if said[:1] in (["mobilize"], ["standing"], ["reenter"], ["setup"]):
                named = [cell.name for cell in self.scene.cells.values() if cell.name and cell.country == home]
            return str(random.choice(named or ["Metz"]))
        if terminal == "HQ":
            return self._hq(said)
        if terminal == "SP":
            most = 2 if said[-1:] == ["mobilize"] else random.choice((2, 3, 4, 8, 12))
            return f"{random.randint(1, most)}sp"
        if terminal == "GRADED":
            return random.choice(("2g", "1g+1d", "1d", "2g+1d+1m", "1m", "3g"))
        if terminal == "NUMBER":
            return str(random.choice((1, 2, 3)) if "force" in said or "forced" in said else random.randint(1, 6))
        if terminal == "RATIO":
            return random.choice(("1:3", "1:2", "1:1", "2:1", "3:1", "4:1"))
        return None

    def _hq(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        if said[:1] == ["setup"] and last == "of":
            return random.choice(("a1", "a2", "a3"))
        pool = [hq for hq in self.mind.hqs.values() if hq.side == self.role]
        if said[:1] in (["mobilize"], ["reenter"], ["setup"]) and pool:
            some = [hq for hq in pool if hq.state != "map"] or pool
            return random.choice(some).id
        if last == "sub" and self.hq is not None and self.hq.hex is not None:
            at = self.hq.hex
            lower = [hq for hq in self.hqs if hq.hex and distance(hq.hex, at) <= 1 and hq.rank != self.hq.rank]
            return str(random.choice(lower or self.hqs or pool).id)
        if last in ("with", "join") and self.here is not None:
            near = [hq for hq in self.hqs if hq.hex and distance(hq.hex, self.here) <= 1]
            return random.choice(near or self.hqs).id if self.hqs else "F1"
        return self.hq.id if self.hq else (random.choice(pool).id if pool else "F1")

    def _hex(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        if not self.own or random.random() < 0.02:
            return str(random.choice(self.towns))
        if last in ("force", "div"):
            near = [at for at in self.own if self.here is None or distance(at, self.here) <= 1]
            self.at = random.choice(near if near and last == "force" else self.own)
            return self.at
        if last in ("in", "adjacent", "control", "siege") or said[:1] == ["react"]:
            near = sorted([*self.enemies, *self.own], key=lambda at: distance(at, self.at or at))
            return str(random.choice(near[:8] or self.towns))
        if last in ("assault",) and self.here is not None:
            near = [at for at in self.enemies if distance(at, self.here) == 1]
            return str(random.choice(near or neighbours(self.here)))
        if said[:1] in (["mobilize"], ["standing"], ["reenter"], ["recover"], ["setup"]) or "rail" in said[-3:]:
            home = [at for at in self.towns if self.mind.control.get(at) == self.role]
            return str(random.choice(home or self.towns))
        if last in ("march",) and said[0] == "self":
            self.at = self.here
        if self.at is None:
            return str(random.choice(self.own))
        steps = [at for at in neighbours(self.at) if at in self.scene.cells] or [self.at]
        if self.enemies and random.random() < 0.5:
            goal = min(self.enemies, key=lambda at: distance(at, self.at or at))
            steps.sort(key=lambda at: distance(at, goal))
            steps = steps[:2]
        self.at = random.choice(steps)
        return self.at


def chunk(draw: Callable[..., str], random: Random) -> list[str]:
    """A line; a line that begins a block brings the rest of it."""
    first = draw()
    if first.split()[0] == "insert":
        return [first, *chunk(lambda verbs=None: draw({"div": 1.0, "pass": 0.2, "act": 1.0}), random)]
    if first.split()[0] not in ("act", "sub"):
        return [first]
    if first.split()[0] == "sub":
        first = draw({"act": 1.0})
    said = [first]
    for _ in range(random.choice((0, 0, 1))):
        said += [draw({"sub": 1.0}), *_inner(draw, random), "end"]
    return [*said, *_inner(draw, random), "end"]


def _inner(draw: Callable[..., str], random: Random) -> list[str]:
    said = [draw({"force": 1.0}) for _ in range(random.choice((0, 0, 1, 1, 2)))]
    return [*said, *([draw({"self": 1.0})] if random.random() < 0.8 else [])]


def lines(order: Any) -> Iterator[int]:
    """Of a block the lines in it; of any other order its own."""
    inner = getattr(order, "lines", ())
    if not inner:
        yield order.line
    for one in inner:
        yield from lines(one)


def heads(order: Any, line: int) -> tuple[int, ...]:
    """The lines of the blocks in which a line stands, the outermost first; each is skipped with its block."""
    inner = getattr(order, "lines", ())
    return (order.line, *(head for one in inner if line in lines(one) for head in heads(one, line)))


def rulings(game: Game, random: Random) -> str:
    """Resource points that an umpire sets, or a French HQ and men whom he puts where the map is left."""
    war: War = game.world.truth
    if war.phase == "over" or not war.turn:
        return ""
    taken = {*war.stacks.get(Role("german"), {}), *war.fortresses}
    gates = [at for at in game.scene.aims.southeast_exit_hexes if at not in taken]
    corps = [hq.id for hq in war.hqs.values() if hq.side == "french" and hq.state == "map"]
    if gates and corps and random.random() < 0.5:
        gate = random.choice(gates)
        return f"place {random.choice(corps)} at {gate}\nplace french 4SP at {gate}"
    side = random.choice(("french", "german"))
    return f"set {side} resource_points {random.randint(5, 60)}"


def unseen(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
    """The enemy's RP, where they are many before and after."""
    war: War = game.world.truth
    foe = ENEMY[role]
    left = war.resource_points.get(foe, 0)
    if war.options.fog == "open" or not war.turn or not 20 <= left < 80 or "rp" in sheets.get(foe, "").lower():
        return ""
    return f"set {foe} resource_points {left + 1}"


def unheard(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> tuple[Role, str]:
    """The enemy, and what he is refused: an HQ that there is not, a town that there is not, his enemy's HQ."""
    war: War = game.world.truth
    theirs = [one.id for one in war.hqs.values() if one.side == role] or ["X99"]
    return ENEMY[role], f"mobilize 2sp at Nowhere\nreenter {random.choice(theirs)} at Nowhere\nsiege Nowhere assault"


def ideas(game: Game, role: Role, random: Random) -> list[str]:
    """What is seldom fit: attacks with those who join, rides, forced marches, what is picked up and left on the way."""
    speaker = Speaker(game, role, random)
    found: list[list[str]] = []
    for hq in speaker.hqs:
        at = hq.hex
        if at is None:
            continue
        found += [[f"act {hq.id}", line, "end"] for line in _of_hq(speaker, hq, at, random)]
    found += [[line] for at in speaker.own for line in _of_stack(speaker, at, random)]
    found += _of_programme(speaker, random)
    found += [[line] for line in _of_side(speaker, random)]
    return ["\n".join(lines) for lines in found]


def _of_programme(speaker: Speaker, random: Random) -> Iterator[list[str]]:
    """An entry that is struck out, or that comes before another; blocks that wait, and blocks of lower HQs."""
    at = random.choice(speaker.own) if speaker.own else None
    left = len(remaining(speaker.mind, speaker.role))
    for number in range(1, left + 1):
        yield [f"drop {number}"]
        if at is not None:
            yield [f"insert {number}", f"div {at} 2sp rally"]
    for hq in speaker.hqs:
        place = hq.hex
        if place is None:
            continue
        lower = [one for one in speaker.hqs if one.hex and distance(one.hex, place) <= 1 and one.rank != hq.rank]
        for test in _tests(speaker, place, random):
            wait = random.choice(("", " else skip", " else wait"))
            yield [f"act {hq.id} if {test}{wait}", "self 2sp rally", "end"]
            if lower:
                yield [f"act {hq.id}", f"sub {lower[0].id} if {test}{wait}", "self 2sp rally", "end", "end"]


def _tests(speaker: Speaker, at: Hex, random: Random) -> Iterator[str]:
    """One of each kind of test."""
    near = random.choice([one for one in neighbours(at) if one in speaker.scene.cells])
    hq = random.choice(speaker.hqs).id
    yield from (f"{no}enemy {where} {near}" for no in ("", "no ") for where in ("in", "adjacent"))
    yield from (f"friend in {at}", f"friend sp >= 2 in {at}", f"control {near}", f"not control {near}")
    yield from ("rp >= 5", "odds >= 2:1", f"done {hq}", f"not done {hq}", "vp <= 12", "vp >= 5")


def _of_side(speaker: Speaker, random: Random) -> Iterator[str]:
    """Reactions of every kind, and what is mobilized, or set up, elsewhere."""
    hq = random.choice(speaker.hqs).id if speaker.hqs else ""
    at = random.choice(speaker.own) if speaker.own else random.choice(speaker.towns)
    scope = random.choice(("", f" at {at}", f" for {hq}" if hq else ""))
    for reaction in (
        "chassepot always", "chassepot never", "chassepot min 2", "chassepot column 3", f"chassepot hold {at}",
        "cavalry always", f"cavalry never to {at}", "cavalry odds 2", "artillery attack always",
        "artillery defence never", "artillery attack reserve 3 odds 1:1 3:1", "artillery defence max 4", "reroll low 2",
        "reroll low 2 losing", "reroll low 2 always", "reroll never", "losses spread", "losses concentrate",
        "losses keep 2", "retreat short", "retreat long", "retreat fortress", f"retreat to {at}", "garrison stay",
        "garrison leave", "garrison keep 2", "advance lead", "advance all", "advance none",
    ):  # fmt: skip
        yield f"react {reaction}{scope}"
    if speaker.mind.phase.startswith("setup"):
        for one in speaker.own:
            yield f"setup {random.choice(('4sp', '2sp of ' + hq if hq else '2sp'))} at {one}"
        for one in speaker.mind.hqs.values():
            if one.side == speaker.role:
                yield f"setup {one.id} at {random.choice(speaker.own or speaker.towns)}"
    for one in speaker.mind.hqs.values():
        if one.side == speaker.role and one.state != "map":
            yield f"mobilize hq {one.id} at {random.choice(speaker.towns)}"
            yield f"reenter {one.id} at {random.choice(speaker.towns)}"


def _of_hq(speaker: Speaker, hq: Hq, at: Hex, random: Random) -> Iterator[str]:
    near = [one for one in neighbours(at) if one in speaker.scene.cells]
    foes = [one for one in near if one in speaker.enemies]
    lower = [one.id for one in speaker.hqs if one.hex and distance(one.hex, at) <= 1 and one.rank != hq.rank]
    way, amount = random.choice(near), random.choice(("2sp", "4sp", "all", "1g+1d"))
    further = random.choice([one for one in neighbours(way) if one in speaker.scene.cells])
    for foe in foes:
        join = f" join {random.choice(lower)}{random.choice(('', ' = 2sp', ' = all'))}" if lower else ""
        words = random.choice(
            ("", " advance all", " advance lead", " advance none", f" advance {at}", f" advance {at} {at}")
        )
        yield f"self {amount} assault {foe}{join}{words}"
        yield f"self {amount} march {foe} attack{random.choice(('', ' through'))}"
    yield f"self {amount} march {way} {further} pickup {random.choice(('1sp', 'all'))} at {way}"
    yield f"self 4sp march {way} {further} drop {random.choice(('1sp', '1g'))} at {way}"
    yield f"self 4sp march {way} {at} {way} {random.choice(('drop', 'pickup'))} 1sp at {way}"
    yield f"self {amount} forced {random.randint(1, 3)} {way} {further}"
    yield f"self {amount} march {way} {random.choice(('stop enemy', 'force 1'))}"
    for gate in speaker.scene.aims.southeast_exit_hexes:
        if at == gate:
            yield f"self {amount} march exit"
        elif gate in near:
            yield f"self {amount} march {gate} exit"
    deeds = ("rally", f"march {way}", f"forced 1 {way}")
    for deed in deeds:
        yield f"force {at} {random.choice(('2sp', 'all', '1g'))} {deed}"
    yield f"self 2sp from {random.choice((at, *near))} = {random.choice(('1sp', 'all'))} rally"
    yield f"self 4sp march {way} drop all at {way}"
    if lower:
        yield f"self {amount} with {random.choice(lower)} march {way}"
    for test in _tests(speaker, at, random):
        other = random.choice(("skip", "wait", *deeds, *(f"assault {foe}" for foe in foes)))
        yield f"self {amount} march {way} if {test}{random.choice(('', ' and rp >= 1'))} else {other}"
        yield f"force {at} 2sp rally if {test}"


def _of_stack(speaker: Speaker, at: Hex, random: Random) -> Iterator[str]:
    near = [one for one in neighbours(at) if one in speaker.scene.cells]
    yield f"div {at} {random.choice(('2sp', '3sp', 'all', '1g'))} {random.choice(('rally', 'forced 1 ' + near[0]))}"
    yield f"div {at} 2sp march {random.choice(near)} if {random.choice(('rp >= 5', 'vp <= 12', 'vp >= 5'))} else wait"
    rail = speaker.scene.cells[at].rail
    if rail:
        yield f"div {at} 2sp march rail {at} to {random.choice(rail)}{random.choice(('', ' stay'))}"
    for foe in [one for one in near if one in speaker.enemies]:
        yield f"div {at} all march {foe} attack"
    yield f"siege {random.choice(speaker.towns)} {random.choice(('assault', 'no'))}"
