"""The field before the first move: the pieces of both sides, a side's own set-up or the default, the seal on both."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import get_args

from msgspec.structs import replace

from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Order
from pbem.rules.contract import World
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.sight import as_seen
from pbem.systems.st_privat.play.pauses import SETUP
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.forces import pieces
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import cap, selector
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.turn.layout import Layout
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import Fact, in_part, owner_only
from pbem.systems.st_privat.world.game import Reactions, Score, Sealed, TownState, Zone
from pbem.systems.st_privat.world.options import parse_options
from pbem.systems.st_privat.world.patches import GamePatch, Patch
from pbem.systems.st_privat.world.pieces import ENEMY, FIGURES, FRENCH, PRUSSIAN, SIDES, Cards, Piece
from pbem.systems.st_privat.world.state import Battle, evolve

RULES = {FRENCH: ("SP-SET-01", "SP-SET-02", "SP-HID-01", "SP-HID-02", "SP-PCE-01", "SP-PCE-03", "SP-SCN-07")}
RULES_OF_OTHERS = ("SP-SET-03", "SP-SET-04", "SP-PCE-01", "SP-PCE-03", "SP-SCN-08")


@rule("SP-VIC-01", "SP-TRN-02")
def blank(scene: Scene, chosen: Mapping[str, Option]) -> World[Battle, Battle]:
    """The field before set-up under these options; each side knows its own pieces.

    :raises Refused: on an option that the game does not have, or a value that it cannot take.
    """
    options = parse_options(scene.options, chosen)
    own = {side: {p.id: p for p in pieces(scene, options, side)} for side in SIDES}
    truth = Battle(
        first_mover=scene.numbers.first_mover,
        second_mover=ENEMY[scene.numbers.first_mover],
        vp=Score(french=scene.numbers.french_start_points),
        town_state={name: TownState() for name in scene.towns},
        pieces={**own[FRENCH], **own[PRUSSIAN]},
        options=options,
        numbers=scene.numbers,
    )
    return World(
        truth, {side: replace(truth, viewer=side, pieces=own[side], reactions={side: Reactions()}) for side in SIDES}
    )


@rule("SP-SET-03", "SP-GEN-01")
def muster(scene: Scene, world: World[Battle, Battle], dice: Dice) -> tuple[Fact, ...]:
    """Throw where the siege gun may stand; only the Prussians learn it."""
    if not scene.pieces[PRUSSIAN].get("siege_gun"):
        return ()
    files, row = (dice.throw(f"siege_zone_{part}", "1", seed="closed") for part in ("file", "row"))
    zone = Zone(charts.ZONE_FILES[files.faces[0]], charts.ZONE_ROWS[row.faces[0]])
    return (
        o.SiegeZoneRolled(
            turn=world.truth.turn,
            phase=world.truth.phase,
            rules=cited("SP-SET-03", "SP-GEN-01"),
            dice=(files, row),
            known=owner_only(PRUSSIAN),
            die_file=files.faces[0],
            die_row=row.faces[0],
            files=zone.files,
            row=zone.row,
            game=GamePatch(siege_zone=zone),
        ),
    )


def lay_out(scene: Scene, battle: Battle, side: Role, orders: Sequence[Order]) -> tuple[Layout, dict[int, Wrong]]:
    """A side's set-up by its orders, the rest by default; and what was wrong with orders, by their lines.

    What is ordered goes before what is default.  Sections come first, for they decide where guns may stand, then the
    commander in chief, who may stand with another; those who are shown come last.
    """
    layout, wrongs = Layout(scene, battle, side), dict[int, Wrong]()
    setup = [order for order in orders if isinstance(order, say.SetUp)]

    def take(*kinds: type[say.SetUp]) -> None:
        for order in setup:
            if isinstance(order, kinds) and (wrong := layout.apply(order)):
                wrongs.setdefault(order.line, wrong)

    take(say.PutSection)
    layout.pair()
    take(say.Cinc)
    take(*(kind for kind in get_args(say.SetUp) if kind not in (say.PutSection, say.Cinc, say.Show)))
    layout.fill()
    take(say.Show)
    return layout, wrongs


@rule("SP-SET-01", "SP-SET-02", "SP-SET-03", "SP-SET-04", "SP-HID-01", "SP-HID-02", "SP-PCE-01", "SP-PCE-03")
@rule("SP-SCN-07", "SP-SCN-08")
def set_up(play: Play) -> None:
    """Put the side on the board whose phase it is.

    Its owner learns everything, the enemy what lies face up, and how many cards lie where.  The placements are
    sealed: SHA-256 of a salt, a newline, and the placements joined by newlines.
    """
    scene, battle, side = play.scene, play.battle, SETUP[play.battle.phase][1]
    orders, salt = play.sheet(side), play.dice.salt(side)
    layout, wrongs = lay_out(scene, battle, side, orders)
    pieces = finished(layout)
    placements = as_orders(layout, pieces)
    joined = "\n".join(placements)
    seal = hashlib.sha256(f"{salt}\n{joined}".encode()).hexdigest()
    fact = o.SetupCompleted(
        rules=cited(*RULES.get(side, RULES_OF_OTHERS)),
        known=in_part(side),
        side=side,
        placements=placements,
        defaulted=tuple(layout.defaulted),
        seal=seal,
        salt=salt,
        changes={piece.id: _patch(battle.pieces[piece.id], piece) for piece in pieces},
        secret=tuple(piece.id for piece in pieces if not piece.is_open or piece.square is None),
        game=GamePatch(sealed={side: Sealed(seal, salt, joined)}),
    )
    field = Field(scene, evolve(battle, fact))
    open_ = [as_seen(field, piece) for piece in field.own(side) if piece.is_open]
    veiled = tuple(p.id for p in open_ if p.square and any(q.hidden for q in field.at(p.square, side, p.place)))
    play.tell(replace(fact, shows=tuple(open_), veiled=veiled, cards=_cards(field, side)))
    for order in orders:
        if isinstance(order, say.SetUp):
            wrong = wrongs.get(order.line)
            text = f"{cap(wrong.why)}." if wrong else "Set up as ordered."
            play.report(side, order, "not carried out" if wrong else "done", text, *((wrong.rule,) if wrong else ()))


def _patch(before: Piece, after: Piece) -> Patch:
    """What a set-up changed of a piece."""
    names = (name for name in Patch.__struct_fields__ if getattr(after, name) != getattr(before, name))
    return replace(Patch(), **{name: getattr(after, name) for name in names})


def _cards(field: Field, side: Role) -> dict[str, Cards]:
    found: dict[str, Cards] = {}
    for at in sorted({piece.square for piece in field.own(side) if piece.hidden and piece.square is not None}):
        found |= field.shown_cards(at, side)
    return {key: cards for key, cards in found.items() if cards.count}


@rule("SP-HID-01", "SP-PCE-03")
def finished(layout: Layout) -> list[Piece]:
    """The pieces as they are set up: face down where they may be and are not shown, command stands marked."""
    return [
        replace(
            piece, hidden=piece.id not in layout.shown and layout.may_hide(piece), command=piece.id in layout.command
        )
        for piece in layout.pieces.values()
    ]


def as_orders(layout: Layout, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Set-up orders that would make this set-up."""
    guns = [piece for piece in pieces if piece.is_drawn]
    lines = [
        f"section {gun.id} deployed" if gun.deployed else f"section {gun.id} limbered with limber {gun.limber_id[2:]}"
        for gun in guns
    ]
    groups: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        if piece.square is None or piece.kind in ("siege_gun", "dummy") or piece.gun_id or not piece.on_table:
            continue
        key = (piece.square, piece.place, piece.kind, piece.id if piece.is_gun else "")
        groups.setdefault(key, []).append(piece)
    for group in groups.values():
        lines.append(_place_line(layout, sorted(group, key=lambda piece: piece.slot)))
    lines += [
        f"dummy {p.id} at {p.square}{_inside(p)} face {p.facing}" for p in pieces if p.kind == "dummy" and p.square
    ]
    lines += [f"siege at {p.square} face {p.facing}" for p in pieces if p.kind == "siege_gun" and p.square]
    shown = [p.id for p in pieces if p.id in layout.shown and not p.gun_id and layout.may_hide(p)]
    if shown:
        lines.append(f"show {selector(shown)}")
    if layout.command:
        lines.append(f"command {selector(layout.command)}")
    lines += [f"cinc {p.id}" for p in pieces if p.c_in_c]
    return tuple(lines)


def _inside(piece: Piece) -> str:
    return " in" if piece.place == "inside" else ""


def _place_line(layout: Layout, group: Sequence[Piece]) -> str:
    first = group[0]
    ids = [part.id for piece in group for part in (layout.section(piece) if piece.is_gun else [piece])]
    face = f" face {first.facing}" if first.facing else ""
    form = f" {first.formation}" if first.kind == "infantry" else ""
    return f"place {selector(ids)} at {first.square}{_inside(first)}{face}{form}"


def counts(battle: Battle) -> Mapping[str, int]:
    """Figures of each side on the board, in the box, removed alive, and fallen: their sums never change."""
    found = {(side, where): 0 for side in SIDES for where in ("on the board", "in the box", "removed", "fallen")}
    for piece in battle.pieces.values():
        if piece.kind not in FIGURES:
            continue
        name, whole = FIGURES[piece.kind]
        left = getattr(piece, name)
        where = "removed" if piece.removed else "in the box" if piece.square is None else "on the board"
        found[piece.side, where] += left
        found[piece.side, "fallen"] += whole - left
    return {f"{side} {where}": number for (side, where), number in found.items()}
