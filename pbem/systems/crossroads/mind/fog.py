"""What each side sees of the enemy: who is in sight, whom it knows by name, and how a fact looks to it.

Facts tell a side of its own pieces; where enemies stand and what they bear comes to it by `sighting` alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.rules.patch import sets
from pbem.systems.crossroads.field.field import Field, field_of, lies_on
from pbem.systems.crossroads.field.sight import Looks, close_by, in_sight, officers_in_sight, spot_seen
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.fact import SEEN, Fact, Lens, names_in
from pbem.systems.crossroads.world.patches import Watch
from pbem.systems.crossroads.world.state import Battle, Officer, Unit

_Pieces = Mapping[str, Unit | Officer]
_MOVES = {"pos", "facing", "formation", "prone", "status"}
"""Attributes that change who sees whom."""


@rule("GC-LVL-04")
def as_seen(unit: Unit, label: str) -> Unit:
    """An enemy as he is to see: with a *label* only where, how and of what type, and his markers."""
    if label:
        return Unit(
            id=label, side=unit.side, type=unit.type, status=unit.status, formation=unit.formation, prone=unit.prone,
            pos=unit.pos, facing=unit.facing,
        )  # fmt: skip
    return replace(
        unit, green=False, jammed=False, card="", acted=0, crossing=None, attached_officer="", arrive=0, was="good",
        exited=False,
    )  # fmt: skip


# ------------------------------------------------------------------ who is in sight


def stirs(fact: Fact) -> bool:
    """Whether a fact may change who sees whom."""
    game = fact.game
    return (
        any(sets(patch).keys() & _MOVES for patch in fact.changes.values())
        or bool(fact.officers)
        or (game is not None and (game.options is not UNSET or game.watch is not UNSET))
    )


def watches(
    scene: Scene, after: Battle, looks: Looks, *, stirred: bool, meets: Collection[str] = ()
) -> dict[Role, Watch]:
    """What each side has in sight after a fact; *meets*: units between which there is fire or melee.

    *stirred*: whether the fact may have changed who sees whom; *looks*: what was seen before.
    """
    found = {}
    field = field_of(scene, after)
    for side in after.sides:
        watch = after.watch.get(side, Watch())
        met = {name for name in meets if after.units[name].side != side}
        if not stirred and not met:
            found[side] = watch
            continue
        seen = in_sight(field, side, looks) if stirred else {name for name in watch.seen if name in after.units}
        seen |= {name for name in met if after.units[name].stands}
        riders = officers_in_sight(field, side) if stirred else [one for one in watch.seen if one in after.officers]
        found[side] = _watched(field, watch, side, seen, met, riders)
    return found


def _watched(field: Field, watch: Watch, side: Role, seen: set[str], met: Collection[str], riders: list[str]) -> Watch:
    units, reach = field.battle.units, field.battle.options.identify_range
    known = {*watch.identified, *met}
    known |= {name for name in sorted(seen - known) if close_by(field, side, units[name], reach)}
    labels = {name: label for name, label in watch.labels.items() if name in seen and name not in known}
    # A label that its unit has borne until it was identified still means it.
    aliases = {
        label: name for label, name in watch.aliases.items() if name in labels or (name in known and units[name].stands)
    }
    last = watch.last
    # Numbered by where they stand, from the west: by the order of their ids they would be known.
    for name in sorted(seen - known - labels.keys(), key=lambda one: (units[one].pos or Point(0, 0), one)):
        last += 1
        labels[name] = f"contact {last}"
        aliases[labels[name]] = name
    return Watch(tuple(sorted(seen)) + tuple(riders), tuple(sorted(known)), labels, aliases, last)


# ------------------------------------------------------------------ how a fact looks


def _subjects(fact: Fact) -> list[str]:
    """The pieces that a fact is about."""
    found: list[str] = []
    for name in names_in(type(fact)):
        value = getattr(fact, name) or ()
        if name != "trigger":
            found += [value] if isinstance(value, str) else list(value)
    return list(dict.fromkeys([*(one for one in found if one), *fact.changes, *fact.officers]))


def _named(fact: Fact) -> list[str]:
    trigger = getattr(fact, "trigger", "")
    return [*_subjects(fact), *([trigger] if trigger else [])]


@rule("GC-SEQ-01")
def shared_out(scene: Scene, fact: Fact, before: Battle, after: Battle, watch: Mapping[Role, Watch]) -> Fact:
    """A fact with those who learn of it, and with what eyes."""
    field, pieces = field_of(scene, after), after.pieces
    lenses = {role: _lens(fact, role, before, field, watch[role], pieces) for role in after.sides}
    known = dict(fact.known)
    if not known:
        loud = fact.LOUD or (isinstance(fact, o.UnitArrived) and not after.options.hidden_reserves)
        about = [name for name in _subjects(fact) if name in pieces]
        for role in after.sides:
            was = before.watch.get(role, Watch())
            if loud or any(pieces[name].side == role or name in was.seen or name in watch[role].seen for name in about):
                known[role] = SEEN
    return replace(fact, known=known, lenses={role: lens for role, lens in lenses.items() if role in known})


def _lens(fact: Fact, role: Role, before: Battle, field: Field, watch: Watch, pieces: _Pieces) -> Lens:
    was, after = before.watch.get(role, Watch()), field.battle
    labels = {}
    for name in (one for one in _named(fact) if one in pieces and pieces[one].side != role):
        if name in after.officers:
            if name not in (*was.seen, *watch.seen):
                labels[name] = ""
        elif name not in watch.identified:
            labels[name] = watch.labels.get(name, was.labels.get(name, ""))
        elif name not in (*was.seen, *watch.seen) and not isinstance(fact, c.MeleeEnded):
            # Whom one has beaten one knows, though he is out of sight by now.
            labels[name] = ""
    mine = tuple(name for name in (*fact.changes, *fact.officers) if name in pieces and pieces[name].side == role)
    if fact.game is not None and fact.game.jokers is not UNSET:
        mine += tuple(name for name in fact.game.jokers if pieces[name].side == role)
    return Lens(labels, mine, tuple(dict.fromkeys(_veil(fact, role, labels, was, watch, field, pieces))))


@rule("GC-MOV-07")
def _strays(field: Field, side: Role, name: str, corners: Sequence[Point]) -> bool:
    """Whether a way was out of a side's sight at one of its corners."""
    return any(not spot_seen(field, side, corner, name) for corner in corners)


