"""What a commander of the Kriegsspiel would name in an order line: his units, his comrades, places about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from pbem.kernel.names import Role
from pbem.systems.kriegsspiel.field.works_standing import CROSSING_SEEN
from pbem.systems.kriegsspiel.knowing.sighting import BRIDGE_TOP, eye_of, sees, unit_eye
from pbem.systems.kriegsspiel.scene.chart import Crossing
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.language import GRAMMAR
from pbem.systems.kriegsspiel.world.mind import Mind
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import ENEMY
from tests.player.speech import speech_of
from tests.systems.kriegsspiel.deeds import Deeds, blocks
from tests.systems.play import Game

LARGEST = "weldau"
NEVER = (
    "after/WORD",
    *(
        f"on_arrival/{act}"
        for act in (
            "block_line", "cancel_paper", "dispatch", "end", "enter", "give", "hand_over", "intention", "letter_block",
            "note_", "offer_end", "on_arrival", "parley", "ride_", "say", "staff_", "start", "take_command", "text",
            "wake_",
        )
    ),
    *(f"{value}/BACK={word}" for value in ("back_by", "back_at") for word in ("withdraw", "retreat")),
    "line/dig", "dig", "at_spot/dig", "long/",
)  # fmt: skip
"""What a name stands for; what nobody does on arrival; ways to go back that no reaction has; and earthworks, which take
360 moves where no scenario has as many."""
VALUES: dict[str, tuple[int, ...]] = {
    "turn_moves": (5, 10, 15, 30),
    "step_moves": (1, 5),
    "urgent_min": (0, 2, 6),
    "min_turn_moves": (1, 3, 10),
    "max_players_per_side": (4, 8),
    "warn_batteries": (1, 2, 4),
    "voice_range": (0, 200, 600),
    "presence_range": (0, 400, 1500),
    "talk_range": (0, 1000, 4000),
    "riders_per_commander": (0, 6, 20),
    "riders_per_unit": (0, 2, 6),
    "staff_officers": (0, 2, 5),
    "decision_moves": (0, 2, 5),
    "search_moves": (0, 2, 8),
}
"""Of options that are numbers: some that they may be."""
TEXTS = ("The enemy is before me.", "Hold until the guns are up.", "Come up, I need you.", "halt at the bridge")
SELDOM = ("clear", "repair", "batter")
"""What is thought of only where something is to be cleared or repaired, or in reach."""
INNER = ("block_line", "text", "end")
"""Lines of a block, which stand in none by themselves."""


class Speaker:
    """Thinks of one unit of his command, and names what is about it."""

    def __init__(self, game: Game, role: Role, random: Random) -> None:
        self.mind: Mind = game.world.minds[role]
        self.random, self.scene = random, game.scene
        self.units = [name for name in self.mind.command if f"{self.mind.side}:{name}" in self.scene.units]
        self.groups = sorted(self.mind.own)
        self.focus = ""
        chart = self.scene.chart
        built = [area.id for area in chart.areas if area.built]
        self.places = [*chart.places, *chart.crossings, *built]
        self.roads = sorted(getattr(chart, "roads", {}) or {})
        people = [*self.mind.players, *self.mind.below, self.mind.superior]
        self.people = [self.scene.persons[one].name for one in people if one in self.scene.persons]

    def begin(self) -> None:
        """Think of a unit."""
        self.focus = self.random.choice(self.units or self.groups or ["1/F"])

    def word(self, terminal: str, said: Sequence[str]) -> str | None:
        """A word for a terminal, after the words already said."""
        random, last = self.random, said[-1] if said else ""
        if terminal == "UNIT" or (terminal == "WORD" and last in ("to", "voice", "with", "follow", "support", "cover")):
            return self._unit(said)
        if terminal == "PERSON":
            return random.choice(self.people) if self.people else "Kessel"
        if terminal in ("PLACE", "WORD"):
            if last == "by" and self.roads:
                return str(random.choice(self.roads))
            if last == "as":
                return f"{self.focus}{random.choice('abcd')}"
            return str(random.choice(self.places))
        if terminal == "POINT":
            return self._point()
        if terminal == "ENTRY":
            entries = sorted(self.mind.entries)
            return random.choice(entries) if entries else "e1"
        if terminal == "TIME":
            minutes = 8 * 60 + self.mind.move * 2 + random.randint(2, 60)
            return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
        if terminal == "NUMBER":
            return str(random.choice((1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 150, 200, 300, 500, 800)))
        if terminal == "PERCENT":
            return f"{random.choice((10, 20, 33, 50))}%"
        if terminal == "RATIO":
            return random.choice(("2:1", "3:2", "3:1"))
        if terminal == "CODE":
            return f"W{random.randint(1, 9)}"
        if terminal == "TEXT":
            return random.choice(TEXTS)
        if terminal == "HERE":
            return random.choice(("here", "here+100n", "here+200se"))
        if terminal == "DIRECTION":
            return random.choice(("N", "NNE", "E", "SE", "S", "SW", "W", "NW", "bearing 240"))
        return None

    def _unit(self, said: Sequence[str]) -> str:
        if len(said) < 2 or self.random.random() < 0.3:
            return self.focus
        return str(self.random.choice(self.units or self.groups or ["1/F"]))

    def _point(self) -> str:
        random, known = self.random, self.mind.own.get(self.focus)
        at = known.state.at if known is not None else self.mind.at
        far = random.choice((50, 200, 600))
        return f"{max(0, at.x + random.randint(-far, far))},{max(0, at.y + random.randint(-far, far))}"


def chunk(draw: Callable[..., str], random: Random) -> list[str]:
    """A line; one that begins a paper brings the lines of it."""
    verbs = {part: 1.0 for part in speech_of(GRAMMAR).parts if "/" not in part and part not in INNER}
    first = draw({**verbs, "to": 12.0, "voice": 5.0, "dispatch": 2.0})
    if not (first.startswith("dispatch") or (first.startswith("letter") and ":" not in first)):
        return [first]
    inner = {"text": 1.0} if first.startswith("letter") else {"block_line": 3.0, "text": 0.5}
    return [first, *(draw(inner) for _ in range(random.randint(1, 3))), "end"]


def turns(game: Game) -> int:
    """The moves played."""
    war: War = game.world.truth
    return war.clock.move


def rulings(game: Game, random: Random) -> str:
    """Points that an umpire gives a battalion, or a crossing in sight that he breaks or bars."""
    war: War = game.world.truth
    seen = _crossings_seen(game.scene, war)
    if seen and random.random() < 0.8:
        crossing = random.choice(seen)
        broken = {"stone": ("broken",), "wood": ("broken", "plank_off")}.get(crossing.material, ())
        return f"set crossing {crossing.id} state {random.choice((*broken, 'barricaded'))}"
    able = [
        unit
        for unit in war.units.values()
        if unit.arm == "infantry"
        and unit.place.stand == "map"
        and unit.strength.points < 20
        and unit.trial.state == "fresh"
    ]
    if not able:
        return ""
    unit = random.choice(able)
    return f"set {unit.side} {unit.id} strength.points {unit.strength.points + 1}"


def _crossings_seen(scene: Scene, war: War) -> list[Crossing]:
    """Those that some unit or commander has before his eyes."""
    eyes = [
        *(unit_eye(war, unit) for unit in war.units.values()),
        *(eye_of(war, person) for person in war.persons.values()),
    ]
    return [
        crossing
        for crossing in scene.chart.crossings.values()
        if any(sees(scene.terrain, eye, crossing.at, CROSSING_SEEN, BRIDGE_TOP) for eye in eyes)
    ]


def unseen(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> str:
    """A round of shot that an enemy battery has not, of many."""
    war: War = game.world.truth
    mind: Mind = game.world.minds[role]
    full = [unit for unit in war.units.values() if unit.side == ENEMY[mind.side] and unit.strength.shot > 200]
    if not full:
        return ""
    unit = random.choice(full)
    return f"set {unit.side} {unit.id} strength.shot {unit.strength.shot - 1}"


def unheard(game: Game, role: Role, random: Random, sheets: Mapping[Role, str]) -> tuple[Role, str]:
    """An enemy, and what he is refused: orders to nobody, rides to nowhere, an entry that he has not."""
    minds: Mapping[Role, Mind] = game.world.minds
    foes = [one for one, mind in minds.items() if mind.side != minds[role].side]
    return random.choice(foes), "to 99/Z: halt\nride to Nowhereville\nnote drop e999"


def lines(act: Any) -> Iterator[int]:
    """Of a paper the lines in it; of any other act its own."""
    inner = getattr(act, "lines", ())
    if inner:
        yield from (one.line for one in inner)
    else:
        yield act.line


def ideas(game: Game, role: Role, random: Random) -> list[str]:
    """The examples of the language in the names of the role, and all that some of its units might be ordered."""
    scene, mind = game.scene, game.world.minds[role]
    found: list[str] = []
    forms = game.system.own_forms
    examples = forms(scene, mind, role) if forms is not None else {}
    found += (line for verb, line in examples.items() if verb not in SELDOM and "\n" not in line)
    groups = [one.id for one in scene.groups.values() if one.side == mind.side and set(one.units) <= set(mind.command)]
    units = [*random.sample(mind.command, min(4, len(mind.command))), *random.sample(groups, min(1, len(groups)))]
    for name in units:
        deeds = Deeds(scene, mind, name, random)
        found += (f"{'voice' if random.random() < 0.2 else 'to'} {name}: {deed}" for deed in deeds.all())
        found += ("\n".join(block) for block in blocks(scene, mind, name, random))
    found += (f"voice {name}: rally" for name in units)
    return found + _dispositions(game, mind, random)


def _dispositions(game: Game, mind: Mind, random: Random) -> list[str]:
    """Where his units might begin, and who might have them: before the first move."""
    if mind.turn:
        return []
    found = []
    for name in mind.command:
        deeds = Deeds(game.scene, mind, name, random)
        if deeds.plan is None:
            continue
        way, form = random.choice("NESW"), random.choice(deeds.forms())
        found.append(f"start {name} at {deeds.point}{random.choice(('', f' facing {way}', f' in {form}'))}")
        if deeds.plan.entry:
            found.append(f"enter {name} by {random.choice((deeds.plan.entry, *deeds.plan.or_by))}")
    return found
