"""What a commander on the Alma would name in an order line: his own units, the enemy he sees, places about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from pbem.ground.bearing import compass
from pbem.ground.plane import bearing, distance, shifted
from pbem.kernel.names import Role
from pbem.systems.half_league.tables.printed import FORMATIONS
from pbem.systems.half_league.world.pieces import Leader, Unit, side_of
from pbem.systems.half_league.world.state import Battle
from tests.systems.play import Game

LARGEST = "kourgane"
VALUES: dict[str, tuple[int, ...]] = {
    "turn_limit": (2, 6, 14),
    "sight_limit": (100, 400, 800),
    "identify_range": (0, 200, 600),
    "enemy_gap": (0, 10, 30),
    "wall_adjacent": (0, 10, 30),
    "army_pulls_per_turn": (1, 2, 4),
    "tie_rounds": (1, 3, 6),
}
"""Of options that are numbers: some that they may be."""
POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
NEVER = (
    *(f"way/COMPASS={way}" for way in ("nse", "nsw", "sne", "snw", "enw", "esw", "wne", "wse")),
    *(f"pull_then/{deed}" for deed in ("hold", "pull")),
)
"""What the pattern of a direction takes, and is none; what nobody does who has pulled a chit: nothing, or the same."""


class Speaker:
    """Thinks of one own unit or leader, and names what is about it."""

    def __init__(self, game: Game, role: Role, random: Random) -> None:
        self.mind: Battle = game.world.minds[role]
        self.side, self.random, self.scene = side_of(role), random, game.scene
        self.own = [
            one
            for one in self.mind.units.values()
            if one.side == self.side and one.there and self.scene.commands(role, one.brigade, self.side)
        ]
        self.leaders = [
            one
            for one in self.mind.leaders.values()
            if one.side == self.side and one.status != "dead" and self.scene.commands(role, one.brigade, self.side)
        ]
        self.enemies = [one for one in self.mind.units.values() if one.side != self.side and one.there]
        self.focus: Unit | Leader | None = None

    def begin(self) -> None:
        """Think of a unit."""
        self.focus = self.random.choice(self.own) if self.own else None

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal, after the words already said."""
        random = self.random
        if terminal == "ID":
            return self._name(said)
        if terminal == "POINT":
            return self._point()
        if terminal == "COMPASS":
            return self._way(said)
        if terminal == "NUMBER":
            return self._number(said)
        if terminal == "NAME":
            names = [place.name for place in self.scene.places.values()]
            return str(random.choice(names)) if names and said[-1:] != [said[0]] else "Alma"
        return None

    def _name(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1] if said else ""
        if last in ("charge", "fire", "and", "bombard") and self.enemies:
            near = sorted(self.enemies, key=self._far)
            return str(random.choice(near[:3]).id)
        if last == "brigadier" or (said[:1] == ["policy"] and last == "army-pull") or last == "army-pull":
            kind = "brigadier" if last == "brigadier" else "army"
            some = [one for one in self.leaders if one.kind == kind]
            self.focus = random.choice(some) if some else self.focus
            return self.focus.id if self.focus else "BG-1"
        if last == "attach":
            self.focus = random.choice(self.own) if self.own else self.focus
            return self.focus.id if self.focus else "UK-7"
        if not said and self.leaders and random.random() < 0.12:
            self.focus = random.choice(self.leaders)
            return self.focus.id
        if last == "unit" and isinstance(self.focus, Leader):
            some_ = [one for one in self.own if one.brigade == getattr(self.focus, "brigade", "")]
            return random.choice(some_).id if some_ else "UK-7"
        if said and not said[-1].isalpha() and self.own and random.random() < 0.7:
            return str(random.choice(self.own).id)
        if last in ("cp", "no", "yes", "pull") and random.random() < 0.3 and self.focus:
            return getattr(self.focus, "brigade", "") or self.focus.id
        return self.focus.id if self.focus else "UK-7"

    def _far(self, one: Unit) -> int:
        return distance(self.focus.front, one.front) if self.focus else 0

    def _point(self) -> str:
        random = self.random
        if self.focus is None:
            return "60,60"
        far = random.choice((2, 6, 12, 20)) * 1000
        x = min(max(self.focus.front.x + random.randint(-far, far), 0), self.scene.width)
        y = min(max(self.focus.front.y + random.randint(-far, far), 0), self.scene.height)
        return f"{x / 1000:.1f},{y / 1000:.1f}"

    def _way(self, said: Sequence[str]) -> str | None:
        random = self.random
        if isinstance(self.focus, Unit) and said[-1] in ("move", "prolong") and random.random() < 0.8:
            near = sorted(self.enemies, key=self._far)[:1]
            way = bearing(self.focus.front, near[0].front) if near and random.random() < 0.5 else self.focus.bearing
            return compass((way + random.choice((-2250, 0, 0, 2250))) % 36000).lower()
        return None if random.random() < 0.3 else random.choice(POINTS)

    def _number(self, said: Sequence[str]) -> str:
        random, last = self.random, said[-1]
        if last in ("left", "right"):
            return str(random.choice((5, 15, 30, 45, 60, 90) if "wheel" in said else (1, 2, 3, 4, 6)))
        if last in ("stands", ">=", "contact"):
            return str(random.randint(1, 4))
        if last in ("move", "face", "facing", "prolong") and "then" not in said:
            way = self.focus.bearing // 100 if isinstance(self.focus, Unit) else 0
            return str((way + random.randint(-50, 50)) % 360)
        return str(random.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16)))


