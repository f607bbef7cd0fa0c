"""The page: a record packed into one file, with a chronicle in it for readers without scripts, and for paper."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.reports.drawing.svg import n
from pbem.reports.drawing.terrain import patterns
from pbem.reports.hexes.ground import patterns as hex_patterns
from pbem.reports.hexes.style import hex_css
from pbem.reports.plane.ground import patterns as plane_patterns
from pbem.reports.plane.style import plane_css
from pbem.reports.replay.record import Line, Moments, Record, Row
from pbem.reports.replay.scene import IDS
from pbem.reports.text.marked import Html
from pbem.rules.reel import TRUTH

if TYPE_CHECKING:
    from jinja2 import Environment


SCRIPTS = ("data", "stage", "words", "time", "course", "find", "dice", "page")
"""The sources of the page's script, in the order in which they are put together."""


class Still(Struct, frozen=True):
    """The map at the end of a turn, for those who have no scripts."""

    title: str
    svg: Html
    drawings: tuple[int, ...]
    """Which drawings of the record it shows: they stand in the page once."""


class Phase(Struct, frozen=True):
    """What was told under one heading."""

    heading: str
    lines: tuple[Line, ...]


class Chapter(Struct, frozen=True):
    """One exchange of a chronicle."""

    moment: str
    title: str
    phases: tuple[Phase, ...]
    still: Still | None

    @property
    def turn(self) -> str:
        """`3` of `3B`; `S` of the set-up."""
        return turn_of(self.moment)


class Chronicle(Struct, frozen=True):
    """All that one pair of eyes was told."""

    eyes: str
    called: str
    chapters: tuple[Chapter, ...]


def published_html(record: Record, env: Environment, *, home: str = "", assets: str = "") -> str:
    """*record* as one file that needs nothing else; *home*, if it is given, is where its link to all games leads.

    With *assets* it is a page that is served: it takes its style and its script from there, and has none in itself.
    """
    chronicles = chronicles_of(record)
    shown = drawings(record, chronicles)
    own = {number for number, _ in shown}
    html: str = env.get_template("replay/page.html").render(
        record=record,
        home=home,
        assets=assets,
        data=packed(_without(record, own)),
        chronicles=chronicles,
        script="" if assets else Html(script(env)),
        **drawn_with(record, shown),
    )
    return html


