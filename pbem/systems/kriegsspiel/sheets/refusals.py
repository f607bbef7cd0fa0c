"""What is said of a line that is no order: where in it, why, and what would do."""

from __future__ import annotations

import re

from msgspec.structs import replace

from pbem.kernel.names import RuleId
from pbem.orders.grammar import Word
from pbem.orders.refusal import as_typed
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.suggest import like
from pbem.systems.kriegsspiel.sheets import marking
from pbem.systems.kriegsspiel.sheets.bench import Wrong
from pbem.systems.kriegsspiel.sheets.language import EXAMPLES, GRAMMAR, KEYWORDS
from pbem.systems.kriegsspiel.sheets.lexicon import Lexicon, Marked

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
    column, width = start + 1, end - start
    if line.typed:
        column, width = as_typed(line, column, width)
    return Complaint(
        line.number, column, wrong.judgement, wrong.why, RuleId(wrong.rule), wrong.instead, max(width, 1), wrong.example
    )


def _place_of(word: str, text: str) -> tuple[int, int] | None:
    """From where to where a word stands in a line, the last time; blank, `_` and `-` are alike in it."""
    pattern = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", word))
    found = list(re.finditer(rf"(?<![\w/]){pattern}(?![\w/])", text, re.IGNORECASE))
    return found[-1].span() if found else None


def not_understood(lexicon: Lexicon, line: Line, marked: Marked, found: Complaint) -> Complaint:
    """What cannot be parsed: what it may have meant, else the first word that is neither a name nor of the language."""
    here = replace(found, why=marked.restored(found.why, found.column), rule=RuleId("KS-ORD-11"))
    if (name := marked.at(found.column - 1)) is not None:
        here = replace(here, width=len(marked.written(name)))
    told = [word for tongue in GRAMMAR.tongues_of(marked.text) for word in tongue.meaning(KEYWORDS)]
    stranger = marking.stranger(lexicon, marked, max(found.column - 1, 0), told)
    if stranger is not None and (meant := _like(lexicon, line, marked, *stranger)):
        return meant
    if found.instead and (mended := marked.unmarked(found.instead)):
        return replace(here, instead=mended, example="")
    if stranger is None:
        return replace(here, instead="", example=example(marked))
    at, word = stranger
    why = f'"{word[:LONGEST]}" is not understood'
    return replace(here, column=at + 1, why=why, instead="", example=example(marked), width=len(word))


def _like(lexicon: Lexicon, line: Line, marked: Marked, at: int, word: str) -> Complaint | None:
    """That another word was meant, if with that the line is an order."""
    before, after = marked.original[:at], marked.original[at + len(word) :]
    own = like(word, {*KEYWORDS, *(name for names in lexicon.shown.values() for name in names)})
    for one in (*own, *(told for tongue in GRAMMAR.tongues for told in like(word, tongue.meaning(KEYWORDS)))):
        mended = f"{before}{one}{after}".strip()
        text = marking.mark(lexicon, mended).text
        if GRAMMAR.takes(text) or GRAMMAR.translated(text):
            why = f'"{word[:LONGEST]}" is not understood; did you mean "{one}"?'
            judgement = Judgement.NOT_UNDERSTOOD
            return Complaint(line.number, at + 1, judgement, why, RuleId("KS-ORD-11"), mended, len(word))
    return None


def example(marked: Marked) -> str:
    """An example of the order that a line seems to be."""
    words = [word.strip(":,.").casefold() for word in marked.original.split()]
    keys = [" ".join(words[at : at + count]) for count in (3, 2, 1) for at in range(len(words) - count + 1)]
    return next((EXAMPLES[key] for key in sorted(keys, key=FRAMES.__contains__) if key in EXAMPLES), "")
