"""The world of a campaign at any moment of its log: the truth, and what each role knows.

A fold of the facts in the log.  Folds are kept, in the process and as snapshots in the database, to save work;
without them every answer is the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from pbem.desk.books.dossiers import Dossier, installed, is_committed
from pbem.desk.office.office import Office
from pbem.kernel.event import Event, Outcome
from pbem.kernel.names import Role
from pbem.kernel.office import ExchangeAnnulled
from pbem.rules import registry
from pbem.rules.contract import AnySystem, World, apply
from pbem.storage import snapshots
from pbem.storage.blobs import digest_of
from pbem.storage.codec import Codec
from pbem.storage.database import Connection

AnyWorld = World[Any, Any]

_HELD = 4
"""Folds of one campaign that are kept in the process."""

_PACKING = 1
"""How hard a fold is packed before it is kept: a sixth is left of it, and more work would not save much more."""


def world_at(office: Office, connection: Connection, dossier: Dossier, upto: int | None = None) -> AnyWorld:
    """The world after event *upto* of the log (None: after the last)."""
    end = dossier.seq if upto is None else upto
    held = _held(office, dossier)
    start = max((seq for seq in held if seq <= end), default=0)
    world = held.get(start)
    if world is None:
        start, world = _snapshot(office, connection, dossier, end)
    world = fold(dossier, world, after=start, upto=end)
    if is_committed(office, dossier, end):
        held[end] = world
        while len(held) > _HELD:
            del held[min(held)]
    return world


def mind_of(office: Office, connection: Connection, dossier: Dossier, role: Role) -> Any:
    """What *role* may know by now: its mind at its horizon, the end of what its newest report told."""
    return world_at(office, connection, dossier, dossier.campaign.horizon(role)).minds[role]


def fold(dossier: Dossier, world: AnyWorld, *, after: int, upto: int | None = None) -> AnyWorld:
    """Let the facts of the log above *after* and up to *upto* come to pass in *world*."""
    facts = (one.event for one in dossier.facts(after=after, upto=upto))
    return fold_facts(dossier.system, world, (fact for fact in facts if isinstance(fact, Outcome)))


def fold_facts(system: AnySystem, world: AnyWorld, facts: Iterable[Outcome]) -> AnyWorld:
    """Let *facts* come to pass in *world*."""
    for fact in facts:
        world = apply(system, world, fact)
    return world


def as_written(system: AnySystem, facts: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """*facts* as they read back from the log.

    In the log the keys of a mapping stand in the order of the alphabet.  A world must be the same, to the order of
    what is in it, whether its facts have just been decided or were read.

    :raises ValueError: if a fact cannot be written.
    """
    codec = _codec(system.name)
    return tuple(_outcome(codec.decode(*codec.encode(fact))) for fact in facts)


def keep_snapshot(office: Office, connection: Connection, dossier: Dossier, packed: bytes) -> None:
    """Keep the world, `packed`, which is that at the end of *dossier*, in the database."""
    snapshots.keep(
        connection,
        dossier.id,
        seq=dossier.seq,
        system=dossier.system.name,
        fold=installed(office, dossier.system),
        data=packed,
        thin=_thin(dossier),
    )


def _thin(dossier: Dossier) -> list[tuple[int, int]]:
    """Between which events one fold, the last, is enough: in each exchange before that which was opened last.

    What is asked of older ones is how things stood at their ends.
    """
    opened = sorted(one.opened for one in dossier.campaign.exchanges.values())
    return list(pairwise([0, *opened]))[-2:]


def state_digest(world: AnyWorld) -> str:
    """SHA-256 of the truth, as canonical JSON."""
    return digest_of(msgspec.json.encode(world.truth, order="deterministic"))


def _held(office: Office, dossier: Dossier) -> dict[int, AnyWorld]:
    voided, kept = len(dossier.annulments), office.kept_of("worlds", dossier.id)
    if "worlds" not in kept or kept["worlds"][0] != voided:
        kept["worlds"] = (voided, {})
    worlds: dict[int, AnyWorld] = kept["worlds"][1]
    return worlds


def _snapshot(office: Office, connection: Connection, dossier: Dossier, upto: int) -> tuple[int, AnyWorld]:
    """The newest fold kept that holds nothing annulled since, and where it ends."""
    version = installed(office, dossier.system)
    while upto > 0:
        found = snapshots.latest(connection, dossier.id, fold=version, upto=upto)
        if found is None:
            break
        voided = [
            one.event.since
            for one in dossier.annulments
            if isinstance(one.event, ExchangeAnnulled) and one.event.since <= found.seq < one.seq
        ]
        if not voided:
            world = _read(dossier.system, found.data)
            if world is not None:
                return found.seq, world
        upto = min([found.seq, *voided]) - 1
    return 0, dossier.blank


def packed(world: AnyWorld) -> bytes:
    """A world as it is kept: with the order of what is in it."""
    return zlib.compress(msgspec.json.encode({"truth": world.truth, "minds": dict(world.minds)}), _PACKING)


@cache
def _codec(system: str) -> Codec:
    return Codec(registry.load(system).facts)


def _outcome(event: Event) -> Outcome:
    assert isinstance(event, Outcome)
    return event


def _read(system: AnySystem, data: bytes) -> AnyWorld | None:
    try:
        if not data.startswith(b"{"):  # those of before 0006 are not packed
            data = zlib.decompress(data)
        parts = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        truth = msgspec.json.decode(parts["truth"], type=system.state)
        minds = msgspec.json.decode(parts["minds"], type=dict[Role, system.mind])  # type: ignore[name-defined]  # made here
    except (msgspec.MsgspecError, KeyError, zlib.error):
        return None
    return World(truth, minds)
