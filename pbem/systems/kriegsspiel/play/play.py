"""A stretch of play: facts are applied as they come to pass, so that the next step sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypedDict, Unpack

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.kernel.owed import Answers
from pbem.rules.contract import Fold, World
from pbem.rules.ledger import rule
from pbem.rules.stretch import Stretch
from pbem.systems.kriegsspiel.field.field import Field
from pbem.systems.kriegsspiel.mind.memory import learn
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables.dice import DICE, Face
from pbem.systems.kriegsspiel.world import troops
from pbem.systems.kriegsspiel.world.bodies import is_in_play
from pbem.systems.kriegsspiel.world.dispatches import Paper, Person
from pbem.systems.kriegsspiel.world.fact import Fact, seen, told_to
from pbem.systems.kriegsspiel.world.mind import Learned, Mind
from pbem.systems.kriegsspiel.world.orders import AnyAct
from pbem.systems.kriegsspiel.world.outcomes import Kept
from pbem.systems.kriegsspiel.world.parts import Ruling
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.state import War, evolve

Die = Literal["I", "II", "III", "IV", "V"]


class Parts(TypedDict, total=False):
    """Parts of a unit as they now are."""

    place: troops.Place
    strength: troops.Strength
    march: troops.March
    duty: troops.Duty
    trial: troops.Trial
    change: troops.Change | None
    commander: str
    enters: int
    entry: str
    behind: str


class Play(Stretch[Scene, War, Mind, AnyAct, Fact]):
    """One call of `resolve`, or of `direct`: the truth and what each commander knows, as they become."""

    fold = Fold(evolve, learn, seen)

    def __init__(
        self,
        scene: Scene,
        world: World[War, Mind],
        orders: Mapping[Role, Sequence[AnyAct]],
        answers: Answers,
        dice: Dice,
    ) -> None:
        super().__init__(scene, world, dict(sorted(orders.items())), answers, dice)
        self.tick = 0
        self.noted: dict[str, list[tuple[str, str]]] = {}
        """What units have to report of this move: event and text, by key."""
        self.stood: dict[str, troops.Strength] = {}
        """What everybody was before the fire of this move, which changes the pieces in step 8."""
        self.looks: dict[tuple[str, str], tuple[object, troops.Unit, str]] = {}
        """Who looked at whom last, both as they were, and how much he could tell of him."""
        self._field = Field(scene, self.truth)

    # -------------------------------------------------------------- facts

    def add(self, *facts: Fact) -> None:
        """Take facts into the record, onto the map, and to the one who may know them; fills in the clock."""
        for fact in facts:
            assert not (fact.known and fact.changes), f"{fact} is of the truth and of knowledge"
            self.commit(replace(fact, move=fact.move or self.move, tick=fact.tick or self.tick))

    def tell(self, role: str, fact: Fact, learned: Learned | None = None) -> None:
        """A fact of knowledge to one role; nothing if nobody plays it."""
        if Role(role) in self.minds:
            self.add(replace(fact, known=told_to(role), learned=learned if learned is not None else fact.learned))

    def note(self, unit: str, event: str, text: str) -> None:
        """Something that a unit's officer will report (KS-MSG-08); *event* is a name of `REPORTS`."""
        told = self.noted.setdefault(unit, [])
        if (event, text) not in told:
            told.append((event, text))

    def keep(self, what: str, changes: Changes) -> None:
        """Bookkeeping that has no name of its own."""
        self.add(Kept(what=what, changes=changes))

    def change(self, unit: troops.Unit, what: str, **parts: Unpack[Parts]) -> None:
        """Bookkeeping of one unit: the parts of it that are new."""
        self.keep(what, one(unit, troops.UnitPatch(**parts)))

    def clock(self, **parts: object) -> Changes:
        """A change of the clock alone."""
        return Changes(clock=replace(ClockPatch(), **parts))

    # -------------------------------------------------------------- what there is

    @property
    def war(self) -> War:
        """The war as it now is."""
        return self.truth

    @property
    def move(self) -> int:
        """The move that is being played."""
        return self.war.clock.move

    @property
    def table(self) -> str:
        """The march table in force, by option."""
        return self.war.options.march_table

    @property
    def now(self) -> int:
        """The tick since the opening."""
        return self.move * 12 + self.tick

    @property
    def field(self) -> Field:
        """The ground with what stands on it now."""
        if self._field.war is not self.truth:
            self._field = Field(self.scene, self.truth)
        return self._field

    def unit(self, key: str) -> troops.Unit:
        """A unit as it now is."""
        return self.war.units[key]

    def on_map(self, side: troops.Side | None = None) -> Iterator[troops.Unit]:
        """The units that stand on the map, in the order of their keys."""
        for key in sorted(self.war.units):
            unit = self.war.units[key]
            if is_in_play(unit) and side in (None, unit.side):
                yield unit

    def persons(self, side: troops.Side | None = None) -> Iterator[Person]:
        """The persons on the map, in the order of their ids."""
        for name in sorted(self.war.persons):
            person = self.war.persons[name]
            if person.stand == "map" and person.state != "captured" and side in (None, person.side):
                yield person

    def papers(self) -> Iterator[Paper]:
        """The papers there are, in the order in which they were begun."""
        for number in sorted(self.war.papers):
            yield self.war.papers[number]

    def player(self, person: str) -> str:
        """The role that plays a person; empty: none."""
        found = self.war.persons.get(person)
        return found.role if found is not None and found.state != "captured" else ""

    def mind(self, person: Person) -> Mind | None:
        """What a person knows, if somebody plays him."""
        return self.minds.get(Role(person.role)) if person.role else None

    def roles(self) -> Iterator[Role]:
        """All roles that are played."""
        yield from sorted(self.minds)

    # -------------------------------------------------------------- dice and rulings

    def ruling(self, effect: str, at: str) -> Ruling | None:
        """The newest ruling of that effect on that fight, fire, paper or unit."""
        return next((one for one in reversed(self.war.clock.rulings) if (one.effect, one.at) == (effect, at)), None)

    def throw(self, purpose: str, place: str, die: Die) -> Throw:
        """One throw of a die of the apparatus; *place* must be unique for the purpose in a move."""
        return self.dice.throw(purpose, f"m{self.move}/{die}/{place}", seed="closed")

    @rule("KS-DIE-01", "KS-TUR-05", "KS-GM-02")
    def decide(self, purpose: str, place: str, die: Die) -> tuple[Face, tuple[Throw, ...]]:
        """A decision: a blank is thrown again, and both throws are logged."""
        throws: list[Throw] = []
        while True:
            throws.append(self.throw(purpose, f"{place}.{len(throws) + 1}" if throws else place, die))
            face = DICE[die][throws[-1].faces[0] - 1]
            if face.circle != "blank":
                return face, tuple(throws)


def one(unit: troops.Unit, parts: troops.UnitPatch) -> Changes:
    """The change of a single unit."""
    return Changes(units={unit.key: parts})


def side_unit(play: Play, side: troops.Side, name: str) -> troops.Unit | None:
    """A unit by its id on a side."""
    return play.war.units.get(f"{side}:{name}")
