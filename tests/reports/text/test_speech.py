"""Catalogues: every one has all that the office says, with the same fields; what is English stays as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from pbem.orders.sheet import Line
from pbem.orders.words import Head, split_sheet
from pbem.reports.text.speech import CATALOGUES, ENGLISH, Row, catalogue, language, phrase, phrase_of, speaking, spoken
from pbem.reports.text.times import due, in_zone, left, when

ROOT = Path(__file__).parents[3]
OTHERS = [one for one in spoken() if one != ENGLISH]
_FIELD = re.compile(r"%\((\w+)\)s|\{(\w+)(?::\w+)?\}")
_MARKUP = re.compile(r"<[^>]+>")
HOUR = 1_795_546_800_000_000


def asked_for() -> Iterator[str | tuple[str, str]]:
    """Every text that code or a template asks the catalogues for; of two forms both."""
    for folder in ("desk", "reports", "web"):
        for path in sorted((ROOT / "pbem" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    given = [one.value for one in node.args if isinstance(one, ast.Constant)]
                    texts = [one for one in given if isinstance(one, str)]
                    if node.func.id in ("phrase", "phrase_later") and texts:
                        yield texts[0]
                    elif node.func.id == "phrase_of":
                        yield texts[0], texts[1]
    environment = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True)
    for path in sorted((*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt"))):
        for _, kind, said in environment.extract_translations(path.read_text()):  # type: ignore[attr-defined]  # of i18n
            asked = (said,) if isinstance(said, str) else tuple(one for one in said if isinstance(one, str))
            yield (asked[0], asked[1]) if kind == "ngettext" else asked[0]


ASKED = sorted({one if isinstance(one, tuple) else (one,) for one in asked_for()})


def fields(text: str) -> set[str]:
    return {one or other for one, other in _FIELD.findall(text)}


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_all_that_is_asked_for(code: str) -> None:
    known = vars(catalogue(code))["_catalog"]

    assert [one for one in ASKED if len(one) == 1 and not known.get(one[0])] == []
    assert [one for one in ASKED if len(one) == 2 and not (known.get((one[0], 0)) and known.get((one[0], 1)))] == []
    assert len(ASKED) > 300


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_fields_and_the_markup_of_its_text(code: str) -> None:
    told = catalogue(code)
    for one, *many in ASKED:
        for text, said in [(one, told.gettext(one))] if not many else [
            (one, told.ngettext(one, many[0], 1)), (many[0], told.ngettext(one, many[0], 2))
        ]:  # fmt: skip
            allowed = fields(text) | ({"count"} if many else set())
            assert fields(said) - allowed == set(), text
            assert fields(text) - fields(said) <= {"words"}, text
            assert sorted(_MARKUP.findall(text)) == sorted(_MARKUP.findall(said)) or "<code>" in text, text


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_compiled_is_what_is_written(code: str) -> None:
    babel = pytest.importorskip("babel.messages.pofile")
    path = CATALOGUES / code / "LC_MESSAGES" / "pbem.po"
    with path.open("rb") as file:
        written = {one.id: one.string for one in babel.read_po(file, locale=code) if one.id}
    told = catalogue(code)
    for text, said in written.items():
        if isinstance(text, tuple):
            one, many = text
            assert tuple(told.ngettext(one, many, count) for count in (1, 2)) == tuple(said)
        else:
            assert told.gettext(text) == said
    assert {text if isinstance(text, tuple) else (text,) for text in written} == set(ASKED)


def test_what_nobody_has_translated_is_english_and_so_is_all_outside() -> None:
    with speaking("de"):
        assert phrase("The battery of {name} is silent.", name="Asmus") == "The battery of Asmus is silent."
        assert language() == "de"
    with speaking("tlh"):
        assert (language(), phrase("Due")) == ("en", "Due")
    assert (language(), phrase("Due")) == ("en", "Due")


def test_hours_are_told_as_germans_tell_them() -> None:
    with speaking("de"):
        assert in_zone(HOUR, "Europe/Berlin") == "Di, 24. Nov. 2026, 20:00 Uhr in Berlin"
        assert when(HOUR, "Europe/Berlin", long=True) == "Dienstag, 24. November 2026, 20:00 Uhr in Berlin (19:00 UTC)"
        assert due(HOUR, "UTC", HOUR - 7_200_000_000).endswith(
            "19:00 Uhr UTC; in 2 Stunden, als dies geschrieben wurde"
        )
        assert left(0, 86_400_000_000 + 3_600_000_000) == "in 1 Tag 1 Stunde"


def test_counts_and_rows_are_said_in_the_language() -> None:
    with speaking("de"):
        assert [phrase_of("{count} line", "{count} lines", count) for count in (1, 2)] == ["1 Zeile", "2 Zeilen"]
        assert f"{Row(('french', 'prussian'))}" == "french und prussian"


def test_a_word_to_the_office_that_a_translation_names_is_one() -> None:
    for code in OTHERS:
        with (CATALOGUES / code / "LC_MESSAGES" / "pbem.po").open("rb") as file:
            for one in pytest.importorskip("babel.messages.pofile").read_po(file, locale=code):
                for said in _quoted(one.string) - _quoted(one.id):
                    words = _FIELD.sub("V1", said.replace("{moment}", "3A")).replace("…", "Guten Tag")
                    found = [split_sheet([Line(1, one)], _none) for one in (words, f"{words} 3A")]
                    assert any(one.commands or one.head != Head() for one in found), said


def _quoted(text: str | tuple[str, ...] | list[str]) -> set[str]:
    return {found for one in ([text] if isinstance(text, str) else text) for found in re.findall("`([^`]+)`", one)}


def _none(line: Line) -> bool:
    return False
