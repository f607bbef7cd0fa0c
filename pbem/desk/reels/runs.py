"""The runs of exchanges: which fact of the log is of which, where one was annulled and run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.desk.books.dossiers import Dossier
from pbem.desk.reels.seeing import Stretch, form_to, horizon, stretches
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.names import Moment
from pbem.kernel.office import ExchangeAnnulled


class Run(NamedTuple):
    """Facts of one exchange that stand together in the log, as given eyes have them."""

    facts: tuple[Recorded, ...]
    number: int
    """Which run of the exchange it is, of those that these eyes know of; as in the names of the beats of their reel."""
    annulled: bool
    upto: Mapping[str, int]
    """Up to which event each of the eyes may see of it."""


def runs_of(dossier: Dossier, eyes: Sequence[str]) -> Iterator[Run]:
    """The facts of the log, run by run: those that were annulled as well, each before the run that took its place."""
    annulled = Counter[Moment]()
    for stretch in stretches(dossier, 0):
        moment, upto = stretch.facts[0].moment.whole, {one: horizon(dossier, one, stretch) for one in eyes}
        yield Run(stretch.facts, annulled[moment] + 1, stretch.voided > 0, upto)
        annulled[moment] += stretch.voided > 0 and _is_known(dossier, stretch, upto)


def standing_run(dossier: Dossier, moment: Moment) -> int:
    """Which run of *moment* stands, or will, as who sees all counts them: 1, if none was annulled."""
    annulled = {
        dossier.voided_by(one.seq)
        for annulment in dossier.annulments
        if isinstance(annulment.event, ExchangeAnnulled)
        for one in dossier.log.facts(annulment.event.since - 1, annulment.seq)
        if one.moment.whole == moment
    }
    return 1 + len(annulled)


def _is_known(dossier: Dossier, stretch: Stretch, upto: Mapping[str, int]) -> bool:
    """Whether any of the eyes was told of it: of a run that none was, none may know that there was one."""
    return any(
        isinstance(one.event, Outcome) and one.seq <= last and form_to(dossier, one.event, eyes) is not None
        for eyes, last in upto.items()
        for one in stretch.facts
    )
