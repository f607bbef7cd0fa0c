"""What goes onto one role's page, and nothing else does.

The same frame serves every system, so that one template can print it.  Times and dice promises are the
office's and are not here: a view is made from a mind alone.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.ground.picture import Picture, SideStyle
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role, RuleId

VERSION = 2
"""Of the shape of a view, which grows whenever that is another: programs of players read it."""

Result = Literal["done", "in part", "not carried out", "standing", "superseded", "not used", "sent", "given"]
"""What became of an order; `sent` and `given`: it has left his hand or mouth, and more he cannot know."""


class Note(Struct, frozen=True, omit_defaults=True):
    """A line of the small print under a sentence: how it came about."""

    text: str
    dice: tuple[Throw, ...] = ()
    rules: tuple[RuleId, ...] = ()


class Table(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rows under columns; `numbers` names the columns (from 0) that are set to the right."""

    caption: str = ""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    note: str = ""


class Told(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that this role learnt, in words.

    *line* above 0 says that it is what became of that line of the role's own sheet for *moment*; *result*
    then is the word for it.  Dice are only those that the system lets this role see.
    """

    moment: Moment
    phase: str
    """A heading: `Rifle fire, both sides at once`."""
    text: str
    lead: str = ""
    """The beginning of the text that is set in bold."""
    quote: str = ""
    """The words of a paper, as they were written: set off below the text."""
    notes: tuple[Note, ...] = ()
    tables: tuple[Table, ...] = ()
    follows: bool = False
    """Goes on from an earlier line of its phase: one paragraph, its notes among the other's."""
    place: str = ""
    """Where it happened: a line that follows joins the last line of this place, if there is one."""
    line: int = 0
    result: Result | None = None
    weight: int = 0
    """How much it matters; the heaviest makes the headline."""
    headline: str = ""
    """At most seven words; only with a weight."""


class Fact(Struct, frozen=True, omit_defaults=True):
    """One of the figures at the top of a page: a label, the figure, and what it counts."""

    label: str
    figure: str
    note: str = ""
    was: str = ""


class Course(Struct, frozen=True, omit_defaults=True):
    """A plot over the turns: for each side a name, how it is drawn, and (turn, value) points."""

    title: str
    lines: tuple[tuple[str, SideStyle, tuple[tuple[int, int], ...]], ...]
    words: str = ""
    """The plot in a sentence."""


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that goes onto one role's page."""

    role: Role
    addressed: str
    """`the French commander, Marshal Canrobert`."""
    moment: Moment
    title: str
    """The outcome of greatest weight in at most seven words; without one, `Turn 4`."""
    dateline: str
    """`Gravelotte, 18 August 1870.  The fourth turn of fifteen.`"""
    strip: tuple[Fact, ...]
    """Score, losses, place: up to three figures beside what is due."""
    brief: tuple[str, ...]
    """At most two paragraphs, 80 words together."""
    picture: Picture
    happened: tuple[Told, ...]
    """In the order in which it happened, by phase."""
    ordered: tuple[Told, ...] = ()
    """What became of each of the role's own lines."""
    own: tuple[Table, ...] = ()
    enemy: tuple[Table, ...] = ()
    """With the age and source of what is known."""
    standing: tuple[str, ...] = ()
    """Reactions in force, as order lines."""
    score: tuple[Table, ...] = ()
    courses: tuple[Course, ...] = ()
    owed: str = ""
    """What this role may send now, in a phrase: `movement for turn 5`; empty if nothing."""
    otherwise: str = ""
    """What is taken for silence."""
    next: str = ""
    """What comes after, in a sentence."""
    template: tuple[str, ...] = ()
    """Order lines to begin from, comments included; parses when it is sent back whole."""
    over: str = ""
    """Who has won and how, when the game has ended."""
