"""How the words of a unit's order, reaction or trigger become a `Line`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, cast, get_args

from msgspec.structs import replace

from pbem.orders.grammar import Node, Word, child, part, parts_in, words_in
from pbem.orders.sheet import Judgement
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Wrong
from pbem.systems.kriegsspiel.sheets.sentence import BadWord, Sentence, first_word
from pbem.systems.kriegsspiel.world.orders import Condition, Line, Order, Spot, Verb

PLACES: Mapping[str, tuple[str, ...]] = {
    "occupy": ("stronghold", "area", "line", "crossing"),
    "fortify": ("stronghold", "area", "line"),
    "barricade": ("crossing", "road"),
    "clear": ("crossing",),
    "bombard": ("area",),
    "breach": ("line", "stronghold", "crossing"),
    "batter": ("crossing",),
    "dismantle": ("crossing",),
    "prepare": ("crossing",),
    "blow": ("crossing",),
    "burn": ("crossing",),
    "tear_up": ("crossing",),
    "remove": ("crossing",),
    "repair": ("crossing",),
    "put_out": ("crossing", "area"),
    "take_boats": ("boats",),
    "embark": ("boats", "place"),
}
"""What a name means first in an order, where it has several meanings."""

OPTIONS: Mapping[str, str] = {
    "across": "across", "in_form": "in a formation", "rate": "a rate", "facing": "facing", "join": "join",
    "by": "by", "on": "on", "last": "to the last", "until": "until", "lines": "lines", "interval": "interval",
    "apart": "distance", "reserve": "reserve", "guns": "guns", "ahead": "ahead", "zugs": "zugs",
    "intervals": "in intervals", "toward": "toward", "half": "half", "waves": "by waves", "bayonet": "with bayonet",
    "after_fire": "after fire", "with_support": "support", "side_of": "side", "kept": "in reserve", "long": "length",
    "at_spot": "at", "moves": "moves", "beyond": "not beyond", "size": "size", "report_to": "report to",
    "by_lines": "by lines",
}  # fmt: skip
"""The options of orders, each once, in words."""

_SPLIT = re.compile(r"[\s_-]+")


def keyword(text: str) -> str:
    """A word of the language as it is kept: `Attack column` is `attack_column`."""
    return "_".join(_SPLIT.split(text.strip().casefold()))


class Given(NamedTuple):
    """The options of an order, by name."""

    sentence: Sentence
    options: dict[str, Node[Word]]

    def has(self, name: str) -> bool:
        """Whether it was given."""
        return name in self.options

    def number(self, name: str) -> int | None:
        """The number of an option."""
        node = self.options.get(name)
        return None if node is None else self.sentence.number(first_word(node))

    def word(self, name: str) -> str:
        """The word of an option."""
        node = self.options.get(name)
        return "" if node is None else keyword(self.sentence.said(first_word(node)))

    def spot(self, name: str, *prefer: str) -> Spot | None:
        """The place of an option."""
        node = self.options.get(name)
        return None if node is None else self.sentence.spots(node, *prefer)[0]


@rule("KS-ORD-11")
def given(sentence: Sentence, deed: Node[Word]) -> Given:
    """The options of an order; each may stand once."""
    found: dict[str, Node[Word]] = {}
    for one in parts_in(deed):
        node = one
        if str(one.data) in ("march_option", "deploy_option", "out_option", "attack_option", "patrol_option"):
            inner = parts_in(one)
            node = inner[0] if inner else one
        name = str(node.data)
        if name in OPTIONS:
            if name in found:
                raise BadWord(
                    None, Wrong(f'"{OPTIONS[name]}" stands twice', "KS-ORD-11", judgement=Judgement.NOT_CLEAR)
                )
            found[name] = node
    return Given(sentence, found)


# ------------------------------------------------------------------ orders


def _order(sentence: Sentence, deed: Node[Word], verb: Verb, text: str) -> Order:
    """What all orders have alike: places, options, bare words."""
    options = given(sentence, deed)
    by = options.options.get("by")
    facing = options.options.get("facing")
    words = tuple(keyword(sentence.said(one)) for one in words_in(deed) if one.type in _BARE)
    return Order(
        verb,
        text,
        to=sentence.spots(deed, *PLACES.get(verb, ())),
        by=sentence.by(by),
        across=options.has("across"),
        formation=options.word("in_form"),
        rate=options.word("rate"),
        facing=sentence.facing(parts_in(facing)[0]) if facing is not None else None,
        manner=words,
    )


_BARE = ("STEP", "SIDE", "HAUL", "WIDTH", "REFUSED", "PACE", "BRIDGE", "LOAD", "CHARGE", "TIMED", "AMMUNITION", "NOW")
"""Words that say how."""


def _unit(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    unit, paces = part(deed, "unit"), part(deed, "at_paces")
    name = sentence.unit(unit) if unit is not None else ""
    return replace(
        order,
        unit=name,
        where=sentence.bench.at(name) if name else None,
        number=sentence.paces(paces) if paces is not None else None,
    )


def _march(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    join = given(sentence, deed).options.get("join")
    return replace(order, unit=sentence.unit(parts_in(join)[0]) if join is not None else "")


def _concealed(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return replace(_march(sentence, deed, order), concealed=True)


def _hold(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    until = sentence.until(options.options.get("until"))
    manner = ("to the last",) if options.has("last") else ()
    if until is not None and until.kind == "relieved":
        manner = (*manner, "until relieved")
    return replace(order, until=until, manner=manner)


def _paces(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    paces = part(deed, "paces")
    return replace(order, number=sentence.paces(paces) if paces is not None else None)


def _form(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    on = given(sentence, deed).spot("on")
    return replace(
        order, formation=keyword(sentence.said(words_in(deed)[0])), to=(on,) if on is not None else (), manner=()
    )


def _face(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return replace(order, facing=sentence.facing(parts_in(deed)[0]))


def _deploy(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    kept = options.options.get("reserve")
    on = options.spot("on")
    lines = options.word("lines")
    return replace(
        order,
        unit=sentence.unit(parts_in(kept)[0]) if kept is not None else "",
        to=(on,) if on is not None else (),
        number=options.number("interval"),
        second=options.number("apart"),
        manner=(
            *(["two lines" if lines.startswith("two") else "one line"] if lines else []),
            *([f"guns {options.word('guns')}"] if options.has("guns") else []),
        ),
    )


def _out(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    toward = options.spot("toward")
    manner = tuple(said for name, said in (("intervals", "in intervals"), ("half", "half")) if options.has(name))
    return replace(
        order,
        number=options.number("zugs"),
        second=options.number("ahead"),
        to=(toward,) if toward is not None else (),
        manner=manner,
    )


def _target(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    target, paces = part(deed, "target", "at_place", "nearest", "place"), part(deed, "at_paces")
    options = given(sentence, deed)
    helper, beyond = options.options.get("with_support"), options.spot("beyond", "water", "place")
    moves = options.number("after_fire") if options.has("after_fire") else options.number("moves")
    return replace(
        order,
        target=sentence.target(target) if target is not None else None,
        unit=sentence.unit(parts_in(helper)[0]) if helper is not None else "",
        number=sentence.paces(paces) if paces is not None else moves,
        second=options.number("waves"),
        to=(beyond,) if beyond is not None else (),
        manner=(*order.manner, *(["bayonet"] if options.has("bayonet") else [])),
    )


def _retire(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    return replace(order, manner=(*order.manner, *(["by lines"] if options.has("by_lines") else [])))


def _occupy(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    side = options.options.get("side_of")
    return replace(order, number=options.number("kept"), facing=sentence.facing(side) if side is not None else None)


def _at_spot(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    at = given(sentence, deed).spot("at_spot")
    return replace(order, to=(*order.to, *((at,) if at is not None else ())))


def _dig(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    options = given(sentence, deed)
    length = options.options.get("long")
    return replace(
        _at_spot(sentence, deed, order), number=sentence.paces(parts_in(length)[0]) if length is not None else None
    )


def _bombard(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    until = part(deed, "until_fire")
    return replace(
        order, number=given(sentence, deed).number("moves"), manner=("until fire",) if until is not None else ()
    )


def _as_soon(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return replace(order, until=sentence.until(part(deed, "as_soon")))


def _report_at(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    token = words_in(deed)[0]
    return replace(order, until=Condition("time", move=sentence.move(token), text=sentence.said(token)))


def _boats(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    boats = part(deed, "in_boats")
    if boats is not None:
        return replace(order, by=sentence.spots(boats, "boats"))
    return order


def _take_boats(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    boats, to = order.to
    return replace(order, by=(boats,), to=(to,))


def _patrol(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    size, person = 10, ""
    manner: list[str] = []
    for one in parts_in(deed):
        inner = parts_in(one)
        node = inner[0] if inner and str(one.data) == "patrol_option" else one
        words = words_in(node)
        if node.data == "size":
            size = sentence.number(words[0]) if words[0].type == "NUMBER" else 0
            manner += ["unit"] if not size else []
        elif node.data == "report_to":
            person = sentence.person(parts_in(node)[0])
        elif node.data == "patrol_option":
            manner.append(keyword(sentence.said(words[0])))
    given(sentence, deed)
    return replace(order, number=size or None, unit=person, manner=tuple(manner))


def _detach(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    words = words_in(deed)
    new = part(deed, "new")
    assert new is not None, "every part that is detached gets a name"
    name = sentence.said(first_word(new)).strip(".;")
    if words[0].type == "SIDE":
        return replace(order, unit=name, manner=(keyword(sentence.said(words[0])),))
    return replace(order, unit=name, number=sentence.number(words[0]), manner=("squadron",))


def _escort(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    men = part(deed, "escorts")
    return replace(order, number=sentence.number(words_in(men)[0]) if men is not None else None)


def _posts(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    posts = part(deed, "posts")
    return replace(order, number=sentence.number(words_in(posts)[0]) if posts is not None else None)


def _order_of_march(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return replace(order, units=tuple(sentence.unit(one) for one in parts_in(deed)))


def _signal(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return replace(order, number=sentence.number(words_in(deed)[0]))


def _same(sentence: Sentence, deed: Node[Word], order: Order) -> Order:
    return order


MAKERS: Mapping[str, Callable[[Sentence, Node[Word], Order], Order]] = {
    "march": _march, "march_concealed": _concealed, "follow": _unit, "support": _unit, "cover": _unit,
    "rejoin": _unit, "relieve": _unit, "make_way": _unit, "guard": _unit, "hold": _hold, "hold_concealed": _hold,
    "hold_fire": _paces, "shift": _paces, "prolonge": _paces, "demonstrate": _paces, "form": _form, "face": _face,
    "deploy": _deploy, "skirmishers_out": _out, "fire_on": _target, "attack": _target, "charge": _target,
    "pursue": _target, "observe": _target, "retire": _retire, "occupy": _occupy, "barricade": _at_spot,
    "breach": _at_spot, "dig": _dig, "bombard": _bombard, "blow": _as_soon, "burn": _as_soon, "report": _as_soon,
    "report_at": _report_at, "embark": _boats, "take_boats": _take_boats, "patrol": _patrol, "post": _patrol,
    "detach": _detach, "escort": _escort, "outposts": _posts, "order_of_march": _order_of_march, "signal": _signal,
}  # fmt: skip
"""How each order is made of its words, beyond what all have alike."""

VERBS: Mapping[str, str] = {"march_concealed": "march", "report_at": "report"}
"""Forms whose verb is another's."""


