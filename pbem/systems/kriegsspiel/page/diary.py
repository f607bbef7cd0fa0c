"""The diary of a page: what is alike is told once, and what weighs most stands at the top (KS-SIT-10, KS-SIT-08).

Many officers see the same body, and each says so: a page tells it once for ten minutes, with the hours and those who
saw it, in its newest state.  It is made from what reached the commander and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from msgspec import Struct

from pbem.ground.plane import Point, distance
from pbem.orders.prose import cap, listed, number
from pbem.rules.ledger import rule
from pbem.rules.telling import plain
from pbem.rules.view import Told
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import place_words, tiding_words
from pbem.systems.kriegsspiel.world.dispatches import Tiding
from pbem.systems.kriegsspiel.world.mind import Entry, Mind
from pbem.systems.kriegsspiel.world.troops import BodyState

WINDOW = 5
"""Moves of which alike sightings are told together."""

ALIKE = 400
"""Paces within which two sightings of a kind seem to be of one body, or of one cloud of dust."""

NAMED = 3
"""Of those who saw a thing, so many are named."""

NEAR = 600
"""Paces at which an enemy must be dealt with."""

CLOSE = 1500
"""Paces at which an enemy is near: his arm is to be made out (KS-SIT-02)."""

_STEPS = re.compile(r" \d+ paces")

STATES = tuple(state for state in get_args(BodyState) if state != "fresh")
WE_SEE, GONE = "We see ", "The enemy we reported is out of sight."


class Seen(Told, frozen=True, kw_only=True):
    """A line of the diary that tells of enemies in sight."""

    move: int
    by: str = ""
    """The unit that saw it; empty: he himself."""
    tidings: tuple[Tiding, ...] = ()
    lost: tuple[str, ...] = ()
    """Entries that went out of his own sight."""
    gist: str = ""
    """What of it matters, for the top of the page."""
    spare: bool = False
    """Nothing else is told in it."""


class Cluster(Struct):
    """Sightings that are told as one, in the order in which they came."""

    tidings: list[Tiding]
    by: list[str]


# ------------------------------------------------------------------ what an officer says


def without_sightings(text: str, tidings: Sequence[Tiding], scene: Scene) -> str:
    """An officer's report without what he sees, which is told with all that others see."""
    seen = "; ".join(tiding_words(scene, tiding) for tiding in tidings if not tiding.gone)
    if seen:
        text = text.replace(f"{WE_SEE}{seen}.", "")
    return " ".join(text.replace(GONE, "").split())


def says_no_more(text: str, unit: str) -> bool:
    """Whether that is only how an unhurt unit stands, which is in the table of the command."""
    hurt = any(word.replace("_", " ") in text for word in STATES)
    return text.startswith(f"{unit}: ") and "no losses" in text and not hurt


# ------------------------------------------------------------------ together


def condensed(scene: Scene, mind: Mind, told: Sequence[Told]) -> list[Told]:
    """The diary with alike sightings of ten minutes told once, after the last of them."""
    windows: dict[int, list[Seen]] = {}
    for one in told:
        if isinstance(one, Seen):
            windows.setdefault(_window(one), []).append(one)
    lines: list[Told] = []
    for one in told:
        if not isinstance(one, Seen):
            lines.append(one)
            continue
        if not one.spare:
            lines.append(plain(one))
        together = windows[_window(one)]
        if one is together[-1]:
            lines += _together(scene, mind, together)
    return lines


def _window(one: Seen) -> int:
    return max(one.move - 1, 0) // WINDOW


def _together(scene: Scene, mind: Mind, seen: Sequence[Seen]) -> Iterator[Told]:
    """One paragraph for what was seen, and who had nothing else to say."""
    ids = {entry.tiding.ref: entry.id for entry in mind.entries.values()}
    sentences = [_sentence(scene, cluster, ids) for cluster in _clusters(mind, seen)]
    lost = {name: None for one in seen for name in one.lost}
    still = [
        name for name in lost if name in mind.entries and not mind.entries[name].in_sight and _stands(mind, name, ids)
    ]
    if still:
        sentences.append(f"Out of your own sight: {listed(still)}.")
    if not sentences:
        return
    last = seen[-1]
    phases = list(dict.fromkeys(one.phase for one in seen))
    span = phases[0] if len(phases) == 1 else f"{phases[0]} to {phases[-1]}"
    yield Told(moment=last.moment, phase=last.phase, lead=f"The enemy, {span}.", text=" ".join(sentences), weight=1)


