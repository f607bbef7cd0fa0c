"""The seeds and words that a log itself reveals, by their promises: nothing here asks what the office keeps.

What waits to be revealed lies beside what was; only what an event says may be shown to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair, has_words, promised_for, promises_of
from pbem.desk.worlds.walk import Walk
from pbem.kernel.campaign import Campaign
from pbem.kernel.dice import promise
from pbem.kernel.event import Seed
from pbem.kernel.lot import LOT
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import CampaignEnded, CampaignStarted, ExchangeReleased, Promises, RolesDrawn


class Revealed(Struct, frozen=True, kw_only=True):
    """A seed that the log reveals, and the promises that were in force."""

    seq: int
    moment: Moment
    which: Seed
    seed: bytes
    promises: Promises | None

    @property
    def fits(self) -> bool:
        """Whether it is the seed that was promised."""
        return self.promises is not None and promise(self.seed) == getattr(self.promises, self.which)


def revelations(dossier: Dossier) -> Iterator[Revealed]:
    """Every seed that stands revealed in the log."""
    walk = Walk(dossier)
    for recorded in dossier.log:
        event, seq = recorded.event, recorded.seq
        told: list[tuple[Moment, Seed, str]] = []
        former: Mapping[str, str] = {}
        match event:
            case ExchangeReleased() if event.open_seed:
                told = [(event.moment, "open", event.open_seed)]
            case RolesDrawn():
                told = [(LOT, "open", event.open_seed), (LOT, "closed", event.closed_seed)]
            case CampaignEnded():
                former = event.former_seeds
                if dossier.campaign.started and event.muster_seed:
                    told = [(moment_of("muster"), "open", event.muster_seed)]
                told += [(moment_of(at), "open", seed) for at, seed in event.open_seeds.items()]
                told += [(moment_of(at), "closed", seed) for at, seed in event.closed_seeds.items()]
        for moment, which, seed in told:
            walk.to(seq)
            promises = promised_for(walk.now.campaign, moment)
            yield Revealed(seq=seq, moment=moment, which=which, seed=seed_of(seed), promises=promises)
        if former:
            yield from _former(dossier, seq, former)


def _former(dossier: Dossier, seq: int, former: Mapping[str, str]) -> Iterator[Revealed]:
    """The seeds that were in force no more when they were revealed, at *seq*, by their promises."""
    left = dict(former)
    for moment, promises in promises_of(dossier):
        pair: tuple[tuple[Seed, str], ...] = (("open", promises.open), ("closed", promises.closed))
        for which, promised in pair:
            if promised in left:
                seed = seed_of(left.pop(promised))
                yield Revealed(seq=seq, moment=moment, which=which, seed=seed, promises=promises)
    for seed_of_nothing in left.values():
        at = dossier.log[seq - 1].moment
        yield Revealed(seq=seq, moment=at, which="open", seed=seed_of(seed_of_nothing), promises=None)


def revealed(dossier: Dossier) -> dict[Promises, Pair]:
    """The seeds that stand revealed in the log, by the promises that were in force."""
    known: dict[Promises, Pair] = {}
    for one in revelations(dossier):
        if one.promises:
            known[one.promises] = replace(known.get(one.promises, Pair()), **{one.which: one.seed})
    for said in made_known(dossier):
        if promises := promised_for(said.campaign, said.moment):
            known[promises] = replace(known.get(promises, Pair()), words=said.words)
    return known


class Known(Struct, frozen=True):
    """Words that were made known, of *moment*, and the campaign as it then stood."""

    campaign: Campaign
    moment: Moment
    words: Mapping[Role, str]


def made_known(dossier: Dossier) -> Iterator[Known]:
    """Every time that words were made known: with the lot, the set-up, or a release."""
    walk = Walk(dossier)
    for recorded in dossier.log:
        event = recorded.event
        if not isinstance(event, CampaignStarted | ExchangeReleased | RolesDrawn):
            continue
        if has_words(dossier.campaign, recorded.moment):
            walk.to(recorded.seq)
            yield Known(walk.now.campaign, recorded.moment, event.words)


def moment_of(place: str) -> Moment:
    """The moment that is called so where seeds are revealed."""
    named = {"muster": Moment(0, 0), "lot": LOT}
    return named[place] if place in named else Moment.parse(place)


def seed_of(written: str) -> bytes:
    """A seed as the log reveals it; one that is no hexadecimal fits nothing."""
    try:
        return bytes.fromhex(written)
    except ValueError:
        return b""