def order_of(sentence: Sentence, deed: Node[Word], text: str) -> Order:
    """The order that a deed is; the grammar calls it by its verb."""
    kind = str(deed.data)
    verb = cast(Verb, VERBS.get(kind, kind))
    return MAKERS.get(kind, _same)(sentence, deed, _order(sentence, deed, verb, text))


# ------------------------------------------------------------------ reactions


def reaction_of(sentence: Sentence, deed: Node[Word]) -> tuple[str, str, Spot | None]:
    """Key and value of a reaction, and the place in it, which the value has as a point."""
    key = keyword(sentence.said(words_in(deed)[0]))
    value = parts_in(deed)[0]
    words = [keyword(sentence.said(one)) for one in words_in(value)]
    spot: Spot | None = None
    match str(value.data):
        case "plain":
            text = {"pursue_without_halt": "pursue without halt", "shift_cover": "shift cover"}.get(words[0], words[0])
        case "back_to":
            spots = sentence.spots(value)
            spot = spots[0] if spots else None
            to = " to" if key == "defeat" else ""
            text = f"{words[0]}{to} {spot.at.x},{spot.at.y}" if spot is not None else words[0]
        case "back_by":
            text = f"{words[0]} {sentence.paces(parts_in(value)[0])}"
        case "back_at":
            text = f"{words[0]} at {words[1].replace('_', '')}"
        case "stay_until":
            text = f"until {sentence.paces(parts_in(value)[0])}"
        case "hold_until":
            inner = parts_in(value)
            text = f"hold until {sentence.paces(inner[0])}" if inner else "hold"
        case _:  # `pursue 4 moves`
            text = f"pursue {words[0]}"
    return key, text, spot