def _stands(mind: Mind, name: str, ids: Mapping[str, str]) -> bool:
    """Whether an entry is still one of his page."""
    return not mind.entries[name].dropped and name in ids.values()


@rule("KS-SIT-08")
def _clusters(mind: Mind, seen: Iterable[Seen]) -> list[Cluster]:
    """Sightings that seem to be of one body, or of one cloud of dust; those near him first."""
    clusters: list[Cluster] = []
    for one in seen:
        for tiding in one.tidings:
            if tiding.gone:
                continue
            found = next((cluster for cluster in clusters if _is_alike(cluster, tiding)), None)
            if found is None:
                found = Cluster([], [])
                clusters.append(found)
            found.tidings.append(tiding)
            found.by.append(one.by)
    return sorted(clusters, key=lambda one: (distance(mind.at, _newest(one).at), -_newest(one).seen))


def _newest(cluster: Cluster) -> Tiding:
    return max(cluster.tidings, key=lambda one: one.seen)


def _is_alike(cluster: Cluster, tiding: Tiding) -> bool:
    """The same body still, or one of the same kind near it; two that one observer tells apart are two, but in dust."""
    last = _newest(cluster)
    if any(one.ref == tiding.ref for one in cluster.tidings):
        return _kind(last) == _kind(tiding)
    if _kind(last) != _kind(tiding) or distance(last.at, tiding.at) > ALIKE:
        return False
    return not tiding.arm or all(one.source != tiding.source for one in cluster.tidings)


def _kind(tiding: Tiding) -> tuple[str, str, str, str]:
    return tiding.size, tiding.arm, tiding.kind, tiding.number


def _sentence(scene: Scene, cluster: Cluster, ids: Mapping[str, str]) -> str:
    """What was seen, when and by whom: `…, Muehlhof (e12), 07:28 to 07:36, seen by you, C11/1 and 4 others`."""
    last = _newest(cluster)
    first = min(cluster.tidings, key=lambda one: one.seen)
    words = cap(tiding_words(scene, last))
    count = _at_one_time(cluster)
    if count > 1 and not last.arm:
        many = "dark masses in dust" if last.size == "formed" else "small bodies moving"
        words = f"{cap(number(count))} {many}, about {place_words(scene, last.at)}"
    newest = sorted(cluster.tidings, key=lambda one: -one.seen)
    names = list(dict.fromkeys(ids[one.ref] for one in newest if one.ref in ids))[:count]
    called = f" ({', '.join(names)})" if names else ""
    moved = distance(first.at, last.at) > ALIKE and count == 1
    since = f", before that {place_words(scene, first.at)}" if moved else ""
    begun, end = scene.clock(first.seen), scene.clock(last.seen)
    return f"{words}{called}{since}, {begun if begun == end else f'{begun} to {end}'}, seen by {_by(cluster.by)}."


def _at_one_time(cluster: Cluster) -> int:
    """How many of them one observer told apart in one move: so many they are at the least."""
    found: dict[tuple[str, int], set[str]] = {}
    for tiding, by in zip(cluster.tidings, cluster.by, strict=True):
        found.setdefault((by, tiding.seen), set()).add(tiding.ref)
    return max(len(refs) for refs in found.values())


def _by(names: Sequence[str]) -> str:
    once = list(dict.fromkeys(names))
    once.sort(key=bool)
    said = [name or "you" for name in once[:NAMED]]
    more = len(once) - len(said)
    return listed([*said, f"{number(more)} other{'' if more == 1 else 's'}"] if more else said)


# ------------------------------------------------------------------ what weighs


def nearest(mind: Mind, at: Point) -> tuple[int, str]:
    """How far a place is from him, or from one of his own that he saw or heard of in these ten minutes, and whom."""
    found = [(distance(mind.at, at), "")] if mind.on_map else []
    found += [
        (distance(known.state.at, at), name)
        for name, known in mind.own.items()
        if name in mind.command and known.state.stand == "map" and mind.move - known.state.seen <= WINDOW
    ]
    return min(found, default=(1 << 30, ""))


