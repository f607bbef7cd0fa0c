"""The words of one line, made into places, units, times, targets and conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE, parse_bearing
from pbem.ground.plane import Point, shifted
from pbem.orders.grammar import Node, Word, part, parts_in, words_in
from pbem.orders.sheet import Judgement, Line
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong
from pbem.systems.kriegsspiel.sheets.language import ARMS
from pbem.systems.kriegsspiel.sheets.lexicon import Kind, Marked
from pbem.systems.kriegsspiel.tables.knowledge import MOVE_MINUTES
from pbem.systems.kriegsspiel.world.orders import Condition, ConditionKind, Facing, Spot, Target

Kinds = tuple[str, ...]


_UNTIL = re.compile(r"\b(?:until|when)\s", re.IGNORECASE)


class BadWord(Exception):
    """A word that the grammar takes, and that names nothing."""

    def __init__(self, token: Word | None, wrong: Wrong) -> None:
        super().__init__(wrong.why)
        self.token, self.wrong = token, wrong


def colon_of(node: Node[Word]) -> Word:
    """The colon of a line, where the grammar has one."""
    return next(one for one in words_in(node) if one.type == "COLON")


def first_word(node: Node[Word]) -> Word:
    """The first word of a part or of its parts."""
    return next(one for one in node.scan_values(lambda _: True))


class Sentence:
    """One line, being read."""

    def __init__(self, bench: Bench, line: Line, marked: Marked) -> None:
        self.bench, self.line, self.marked = bench, line, marked
        self.wrongs: list[tuple[Word | None, Wrong]] = []
        """What is to be said of it though it can be read."""

    def said(self, token: Word) -> str:
        """A word as it was written."""
        start, end = token.start_pos or 0, token.end_pos or 0
        # A word of the players' own stands for one of the language.
        meant = self.marked.text[start:end].casefold() != str(token).casefold()
        return str(token) if meant else self.marked.original[start:end].strip()

    def rest(self, start: int) -> str:
        """The line from a character on, as it was written."""
        return self.marked.original[start:].strip(" \t,").rstrip(".").strip()

    def note(self, token: Word | None, wrong: Wrong) -> None:
        """Say something of the line, and read on."""
        self.wrongs.append((token, wrong))

    def number(self, token: Word) -> int:
        """A number."""
        return int(self.said(token))

    def paces(self, node: Node[Word]) -> int:
        """A number of paces."""
        return self.number(first_word(node))

    # ------------------------------------------------------------ who

    def unit(self, node: Node[Word]) -> str:
        """The id of a unit or group of his own side."""
        token = first_word(node)
        said = self.said(token)
        name = self.marked.at(token.start_pos or 0)
        if name is not None and name.kind == "unit":
            return self.bench.lexicon.units[name.key]
        raise BadWord(token, self.unknown(token, f'"{said}" is no unit of yours', "unit"))

    def person(self, node: Node[Word]) -> str:
        """The id of a commander of his own side."""
        token = first_word(node)
        name = self.marked.at(token.start_pos or 0)
        if name is not None and name.kind == "person":
            return self.bench.lexicon.persons[name.key]
        raise BadWord(token, self.unknown(token, f'"{self.said(token)}" is no commander of your side', "person"))

    def who(self, node: Node[Word]) -> tuple[str, str]:
        """Whom a paper is for: the kind of addressee (`unit`, `person`, `higher`) and the id."""
        token = first_word(node)
        name = self.marked.at(token.start_pos or 0)
        if token.type == "HIGHER":
            return "higher", "higher"
        if name is not None and name.kind == "unit":
            return "unit", self.bench.lexicon.units[name.key]
        if name is not None and name.kind == "person":
            return "person", self.bench.lexicon.persons[name.key]
        why = f'"{self.said(token)}" is no unit or commander of your side'
        raise BadWord(token, self.unknown(token, why, "unit", "person"))

    def unknown(self, token: Word, why: str, *kinds: Kind) -> Wrong:
        """That a name is not known, with the one that was perhaps meant."""
        like = self.bench.lexicon.like(self.said(token), *kinds)
        if like is None:
            return Wrong(why, "KS-ORD-02", judgement=Judgement.NOT_UNDERSTOOD)
        return Wrong(f'{why}; did you mean "{like}"?', "KS-ORD-02", self.mended(token, like), Judgement.NOT_UNDERSTOOD)

    def mended(self, token: Word, word: str) -> str:
        """The line with another word in the place of one."""
        original = self.marked.original
        return f"{original[: token.start_pos or 0]}{word}{original[token.end_pos or 0 :]}".strip()

    # ------------------------------------------------------------ where

    def spot(self, node: Node[Word], *prefer: str) -> Spot:
        """A place; where a name has several meanings, of the first of these kinds."""
        token = first_word(node)
        said = self.said(token)
        if inner := part(node, "unit"):
            unit = self.unit(inner)
            at = self.bench.at(unit)
            if at is None:
                self.note(token, Wrong(f"you do not know where {unit} is on the map", "KS-SIT-09"))
            return Spot(at or Point(0, 0), f"unit {unit}")
        match token.type:
            case "POINT":
                x, y = (int(number) for number in said.split(","))
                return self._on_map(Spot(Point(x, y), f"{x},{y}"), token)
            case "HERE":
                return self._on_map(Spot(self._off(self.bench.mind.at, said.partition("+")[2]), said), token)
            case "PLACE":
                return self._named(token, prefer)
            case _:  # any other word names no place
                raise BadWord(token, self.unknown(token, f'"{said}" is no place of the map', "place"))

    def _on_map(self, spot: Spot, token: Word) -> Spot:
        if not self.bench.on_map(spot.at):
            chart = self.bench.chart
            why = f"{spot.at.x},{spot.at.y} is off the map, which goes from 0,0 to {chart.width},{chart.height}"
            self.note(token, Wrong(why, "KS-ORD-04"))
        return spot

    @rule("KS-ORD-04", "KS-ORD-11")
    def _named(self, token: Word, prefer: Kinds) -> Spot:
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
            return self._on_map(Spot(self._off(at, name.offset), said), token)
        return Spot(at, said, thing if kind != "place" else "")

    def _off(self, at: Point, offset: str) -> Point:
        """A place so many paces off a named one: `300N`."""
        paces = "".join(letter for letter in offset if letter.isdecimal())
        way = parse_bearing(offset[len(paces) :]) if paces else None
        return shifted(at, way, int(paces)) if way is not None else at

    def spots(self, node: Node[Word], *prefer: str) -> tuple[Spot, ...]:
        """All places of a part, in order."""
        return tuple(self.spot(one, *prefer) for one in parts_in(node) if one.data == "spot")

    def by(self, node: Node[Word] | None) -> tuple[Spot, ...]:
        """The roads and places of `by`."""
        return self.spots(node, "road", "crossing", "place", "area") if node is not None else ()

    def facing(self, node: Node[Word]) -> Facing:
        """A direction, or a place to look at."""
        inner = part(node, "spot")
        if inner is not None:
            return Facing(toward=self.spot(inner))
        token = first_word(node)
        bearing = parse_bearing(self.said(token))
        if bearing is None:
            raise BadWord(token, Wrong(f'"{self.said(token)}" is more than the compass has', "KS-ORD-11",
                                       "a bearing from 0 to 359", Judgement.NOT_UNDERSTOOD))  # fmt: skip
        return Facing(bearing=bearing % (360 * DEGREE))

    @rule("KS-ORD-02")
    def target(self, node: Node[Word]) -> Target:
        """Whom to attack: an entry of his own page, an arm at a place, the nearest, or a place."""
        arm = next((ARMS[self.said(one).casefold()] for one in words_in(node) if one.type == "ARM"), "")
        match node.data:
            case "nearest":
                return Target(None, arm)
            case "at_place":
                return Target(self.spots(node)[0], arm)
            case "place":
                return Target(self.spots(node, "area", "stronghold", "crossing", "line")[0], own=True)
            case _:  # an entry of his page
                token = first_word(node)
                return self._entry(token)

    def _entry(self, token: Word) -> Target:
        entry = self.said(token).casefold()
        known = self.bench.mind.entries.get(entry)
        if known is None or known.dropped:
            self.note(token, Wrong(f'"{entry}" is no entry of your page', "KS-ORD-02", "name a place, or nearest"))
            return Target(None, entry=entry)
        return Target(Spot(known.tiding.at, entry), ARMS.get(known.tiding.arm, ""), entry)

    # ------------------------------------------------------------ when

    @rule("KS-ORD-05", "KS-TUR-01")
    def move(self, token: Word) -> int:
        """The move at whose end an hour has come."""
        said, scene = self.said(token), self.bench.scene
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

    @rule("KS-CMD-15", "KS-ORD-11")
    def condition(self, node: Node[Word], text: str) -> Condition:
        """A condition, with the *text* of it as it was written."""
        return replace(self._condition(node), text=text)

    def _joined(self, kind: ConditionKind, parts: Sequence[Node[Word]]) -> Condition:
        found = [self._condition(one) for one in parts]
        return found[0] if len(found) == 1 else Condition(kind, parts=tuple(found))

    def _condition(self, node: Node[Word]) -> Condition:
        inner, words = parts_in(node), words_in(node)
        arm = " ".join(self.said(words[0]).casefold().replace("_", " ").split()) if words else ""
        match str(node.data):
            case "or_":
                return self._joined("or", inner)
            case "and_":
                return self._joined("and", inner)
            case "not_":
                return Condition("not", parts=(self._condition(inner[0]),))
            case "at" | "enemy_at" | "crosses" | "fire_seen" as kind:
                return Condition(kind, spot=self.spot(inner[0], *(("crossing",) if kind == "crosses" else ())))
            case "time" | "not_attacked" as kind:
                return Condition(kind, move=self.move(words[0]))
            case "unit_at":
                return Condition("unit_at", unit=self.unit(inner[0]), spot=self.spot(inner[1]))
            case "word_from":
                return Condition("word_from", unit=self.person(inner[0]))
            case "attacked":
                return Condition("attacked", arm=arm.removesuffix(" force"))
            case "fired_on":
                return Condition("fired_on", arm=arm)
            case "enemy_within":
                spots = [one for one in inner if one.data == "spot"]
                return Condition(
                    "enemy_within", number=self.paces(inner[0]), spot=self.spot(spots[0]) if spots else None
                )
            case "losses":
                return Condition("losses", number=int(arm.rstrip(" %")))
            case "unit_does":
                return Condition("unit_does", unit=self.unit(inner[0]), arm=arm)
            case "crossing_is":
                return Condition("crossing", spot=self.spot(inner[0], "crossing"), arm=arm)
            case "signalled":
                return Condition("signal", number=self.number(words[0]))
            case "relieved":
                return Condition("relieved")
            case other:
                raise AssertionError(f"{other} is no condition of the grammar")

    def until(self, node: Node[Word] | None) -> Condition | None:
        """What stands behind `until` or `when`, the last in its line."""
        if node is None:
            return None
        behind = _UNTIL.split(self.marked.original)[-1]
        return self.condition(parts_in(node)[0], behind.strip(" .,"))
