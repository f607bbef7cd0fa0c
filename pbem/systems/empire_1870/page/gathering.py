"""Lines that belong together become one: the steps of a march, a battle with its box, an activation under its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role, RuleId
from pbem.orders.prose import cap, listed
from pbem.rules.telling import small_print
from pbem.rules.view import Table
from pbem.systems.empire_1870.page.sentences import Column, Line, Passage, Row
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import ADJECTIVE
from pbem.systems.empire_1870.world.parts import ENEMY


def gathered(scene: Scene, lines: Sequence[Line]) -> tuple[Line, ...]:
    """What happened, paragraph by paragraph, each under its heading."""
    paragraphs: list[Line] = []
    for bundle in _bundles(lines):
        heading = next((line.heading for line in bundle if line.heading), "")
        found = _bundle(scene, bundle)
        if bundle[0].opens and not heading:
            heading = f"Pulse {bundle[0].moment.exchange}, both sides pass"
        unseen = next((line.unseen for line in bundle if line.unseen), "")
        if unseen and len(found) == 1:
            found = [replace(found[0], text=f"{found[0].text} {unseen}".strip())]
        paragraphs += [replace(line, phase=heading) if heading else line for line in found]
    return tuple(line for line in paragraphs if line.text or line.lead)


def _bundles(lines: Sequence[Line]) -> Iterable[list[Line]]:
    """The lines of an activation, from the throw for the initiative; those of another phase by themselves."""
    bundle: list[Line] = []
    for line in lines:
        apart = bool(bundle) and (line.moment, line.phase) != (bundle[-1].moment, bundle[-1].phase)
        if bundle and (apart or line.opens in ("initiative", "end")):
            yield bundle
            bundle = []
        bundle.append(line)
    if bundle:
        yield bundle


def _bundle(scene: Scene, lines: Sequence[Line]) -> list[Line]:
    found: list[Line] = []
    for line in _marched_first(lines):
        at = _joins(found, line)
        if at is None:
            found.append(line)
        elif line.passage is not None:
            found[at] = _further(scene, found[at], line)
        else:
            found[at] = _joined(found[at], line)
    return [_boxed(scene, line) for line in found]


def _marched_first(lines: Sequence[Line]) -> list[Line]:
    """A hex is taken before the enemy is told who came: it is told of behind the march that took it."""
    told = list(lines)
    for at in range(len(told) - 1):
        march = told[at + 1].passage
        if told[at].taken and march is not None and march.hexes[-1] == told[at].taken:
            told[at], told[at + 1] = told[at + 1], told[at]
    return told


def _joins(found: Sequence[Line], line: Line) -> int | None:
    """Which paragraph a line goes on from; None: it begins one."""
    if line.opens in ("activation", "under"):
        return 0 if found else None
    if line.passage is not None:
        for at in range(len(found) - 1, -1, -1):
            before = found[at].passage
            if found[at].combat:
                return None
            if before is not None and _goes_on(before, line.passage):
                return at
        return None
    if line.combat:
        return next((at for at in range(len(found) - 1, -1, -1) if found[at].combat == line.combat), None)
    return len(found) - 1 if line.follows and found else None


def _goes_on(before: Passage, now: Passage) -> bool:
    return before.side == now.side and before.hexes[-1] == now.hexes[0] and before.who[:2] == now.who[:2]


def _further(scene: Scene, first: Line, then: Line) -> Line:
    """A march that went a step further."""
    one, other = first.passage, then.passage
    if one is None or other is None:
        return first
    mp = max(one.mp, other.mp + one.cost)
    whole = Passage(one.who, one.side, (*one.hexes, *other.hexes[1:]), one.cost + other.cost, mp)
    return replace(first, passage=whole, text=_way(scene, whole), notes=(*first.notes, *then.notes))


def _way(scene: Scene, passage: Passage) -> str:
    """A march in a sentence: `G8 with 8 SP went from Trier 2203 by 2304 to Saarbruecken 2306: 3 of 5 MP.`."""
    start, *between, end = passage.hexes
    by = f" by {listed([scene.place_name(at) for at in between])}" if between else ""
    cost = f": {passage.cost} of {passage.mp} MP" if passage.mp else ""
    return f"{cap(passage.who)} went from {scene.place_name(start)}{by} to {scene.place_name(end)}{cost}."


def _joined(first: Line, line: Line) -> Line:
    heavier = line.weight > first.weight
    said = line.alone if line.alone and first.passage is None else line.text
    return replace(
        first,
        text=f"{first.text} {said}".strip(),
        notes=(*first.notes, *line.notes),
        tables=(*first.tables, *line.tables),
        rows=(*first.rows, *line.rows),
        weight=max(first.weight, line.weight),
        headline=line.headline if heavier else first.headline,
        gist=f"{first.gist} {line.gist}".strip(),
    )


def _boxed(scene: Scene, line: Line) -> Line:
    """A paragraph as it is printed: a march in full, a battle with its box, the small print in order."""
    if line.passage is not None and len(line.passage.hexes) == 2:
        rest = line.text.partition(".")[2]
        line = replace(line, text=_way(scene, line.passage) + rest)
    if line.attacker is not None and line.rows:
        line = replace(line, tables=(_box(line.lead.rstrip("."), line.attacker, line.rows), *line.tables))
    cited = {RuleId(rule) for row in line.rows for rule in row.rule.split(", ")}
    return replace(line, notes=small_print(line.notes, cited))


ORDER = (
    "HQs", "SP before", "Value by status", "Halved", "Of it cavalry", "SR of", "Total", "Ratio", "Ground", "CRM", "HQ ",
    "Inherent", "Across", "Final DRM", "Artillery", "Dice", "Of these", "FCS", "Won by", "SP lost at once", "LP",
    "SP lost in all", "SP after",
)  # fmt: skip
"""In which order the rows of a battle stand, by how they begin."""


def _box(caption: str, attacker: Role, rows: Sequence[Row]) -> Table:
    sides = (attacker, ENEMY[attacker])
    merged: dict[str, tuple[dict[int, str], str]] = {}
    for row in rows:
        cells, _ = merged.setdefault(row.what, ({}, row.rule))
        for column, value in row.values.items():
            cells[_place(column, attacker)] = value

    def rank(what: str) -> int:
        return next((n for n, head in enumerate(ORDER) if what.startswith(head)), len(ORDER))

    return Table(
        caption=f"{caption}: {ADJECTIVE[attacker]} attack",
        columns=("Factor", *(ADJECTIVE[side] for side in sides)),
        rows=tuple(
            (f"{what} ({rule})" if rule else what, cells.get(0, "–"), cells.get(1, "–"))
            for what, (cells, rule) in sorted(merged.items(), key=lambda item: rank(item[0]))
        ),
        numbers=(1, 2),
    )


def _place(column: Column, attacker: Role) -> int:
    return 0 if column in ("attacker", attacker) else 1
