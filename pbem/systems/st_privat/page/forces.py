"""Own forces and the enemy as known, in tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.orders.prose import counted
from pbem.rules.view import Table
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.scene.forces import full
from pbem.systems.st_privat.scene.words import as_counted, names
from pbem.systems.st_privat.world.pieces import ENEMY, Piece
from pbem.systems.st_privat.world.state import Battle, Trace

ELSEWHERE = {"cavalry": "Cavalry", "general": "Staff"}


def _spread(text: str) -> list[str]:
    """The ids that `p13-p24` means."""
    first, _, last = text.partition("-")
    (head, start), (_, end) = as_counted(first), as_counted(last or first)
    return [f"{head}{n}" for n in range(start, end + 1)]


def body_of(field: Field, piece: Piece, at: Square | None) -> str:
    """Under which heading a piece is listed: its town, else the body that it belongs to."""
    if at is not None and (town := field.ground(at).town):
        return town
    if piece.gun_id or piece.is_gun:
        return "Artillery"
    for group in field.scene.groups:
        if group.side == piece.side and piece.id in _spread(group.ids):
            return group.name[:1].upper() + group.name[1:]
    return ELSEWHERE.get(piece.kind, "In the field")


def _where(field: Field, pieces: Iterable[Piece]) -> str:
    """`f1–3 in H-9 (inside, hidden)`, square by square."""
    spots: dict[tuple[Square, str], list[str]] = {}
    here = list(pieces)
    # A section is named by its gun: what stands with it is not listed again.
    guns = {p.id: p.square for p in here if p.is_gun}
    for piece in here:
        if piece.square is None or (piece.gun_id and guns.get(piece.gun_id) == piece.square and not piece.detached):
            continue
        marks = [
            *(["inside"] if piece.place == "inside" else []),
            *(["hidden"] if not piece.is_open else []),
            *(["limbered"] if field.is_limbered(piece) else []),
        ]
        spots.setdefault((piece.square, ", ".join(marks)), []).append(_named(field, piece))
    return "; ".join(f"{_list(some)} at {at}{f' ({marks})' if marks else ''}" for (at, marks), some in spots.items())


def _named(field: Field, piece: Piece) -> str:
    general = field.scene.generals.get(piece.id)
    return general.name if general else piece.id


def _list(some: Sequence[str]) -> str:
    ids = [one for one in some if one[-1:].isdigit()]
    others = [one for one in some if one not in ids]
    return ", ".join([*([names(ids)] if ids else []), *others])


def _changes(battle: Battle, traces: Sequence[Trace], pieces: Iterable[str]) -> str:
    """What became of pieces this turn: `f4 destroyed, f5 down to 2`."""
    parts = []
    for name in pieces:
        piece = battle.pieces[name]
        hit = any(t.kind == "losses" and name in t.units for t in traces)
        if piece.removed and any(t.kind == "removed" and name in t.units for t in traces):
            parts.append(f"{name} {piece.removed.replace('_', ' ')}")
        elif hit:
            parts.append(f"{name} down to {piece.left}")
    return ", ".join(parts)


def own_table(field: Field, side: Role, turn: int) -> Table:
    """The side's own forces: where, what, figures left of how many, lost this turn."""
    battle = field.battle
    traces = [t for t in battle.traces if t.turn == turn and t.side == side]
    last_seen = {name: t.squares[0] for t in traces if t.kind in ("losses", "removed") for name in t.units}
    rows: dict[str, list[Piece]] = {}
    for piece in (p for p in battle.pieces.values() if p.side == side and p.kind != "dummy"):
        if piece.stands or piece.id in last_seen:
            rows.setdefault(body_of(field, piece, piece.square or last_seen.get(piece.id)), []).append(piece)
    dummies = [p for p in battle.pieces.values() if p.side == side and p.kind == "dummy" and p.stands]
    lines = []
    for heading in sorted(rows, key=lambda name: (name not in {t.name for t in field.scene.towns.values()}, name)):
        here = rows[heading]
        alive = [p for p in here if p.stands]
        lost = sum(t.figures for t in traces if t.kind == "losses" and t.units[0] in {p.id for p in here})
        left, whole = sum(p.left for p in alive), sum(full(p.kind) for p in here)
        change = _changes(battle, traces, [p.id for p in here])
        lines.append((heading, _where(field, alive) or "nobody left", f"{left} of {whole}", str(lost), change))
    mine = [p for p in battle.pieces.values() if p.side == side and p.kind != "dummy"]
    total = sum(t.figures for t in traces if t.kind == "losses")
    left = sum(p.left for p in mine if p.stands)
    summary = _summary(mine, len(dummies))
    return Table(
        caption="Figures left of full strength; “hidden” means that the enemy does not know what it is.",
        columns=("Place", "Troops", "Figures", f"Lost in T{turn}" if turn else "Lost", "Change"),
        rows=tuple(lines),
        total=("All", summary, f"{left} of {sum(full(p.kind) for p in mine)}", str(total), ""),
        numbers=(2, 3),
        note="  ".join(part for part in (_marked_note(mine), _damage_note(battle)) if part),
    )


