"""What a commander comes to know: his own eyes, the tongues of officers, and what papers bring (KS-SIT-01, -08, -09).

Every entry of his page is numbered in the order in which he learned of it, and holds what he was told: nothing is
tied together but what one observer saw without a break, or what he sees himself (KS-SIT-08).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.bearing import rounded
from pbem.ground.plane import Point, bearing, distance
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.field.works_standing import CROSSING_SEEN, crossing_of
from pbem.systems.kriegsspiel.knowing.sighting import BRIDGE_TOP, FLAMES, as_told, eye_of, sees, sees_troops, tiding_of
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.wording import FREED, body_form, form_words
from pbem.systems.kriegsspiel.tables.knowledge import NOISE_DIRECTION, NOISES, PREPARED_SEEN, SIGHTING, TOPS
from pbem.systems.kriegsspiel.world.bodies import is_in_play, is_lost, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Person, Tiding
from pbem.systems.kriegsspiel.world.mind import Comrade, Entry, Heard, Known, Learned, Mind
from pbem.systems.kriegsspiel.world.outcomes_knowledge import EyesSaw, FightSeen, FireSeen, NoiseHeard
from pbem.systems.kriegsspiel.world.troops import BodyState, Unit

# ------------------------------------------------------------------ entries


@rule("KS-SIT-08", "KS-SIT-10")
def enter(
    mind: Mind, tidings: Sequence[Tiding], received: int, *, own_eyes: bool
) -> tuple[dict[str, Entry], list[str]]:
    """The entries of a page after *tidings*: those that are new or changed, and their ids in order."""
    changed: dict[str, Entry] = {}
    told: list[str] = []
    count = len(mind.entries)
    by_ref = {entry.tiding.ref: entry.id for entry in mind.entries.values()}
    for tiding in tidings:
        known = by_ref.get(tiding.ref)
        if tiding.gone:
            # It stands where it was last seen; of what he never heard of there is nothing to lose.
            if known is not None:
                old = changed.get(known) or mind.entries[known]
                # An older sighting that comes after this does not bring it back.
                changed[known] = replace(
                    old, tiding=replace(old.tiding, gone=True), in_sight=False, lost=max(old.lost, tiding.seen)
                )
                told.append(known)
            continue
        if known is None:
            count += 1
            name = f"e{count}"
            by_ref[tiding.ref] = name
            changed[name] = Entry(name, tiding, received, first=received, in_sight=own_eyes and not tiding.gone)
        else:
            old = changed.get(known) or mind.entries[known]
            if tiding.seen < old.tiding.seen or tiding.seen <= old.lost:
                continue
            changed[known] = replace(
                old,
                tiding=best(old.tiding, tiding),
                received=received,
                in_sight=own_eyes and not tiding.gone,
                reports=old.reports + (0 if own_eyes else 1),
            )
            name = known
        told.append(name)
    return changed, told


def best(old: Tiding, new: Tiding) -> Tiding:
    """A newer tiding of a body; what was once told of its arm and kind is not forgotten."""
    return replace(
        new,
        arm=new.arm or old.arm,
        kind=new.kind or old.kind,
        number=new.number or old.number,
        side=new.side if new.side != "unknown" else old.side,
        blocks=new.blocks if new.exact or not old.exact else old.blocks,
        exact=new.exact or old.exact,
    )


# ------------------------------------------------------------------ own eyes


@rule("KS-SIT-01", "KS-SIT-04", "KS-SIT-09", "KS-CMD-05", "KS-GM-05")
def update(play: Play) -> None:
    """Step 9: what each played commander has seen and heard himself in this move."""
    for person in list(play.persons()):
        if play.mind(person) is not None:
            _see(play, person)
            _hear(play, person)
            _witness(play, person)


def _see(play: Play, person: Person) -> None:
    mind = play.minds[Role(person.role)]
    tidings, lost = _enemies(play, person, mind)
    entries, told = enter(mind, tidings, play.move, own_eyes=True)
    for name in lost:
        entry = entries.get(name) or mind.entries[name]
        entries[name] = replace(entry, in_sight=False)
    fresh = tuple(name for name in told if _news(mind, entries[name]))
    own, news = _own(play, person, mind)
    comrades = _comrades(play, person, mind)
    near = tuple(
        one.id
        for one in play.persons(person.side)
        if one.id != person.id and distance(one.at, person.at) <= play.war.options.talk_range
    )
    crossings = _crossings(play, person, mind)
    learned = Learned(
        entries=entries,
        own=own,
        comrades=comrades,
        crossings=crossings,
        near=near,
        move=play.move,
        at=person.at,
        facing=person.facing,
        riders=person.riders,
        staff=person.staff,
        state=person.state,
    )
    play.tell(
        person.role,
        EyesSaw(fresh=fresh, lost=tuple(lost), news=tuple(news), rules=cited("KS-SIT-01", "KS-GM-05"), learned=learned),
    )


def _enemies(play: Play, person: Person, mind: Mind) -> tuple[list[Tiding], list[str]]:
    """What he sees of the enemy, in the order in which he first saw it, and which entries went out of sight."""
    seen = []
    for glimpse in play.war.glimpses.get(person.id, ()):
        unit = play.war.units.get(glimpse.body)
        if unit is not None and glimpse.last >= play.move:
            seen.append((glimpse.since, tiding_of(unit, glimpse, person.at, "own eyes")))
    seen.sort(key=lambda one: (one[0], *as_told(one[1], person.at)))
    refs = {tiding.ref for _, tiding in seen}
    lost = [name for name, entry in mind.entries.items() if entry.in_sight and entry.tiding.ref not in refs]
    return [tiding for _, tiding in seen], lost


@rule("KS-SIT-01")
def _news(mind: Mind, entry: Entry) -> bool:
    """Whether an entry tells him something that he did not know a move ago."""
    old = mind.entries.get(entry.id)
    if old is None or not old.in_sight:
        return True
    before, now = old.tiding, entry.tiding
    return (before.arm, before.kind, before.formation, before.doing, before.moving) != (
        now.arm, now.kind, now.formation, now.doing, now.moving
    )  # fmt: skip


@rule("KS-SIT-09")
def sees_own(play: Play, person: Person, unit: Unit) -> bool:
    """Whether a commander sees one of his side's units."""
    return is_in_play(unit) and _in_view(play, person, unit)


