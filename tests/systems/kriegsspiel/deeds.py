"""Every deed of the Kriegsspiel's language, with every word that it can have, for one unit or group that may do it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

from pbem.ground.plane import Point, distance
from pbem.systems.kriegsspiel.scene.chart import Chart
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.tables.fire import BREACH_FAR
from pbem.systems.kriegsspiel.tables.formation import FORMATIONS
from pbem.systems.kriegsspiel.tables.march import GAITS, RATE_CLASS
from pbem.systems.kriegsspiel.tables.orders import PATROL_SIZES
from pbem.systems.kriegsspiel.world.mind import Mind

ARMS = ("infantry", "cavalry", "battery", "batteries", "artillery", "guns", "skirmishers")
POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
FOOT, HORSE, GUNS = ("infantry", "pioneers"), ("cavalry",), ("artillery",)


class Deeds:
    """What one unit might be ordered, as far as its commander knows."""

    def __init__(self, scene: Scene, mind: Mind, name: str, random: Random) -> None:
        self.scene, self.mind, self.name, self.random = scene, mind, name, random
        self.chart: Chart = scene.chart
        self.plan: UnitPlan | None = scene.units.get(f"{mind.side}:{name}")
        known = mind.own.get(name)
        self.at = known.state.at if known is not None else mind.at
        self.others = [one for one in mind.command if one != name] or [name]
        self.spots = {one.id: one.at for table in (self.chart.places, self.chart.crossings) for one in table.values()}

    # ------------------------------------------------------------ names

    @property
    def spot(self) -> str:
        """A place of the map, often a near one."""
        near = sorted(self.spots, key=lambda name: distance(self.spots[name], self.at))
        return self.random.choice(near[:4] if self.random.random() < 0.6 else near)

    @property
    def point(self) -> str:
        """A point about the unit."""
        far = self.random.choice((50, 150, 400))
        x, y = (one + self.random.randint(-far, far) for one in self.at)
        return f"{min(max(x, 50), self.chart.width - 50)},{min(max(y, 50), self.chart.height - 50)}"

    @property
    def back(self) -> str:
        """A point farther from the nearest enemy that is known."""
        foes = [entry.tiding.at for entry in self.mind.entries.values() if not entry.dropped]
        foe = min(
            foes, key=lambda at: distance(at, self.at), default=Point(self.chart.width // 2, self.chart.height // 2)
        )
        far = max(distance(foe, self.at), 1)
        x = self.at.x + (self.at.x - foe.x) * 200 // far
        y = self.at.y + (self.at.y - foe.y) * 200 // far
        return f"{min(max(x, 50), self.chart.width - 50)},{min(max(y, 50), self.chart.height - 50)}"

    @property
    def other(self) -> str:
        """Another unit of the command."""
        return self.random.choice(self.others)

    def targets(self) -> Iterator[str]:
        """Every way to name a target."""
        yield from sorted(name for name, entry in self.mind.entries.items() if not entry.dropped)[-3:]
        yield self.spot
        yield f"nearest {self.random.choice(ARMS)}"
        yield "nearest enemy"
        for arm in self.random.sample(ARMS, 2):
            yield f"{arm} {self.random.choice(('at', 'near'))} {self.random.choice((self.spot, self.point))}"

    # ------------------------------------------------------------ orders

    def all(self) -> Iterator[str]:
        """Orders of every kind that its arm has."""
        arm = self.plan.arm if self.plan is not None else ""
        yield from self._marches()
        yield from self._of_all()
        if self.plan is None:
            yield from self._of_group()
            return
        yield from self._works()
        if arm in (*FOOT, *HORSE):
            yield from self._fights()
        if arm in GUNS:
            yield from self._guns()
        kind = "battery" if arm in GUNS else "infantry" if arm in FOOT else arm
        yield from self._reactions(kind)

    def forms(self) -> Sequence[str]:
        """The formations that its arm has."""
        arm = self.plan.arm if self.plan is not None else self.random.choice(("infantry", "cavalry", "artillery"))
        arm = "infantry" if arm == "pioneers" else arm
        return [name.replace("_", " ") for name, one in FORMATIONS.items() if one.arm == arm] or ["line"]

    def _marches(self) -> Iterator[str]:
        rates = list(GAITS[RATE_CLASS[self.plan.kind]]) if self.plan is not None else ["march"]
        for form in self.forms():
            yield f"march to {self.spot} in {form}"
            yield f"form {form}{self.random.choice(('', f' facing {self.random.choice(POINTS)}', f' on {self.point}'))}"
        for rate in rates:
            yield f"march to {self.point} at {rate}"
        yield f"march to {self.point} across"
        yield f"march to {self.spot} by {self.random.choice(list(self.chart.roads))}"
        yield f"march to {self.point} facing {self.random.choice((self.spot, *POINTS))}"
        yield f"march to {self.spot} join {self.other}"
        hidden = f"march concealed to {self.spot} by {self.random.choice(list(self.chart.roads))}"
        yield hidden
        for more in (
            f"at {self.random.choice(rates)}", f"in {self.random.choice(self.forms())}", "across",
            f"facing {self.random.choice(POINTS)}", f"join {self.other}",
        ):  # fmt: skip
            yield f"{hidden} {more}"
        yield f"retire to {self.back} {self.random.choice(('slow', 'fast', 'by lines', 'by ' + self.spot))}"
        for step in ("left", "right", "back", "forward"):
            yield f"shift {step} {self.random.choice((50, 100, 300))}"
        yield f"swim to {self.point}"
        for boats in self.chart.boats.values():
            yield f"embark at {boats.at.x},{boats.at.y} to {self.point}{self.random.choice(('', ' in ' + boats.id))}"
            yield f"take boats {boats.id} to {self.point}"
        yield "land"

    def _of_all(self) -> Iterator[str]:
        random = self.random
        yield f"hold {random.choice((self.point, ''))} to the last"
        yield f"hold concealed {random.choice((self.point, ''))}"
        yield "hold fire until 100"
        yield f"support {self.other} at 200"
        yield f"relieve {self.other}"
        yield f"make way for {self.other}"
        yield f"guard {random.choice(('left', 'right'))} of {self.other} at {random.choice((100, 300))}"
        yield f"demonstrate against {self.spot}{random.choice(('', ' to 400'))}"
        yield f"report {random.choice(('now', 'immediately', 'at 11:00', 'when at ' + self.spot))}"
        for target in self.targets():
            yield f"observe {target}{random.choice(('', ' at 900'))}"
        yield f"escort prisoners {random.choice(('', '20 men '))}to {self.spot}{random.choice(('', ' with 10 men'))}"
        yield from ("release prisoners", "rest", "rally", "halt", "fire at will", "cease fire", "words: go round")
        size = random.choice((*(f"size {one}" for one in PATROL_SIZES), "unit", "size unit"))
        way = random.choice(("return", "stay", "wide", "careful"))
        yield f"patrol {size} to {self.spot} {way}"
        yield f"patrol {way} to {self.spot} {self.spot} {size}"
        yield f"post {size} at {self.spot}"
        yield f"outposts from {self.spot} to {self.spot} posts {random.randint(1, 4)}"
        yield f"detach half {random.choice(('left', 'right'))} as {self.name}{random.choice('abcd')}"
        yield f"rejoin {self.other}"
        for test in self.conditions():
            yield f"when {test}: halt"
            yield f"if not {test}: face {random.choice(POINTS)}"
            yield f"hold until {test}"
            yield f"cancel when {test}"
            yield f"when {test} and relieved: halt"
            yield f"when relieved or {test}: halt"

    def conditions(self) -> Iterator[str]:
        """One of each kind of condition."""
        random = self.random
        yield from (f"at {self.spot}", "11:30", f"{self.other} at {self.spot}", "attacked", "fired on", "relieved")
        yield from (f"attacked by {one}" for one in ("cavalry", "infantry", "superior force"))
        yield from (f"fired on by {one}" for one in ("artillery", "canister"))
        yield from (f"{self.other} {one}" for one in ("attacks", "retires", "arrives"))
        yield from (f"{random.choice(list(self.chart.crossings))} {one}" for one in ("ready", "destroyed", "lost"))
        yield f"enemy within {random.choice((200, 500))}{random.choice(('', ' of ' + self.spot))}"
        yield from (f"enemy at {self.spot}", f"enemy crosses {random.choice(list(self.chart.crossings))}")
        yield from (f"losses over {random.choice((10, 30))}%", f"fire seen at {self.spot}", "signal gun 2")
        yield "(not attacked by 11:00 or relieved)"
        yield from ("not relieved", "not not attacked by 11:00")
        people = [self.scene.persons[one].name for one in self.mind.players if one in self.scene.persons]
        if people:
            yield f"word from {random.choice(people)}"

    def _fights(self) -> Iterator[str]:
        random = self.random
        for target in self.targets():
            form, zugs = random.choice(self.forms()), random.choice((2, 4, 6))
            tail = ("bayonet", "by waves 2", f"support {self.other}", "after 3 moves fire", f"in {form}")
            yield f"attack {target} {random.choice(tail)}"
            yield f"attack {target}"
            yield f"fire on {target}"
            yield f"charge {target}{random.choice(('', ' by waves 2', f' in {form}'))}"
            yield f"pursue {target}{random.choice(('', ' 3 moves', f' not beyond {self.spot}'))}"
            chain = random.choice(("in intervals", "half", f"toward {self.spot}", "200 ahead"))
            yield f"skirmishers out {zugs} {chain}"
        yield from ("skirmishers in", "dismount", "mount")

    def _guns(self) -> Iterator[str]:
        random = self.random
        for target in self.targets():
            yield f"fire on {target} with {random.choice(('canister', 'shot', 'shell', 'random'))}"
            yield f"fire on {target}"
        yield "limber"
        for word in ("wide", "narrow", "refused", f"facing {random.choice(POINTS)}"):
            yield f"unlimber {word}"
        for word in ("forward", "back"):
            yield f"prolonge {word} {random.choice((20, 60))}"
        yield f"send wagons to {self.point}"
        yield "withdraw guns"
        yield f"signal {random.randint(1, 4)}"
        for area in [one for one in self.chart.areas if one.buildings]:
            yield f"bombard {area.id}{random.choice(('', ' until fire', ' 4 moves'))}"
        for wall in (*self.chart.lines, *self.chart.strongholds):
            yield f"breach {wall}{random.choice(('', f' at {self.point}'))}"
        reached = (one for one in self.chart.crossings.values() if distance(one.at, self.at) <= BREACH_FAR)
        yield from (f"batter {crossing.id}" for crossing in reached)

    def _works(self) -> Iterator[str]:
        random = self.random
        yield from self._mending()
        for crossing in self.chart.crossings.values():
            name, when = crossing.id, random.choice(("", f" when enemy crosses {crossing.id}"))
            yield f"barricade {name}"
            yield f"occupy {name}"
            for deed in ("blow", "burn"):
                yield f"{deed} {name}{when}"
            for deed in ("dismantle", "tear up", "remove", "put out fire at"):
                yield f"{deed} {name}"
            yield f"prepare {name} for {random.choice(('blowing', 'burning'))}{random.choice(('', ' timed'))}"
        road = random.choice(list(self.chart.roads.values()))
        on_it = random.choice(road.line)
        yield f"barricade {road.id} at {on_it.x},{on_it.y}"
        for water in self.chart.waters.values():
            bank = random.choice(water.line)
            kind, load = (
                random.choice(("pontoon", "trestle", "floating")),
                random.choice(("", " for all", " for infantry")),
            )
            yield f"build {kind} bridge at {bank.x},{bank.y}{load}"
        for hold in self.chart.strongholds:
            tail = random.choice(("", f" side {random.choice(POINTS)}", " with 1 half battalions in reserve"))
            yield f"occupy {hold}{tail}"
            yield f"fortify {hold}"

    def _mending(self) -> Iterator[str]:
        """What undoes a work, where he knows of one: tried everywhere, it is soon given up as what is never taken."""
        known = {name: state for name, (state, _) in self.mind.crossings.items() if name in self.chart.crossings}
        yield from (f"clear {name}" for name, state in known.items() if state == "barricaded")
        bridges = [name for name, one in self.chart.crossings.items() if one.kind == "bridge"]
        yield from (f"repair {name}" for name in bridges if known.get(name) in ("broken", "plank_off", "destroyed"))
        papers = chain.from_iterable(self.mind.orders.values())
        ordered = (line.order for _, lines in papers for line in lines if line.order is not None)
        places = sorted({order.to[-1].at for order in ordered if order.verb == "barricade"})
        yield from (f"clear {at.x},{at.y}" for at in self.random.sample(places, min(2, len(places))))

    def _of_group(self) -> Iterator[str]:
        random, members = self.random, list(self.scene.units_of(self.mind.side, self.name))
        head = f"deploy {random.choice((self.name, *members))} facing {random.choice(POINTS)} on {self.point}"
        form = random.choice(self.forms())
        for word in (
            "in one line", "in two lines", "interval 25", "distance 200", f"in {form}",
            "guns left", "guns right",
            f"reserve {random.choice(members)}",
        ):  # fmt: skip
            yield f"{head} {word}"
        yield f"order of march {', '.join(random.sample(members, min(3, len(members))))}"
        yield f"detach squadron {random.randint(1, 4)} as {self.name}{random.choice('abcd')}"

    def _reactions(self, kind: str) -> Iterator[str]:
        random = self.random
        attacked = {
            "infantry": ("stand", "countercharge", f"retire {self.back}", f"retire to {self.back}"),
            "cavalry": ("stand", "countercharge", f"retire to {self.back}"),
            "battery": ("stay", f"withdraw to {self.back}", "until 200"),
        }.get(kind, ())
        of: dict[str, Sequence[str]] = {
            "attacked": attacked,
            "attacked by cavalry": ("square", "stand", f"retire {self.back}"),
            "skirmishers attacked": ("fall back", "stand"),
            "fired on": ("stand", "shift cover", "retire 200"),
            "superior force": ("retire at 2:1", "none"),
            "losses": ("retire at 20%", "none"),
            "victory": ("halt", "pursue 2 moves", "pursue without halt", "return"),
            "defeat": (f"retreat to {self.back}", "none"),
            "enemy seen": ("report", "report and halt", "report and attack", "ignore"),
            "fire policy": ("at will", "hold until 150", "canister only"),
            "lost contact": ("stay", "rejoin"),
            "messenger missing": ("repeat", "ignore"),
            "prisoners": ("escort", "leave"),
        }
        for key, values in of.items():
            yield from (f"react {key} {value}" for value in random.sample(list(values), len(values)))


def blocks(scene: Scene, mind: Mind, name: str, random: Random) -> Iterator[list[str]]:
    """Lines that need others beside them: papers in full, what waits for an order, what is done on arrival."""
    deeds = Deeds(scene, mind, name, random)
    yield [f"to {name}: march to {deeds.spot}", f"to {name}: after march: form {random.choice(deeds.forms())}"]
    yield [f"to {name} by {deeds.spot} copies 2 urgent no receipt: halt"]
    yield [f"dispatch {name} by {deeds.spot} copies 2 urgent no receipt", f"{name}: march to {deeds.spot}", "end"]
    if mind.turn:
        people = [scene.persons[one].name for one in mind.players if one in scene.persons]
        for line in (
            f"voice {name}: halt", f"to {name}: halt", f"look {random.choice(POINTS)}", "stay",
            *(f"letter {random.choice(people)}: I am at the bridge." for _ in people[:1]),
        ):  # fmt: skip
            yield [f"ride to {deeds.spot}", f"on arrival: {line}"]
