"""The words of one line, made into places, units, times, targets and conditions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, parse_bearing
from pbem.ground.plane import Point, shifted
from pbem.orders import sentence
from pbem.orders.grammar import Node, Word, child, part, parts_in, words_in
from pbem.orders.sentence import made_of
from pbem.orders.sheet import Judgement, Line
from pbem.orders.verbs import Verb
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong
from pbem.systems.kriegsspiel.sheets.lexicon import Kind, Marked, Name
from pbem.systems.kriegsspiel.tables.knowledge import MOVE_MINUTES
from pbem.systems.kriegsspiel.world.orders import Condition, ConditionKind, Facing, Spot, Target

ARMS: Mapping[str, str] = {
    "infantry": "infantry", "cavalry": "cavalry", "battery": "battery", "batteries": "battery",
    "artillery": "battery", "guns": "battery", "skirmishers": "skirmishers",
}  # fmt: skip
"""The words for the arm of a target, and what each means."""

BY = ("road", "crossing", "place", "area")
"""What a name behind `by` means first."""

_UNTIL = re.compile(r"\b(?:until|when)\s", re.IGNORECASE)
_SPLIT = re.compile(r"[\s_-]+")


class BadWord(Exception):
    """A word that the grammar takes, and that names nothing."""

    def __init__(self, token: Word | None, wrong: Wrong) -> None:
        super().__init__(wrong.why)
        self.token, self.wrong = token, wrong


def number_of(name: str) -> Callable[[Sentence], int | None]:
    """What reads the number in a part of that name."""
    return lambda told: told.number_of(name)


def first_word(node: Node[Word]) -> Word:
    """The first word of a part or of its parts."""
    return next(one for one in node.scan_values(lambda _: True))


class Sentence(sentence.Sentence):
    """A line, or a part of it, being read; *wrongs*: what is to be said of it though it can be read."""

    def __init__(self, bench: Bench, line: Line, marked: Marked, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.bench, self.marked = bench, marked
        self.wrongs: list[tuple[Word | None, Wrong]] = []

    @property
    def kind(self) -> str:
        """What the grammar calls it."""
        return str(self.tree.data)

    @property
    def first(self) -> Word:
        """Its first word."""
        return first_word(self.tree)

    @property
    def colon(self) -> Word:
        """The colon in it, where the grammar has one."""
        return self.the("COLON")

    def said(self, token: Word) -> str:
        """A word as it was written."""
        start, end = token.start_pos or 0, token.end_pos or 0
        # A word of the players' own stands for one of the language.
        meant = self.marked.text[start:end].casefold() != str(token).casefold()
        return str(token) if meant else self.marked.original[start:end].strip()

    def keyword(self, token: Word) -> str:
        """A word of the language as it is kept: `Attack column` is `attack_column`."""
        return "_".join(_SPLIT.split(self.said(token).strip().casefold()))

    def rest(self, start: int) -> str:
        """The line from a character on, as it was written."""
        return self.marked.original[start:].strip(" \t,").rstrip(".").strip()

    def text(self) -> str:
        """The text behind a colon."""
        return self.said(self.words()[-1])

    def note(self, token: Word | None, wrong: Wrong) -> None:
        """Say something of the line, and read on."""
        self.wrongs.append((token, wrong))

    def words(self, *kinds: str) -> list[Word]:
        """The words that stand in the part itself; of these kinds, if any are given."""
        return super().words(*kinds) if kinds else words_in(self.tree)

    def all(self, *names: str) -> list[Sentence]:
        """The parts of these names, or all there are."""
        return [self.of(one) for one in parts_in(self.tree, *names)]

    # ------------------------------------------------------------ options

    def given(self, name: str) -> Sentence | None:
        """A part of this name; None: it was not given."""
        node = self.part(name)
        return None if node is None else self.of(node)

    def has(self, name: str) -> bool:
        """Whether such a part was given."""
        return self.part(name) is not None

    def count(self, token: Word) -> int:
        """A number."""
        return int(self.said(token))

    def number_said(self) -> int:
        """The number that stands in the part itself."""
        return self.count(self.the("NUMBER"))

    def number_of(self, name: str) -> int | None:
        """The number in a part, if it was given."""
        node = self.part(name)
        return None if node is None else self.count(first_word(node))

    def word_of(self, name: str) -> str:
        """The word of the language in a part; empty: it was not given."""
        node = self.part(name)
        return "" if node is None else self.keyword(first_word(node))

    def unit_of(self, name: str) -> str:
        """The unit in a part; empty: it was not given."""
        one = self.given(name)
        return "" if one is None else one.unit()

    def place_of(self, name: str, *prefer: str) -> tuple[Spot, ...]:
        """The place in a part, if it was given."""
        one = self.given(name)
        return () if one is None else one.places(*prefer)

    # ------------------------------------------------------------ who

    def _named(self, token: Word, *kinds: Kind) -> Name | None:
        name = self.marked.at(token.start_pos or 0)
        return name if name is not None and name.kind in kinds else None

    def unit(self) -> str:
        """The id of a unit or group of his own side."""
        return self._unit(child(self.tree, "unit"))

    def units(self) -> tuple[str, ...]:
        """The ids of several."""
        return tuple(self._unit(one) for one in parts_in(self.tree, "unit"))

    def _unit(self, node: Node[Word]) -> str:
        token = first_word(node)
        if name := self._named(token, "unit"):
            return self.bench.lexicon.units[name.key]
        raise BadWord(token, self.strange(token, f'"{self.said(token)}" is no unit of yours', "unit"))

    def person(self) -> str:
        """The id of a commander of his own side."""
        token = first_word(child(self.tree, "person"))
        if name := self._named(token, "person"):
            return self.bench.lexicon.persons[name.key]
        raise BadWord(token, self.strange(token, f'"{self.said(token)}" is no commander of your side', "person"))

    def who(self) -> tuple[str, str]:
        """Whom a paper is for: the kind of addressee (`unit`, `person`, `higher`) and the id."""
        token = first_word(child(self.tree, "who"))
        if token.type == "HIGHER":
            return "higher", "higher"
        if name := self._named(token, "unit", "person"):
            ids = self.bench.lexicon.units if name.kind == "unit" else self.bench.lexicon.persons
            return name.kind, ids[name.key]
        why = f'"{self.said(token)}" is no unit or commander of your side'
        raise BadWord(token, self.strange(token, why, "unit", "person"))

    def strange(self, token: Word, why: str, *kinds: Kind) -> Wrong:
        """That a name is not known, with the one that was perhaps meant."""
        like = self.bench.lexicon.like(self.said(token), *kinds)
        if like is None:
            return Wrong(why, "KS-ORD-02", judgement=Judgement.NOT_UNDERSTOOD)
        original = self.marked.original
        mended = f"{original[: token.start_pos or 0]}{like}{original[token.end_pos or 0 :]}".strip()
        return Wrong(f'{why}; did you mean "{like}"?', "KS-ORD-02", mended, Judgement.NOT_UNDERSTOOD)

    # ------------------------------------------------------------ where

    def place(self, *prefer: str) -> Spot:
        """A place; where a name has several meanings, of the first of these kinds."""
        return self._spot(child(self.tree, "spot"), *prefer)

    def places(self, *prefer: str) -> tuple[Spot, ...]:
        """All places of a part, in order."""
        return tuple(self._spot(one, *prefer) for one in parts_in(self.tree, "spot"))

    def place_given(self) -> Spot | None:
        """The place of a part that may have one."""
        return next(iter(self.places()), None)

    def way(self) -> tuple[Spot, ...]:
        """The roads and places of `by`."""
        return self.place_of("by", *BY)

    def _spot(self, node: Node[Word], *prefer: str) -> Spot:
        token = first_word(node)
        said = self.said(token)
        if inner := part(node, "unit"):
            unit = self._unit(inner)
            at = self.bench.at(unit)
            if at is None:
                self.note(token, Wrong(f"you do not know where {unit} is on the map", "KS-SIT-09"))
            return Spot(at or Point(0, 0), f"unit {unit}")
        match token.type:
            case "POINT":
                x, y = (int(number) for number in said.split(","))
                return self._on_map(Spot(Point(x, y), f"{x},{y}"), token)
            case "HERE":
                return self._on_map(Spot(_off(self.bench.mind.at, said.partition("+")[2]), said), token)
            case "PLACE":
                return self.named_place(token, prefer)
            case _:  # any other word names no place
                raise BadWord(token, self.strange(token, f'"{said}" is no place of the map', "place"))

    def _on_map(self, spot: Spot, token: Word) -> Spot:
        if not self.bench.on_map(spot.at):
            chart = self.bench.chart
            why = f"{spot.at.x},{spot.at.y} is off the map, which goes from 0,0 to {chart.width},{chart.height}"
            self.note(token, Wrong(why, "KS-ORD-04"))
        return spot

    @rule("KS-ORD-04", "KS-ORD-11")
    def named_place(self, token: Word, prefer: Sequence[str]) -> Spot:
        """The place that a name means; of several kinds the first of those that an order prefers."""
        name = self.marked.at(token.start_pos or 0)
        assert name is not None, "a place is marked where it was found"
        said, chart = self.said(token), self.bench.chart
        found = chart.names[name.key]
        liked = next((kind for kind in prefer if any(one == kind for one, _ in found)), found[0][0])
        meant = [one for one in found if one[0] == liked]
        if len(meant) > 1:
            either = " or ".join(one for _, one in meant)
            raise BadWord(
                token, Wrong(f'"{said}" may be {either}', "KS-ORD-11", f"write {either}", Judgement.NOT_CLEAR)
            )
        kind, thing = meant[0]
        at = self.bench.middle_of(chart.area_of[thing]) if kind == "area" else chart.point_of(kind, thing)
        if name.offset:
            return self._on_map(Spot(_off(at, name.offset), said), token)
        return Spot(at, said, thing if kind != "place" else "")

    def crossing(self) -> Spot:
        """A crossing by its name."""
        return self._spot(child(self.tree, "crossing"), "crossing")

    def facing(self) -> Facing:
        """A direction, or a place to look at."""
        node = self.part("direction") or self.tree
        if inner := part(node, "spot"):
            return Facing(toward=self._spot(inner))
        token = first_word(node)
        bearing = parse_bearing(self.said(token))
        if bearing is None:
            raise BadWord(token, Wrong(f'"{self.said(token)}" is more than the compass has', "KS-ORD-11",
                                       "a bearing from 0 to 359", Judgement.NOT_UNDERSTOOD))  # fmt: skip
        return Facing(bearing=bearing % (360 * DEGREE))

    def facing_of(self, name: str) -> Facing | None:
        """The direction in a part, if it was given."""
        one = self.given(name)
        return None if one is None else one.facing()

    @rule("KS-ORD-02")
    def target(self) -> Target | None:
        """Whom to attack: an entry of his own page, an arm at a place, the nearest, or a place."""
        node = self.part("target", "at_place", "nearest", "place")
        if node is None:
            return None
        one = self.of(node)
        arm = next((ARMS[self.said(word).casefold()] for word in one.words("ARM")), "")
        match one.kind:
            case "nearest":
                return Target(None, arm)
            case "at_place":
                return Target(one.place(), arm)
            case "place":
                return Target(one.place("area", "stronghold", "crossing", "line"), own=True)
            case _:  # an entry of his page
                return self._entry(one.first)

    def _entry(self, token: Word) -> Target:
        entry = self.said(token).casefold()
        known = self.bench.mind.entries.get(entry)
        if known is None or known.dropped:
            self.note(token, Wrong(f'"{entry}" is no entry of your page', "KS-ORD-02", "name a place, or nearest"))
            return Target(None, entry=entry)
        return Target(Spot(known.tiding.at, entry), ARMS.get(known.tiding.arm, ""), entry)

    # ------------------------------------------------------------ when

    @rule("KS-ORD-05", "KS-TUR-01")
    def move(self) -> int:
        """The move at whose end an hour has come."""
        token, scene = self.the("TIME"), self.bench.scene
        said = self.said(token)
        hours, _, rest = said.partition(":")
        if int(hours) > 23 or int(rest) > 59:
            raise BadWord(token, Wrong(f'"{said}" is no time of day', "KS-ORD-05", judgement=Judgement.NOT_UNDERSTOOD))
        minutes = int(hours) * 60 + int(rest) - scene.opens
        if minutes < 0 and scene.opens + MOVE_MINUTES * scene.last_move >= 24 * 60:
            minutes += 24 * 60
        move = -(-minutes // MOVE_MINUTES)
        clock = scene.clock(self.bench.mind.move)
        if move <= self.bench.mind.move:
            self.note(token, Wrong(f"{said} is past: your clock is at {clock}", "KS-ORD-05"))
        elif move > scene.last_move:
            why = f"{said} is after the end, {scene.clock(scene.last_move)}"
            self.note(token, Wrong(why, "KS-ORD-05", judgement=Judgement.DOUBTFUL))
        return move

    def hour(self) -> Condition:
        """That an hour has come."""
        return Condition("time", move=self.move(), text=self.said(self.the("TIME")))

    @rule("KS-CMD-15", "KS-ORD-11")
    def condition(self, text: str) -> Condition:
        """The condition in a part, with the *text* of it as it was written."""
        return replace(self.all()[0].tested(), text=text)

    def until(self, *names: str) -> Condition | None:
        """What stands behind `until` or `when`, the last in its line, if it was given."""
        node = self.part(*names)
        if node is None:
            return None
        behind = _UNTIL.split(self.marked.original)[-1]
        return self.of(node).condition(behind.strip(" .,"))

    def tested(self) -> Condition:
        """What it asks, if it is a condition itself."""
        joint = JOINTS.get(self.kind)
        if joint is None:
            return TESTS[self.kind].make(self)
        found = tuple(one.tested() for one in self.all())
        return found[0] if len(found) == 1 and joint != "not" else Condition(joint, parts=found)

    def asked(self) -> str:
        """The word of a condition that says who or what: `superior force`."""
        words = self.words()
        return " ".join(self.said(words[0]).casefold().replace("_", " ").split()) if words else ""


JOINTS: Mapping[str, ConditionKind] = {"or_": "or", "and_": "and", "not_": "not"}
"""How conditions are joined, by what the grammar calls it."""


def _off(at: Point, offset: str) -> Point:
    """A place so many paces off a named one: `300N`."""
    paces = "".join(letter for letter in offset if letter.isdecimal())
    way = parse_bearing(offset[len(paces) :]) if paces else None
    return shifted(at, way, int(paces)) if way is not None else at


TESTS: Mapping[str, Verb[Sentence, Condition]] = {
    "not_attacked": Verb('"not" "attacked" "by" TIME', made_of(Condition, "not_attacked", move=Sentence.move)),
    "at": Verb('"at" spot', made_of(Condition, "at", spot=Sentence.place)),
    "time": Verb("TIME", made_of(Condition, "time", move=Sentence.move)),
    "unit_at": Verb('unit "at" spot', made_of(Condition, "unit_at", unit=Sentence.unit, spot=Sentence.place)),
    "word_from": Verb('"word" "from" person', made_of(Condition, "word_from", unit=Sentence.person)),
    "attacked": Verb(
        '"attacked" ("by" ATTACKER)?',
        made_of(Condition, "attacked", arm=lambda told: told.asked().removesuffix(" force")),
    ),
    "fired_on": Verb('"fired" "on" ("by" FIRED_BY)?', made_of(Condition, "fired_on", arm=Sentence.asked)),
    "enemy_within": Verb(
        '"enemy" "within" paces ("of" spot)?',
        made_of(Condition, "enemy_within", number=number_of("paces"), spot=Sentence.place_given),
    ),
    "enemy_at": Verb('"enemy" "at" spot', made_of(Condition, "enemy_at", spot=Sentence.place)),
    "crosses": Verb('"enemy" "crosses" spot', made_of(Condition, "crosses", spot=lambda told: told.place("crossing"))),
    "losses": Verb(
        '"losses" "over" PERCENT', made_of(Condition, "losses", number=lambda told: int(told.asked().rstrip(" %")))
    ),
    "unit_does": Verb("unit DOES", made_of(Condition, "unit_does", unit=Sentence.unit, arm=Sentence.asked)),
    "crossing_is": Verb("crossing IS", made_of(Condition, "crossing", spot=Sentence.crossing, arm=Sentence.asked)),
    "relieved": Verb('"relieved"', made_of(Condition, "relieved")),
    "fire_seen": Verb('"fire" "seen" "at" spot', made_of(Condition, "fire_seen", spot=Sentence.place)),
    "signalled": Verb('"signal" "gun" NUMBER', made_of(Condition, "signal", number=Sentence.number_said)),
}
"""What a condition may ask."""