@rule("KS-SIT-04", "KS-SIT-09")
def _in_view(play: Play, person: Person, unit: Unit) -> bool:
    """Whether a unit of his is within call, or he sees what stands, or stood, where it is."""
    if distance(person.at, unit.place.at) <= play.war.options.voice_range:
        return True
    return sees_troops(terrain_of(play.scene), eye_of(play.war, person), unit)


def _own(play: Play, person: Person, mind: Mind) -> tuple[dict[str, Known], list[str]]:
    """His side's troops that are in his sight, as they are; and those that have just gone out of it."""
    found: dict[str, Known] = {}
    news: list[str] = []
    for unit in play.war.units.values():
        if unit.side != person.side or is_to_come(unit):
            continue
        known = mind.own.get(unit.id)
        if sees_own(play, person, unit):
            state = own_state(unit, play.move, "own eyes")
            if distance(person.at, unit.place.at) > 1000:
                # From afar he sees where and how it stands, not what its officers know.
                state = _from_afar(state, known.state if known else None)
            news += _changes(known, state, unit)
            heard = known.events if known is not None and known.received == play.move else ()
            found[unit.id] = Known(state, play.move, in_sight=True, events=heard)
        elif known is not None and known.in_sight:
            found[unit.id] = replace(known, in_sight=False)
            if is_lost(unit) and known.state.body not in LOST and _in_view(play, person, unit):
                news.append(f"{unit.id} {LOST[unit.trial.state]}")
                state = replace(known.state, body=unit.trial.state, stand="gone", seen=play.move, doing="")
                found[unit.id] = Known(state, play.move)
    return found, news


LOST: Mapping[BodyState, str] = {"captured": "is taken by the enemy", "destroyed": "is destroyed"}
"""What he sees of a unit that is no more."""


def _from_afar(state: OwnState, before: OwnState | None) -> OwnState:
    """What of a unit's state is seen from afar; what its officers know stays as it was told before."""
    if before is None:
        return replace(state, losses="none", doing="", told=0)
    told = before.seen if before.told is None else before.told
    return replace(state, losses=before.losses, doing=before.doing, told=told)


_TELLS = {
    "repulsed": "has been repulsed",
    "defeated": "is beaten",
    "totally_defeated": "flies, totally defeated",
    "retiring": "must fall back under canister",
    "remnant": "is a remnant",
    "fresh": "has rallied",
}


def _changes(known: Known | None, state: OwnState, unit: Unit) -> list[str]:
    """What he notices of a unit in his sight: a state, a form."""
    if known is None and unit.id.startswith(FREED):
        return [f"{unit.id}: {body_form(state)} come back to us"]
    if known is None or not known.in_sight:
        return [f"{unit.id} is in sight"] if known is not None else []
    before, told = known.state, []
    if before.body != state.body:
        told.append(f"{unit.id} {_TELLS.get(state.body, state.body.replace('_', ' '))}")
    if before.formation != state.formation:
        told.append(f"{unit.id} has formed {form_words(state.formation)}")
    if unit.arm == "artillery" and before.limbered != state.limbered:
        told.append(f"{unit.id} has {'limbered up' if state.limbered else 'unlimbered'}")
    if before.zugs_out != state.zugs_out:
        told.append(f"{unit.id} has {state.zugs_out or 'no'} zugs out")
    return told


