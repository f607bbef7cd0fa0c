"""What is said of a line that is no order: where in it, why, and what would do."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.kernel.names import RuleId
from pbem.orders.grammar import Word
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.suggest import closest
from pbem.systems.kriegsspiel.bench import Wrong
from pbem.systems.kriegsspiel.language import EXAMPLES, KEYWORDS
from pbem.systems.kriegsspiel.lexicon import Lexicon, Marked

LONGEST = 40
"""How many letters of what is not understood are quoted."""

FRAMES = ("to", "voice", "at", "then", "when", "if", "after", "end", "text", "stay")
"""Words that begin many lines: what stands in such a line says more of it."""


def complaint(line: Line, marked: Marked, token: Word | None, wrong: Wrong) -> Complaint:
    """What is wrong with a line, or with a word of it."""
    text = marked.original
    start, end = len(text) - len(text.lstrip()), len(text)
    if token is not None:
        start, end = token.start_pos or 0, token.end_pos or 0
    elif wrong.word and (found := _place_of(wrong.word, text)) is not None:
        start, end = found
    return Complaint(
        line.number, start + 1, wrong.judgement, wrong.why, RuleId(wrong.rule), wrong.instead, max(end - start, 1)
    )


def _place_of(word: str, text: str) -> tuple[int, int] | None:
    """From where to where a word stands in a line, the last time; blank, `_` and `-` are alike in it."""
    pattern = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", word))
    found = list(re.finditer(rf"(?<![\w/]){pattern}(?![\w/])", text, re.IGNORECASE))
    return found[-1].span() if found else None


def not_understood(lexicon: Lexicon, line: Line, marked: Marked, found: Complaint) -> Complaint:
    """What cannot be parsed, said of the first word that is nobody's name and no word of the language."""
    stranger = lexicon.stranger(marked, max(found.column - 1, 0))
    if stranger is None:
        name = marked.at(found.column - 1)
        return replace(
            found,
            why=marked.restored(found.why, found.column),
            instead=example(marked),
            rule=RuleId("KS-ORD-11"),
            width=len(marked.written(name)) if name is not None else found.width,
        )
    at, word = stranger
    like = closest(word, {*KEYWORDS, *(name for names in lexicon.shown.values() for name in names)})
    why, original = f'"{word[:LONGEST]}" is not understood', marked.original
    instead = f"{original[:at]}{like}{original[at + len(word) :]}".strip() if like else example(marked)
    if like:
        why = f'{why}; did you mean "{like}"?'
    return Complaint(line.number, at + 1, Judgement.NOT_UNDERSTOOD, why, RuleId("KS-ORD-11"), instead, len(word))


def example(marked: Marked) -> str:
    """An example of the order that a line seems to be."""
    words = [word.strip(":,.").casefold() for word in marked.original.split()]
    keys = [" ".join(words[at : at + count]) for count in (3, 2, 1) for at in range(len(words) - count + 1)]
    return next((EXAMPLES[key] for key in sorted(keys, key=FRAMES.__contains__) if key in EXAMPLES), "")
