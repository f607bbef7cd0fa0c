"""What a commander at the crossroads would name in an order line: his own units, enemies he sees, places about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from pbem.ground.bearing import compass
from pbem.ground.plane import Point, bearing, distance
from pbem.kernel.names import Role
from pbem.systems.crossroads.tables.units import FORMATIONS
from pbem.systems.crossroads.world.state import Battle, Officer, Unit
from tests.systems.play import Game

LARGEST = "la-folie"
VALUES: dict[str, tuple[int, ...]] = {
    "defensive_fire_min": (0, 1, 3),
    "max_rounds": (1, 3, 10),
    "sight_limit": (6, 24, 48),
    "identify_range": (0, 12, 48),
}
"""Of options that are numbers: some that they may be."""
POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")

NEVER = (
    *(f"way/DIR={way}" for way in ("nse", "nsw", "sne", "snw", "enw", "esw", "wne", "wse")),
    *(f"lead/{deed}" for deed in ("fire", "charge", "clear", "cross", "none", "prone", "rally", "rise")),
    *(f"then/{deed}" for deed in ("charge", "clear", "cross", "none", "rally")),
)
"""What the pattern of a direction takes, and is none; what no officer leads, and what never follows on a card."""


class Speaker:
    """Thinks of one own unit, and names what is about it."""

    def __init__(self, game: Game, role: Role, random: Random) -> None:
        self.mind: Battle = game.world.minds[role]
        self.random, self.scene = random, game.scene
        self.own = [one for one in self.mind.units.values() if one.side == role and one.stands]
        self.enemies = [one for one in self.mind.units.values() if one.side != role and one.stands]
        self.officers = [one for one in self.mind.officers.values() if one.side == role and one.stands]
        self.focus: Unit | Officer | None = None

    def begin(self) -> None:
        """Think of a unit."""
        self.focus = self.random.choice(self.own) if self.own else None

    @property
    def at(self) -> Point:
        """Where the unit is that is thought of."""
        here = self.focus.pos if self.focus is not None else None
        return here if here is not None else Point(480, 400)

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal, after the words already said."""
        random = self.random
        if terminal == "ID":
            return self._name(said)
        if terminal == "POINT":
            far = random.choice((20, 60, 150))
            x = min(max(self.at.x + random.randint(-far, far), 0), self.scene.width)
            y = min(max(self.at.y + random.randint(-far, far), 0), self.scene.height)
            return f"{x / 10},{y / 10}"
        if terminal == "NUMBER":
            return self._number(said)
        if terminal == "NAME":
            return str(random.choice(self.scene.places).name) if self.scene.places else "mill"
        if terminal == "DIR":
            return self._way()
        return None

    def _name(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        if last == "officer" and self.officers:
            self.focus = random.choice(self.officers)
            return self.focus.id
        if last in ("fire", "charge", "of", "and") and self.enemies and random.random() < 0.95:
            near = sorted(self.enemies, key=lambda one: distance(one.pos or self.at, self.at))
            return str(random.choice(near[:3]).id)
        if not self.own:
            return "PR-1"
        if "lead" in said or last in ("attach", "with", "after"):
            near = sorted(self.own, key=lambda one: distance(one.pos or self.at, self.at))
            return str(random.choice(near[:4]).id)
        if self.focus is None or "joker-order" in said:
            self.focus = random.choice(self.own)
        return self.focus.id

    def _way(self) -> str:
        random = self.random
        if self.enemies and random.random() < 0.4:
            near = min(self.enemies, key=lambda one: distance(one.pos or self.at, self.at))
            return compass(bearing(self.at, near.pos or self.at)).lower()
        if isinstance(self.focus, Unit) and random.random() < 0.5:
            return compass(self.focus.facing * 100).lower()
        return random.choice(POINTS)

    def _number(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        if last in ("left", "right"):
            return str(random.choice((5, 15, 30, 45, 60, 90)))
        if last == "contact":
            return str(random.randint(1, 6))
        if last == "within":
            return str(random.choice((3, 6, 9, 12, 18, 24)))
        if last in ("face", "facing", "move", "half"):
            return str(random.randrange(0, 360, 15))
        return str(random.choice((1, 2, 3, 4, 4.5, 6, 8, 9, 12)))


def rulings(game: Game, random: Random) -> str:
    """Figures that an umpire takes off, units that he shakes, machine guns that he jams."""
    battle: Battle = game.world.truth
    units = [one for one in battle.units.values() if one.stands]
    lines = [f"set {one.id} losses {one.losses + 1}" for one in units if one.losses + 4 < one.strength]
    lines += [f"set {one.id} status {random.choice(('shaken', 'withdrawn'))}" for one in units if one.status == "good"]
    lines += [f"set {one.id} jammed true" for one in units if one.type == "mg"] * len(units)
    lines += [f"set {one.id} prone true" for one in units if one.type == "infantry" and one.status == "shaken"]
    return "\n".join(random.sample(lines, min(3, len(lines))))


def unseen(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
    """A figure lost, or come back, of a unit that has never been seen."""
    battle: Battle = game.world.truth
    watch = battle.watch.get(role)
    known = {*watch.seen, *watch.identified, *watch.aliases.values()} if watch is not None else set()
    hidden = [one for one in battle.units.values() if one.side != role and one.stands and one.id not in known]
    far = [
        f"set {one.id} losses {one.losses + more}"
        for one in hidden
        for more in (1, -1)
        if one.status == "good" and 0 <= one.losses + more < one.strength
        if 4 * (one.losses + more) // one.strength == one.level and "loss" not in sheets.get(one.side, "")
    ]  # fmt: skip
    return random.choice(far) if far else ""


def came_out(one: Game, other: Game, role: Role, ruling: str) -> bool:
    """Whether the unit was seen."""
    name = ruling.split()[1]
    battles: list[Battle] = [one.world.truth, other.world.truth]
    watches = [battle.watch.get(role) for battle in battles]
    return any(watch and name in (*watch.seen, *watch.identified, *watch.aliases.values()) for watch in watches)


def unheard(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> tuple[Role, str]:
    """The enemy, what he is refused, and what a unit of his that has no orders is told: to do what it does anyway.

    Where cards are a side's, whoever is named stands in its list and takes a card (GC-CRD-01).
    """
    foe = next(one for one in game.roles if one != role)
    battle: Battle = game.world.minds[foe]
    # What was ordered for the first half of the cards and is not played yet stands for the second.
    ordered = " ".join((sheets.get(foe, ""), *(one.text for one in battle.orders.get(foe, ())))).lower()
    idle = (
        []
        if battle.options.card_mode == "side"
        else [
            one.id
            for one in battle.units.values()
            if one.side == foe
            and one.stands
            and one.status == "good"
            and not one.jammed
            and one.id.lower() not in ordered
        ]
    )
    return foe, "\n".join(
        ["XX-99 fire nearest", *(f"{one} fire nearest" for one in random.sample(idle, min(2, len(idle))))]
    )


def ideas(game: Game, role: Role, random: Random) -> list[str]:
    """What is seldom fit: two halves of a card, groups that an officer leads, jams, obstacles, every direction."""
    speaker = Speaker(game, role, random)
    found: list[str] = []
    for unit in speaker.own:
        speaker.focus = unit
        found += _of_unit(speaker, unit, random)
    for officer in speaker.officers:
        near = [one.id for one in speaker.own if one.pos and officer.pos and distance(one.pos, officer.pos) < 90]
        if near:
            some = ", ".join(random.sample(near, min(3, len(near))))
            deeds = (f"move {random.choice(POINTS)} 4", "form column", "form line", "face n", "wheel left 30")
            found.append(f"officer {officer.id} lead {some} {random.choice(deeds)}")
    return found


def _formed(unit: Unit) -> Iterator[str]:
    yield from (f"form {one}" for one in FORMATIONS[unit.type] if one != unit.formation)


def _of_unit(speaker: Speaker, unit: Unit, random: Random) -> Iterator[str]:
    name, way = unit.id, random.choice(POINTS)
    yield f"{name} move {way} {random.randint(2, 6)}"
    yield f"{name} face {way}"
    yield f"{name} move to {speaker.word('POINT', ())} via {speaker.word('POINT', ())} facing {way}"
    if unit.status != "good":
        for deed in (
            "face " + way,
            f"move half {way} 2",
            "fire nearest",
            "rise",
            "prone",
            "wheel left 15",
            *_formed(unit),
        ):
            yield f"{name} rally then {deed}"
    if unit.type == "mg":
        yield f"{name} clear"
        yield f"{name} clear else fire nearest"
    yield f"{name} {random.choice(('prone then fire nearest', 'rise then move half ' + way + ' 2', 'cross'))}"
    yield f"{name} form {random.choice(('line', 'column', 'skirmish', 'deployed', 'limbered'))} then fire nearest"
    yield f"{name} wheel right 30 then move {way} 2"
    seen = random.choice(("nearest", *(one.id for one in speaker.enemies)))
    tests = (f"within 9 of {seen}", f"in range of {seen}", "target shaken", "target routed", "loss >= 3", "not seen")
    yield f"{name} charge {seen} if {random.choice(tests)} else fire {seen} if {random.choice(tests)} else none"