def rulings(game: Game, random: Random) -> str:
    """Chits that an umpire gives."""
    battle: Battle = game.world.truth
    able = [one for one in battle.units.values() if one.status == "good" and one.stands > 3 and not one.chits]
    if not battle.turn:
        return ""
    some = random.sample(able, min(len(able), 4))
    return "\n".join(f"set {one.id} chits {random.randint(1, 2)}" for one in some)


def unseen(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
    """Points of one who has many, or the name of winning ties for one who is far from every fight."""
    battle: Battle = game.world.truth
    if battle.options.command_points_open or not battle.turn:
        return ""
    theirs = [one for one in battle.units.values() if one.side != side_of(role) and one.there]
    own = [one for one in battle.units.values() if one.side == side_of(role) and one.there]
    rich = [one for one in theirs if one.command_points > 6]
    far = [one for one in theirs if all(distance(one.front, each.front) > 60_000 for each in own)]
    lines = [f"set {one.id} command_points {one.command_points + 1}" for one in rich]
    lines += [f"set {one.id} wins_ties {str(not one.wins_ties).lower()}" for one in far]
    lines += [f"set {one.id} command_points {one.command_points + 1}" for one in far if one.command_points]
    return random.choice(lines) if lines else ""


def unheard(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> tuple[Role, str]:
    """An enemy, and what he is refused: orders to nobody, and to his enemy's units."""
    foes = [one for one in game.roles if side_of(one) != side_of(role)]
    battle: Battle = game.world.truth
    theirs = [one.id for one in battle.units.values() if one.side == side_of(role)]
    return random.choice(foes), f"XX-99 hold\n{random.choice(theirs)} move S 4\nXX-99 charge {random.choice(theirs)}"


def ideas(game: Game, role: Role, random: Random) -> list[str]:
    """What is seldom fit: ways of several legs, changes of form, the road, guns by hand, chits that are pulled."""
    speaker = Speaker(game, role, random)
    if speaker.mind.phase == "setup":
        return [_deployed(unit, form, random) for unit in speaker.own for form in (*_forms(unit), "")]
    found: list[str] = []
    for unit in speaker.own:
        speaker.focus = unit
        found += _of_unit(speaker, unit, random)
    return found


def _forms(unit: Unit) -> Iterator[str]:
    """The formations that a unit has."""
    for form in FORMATIONS[unit.type]:
        if (form != "skirmish" or unit.may_skirmish) and (form != "dismounted" or unit.arm == "carbine"):
            yield form


def _deployed(unit: Unit, form: str, random: Random) -> str:
    x, y = unit.front.x / 1000 + random.randint(-2, 2), unit.front.y / 1000
    way = random.choice((str(unit.facing), random.choice(POINTS)))
    return f"{unit.id} deploy {max(x, 0):.1f},{y:.1f} facing {way} {form}"


def _of_unit(speaker: Speaker, unit: Unit, random: Random) -> Iterator[str]:
    name, ahead = unit.id, compass(unit.bearing).lower()
    near = sorted(speaker.enemies, key=speaker._far)[:2]
    spot, other = _before(unit, 4, 0), _before(unit, 8, random.choice((-10, 0, 10)))
    yield f"{name} move to {other} via {spot} facing {ahead}"
    yield f"{name} move to {spot} max {random.randint(2, 9)}"
    yield f"{name} move {ahead} {random.randint(2, 9)}"
    yield f"{name} about then {random.choice(('', 'move '))}{random.randint(1, 5)}"
    yield f"{name} retire {random.randint(1, 5)}"
    yield f"{name} shift {random.choice(('left', 'right'))} {random.randint(1, 5)}"
    yield f"{name} face {random.choice(POINTS)}"
    if unit.formation in ("road_column", "limbered"):
        yield f"{name} follow road"
        yield f"{name} follow road max 6"
    yield f"{name} reinforce to {_before(unit, 8, random.choice((0, 90, 180)))} max 4"
    for form in _forms(unit):
        yield f"{name} form {form}{random.choice(('', f' facing {ahead}'))}"
    if unit.formation == "unlimbered":
        yield f"{name} prolong {ahead} {random.randint(1, 5)}"
    if unit.type == "foot_artillery" and unit.formation == "unlimbered":
        yield from (f"{name} bombard {foe.id}" for foe in near)
    if unit.chits:
        deeds = (
            "hold", "about", "face e", "retire 3", "shift left 2", f"move {ahead} 5", f"move to {spot}", "form line",
            "wheel left 30", "follow road", f"prolong {ahead} 2", "pull", "pull double", "pull then hold",
            *(f"charge {foe.id}" for foe in near), *(f"form {one}" for one in _forms(unit)), "wheel right 30 then 4",
        )  # fmt: skip
        yield from (f"{name} pull then {deed}" for deed in deeds)
        yield f"{name} pull double"
    for foe in near:
        yield f"{name} charge {foe.id}{random.choice(('', ' else nearest'))}"
        yield f"{name} fire {foe.id} stands 1 and {near[-1].id}"


def _before(unit: Unit, inches: int, turned: int) -> str:
    at = shifted(unit.front, (unit.bearing + turned * 100) % 36_000, inches * 1000)
    return f"{max(at.x, 0) / 1000:.1f},{max(at.y, 0) / 1000:.1f}"
