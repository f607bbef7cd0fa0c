"""The Jinja environment: made once for each folder of templates, and kept."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pbem.kernel.names import Moment
from pbem.reports.drawing.colours import DARK, LIGHT, MONO, SANS, SERIF, drawing_css, variables
from pbem.reports.text import markdown, plain, speech, times
from pbem.reports.text.marked import Html

if TYPE_CHECKING:
    from jinja2 import Environment

_SQUARE = re.compile(r"(?<![\w-])[A-Z]{1,2}-(?:[A-Z]?\d{1,2}|[A-Z]{2,3})(?![\w-])")


def squares(text: str) -> Html:
    """*text* escaped, with names like `I-10`, `FR-A1` and `UK-RB` kept on one line.

    >>> squares("from I-10 & on, SP-MEL-08")
    'from <span class="q">I-10</span> &amp; on, SP-MEL-08'
    >>> squares("FR-A1, UK-RB")
    '<span class="q">FR-A1</span>, <span class="q">UK-RB</span>'
    """
    return Html(_SQUARE.sub(r'<span class="q">\g<0></span>', escape(text)))


def sentence(text: str) -> str:
    """*text* with a capital at its beginning.

    >>> sentence("movement for turn 5")
    'Movement for turn 5'
    """
    return text[:1].upper() + text[1:]


def data(value: object) -> Html:
    """*value* as JSON that may stand in a script element.

    >>> print(data({"a": "</script>"}))
    {"a":"\\u003c/script>"}
    """
    return Html(msgspec.json.encode(value, enc_hook=str).decode().replace("<", "\\u003c"))


def called(moment: Moment, name: str) -> str:
    """A moment and its name, which may say the moment's own letter again.

    >>> called(Moment(3, 1), "A, movement of the French")
    '3A, movement of the French'
    >>> called(Moment(0, 2), "S2, set-up of the Prussian"), called(Moment(3, 1), "")
    ('S2, set-up of the Prussian', '3A')
    """
    key = str(moment)
    said = name.removeprefix(f"{key}, ").removeprefix(f"{key[-1]}, ")
    return f"{key}, {said}" if said else key


@lru_cache(maxsize=8)
def environment(templates: Path, overrides: Path | None = None) -> Environment:
    """Templates from *overrides* where it has them, else from *templates*.

    An override can extend what it replaces, under the name `pbem/…`: `{% extends "pbem/report.html" %}`.
    """
    # Loaded where something is written: looking needs none of it.
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemBytecodeCache,
        FileSystemLoader,
        PrefixLoader,
        StrictUndefined,
        select_autoescape,
    )

    shipped = FileSystemLoader(templates)
    own = [FileSystemLoader(overrides)] if overrides else []
    made = Environment(
        loader=ChoiceLoader([*own, shipped, PrefixLoader({"pbem": shipped})]),
        autoescape=select_autoescape(["html", "svg", "xml"], default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=FileSystemBytecodeCache(),
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(*speech.in_templates(), newstyle=True)  # type: ignore[attr-defined]  # of the extension
    made.filters.update(
        marked=markdown.html,
        prose=markdown.text,
        q=squares,
        sentence=sentence,
        called=called,
        said=speech.phrase,
        when=times.when,
        in_zone=times.in_zone,
        in_utc=times.in_utc,
        left=times.left,
        data=data,
        wrap=plain.wrap,
        block=plain.block,
        sheet=plain.sheet,
        pairs=plain.pairs,
        columns=plain.table,
    )
    made.globals.update(
        light=LIGHT,
        light_variables=variables(LIGHT),
        dark_variables=variables(DARK),
        drawing_css=drawing_css(),
        serif=SERIF,
        sans=SANS,
        mono=MONO,
        language=speech.language,
    )
    return made
