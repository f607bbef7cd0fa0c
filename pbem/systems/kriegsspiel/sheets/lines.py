"""How the words of a unit's order, reaction or trigger become a `Line`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, get_args

from msgspec.structs import replace

from pbem.orders.grammar import Word
from pbem.orders.sheet import Judgement
from pbem.orders.verbs import Verb
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Wrong
from pbem.systems.kriegsspiel.sheets.deeds import DEEDS
from pbem.systems.kriegsspiel.sheets.sentence import BadWord, Sentence
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.orders import Condition, Line, Spot

# ------------------------------------------------------------------ reactions


def _first(told: Sentence) -> str:
    return told.keyword(told.first)


def _plain(told: Sentence) -> str:
    return {"pursue_without_halt": "pursue without halt", "shift_cover": "shift cover"}.get(_first(told), _first(told))


def _back_at(told: Sentence) -> str:
    return f"{_first(told)} at {told.keyword(told.words()[1]).replace('_', '')}"


def _until(word: str) -> Callable[[Sentence], str]:
    def read(told: Sentence) -> str:
        far = told.number_of("paces")
        return word if far is None else f"{word} until {far}".strip()

    return read


VALUES: Mapping[str, Verb[Sentence, str]] = {
    "plain": Verb("VALUE", _plain),
    "back_to": Verb('BACK ("to"? spot)?', _first),
    "back_by": Verb("BACK paces", lambda told: f"{_first(told)} {told.number_of('paces')}"),
    "back_at": Verb('BACK "at" (RATIO | PERCENT)', _back_at),
    "stay_until": Verb('"until" paces', _until("")),
    "hold_until": Verb('"hold" ("until" paces)?', _until("hold")),
    "pursue_for": Verb('"pursue" NUMBER ("moves" | "move")?', lambda told: f"pursue {_first(told)}"),
}
"""What a unit may do by itself when something comes to pass, as it is kept."""


def reaction_of(told: Sentence) -> tuple[str, str, Spot | None]:
    """Key and value of a reaction, and the place in it, which the value has as a point."""
    key, value = told.keyword(told.the("KEY")), told.all()[0]
    text, spot = VALUES[value.kind].make(value), value.place_given()
    if spot is not None:
        text = f"{text}{' to' if key == 'defeat' else ''} {spot.at.x},{spot.at.y}"
    return key, text, spot


# ------------------------------------------------------------------ lines


class DraftLine(NamedTuple):
    """A line for a unit, with the word that may be pointed at."""

    line: Line
    unit: Word | None
    """The word that names the unit, if it stands in the line."""


@rule("KS-CMD-15", "KS-ORD-11")
def line_of(told: Sentence, start: int, unit: str) -> DraftLine:
    """A line of a paper or of what is said, from the character *start* on; for *unit* if it names none itself."""
    named, trigger = told.given("unit"), told.part("trigger", "at_time", "when", "after")
    unit_word = named.first if named is not None else None
    if named is not None:
        unit = told.unit()
    links, colon = told.words("THEN", "NOW"), told.word("COLON")
    begins = max([start, *(one.end_pos or 0 for one in (*links, colon, unit_word) if one is not None)])
    deed = next(one for one in told.all() if one.tree is not trigger and one.kind != "unit")
    test = None
    if trigger is not None and colon is not None:
        since = unit_word.end_pos if unit_word is not None else start
        test = _test(told.of(trigger), told.marked.original[since or 0 : colon.start_pos].strip())
    line = Line(
        told.line.number,
        unit,
        told.rest(start),
        test=test,
        then=any(one.type == "THEN" for one in links),
        now=any(one.type == "NOW" for one in links),
    )
    match deed.kind:
        case "react":
            key, value, spot = reaction_of(deed)
            line = replace(line, react=(key, value), spot=spot)
        case "cancel_when":
            line = replace(line, test=told.until("cancel_when"), lapse=True)
        case kind:  # every form of an order
            line = replace(line, order=replace(DEEDS[kind].make(deed), text=told.rest(begins)))
    if deed.kind == "deploy":
        # The group that is deployed is the one that the line is for.
        line = replace(line, unit=deed.unit())
    return DraftLine(line, unit_word)


SYNONYMS = {"advance": "march", "go": "march", "defend": "hold", "retreat": "retire", "fall_back": "retire"}
"""Words that stand for a verb (KS-ORD-11)."""


def _verb(told: Sentence) -> str:
    """The verb that `after` names."""
    said = "_".join(told.keyword(one) for one in told.words())
    verb = SYNONYMS.get(said, said)
    if verb not in get_args(say.Verb):
        why = f'"{said.replace("_", " ")}" is no order that could be finished'
        raise BadWord(told.first, Wrong(why, "KS-ORD-11", judgement=Judgement.NOT_UNDERSTOOD))
    return verb


def _test(trigger: Sentence, text: str) -> Condition:
    said = text.partition(" ")[2].strip()
    match trigger.kind:
        case "at_time":
            return replace(trigger.hour(), text=said)
        case "after":
            return Condition("after", arm=_verb(trigger), text=said)
        case _:  # every other condition
            return trigger.condition(said)
