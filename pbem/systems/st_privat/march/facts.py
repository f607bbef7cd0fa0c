"""How a march becomes facts: what is turned up, what is met, the way itself, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET

from pbem.ground.square import Square, is_diagonal
from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.bodies import Body
from pbem.systems.st_privat.field.streams import ford_at_end, is_along, is_two_banked
from pbem.systems.st_privat.march.formation import joining, left_behind
from pbem.systems.st_privat.march.march import March
from pbem.systems.st_privat.march.retreat import OFF
from pbem.systems.st_privat.march.siege import find
from pbem.systems.st_privat.march.steps import Step
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.words import names
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, owner_only
from pbem.systems.st_privat.world.patches import Patch, merged
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, Facing, Formation, Piece


def carry_out(play: Play, march: March) -> None:
    """Make facts of a march, in the order in which they come to pass."""
    if march.walk.steps or _prepares(play, march):
        play.turn_up(march.body.hidden, "left_town" if _leaves_town(play, march) else "owner", "SP-HID-03")
    if march.limbers:
        limber(play, _gun(play, march.body))
    enter(play, march, lambda: _move(play, march))
    if not march.walk.steps and _prepares(play, march):
        _in_place(play, march)
    if march.unlimbers:
        unlimber(play, _gun(play, march.body), march.unlimbers)
    if march.exits:
        _exit(play, march)
    stopped(play, march)


def enter(play: Play, march: March, tell: Callable[[], None]) -> None:
    """Take the steps of a march: dummies go first, *tell* makes the fact, then comes what was met on the way."""
    if march.walk.dummies:
        there = [piece for piece in play.field.at(march.end, ENEMY[march.body.side]) if piece.kind == "dummy"]
        play.drop_dummies(march.end, there, "entered", "SP-HID-06", "SP-HID-02")
    if march.walk.steps:
        tell()
        _crossings(play, march)
        if march.body.arm != "general":
            for square in march.path[1:]:
                play.capture_in(square, march.body.side)
    if march.walk.found or (march.stop is not None and march.stop.reason == "gun_found"):
        find(play, march.body.side)


def _formation(body: Body) -> Formation:
    return "column" if body.arm == "column" else "line"


@rule("SP-MOV-06", "SP-FOR-01", "SP-HID-01")
def _prepares(play: Play, march: March) -> bool:
    """Whether a body that can take no step does in its square what was to come before it.

    Part of a group does not, nor do stands among cards: they have one formation and facing with these.
    """
    body = march.body
    if march.walk.steps or march.refusal is not None or body.place == "inside":
        return False
    ranked = body.is_infantry or body.arm == "cavalry"
    there = play.field.at(body.square, body.side, body.place)
    if ranked and any(p.id not in body.names and (p.kind == body.first.kind or p.hidden) for p in there):
        return False
    return march.facing != body.facing or march.formation != _formation(body) or bool(march.unlimbers)


@rule("SP-MOV-08")
def limber(play: Play, gun: Piece) -> None:
    """Hitch a gun to its limber."""
    changes = {piece.id: Patch(moved_this_turn=True) for piece in play.field.section(gun)}
    changes[gun.id] = Patch(moved_this_turn=True, deployed=False)
    play.change(o.GunLimbered(rules=cited("SP-MOV-08"), gun=gun.id, square=gun.at), changes)


@rule("SP-HID-03", "SP-HID-04")
def _leaves_town(play: Play, march: March) -> bool:
    town = play.scene.ground[march.body.square].town
    return bool(town) and play.scene.ground[march.end].town != town


def _gun(play: Play, body: Body) -> Piece:
    return play.piece(next(piece.id for piece in body.pieces if piece.is_gun))


# ------------------------------------------------------------------ the way


def arrival(play: Play, march: March) -> dict[str, Patch]:
    """What a march makes of its pieces, and of those who stay behind and close up."""
    body, field = march.body.renewed(play.battle), play.field
    whole = merged(
        Patch(square=march.end, place=march.place, moved_this_turn=True, bank=march.bank),
        ford_at_end(field, march.path, on_foot=body.on_foot),
        Patch(ford_owed=True) if _owes(march) else Patch(),
    )
    patches = {
        piece.id: merged(
            whole,
            Patch() if piece.kind == "general" else Patch(facing=march.facing),
            Patch(detached=True) if piece.kind == "crew" and len(body.pieces) == 1 else Patch(),
        )
        for piece in body.pieces
    }
    if body.is_infantry or body.arm == "cavalry":
        joined = joining(field, body.pieces, march.end, march.place, march.formation, march.facing, ())
        patches = {name: merged(patch, joined[name]) for name, patch in patches.items()}
    return {**left_behind(field, body.pieces), **patches}


@rule("SP-TER-05")
def _owes(march: March) -> bool:
    """Whether a body stopped in the water for want of points."""
    halted = march.stop is not None and march.stop.reason == "ford"
    return halted and not march.body.on_foot and not march.pays_ford


def _move(play: Play, march: March) -> None:
    body = march.body.renewed(play.battle)
    changes = arrival(play, march)
    after = changes[body.first.id]
    fact = o.UnitMoved(
        rules=rules_of(play, march),
        side=march.body.side,
        units=body.names,
        path=march.path,
        cost_steps=tuple(step.cost for step in march.walk.steps),
        cost=march.cost,
        allowance=march.points,
        road_bonus_used=march.walk.saved > 0,
        formation=_formation_shown(play, march, after),
        facing=None if after.facing is UNSET else after.facing,
        place=march.place,
    )
    play.change(fact, changes)


def _formation_shown(play: Play, march: March, after: Patch) -> Formation:
    """The formation at the end of a march; among cards a line, whatever those are."""
    if any(piece.hidden for piece in play.field.at(march.end, march.body.side, march.place)):
        return "line"
    return march.formation if after.formation is UNSET else after.formation


@rule("SP-TER-04", "SP-TER-05")
def _crossings(play: Play, march: March) -> None:
    """The walls and streams that were crossed, and the ford that was begun."""
    body, options, last = march.body, play.field.options, march.walk.steps[-1]
    # Of a card that goes face down nobody else learns the name.
    known = owner_only(march.body.side) if any(play.piece(name).hidden for name in body.names) else BOTH
    ford = cited("SP-TER-05")
    for name in body.named:
        for step in march.walk.steps:
            if step.fords:
                paid = step.cost - 1
                play.tell(o.FordCrossed(rules=ford, known=known, unit=name, square=step.start, points_paid=paid))
            if step.wall is not None:
                play.tell(
                    o.WallCrossed(
                        rules=cited("SP-TER-04"), known=known, unit=name, edge=step.wall, points_paid=step.cost
                    )
                )
        if march.pays_ford:
            paid = options.ford_cost
            play.tell(o.FordCrossed(rules=ford, known=known, unit=name, square=march.end, points_paid=paid))
        elif _starts_fording(play, march, last):
            play.tell(o.FordStarted(rules=ford, known=known, unit=name, square=march.end))


@rule("SP-TER-05")
def _starts_fording(play: Play, march: March, last: Step) -> bool:
    """Whether a march ends in the water to cross it: cut there, or come on foot from a bank where there is a ford."""
    if march.stop is not None and march.stop.reason == "ford":
        return True
    field = play.field
    ground = field.ground(march.end)
    if not march.body.on_foot or not is_two_banked(ground) or last.road:
        return False
    if not field.options.ford_anywhere and not ground.bridge:
        return False
    return not is_along(field, last.start, last.end)


def _in_place(play: Play, march: March) -> None:
    """What a body did before a first step that it could not take."""
    body = march.body.renewed(play.battle)
    if march.formation != _formation(body):
        patch = Patch(formation=march.formation, facing=march.facing, moved_this_turn=True)
        formed = o.FormationChanged(
            rules=cited("SP-FOR-04", "SP-MOV-06"),
            group_square=body.square,
            units=body.names,
            start=_formation(body),
            end=march.formation,
            cost=march.cost,
        )
        play.change(formed, dict.fromkeys(body.names, patch))
    elif march.facing is not None and march.unlimbers is None:
        turned = o.UnitTurned(
            rules=cited("SP-MOV-06"),
            group_square=body.square,
            units=body.names,
            start=body.facing,
            end=march.facing,
            cost=march.cost,
        )
        play.change(turned, dict.fromkeys(body.names, Patch(facing=march.facing, moved_this_turn=True)))


@rule("SP-MOV-08", "SP-ART-03")
def unlimber(play: Play, gun: Piece, facing: Facing) -> None:
    """Take a gun off its limber; it does not fire this turn."""
    changes = {piece.id: Patch(facing=facing, moved_this_turn=True) for piece in play.field.section(gun)}
    changes[gun.id] = Patch(facing=facing, moved_this_turn=True, deployed=True, unlimbered_this_turn=True)
    fact = o.GunUnlimbered(rules=cited("SP-MOV-08", "SP-ART-03"), gun=gun.id, square=gun.at, facing=facing)
    play.change(fact, changes)


@rule("SP-VIC-05")
def _exit(play: Play, march: March) -> None:
    """March off for Metz: every part that leaves scores its points for the French."""
    pieces = [play.piece(name) for name in march.body.names]
    points = sum(play.field.points_of(piece) for piece in pieces)
    ids = march.body.names
    play.tell(c.UnitExited(rules=cited("SP-VIC-05", "SP-MOV-10"), units=ids, square=march.end, points=points))
    for piece in pieces:
        play.remove(play.piece(piece.id), "exited", "SP-VIC-05")
    if points:
        play.score(FRENCH, points, f"{names(ids)} off by the road", "SP-VIC-05")


def stopped(play: Play, march: March) -> None:
    """Why a march ended before its order did; a move into dummies has told its end already."""
    stop = march.stop
    if stop is None or march.walk.dummies:
        return
    if stop.reason == "entry_blocked" and march.barred is not None:
        _blocked(play, march, march.barred)
        return
    fact = o.MoveStopped(
        rules=cited(*stop.rules),
        known=owner_only(march.body.side),
        side=march.body.side,
        units=march.body.names,
        square=march.end,
        reason=stop.reason,
    )
    play.tell(fact)


@rule("SP-HID-06", "SP-MOV-04")
def _blocked(play: Play, march: March, at: Square) -> None:
    """Real cards bar a step: they stay face down, unless `entry_block_reveals`."""
    play.tell(
        o.EntryBlocked(
            rules=cited("SP-HID-06", "SP-MOV-04"),
            unit=march.body.first.id,
            side=march.body.side,
            start=march.end,
            card_square=at,
        )
    )
    if play.field.options.entry_block_reveals:
        play.turn_up(play.field.at(at, ENEMY[march.body.side]), "entered", "SP-HID-06")


# ------------------------------------------------------------------ the rules of a march


def rules_of(play: Play, march: March) -> tuple[RuleId, ...]:
    """The rules that shaped a march."""
    field, body, steps = play.field, march.body, march.walk.steps
    grounds = [field.ground(at) for at in march.path]
    turned = march.facing != body.facing or march.terms.before > 0
    passed = any(field.at(at, body.side) for at in march.path[1:-1])
    unmanned = any(field.visible(at, ENEMY[body.side]) for at in march.path[1:])
    reforms = body.arm == "column" and march.terms.rate == "line"
    met = {
        "SP-MOV-01": True,
        "SP-MOV-02": True,
        "SP-MOV-03": any(_is_diagonal(step) for step in steps) or march.terms.column,
        "SP-MOV-04": passed or unmanned,
        "SP-MOV-05": march.terms.rate == "column",
        "SP-MOV-06": turned and body.arm != "general",
        "SP-MOV-07": any(step.road for step in steps) and body.arm in ("column", "limbered"),
        "SP-BRD-03": any(step.road for step in steps),
        "SP-MOV-08": bool(march.unlimbers) or body.arm == "limbered",
        "SP-FOR-04": reforms or march.formation != _formation(body),
        # A rule that speaks of infantry must not tell which cards are some.
        "SP-FOR-05": body.is_infantry and any(not p.hidden for p in field.group(march.end, body.side, march.place)),
        "SP-TER-01": any(ground.is_rough for ground in grounds),
        "SP-TER-02": body.is_heavy and any(ground.is_rough for ground in grounds),
        "SP-TER-03": any(ground.terrain == "town" for ground in grounds),
        "SP-TER-04": any(step.wall for step in steps),
        "SP-TER-05": any(ground.stream for ground in grounds),
        "SP-TER-06": "inside" in (body.place, march.place),
        "SP-ZOC-01": any(field.in_zone(at, ENEMY[body.side]) for at in march.path) or _passes_by_horse(play, march),
        "SP-CAP-01": bool(field.at(march.end, body.side)),
        "SP-CAP-06": unmanned,
    }
    return cited(*(name for name, shaped in met.items() if shaped))


def _is_diagonal(step: Step) -> bool:
    return step.end != OFF and is_diagonal(step.start, step.end)


def _passes_by_horse(play: Play, march: March) -> bool:
    """Whether a march went through squares that only enemies without a zone look at."""
    field, enemy = play.field, ENEMY[march.body.side]
    return any(
        piece.kind == "cavalry" and piece.facing is not None and at in field.zone_of(near, piece.facing)
        for at in march.path for near in field.scene.board.neighbours(at) for piece in field.visible(near, enemy)
    )  # fmt: skip
