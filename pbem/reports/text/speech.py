"""In which language the office speaks: catalogues of gettext, one a language; what none of them has stays English.

The texts of the code are English, and are what the catalogues are asked by.  Who writes for somebody says once in which
language (`speaking`); below it every text is asked for by `phrase`, and templates by `_("…")`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from pbem.orders.prose import listed

ENGLISH = "en"
DOMAIN, CATALOGUES = "pbem", Path(__file__).parents[1] / "catalogues"

_NOW: ContextVar[str] = ContextVar("language", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it all that is said is said in a *language*; one that there is no catalogue of is English."""
    token = _NOW.set(language if language in spoken() else ENGLISH)
    try:
        yield
    finally:
        _NOW.reset(token)


def language() -> str:
    """The code of the language that is spoken now."""
    return _NOW.get()


@cache
def spoken() -> tuple[str, ...]:
    """The codes of all languages, English first."""
    return ENGLISH, *sorted(path.parents[1].name for path in CATALOGUES.glob(f"*/*/{DOMAIN}.mo"))


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language; of English an empty one."""
    return translation(DOMAIN, CATALOGUES, [language], fallback=language == ENGLISH)


def phrase(text: str, /, **fields: object) -> str:
    """A *text* in the language that is spoken now, with its fields filled in.

    >>> phrase("Report {moment} is on its way to you.", moment="3A")
    'Report 3A is on its way to you.'
    """
    now = _NOW.get()
    told = catalogue(now).gettext(text) if text and now != ENGLISH else text  # what is empty means a catalogue's head
    return told.format(**fields) if fields else told


def phrase_of(one: str, many: str, count: int, /, **fields: object) -> str:
    """A text for one thing or for *many*, in the language that is spoken now; `count` is a field as well.

    >>> phrase_of("{count} line", "{count} lines", 2)
    '2 lines'
    """
    return _of_count(one, many, count).format(count=count, **fields)


def _of_count(one: str, many: str, count: int) -> str:
    now = _NOW.get()
    return (one if count == 1 else many) if now == ENGLISH else catalogue(now).ngettext(one, many, count)


class Row(tuple[object, ...]):
    """Things in a row, in the language that is spoken when they are said.

    >>> phrase("Orders of {roles} are missing.", roles=Row(("french", "prussian")))
    'Orders of french and prussian are missing.'
    """

    def __format__(self, form: str) -> str:
        """The things, the last joined by `and`, or by what the *form* is."""
        return listed([str(one) for one in self], phrase(form or AND))


def name_of(language: str) -> str:
    """What a language is called in itself; one that there is no catalogue of, by its code."""
    return catalogue(language).gettext(phrase_later("English")) if language in spoken() else language


def phrase_later(text: str) -> str:
    """A text as it is, for the catalogues to have: it is said later."""
    return text


def in_templates() -> tuple[object, object]:
    """What templates ask for texts by: `gettext` and `ngettext`."""
    return phrase, _of_count


AND, OR = phrase_later("and"), phrase_later("or")
IN_LANGUAGE = phrase_later("Your letters come in English from now on.")
"""That a language was chosen; each catalogue has it with its own name."""
ENGLISH_STAYS = phrase_later(
    "What the rules of the game say stays English, in reports and where a line is judged. Your orders may be in either "
    "language, and mixed; `language en` takes this back."
)
"""What a reader is told once, in his first letter that is not English."""
