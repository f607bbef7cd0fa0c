"""The terms of a campaign in words."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.ballot import KINDS
from pbem.kernel.terms import Schedule, Terms
from pbem.orders.prose import listed
from pbem.reports.text.plain import plural
from pbem.rules.reel import TRUTH


def shown(terms: Terms) -> list[tuple[str, str]]:
    """All terms in words, each under its name."""
    said: list[tuple[str, str]] = [("release", terms.release), ("trust", terms.trust), ("press", terms.press)]
    said.append(("names", "players learn by name who plays what" if terms.names == "told" else "not told to players"))
    said.append(("due", f"{schedule(terms)}, by the clock of {terms.zone}"))
    said += [(f"  {phase}", schedule(own)) for phase, own in sorted(terms.phases.items())]
    steps = f"{plural(terms.urgent, 'hour')} for urgent halts, {terms.interim} for interim reports"
    said.append(("steps", f"{steps}, in a turn that is played in steps"))
    hours = ", ".join(map(str, terms.reminders))
    said.append(("reminders", f"{hours} hours before, and daily when it is late" if hours else "daily when it is late"))
    said.append(("silence", f"{_nmr(terms)}; nothing is run if more than {terms.tripwire} % are missing"))
    said.append(("absence", f"{plural(terms.absence_days, 'day')} for each player"))
    if terms.late_after:
        said.append(("lateness", late_rule(terms.late_after)))
    said.append(("votes", "by letter: propose, vote" if any(terms.ballot(kind).allowed for kind in KINDS) else "none"))
    said += [(f"  {' and '.join(kinds)}", how) for how, kinds in _ballots(terms).items()]
    said.append(("observers", observers(terms)))
    return said


def late_rule(after: int) -> str:
    """The rule of those who are late again and again, in words."""
    return (
        f"who sends nothing by the deadlines of {plural(after, 'exchange')} in a row is waited for no longer than "
        "until a deadline: no grace, no more time, and silence is taken as such; one exchange in time sets that back"
    )


def _ballots(terms: Terms) -> dict[str, list[str]]:
    """How each kind of vote is held, in words; those that are held alike, together."""
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        one = terms.ballot(kind)
        if one.allowed:
            secret = f"secret{', counts are told' if one.counts else ''}" if one.secret else "open"
            found.setdefault(f"{_AGREE[one.agree]}, {secret}, {plural(one.hours, 'hour')}", []).append(kind)
    return found


_AGREE = {"all": "all must agree", "majority": "more than half", "sides": "more than half of each side"}


def observers(terms: Terms) -> str:
    """Whether somebody may look on, what he sees and when, in words.

    >>> observers(Terms(observers=("truth",), observers_delay=2))
    'others may look on: they see the truth, 2 turns later'
    """
    if not terms.observers:
        return "nobody may look on"
    late = plural(terms.observers_delay, "turn") + " later" if terms.observers_delay else "when it is made known"
    return f"others may look on: they see {eyes(terms.observers)}, {late}"


def eyes(names: Sequence[str]) -> str:
    """What those *names* of eyes see, in words.

    >>> eyes(("truth",)), eyes(("french", "prussian"))
    ('the truth', 'what french and prussian know')
    """
    if TRUTH in names:
        return "the truth"
    return f"what {listed(names)} {'knows' if len(names) == 1 else 'know'}"


def schedule(one: Schedule) -> str:
    """A schedule in words."""
    said = [f"{plural(one.hours, 'hour')} after it opens"]
    if one.at:
        said.append(f"at {one.at}")
    if one.days:
        said.append(f"on {' '.join(one.days)}")
    if one.least is not None:
        said.append(f"{plural(one.least, 'hour')} at least")
    if one.grace:
        said.append(f"{plural(one.grace, 'hour')} of grace")
    early = f"{plural(one.delay, 'minute')} after the last orders" if one.delay else "at once when all are in"
    said.append(f"early {early}" if one.early else "never early")
    return ", ".join(said)


def _nmr(terms: Terms) -> str:
    if terms.nmr != "extend":
        return terms.nmr
    times = plural(terms.excuses, "time")
    return f"extend by {plural(terms.extension, 'hour')}, {times} for each role"