# ------------------------------------------------------------------ lines


class DraftLine(NamedTuple):
    """A line for a unit, with the words that may be pointed at."""

    line: Line
    unit: Word | None
    """The word that names the unit, if it stands in the line."""
    deed: Word | None
    """The first word of the order that is kept."""


@rule("KS-CMD-15", "KS-ORD-11")
def line_of(sentence: Sentence, node: Node[Word], start: int, unit: str) -> DraftLine:
    """A line of a paper or of what is said, from the character *start* on; for *unit* if it names none itself."""
    named, trigger = part(node, "unit"), part(node, "trigger", "at_time", "when", "after")
    unit_word = first_word(named) if named is not None else None
    if named is not None:
        unit = sentence.unit(named)
    links = [one for one in words_in(node) if one.type in ("THEN", "NOW")]
    colon = next((one for one in words_in(node) if one.type == "COLON"), None)
    begins = max([start, *(one.end_pos or 0 for one in (*links, colon, unit_word) if one is not None)])
    deed = next(one for one in parts_in(node) if one is not named and one is not trigger)
    test = _test(sentence, trigger, colon, unit_word.end_pos if unit_word is not None else start)
    line = Line(
        sentence.line.number,
        unit,
        sentence.rest(start),
        test=test,
        then=any(one.type == "THEN" for one in links),
        now=any(one.type == "NOW" for one in links),
    )
    text = sentence.rest(begins)
    match str(deed.data):
        case "react":
            key, value, spot = reaction_of(sentence, deed)
            line = replace(line, react=(key, value), spot=spot)
        case "cancel_when":
            line = replace(line, test=sentence.until(deed), lapse=True)
        case _:  # every form of an order
            line = replace(line, order=order_of(sentence, deed, text))
    if str(deed.data) == "deploy":
        # The group that is deployed is the one that the line is for.
        line = replace(line, unit=sentence.unit(child(deed, "unit")))
    return DraftLine(line, unit_word, next(iter(deed.scan_values(lambda _: True)), None))


SYNONYMS = {"advance": "march", "go": "march", "defend": "hold", "retreat": "retire", "fall_back": "retire"}
"""Words that stand for a verb (KS-ORD-11)."""


def _verb(sentence: Sentence, words: list[Word]) -> str:
    """The verb that `after` names."""
    said = "_".join(keyword(sentence.said(one)) for one in words)
    verb = SYNONYMS.get(said, said)
    if verb not in get_args(Verb):
        why = f'"{said.replace("_", " ")}" is no order that could be finished'
        raise BadWord(words[0], Wrong(why, "KS-ORD-11", judgement=Judgement.NOT_UNDERSTOOD))
    return verb


def _test(sentence: Sentence, trigger: Node[Word] | None, colon: Word | None, start: int | None) -> Condition | None:
    if trigger is None:
        return None
    text = sentence.marked.original[start or 0 : colon.start_pos if colon is not None else None].strip()
    said = text.partition(" ")[2].strip()
    match str(trigger.data):
        case "at_time":
            return Condition("time", move=sentence.move(words_in(trigger)[0]), text=said)
        case "after":
            return Condition("after", arm=_verb(sentence, words_in(trigger)), text=said)
        case _:  # every other condition
            return sentence.condition(parts_in(trigger)[0], said)