def script(env: Environment) -> str:
    """What moves the page: the same in the file and where it is served."""
    parts = "\n".join(f"{env.get_template(f'replay/{name}.js').render()}\n" for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def drawn_with(record: Record, shown: Sequence[tuple[int, Html]]) -> dict[str, object]:
    """What a page needs to show drawings of *record*: themselves, their patterns and styles, and the dice."""
    return {
        "drawings": shown,
        "patterns": Html(_patterns(record)),
        "board_css": Html(_css(record.board) + record.css),
        "dice": record.throws,
    }


def drawings(record: Record, chronicles: Sequence[Chronicle]) -> list[tuple[int, Html]]:
    """Every drawing that the maps of *chronicles* show, with its number."""
    stills = [chapter.still for one in chronicles for chapter in one.chapters if chapter.still]
    return [(at, Html(record.svgs[at])) for at in dict.fromkeys(at for still in stills for at in still.drawings)]


def file_name(campaign: str) -> str:
    """What the file is called in a letter: `game-stprivat-autumn.html`."""
    return f"game-{campaign}.html"


def packed(record: Record) -> str:
    """*record* as the page carries it: JSON, gzip, base64; the same record always gives the same letters.

    What bears the number of a drawing that stands in the page itself is empty.
    """
    return base64.b64encode(gzip.compress(msgspec.json.encode(record), mtime=0)).decode()


def unpacked(html: str) -> Record:
    """The record that a page carries, without the drawings that stand in the page itself.

    :raises ValueError: if it carries none.
    """
    found = re.search(r'<script type="application/octet-stream" id="r-data">([\w+/=]+)</script>', html)
    if found is None:
        raise ValueError("this page carries no game")
    return msgspec.json.decode(gzip.decompress(base64.b64decode(found[1])), type=Record)


def _without(record: Record, own: Container[int]) -> Record:
    """*record* without what stands in the page itself."""
    svgs = tuple("" if at in own else svg for at, svg in enumerate(record.svgs))
    return replace(record, svgs=svgs, patterns="", css="")


def _patterns(record: Record) -> str:
    more = {"hexes": hex_patterns, "plane": plane_patterns}.get(record.board)
    return patterns(IDS) + (more(IDS) if more else "") + record.patterns


def _css(board: str) -> str:
    more = {"hexes": hex_css, "plane": plane_css}.get(board)
    return more() if more else ""


# ------------------------------------------------------------------ the chronicle


def chronicles_of(record: Record) -> tuple[Chronicle, ...]:
    """The chronicle of the truth, if it is there; else that of each of the eyes."""
    names = [one.name for one in record.eyes]
    return tuple(_chronicle(record, one) for one in ([TRUTH] if TRUTH in names else names))


def _chronicle(record: Record, eyes: str) -> Chronicle:
    """What those *eyes* were told, with the map at the end of each turn."""
    called = next(one.called for one in record.eyes if one.name == eyes)
    states = dict(_states(record, eyes))
    chapters: list[Chapter] = []
    beats = [one for one in record.beats if not one.annulled]
    for at, beat in enumerate(beats):
        if not chapters or chapters[-1].moment != beat.moment:
            chapters.append(Chapter(beat.moment, _title(beat.moment), (), None))
        phases = _grown(chapters[-1].phases, beat, _told(beat, eyes))
        last = at + 1 == len(beats) or turn_of(beats[at + 1].moment) != turn_of(beat.moment)
        still = _still(record, eyes, states.get(beat.name), beat) if last else None
        chapters[-1] = replace(chapters[-1], phases=phases, still=still or chapters[-1].still)
    return Chronicle(eyes, called, tuple(one for one in chapters if one.phases or one.still))


def _told(beat: Moments, eyes: str) -> tuple[Line, ...]:
    """What a beat told; where the truth has no words of its own, what the first of the roles was told that was."""
    seen = beat.seen.get(eyes)
    if (seen is not None and seen.told) or eyes != TRUTH:
        return seen.told if seen is not None else ()
    return next((one.told for one in beat.seen.values() if one.told), ())


def _grown(phases: tuple[Phase, ...], beat: Moments, told: tuple[Line, ...]) -> tuple[Phase, ...]:
    if not told:
        return phases
    if phases and phases[-1].heading == beat.phase:
        return (*phases[:-1], Phase(beat.phase, (*phases[-1].lines, *told)))
    return (*phases, Phase(beat.phase, told))


class _State(Struct, frozen=True):
    """What is to be seen after a beat."""

    rows: Mapping[str, Row]
    beds: tuple[int, ...]
    went: tuple[tuple[int, int], ...]
    befell: tuple[tuple[int, int], ...]


def _states(record: Record, eyes: str) -> Iterator[tuple[str, _State]]:
    state = _State({}, (), (), ())
    for beat in record.beats:
        seen = beat.seen.get(eyes)
        if seen is not None and seen.drawn:
            rows = {key: row for key, row in state.rows.items() if key not in seen.gone}
            state = _State(rows | seen.signs, seen.beds or state.beds, seen.went, seen.befell)
        yield beat.name, state


def _still(record: Record, eyes: str, state: _State | None, beat: Moments) -> Still | None:
    if state is None or not state.beds:
        return None
    used: dict[int, None] = {}

    def use(svg: int, at: str = "") -> str:
        if not record.svgs[svg]:
            return ""
        used.setdefault(svg)
        return f'<use href="#r-{svg}"{at}/>'

    rows = sorted(state.rows.values(), key=lambda row: row.over)
    parts = [
        *map(use, state.beds),
        use(record.names[eyes]),
        *(use(record.ways[way].svg) for way, _ in state.went),
        *(use(row.svg, _place(row)) for row in rows),
        *(use(row.label, f' x="{n(row.x)}" y="{n(row.y)}"') for row in rows),
        *(
            use(spot.svg, f' x="{n(spot.x)}" y="{n(spot.y)}"')
            for spot in (record.spots[number] for number, _ in state.befell)
        ),
    ]
    title = f"{_title(turn_of(beat.moment))}, at its end"
    css = f' class="{record.board}"' if record.board else ""
    wide, high = record.size
    svg = f'<svg{css} viewBox="0 0 {n(wide)} {n(high)}" role="img" aria-label="Map: {title}">{"".join(parts)}</svg>'
    return Still(title, Html(svg), tuple(used))


def _place(row: Row) -> str:
    size = f" scale({row.scale:g})" if row.scale != 1 else ""
    turn = f" rotate({row.turn})" if row.turn else ""
    return f' transform="translate({n(row.x)} {n(row.y)}){size}{turn}"'


def turn_of(moment: str) -> str:
    """`3` of `3B`, `S` of `S1`."""
    return "S" if moment.startswith("S") else moment.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _title(moment: str) -> str:
    return "The set-up" if moment.startswith("S") else f"Turn {moment}"