@rule("KS-SIT-10")
def enemy_weight(mind: Mind, tiding: Tiding, *, first: bool) -> tuple[int, str]:
    """How much a sighting matters, by how near it is to him and his, and what it is called at the top of the page."""
    if tiding.gone or tiding.size != "formed":
        return 1, ""
    far, whom = nearest(mind, tiding.at)
    arm = tiding.arm or "troops"
    if far <= NEAR:
        return 8 if far <= NEAR // 2 else 7, f"Enemy {arm} {paces(far)} paces from {whom or 'you'}"
    if far <= CLOSE:
        return 4, f"Enemy {arm} near {whom or 'you'}"
    return (2, "Enemy troops in sight") if first else (1, "")


def how_near(mind: Mind, tiding: Tiding) -> str:
    """Of an enemy who is near: `, 160 paces from 1/F`, by his page."""
    far, whom = nearest(mind, tiding.at)
    return f", {paces(far)} paces from {whom or 'you'}" if far <= NEAR else ""


WON = ("taken prisoners", "taken guns", "freed prisoners", "taken colonel", "taken major", "taken general")
HURT = ("captured", "destroyed", "taken by", "beaten", "flies", "defeated", "is lost", "broken")
PRESSED = ("repulsed", "canister", "attacked", "remnant", "thrown", "succeeded", "losses:")
HELD = ("we hold ", "nobody defended")
FAILED = ("not carried out", "cannot be passed", "no more", "not yet in order", "not executed")
_WEIGHTS = ((WON, 9), (HURT, 9), (PRESSED, 7), (HELD, 6), (FAILED, 5))
HEADLINE = 10
"""Words of a headline at the most."""
JOINTS = frozenset(
    (
        "a",
        "an",
        "and",
        "at",
        "before",
        "behind",
        "by",
        "from",
        "in",
        "near",
        "of",
        "on",
        "or",
        "out",
        "the",
        "to",
        "with",
    )
)
"""Words with which no headline ends."""


def headed(said: str) -> str:
    """A sentence as the head of a page.

    >>> headed("3/F: we hold the south end of the stone bridge.")
    '3/F: we hold the south end of the stone bridge'
    >>> headed("3/F: we hold the south end of the bridge and the houses before it.")
    '3/F: we hold the south end of the bridge …'
    """
    words = said.split()
    kept = words[:HEADLINE]
    while kept[1:] and len(words) > HEADLINE and kept[-1] in JOINTS:
        kept.pop()
    return " ".join(kept).rstrip(".,;:") + (" …" if len(words) > HEADLINE else "")


def own_weight(text: str, unit: str = "") -> tuple[int, str]:
    """How much it matters what he sees or hears of his own troops, and how the page is headed by it."""
    for words, weight in _WEIGHTS:
        for sentence in text.replace("; ", ". ").split(". "):
            if any(word in sentence.lower() for word in words):
                said = f"{unit}: {sentence}" if unit else sentence
                return weight, headed(cap(said))
    return 1, ""


def brief_key(told: Told) -> str:
    """What is the same news again."""
    return _STEPS.sub("", told.headline) or f"{told.phase} {told.lead} {told.text[:40]}"


def latest(told: Sequence[Told]) -> list[Told]:
    """Of news that comes again only the last."""
    return list({brief_key(one): one for one in told}.values())


def heaviest(told: Sequence[Told]) -> Told | None:
    """What weighs most and can head a page; of two alike the later."""
    best: Told | None = None
    for one in told:
        if one.headline and (best is None or one.weight >= best.weight):
            best = one
    return best


def nearest_enemy(mind: Mind) -> tuple[int, Entry] | None:
    """The enemy formed body nearest to him of those that he sees now."""
    found = [
        (distance(mind.at, entry.tiding.at), entry)
        for entry in mind.entries.values()
        if entry.in_sight and not entry.dropped and entry.tiding.size == "formed"
    ]
    return min(found, key=lambda one: one[0], default=None) if mind.on_map else None


def paces(far: int) -> int:
    """A distance as one says it: to ten paces when near, else to a hundred."""
    return max(10, (far + 5) // 10 * 10) if far < 300 else (far + 50) // 100 * 100