def _veil(
    fact: Fact, role: Role, labels: Mapping[str, str], was: Watch, watch: Watch, field: Field, pieces: _Pieces
) -> list[str]:
    """The fields that a role does not get."""
    after = field.battle
    veil = ["left"] if after.options.hidden_reserves else []
    if fact.side is not None and fact.side != role:
        veil += fact.OWNERS
    main = getattr(fact, "unit", "") or getattr(fact, "officer", "")
    piece = pieces.get(main)
    if piece is not None and piece.side != role:
        if main in labels:
            veil += fact.CLOSE
        if main not in was.seen:
            veil += fact.START
        if main not in watch.seen:
            veil += fact.END
    if labels and not fact.LOUD:
        veil.append("dice")
    if isinstance(fact, o.UnitMoved) and fact.side != role and _strays(field, role, main, fact.path[1:-1]):
        veil += ["path", "walked"]
    went = fact if isinstance(fact, o.UnitMoved | c.WentBack) and fact.side != role else None
    if went is not None and went.stopped_by in ("friend", "room"):
        # The friend may be out of sight.
        veil.append("stopped_by")
    if isinstance(fact, o.CardTurned) and fact.side != role:
        seen = main in (*was.seen, *watch.seen)
        veil += ["card"] if main in labels or not seen else []
        veil += [] if seen else ["unit", "blank"]
    if isinstance(fact, o.GmRuling) and fact.game is not None and fact.game.deck is not UNSET:
        # It says in what order the cards will come.
        veil.append("text")
    if isinstance(fact, o.DeckBuilt):
        veil.append("order")
        if after.options.hidden_reserves:
            veil.append("count_german" if role == after.sides[0] else "count_french")
    return veil


# ------------------------------------------------------------------ what a side learns by its eyes


def sighted(scene: Scene, battle: Battle, mind: Battle, side: Role, was: Watch, looks: Looks) -> o.Sighted | None:
    """What brings a side's knowledge of the enemy up to date; None if it is.  *looks*: what was seen before."""
    watch = battle.watch.get(side, Watch())
    enemy = battle.enemy(side)
    there, held = (battle.units, battle.officers, battle.options), (mind.units, mind.officers, mind.ghosts)
    if looks.unchanged(side, was, watch, *there, *held):
        # What a look brings changes what is held for true: the last one brought nothing.
        return None
    now = {
        watch.labels.get(name, name): as_seen(battle.units[name], watch.labels.get(name, ""))
        for name in watch.seen
        if name in battle.units
    }
    known = {name: unit for name, unit in mind.units.items() if unit.side == enemy}
    sights: list[o.Sight] = []
    forgets: list[str] = []
    lost: list[str] = []
    for name in sorted(known.keys() - now.keys()):
        true = was.aliases.get(name, name)
        renamed = watch.aliases.get(name)
        if renamed in watch.identified and renamed in now:
            forgets.append(name)
        elif true in battle.units and not battle.units[true].stands and true in (*was.seen, *watch.seen):
            # It went before their eyes: whom they know they strike off their list, of others nothing is left.
            if known[name].known:
                now[name] = as_seen(battle.units[true], "")
            else:
                forgets.append(name)
        elif known[name].stands:
            lost.append(name)
            sights.append(o.Sight(name, "lost"))
    shows = [unit for name, unit in sorted(now.items()) if known.get(name) != unit]
    sights += [
        o.Sight(unit.id, "identified" if unit.known else "contact", was.labels.get(unit.id, ""))
        for unit in shows
        if unit.id not in known and unit.stands
    ]
    riders = tuple(
        (one.id, one.name, one.pos)
        for name in watch.seen
        if (one := battle.officers.get(name)) is not None and one.pos is not None
    )
    before = tuple((one.id, one.name, one.pos) for _, one in sorted(mind.officers.items()) if one.side == enemy)
    empty = _empty(field_of(scene, battle), mind, side, now, looks)
    if not (shows or sights or forgets or lost or empty or riders != before):
        return None
    return o.Sighted(
        rules=cited("GC-MOV-07"), known={side: SEEN}, side=side, viewer_side=side, sights=tuple(sights),
        shows=tuple(shows), officers_shown=riders, forgets=tuple(forgets), lost=tuple(lost), empty=empty,
    )  # fmt: skip


def _empty(field: Field, mind: Battle, side: Role, now: Mapping[str, Unit], looks: Looks) -> tuple[str, ...]:
    """The ghosts that are known to be where they were no more."""
    if not mind.ghosts:
        return ()
    found, looks = [], looks.at(field)
    for name, ghost in sorted(mind.ghosts.items()):
        at = ghost.unit.pos
        assert at is not None, "a ghost was seen somewhere"
        # Where somebody else is seen to stand nobody else does, though the place itself may be hidden behind others.
        shape = field.shape(ghost.unit)
        taken = any(one.stands and lies_on(shape, field.shape(one)) for one in now.values())
        if name in now or taken or looks.spot(field, side, at):
            found.append(name)
    return tuple(found)