def _summary(pieces: Sequence[Piece], dummies: int) -> str:
    kinds = {"infantry": "company", "cavalry": "squadron"}
    parts = []
    for kind, word in kinds.items():
        count = sum(p.kind == kind and p.stands for p in pieces)
        parts.append(f"{count} {word if count == 1 else 'companies' if word == 'company' else word + 's'}")
    guns = sum(p.is_gun and p.stands for p in pieces)
    parts.append(f"{guns} gun{'' if guns == 1 else 's'}" if guns else "no guns")
    if dummies:
        parts.append(f"{dummies} dumm{'y' if dummies == 1 else 'ies'}")
    return ", ".join(parts)


def _marked_note(pieces: Iterable[Piece]) -> str:
    """The command stands and the commander in chief, whom no map marks."""
    standing = [piece for piece in pieces if piece.stands]
    stands = [piece.id for piece in standing if piece.command]
    chiefs = [piece.id for piece in standing if piece.c_in_c]
    marked = f"Command stand{'s' if len(stands) > 1 else ''}: {names(stands)}." if stands else ""
    chief = f"Commander in chief: {names(chiefs)}." if chiefs else ""
    return "  ".join(filter(None, (marked, chief)))


def _damage_note(battle: Battle) -> str:
    parts = [
        f"{thing} {at} {'destroyed' if damage.destroyed else counted(damage.damage, 'point')}"
        for thing, table in (("building", battle.buildings), ("wall", battle.walls), ("bridge", battle.bridges))
        for at, damage in sorted(table.items())
        if damage.damage or damage.destroyed
    ]
    return f"Structures: {', '.join(parts)}." if parts else ""


def enemy_table(field: Field, side: Role, turn: int) -> Table:
    """The enemy as known, freshest first, with the age of what is known."""
    battle, enemy = field.battle, ENEMY[side]
    rows: list[tuple[str, str, str, str]] = []
    bodies: dict[str, list[Piece]] = {}
    for piece in field.own(enemy):
        bodies.setdefault(body_of(field, piece, piece.square), []).append(piece)
    seen = "Seen, this turn" if battle.options.by_sight else "Open, on the table"
    for heading, here in bodies.items():
        rows.append((heading, _where(field, here), str(sum(p.left for p in here)), seen))
    cards: dict[str, list[str]] = {}
    for key, shown in battle.cards.items():
        at, where = key.split()
        inside = " inside" if where == "inside" else ""
        town = field.ground(Square(at)).town or "In the open"
        cards.setdefault(town, []).append(f"{at}: {counted(shown.count, 'card')}{inside}")
    rows += [(town, "; ".join(some), "?", "Face down: troops or dummies") for town, some in cards.items()]
    for name in sorted(battle.ghosts):
        piece, when = battle.ghosts[name]
        age = max(battle.turn - when, 0)
        when_seen = f"Last seen {counted(age, 'turn')} ago"
        rows.append((body_of(field, piece, piece.square), f"{name} at {piece.square}", str(piece.left), when_seen))
    gun = field.scene.pieces.get(enemy, {}).get("siege_gun", 0)
    if gun and not any(p.kind == "siege_gun" for p in battle.pieces.values() if p.side == enemy):
        rows.append(("Siege gun", "a 24-pounder and its crew, somewhere on rows 13–18", "7", "Never seen"))
    lost = sum(t.figures for t in battle.traces if t.turn == turn and t.side == enemy and t.kind == "losses")
    return Table(
        caption="What your troops see, and where they last saw the rest."
        if battle.options.by_sight
        else "By the table rule you see every open piece.",
        columns=("Where", "What", "Figures", "Certainty and age"),
        rows=tuple(rows),
        total=("All open", "", str(sum(p.left for p in field.own(enemy))), f"{lost} figures seen to fall this turn"),
        numbers=(2,),
    )