def _comrades(play: Play, person: Person, mind: Mind) -> dict[str, Comrade]:
    found = {}
    eye, terrain = eye_of(play.war, person), terrain_of(play.scene)
    for one in play.persons(person.side):
        if one.id != person.id and sees(terrain, eye, one.at, SIGHTING["strength"]["single"], TOPS["cavalry"]):
            known = mind.comrades.get(one.id)
            if known is None or known.at != one.at or known.seen != play.move:
                found[one.id] = Comrade(one.id, one.at, play.move, "own eyes")
    return found


@rule("KS-GM-06", "KS-SIT-05")
def _crossings(play: Play, person: Person, mind: Mind) -> dict[str, tuple[str, int]]:
    """States of crossings that he can see to be other than he thought."""
    chart, terrain = play.scene.chart, terrain_of(play.scene)
    eye = eye_of(play.war, person)
    found = {}
    for name, feature in play.war.features.items():
        crossing = crossing_of(chart, name)
        state = feature.state
        if crossing is None or state in ("", "building"):
            continue
        at, printed = crossing.at, chart.crossings[name].state if name in chart.crossings else ""
        if mind.crossings.get(name, (printed, 0))[0] == state:
            continue
        far = PREPARED_SEEN if state == "prepared" else CROSSING_SEEN
        if sees(terrain, eye, at, far, BRIDGE_TOP):
            found[name] = (state, play.move)
    return found


# ------------------------------------------------------------------ ears


@rule("KS-SIT-05", "KS-MSG-10")
def _hear(play: Play, person: Person) -> None:
    """Fire heard: the kind and the direction to 30 degrees, each once a move."""
    mind = play.minds[Role(person.role)]
    found: dict[tuple[str, int], int] = {}
    for kind, at, shots, side in play.war.clock.guns_heard:
        far = distance(person.at, at)
        if kind == "signal":
            if side == person.side and far <= 3000:
                found[kind, direction(person.at, at)] = shots
                continue
            kind = "cannon"
        if kind == "burning_village":
            _fire_in_sight(play, person, at)
            continue
        if far <= NOISES[kind]:
            found[kind, direction(person.at, at)] = 0
    recent = {(one.kind, one.bearing) for one in mind.heard if one.move >= play.move - 5}
    for (kind, way), shots in sorted(found.items()):
        if (kind, way) in recent and not shots:
            continue
        play.tell(
            person.role,
            NoiseHeard(
                noise=kind,
                bearing=way,
                shots=shots,
                rules=cited("KS-SIT-05"),
                learned=Learned(heard=(Heard(kind, play.move, way, shots),)),
            ),
        )


def direction(start: Point, end: Point) -> int:
    """A direction to 30 degrees, in whole degrees."""
    if start == end:
        return 0
    return rounded(bearing(start, end), NOISE_DIRECTION * 100) * NOISE_DIRECTION % 360


def _fire_in_sight(play: Play, person: Person, at: Point) -> None:
    mind = play.minds[Role(person.role)]
    if not sees(terrain_of(play.scene), eye_of(play.war, person, lit=True), at, *FLAMES):
        return
    way = direction(person.at, at)
    if any(one.kind == "fire" and one.at == at for one in mind.heard):
        return
    play.tell(
        person.role,
        FireSeen(
            noise="burning_village",
            at=at,
            rules=cited("KS-SIT-05"),
            learned=Learned(heard=(Heard("fire", play.move, way, at=at),)),
        ),
    )


# ------------------------------------------------------------------ fights


@rule("KS-SIT-10", "KS-SIT-01")
def _witness(play: Play, person: Person) -> None:
    """Fights within his sight, as they are to be seen: who went back, and nothing else."""
    eye, terrain = eye_of(play.war, person), terrain_of(play.scene)
    for fight in play.war.fights:
        if fight.move != play.move or not sees(terrain, eye, fight.at, SIGHTING["arm"]["formed"], TOPS["cavalry"]):
            continue
        play.tell(
            person.role,
            FightSeen(
                at=fight.at,
                text=_fight_text(play, person, fight.attackers, fight.defenders, fight.winner),
                rules=cited("KS-SIT-10"),
                learned=Learned(),
            ),
        )


def _fight_text(play: Play, person: Person, attackers: Iterable[str], defenders: Iterable[str], winner: str) -> str:
    def named(keys: Iterable[str]) -> str:
        units = [play.war.units[key] for key in keys if key in play.war.units]
        own = [unit.id for unit in units if unit.side == person.side]
        if own:
            return " and ".join(own)
        arms = sorted({unit.arm for unit in units})
        return f"enemy {' and '.join(arms)}" if arms else "the enemy"

    one, other = named(attackers), named(defenders)
    units = [play.war.units[key] for key in attackers if key in play.war.units]
    side = units[0].side if units else person.side
    if winner == "none":
        return f"{one} attacked {other}: neither gave way"
    return f"{one} attacked {other}: {'the attack succeeded' if winner == side else 'the attack was thrown back'}"
