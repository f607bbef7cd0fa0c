"""The terms of a campaign in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel.ballot import KINDS
from pbem.kernel.terms import Schedule, Terms
from pbem.reports.text.speech import Row, name_of, phrase, phrase_later, phrase_of
from pbem.rules.reel import TRUTH


def shown(terms: Terms) -> list[tuple[str, str]]:
    """All terms in words, each under its name."""
    told = terms.names == "told"
    said: list[tuple[str, str]] = [
        (phrase("release"), phrase(_RELEASE[terms.release])),
        (phrase("trust"), phrase(_TRUST[terms.trust])),
        (phrase("press"), phrase(_PRESS[terms.press])),
        (phrase("names"), phrase("players learn by name who plays what") if told else phrase("not told to players")),
        (phrase("due"), phrase("{hours}, by the clock of {zone}", hours=schedule(terms), zone=terms.zone)),
    ]
    said += [(f"  {phase}", schedule(own)) for phase, own in sorted(terms.phases.items())]
    said += [
        (phrase("steps"), _steps(terms)),
        (phrase("reminders"), _reminders(terms)),
        (
            phrase("silence"),
            phrase("{rule}; nothing is run if more than {share} % are missing", rule=_nmr(terms), share=terms.tripwire),
        ),
        (phrase("absence"), _absence(terms.absence_days)),
    ]
    if terms.late_after:
        said.append((phrase("lateness"), late_rule(terms.late_after)))
    any_votes = any(terms.ballot(kind).allowed for kind in KINDS)
    said.append((phrase("votes"), phrase("by letter: propose, vote") if any_votes else phrase("none")))
    joint = phrase(" and ")
    said += [(f"  {joint.join(map(phrase, kinds))}", how) for how, kinds in _ballots(terms).items()]
    said.append((phrase("observers"), observers(terms)))
    said.append((phrase("language"), name_of(terms.language)))
    return said


_RELEASE = {"gm": phrase_later("gm"), "auto": phrase_later("auto")}
_TRUST = {one: one for one in (phrase_later("table"), phrase_later("address"), phrase_later("strict"))}
_PRESS = {
    one: one for one in (phrase_later("white"), phrase_later("grey"), phrase_later("anonymous"), phrase_later("none"))
}
_NMR = {one: one for one in (phrase_later("hold"), phrase_later("standing"), phrase_later("gm"))}


def _steps(terms: Terms) -> str:
    return phrase(
        "{urgent} for urgent halts, {interim} for interim reports, in a turn that is played in steps",
        urgent=_count("hour", terms.urgent),
        interim=terms.interim,
    )


def _reminders(terms: Terms) -> str:
    daily, hours = phrase("daily when it is late"), ", ".join(map(str, terms.reminders))
    return phrase("{hours} hours before, and {daily}", hours=hours, daily=daily) if hours else daily


def _absence(days: int) -> str:
    return phrase_of("{count} day for each player", "{count} days for each player", days)


def _count(what: str, count: int) -> str:
    """So many hours, turns or the like."""
    return _COUNTED[what](count)


_COUNTED: Mapping[str, Callable[[int], str]] = {
    "minute": lambda count: phrase_of("{count} minute", "{count} minutes", count),
    "hour": lambda count: phrase_of("{count} hour", "{count} hours", count),
    "turn": lambda count: phrase_of("{count} turn", "{count} turns", count),
    "exchange": lambda count: phrase_of("{count} exchange", "{count} exchanges", count),
    "time": lambda count: phrase_of("{count} time", "{count} times", count),
}


def late_rule(after: int) -> str:
    """The rule of those who are late again and again, in words."""
    return phrase(
        "who sends nothing by the deadlines of {exchanges} in a row is waited for no longer than until a deadline: no "
        "grace, no more time, and silence is taken as such; one exchange in time sets that back",
        exchanges=_count("exchange", after),
    )


def _ballots(terms: Terms) -> dict[str, list[str]]:
    """How each kind of vote is held, in words; those that are held alike, together."""
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        one = terms.ballot(kind)
        if one.allowed:
            counted = phrase("secret, counts are told") if one.counts else phrase("secret")
            secret = counted if one.secret else phrase("open")
            found.setdefault(f"{phrase(_AGREE[one.agree])}, {secret}, {_count('hour', one.hours)}", []).append(kind)
    return found


_AGREE = {
    "all": phrase_later("all must agree"),
    "majority": phrase_later("more than half"),
    "sides": phrase_later("more than half of each side"),
}
_KINDS = (
    phrase_later("draw"),
    phrase_later("truce"),
    phrase_later("end"),
    phrase_later("extension"),
    phrase_later("pause"),
    phrase_later("resume"),
    phrase_later("replacement"),
)
"""What each kind of vote is called, for the catalogues."""


def observers(terms: Terms) -> str:
    """Whether somebody may look on, what he sees and when, in words.

    >>> observers(Terms(observers=("truth",), observers_delay=2))
    'others may look on: they see the truth, 2 turns later'
    """
    if not terms.observers:
        return phrase("nobody may look on")
    late = phrase("when it is made known")
    if terms.observers_delay:
        late = phrase("{turns} later", turns=_count("turn", terms.observers_delay))
    return phrase("others may look on: they see {what}, {late}", what=eyes(terms.observers), late=late)


def eyes(names: Sequence[str]) -> str:
    """What those *names* of eyes see, in words.

    >>> eyes(("truth",)), eyes(("french", "prussian"))
    ('the truth', 'what french and prussian know')
    """
    if TRUTH in names:
        return phrase("the truth")
    roles = Row(names)
    return phrase("what {role} knows", role=roles) if len(names) == 1 else phrase("what {roles} know", roles=roles)


def schedule(one: Schedule) -> str:
    """A schedule in words."""
    said = [phrase("{hours} after it opens", hours=_count("hour", one.hours))]
    if one.at:
        said.append(phrase("at {hour}", hour=one.at))
    if one.days:
        said.append(phrase("on {days}", days=" ".join(map(phrase, one.days))))
    if one.least is not None:
        said.append(phrase("{hours} at least", hours=_count("hour", one.least)))
    if one.grace:
        said.append(phrase("{hours} of grace", hours=_count("hour", one.grace)))
    early = phrase("early at once when all are in")
    if one.delay:
        early = phrase("early {minutes} after the last orders", minutes=_count("minute", one.delay))
    said.append(early if one.early else phrase("never early"))
    return ", ".join(said)


_DAYS = (
    phrase_later("mon"),
    phrase_later("tue"),
    phrase_later("wed"),
    phrase_later("thu"),
    phrase_later("fri"),
    phrase_later("sat"),
    phrase_later("sun"),
)
"""Weekdays as terms have them, for the catalogues."""


def _nmr(terms: Terms) -> str:
    if terms.nmr != "extend":
        return phrase(_NMR[terms.nmr])
    more, times = _count("hour", terms.extension), _count("time", terms.excuses)
    return phrase("extend by {hours}, {times} for each role", hours=more, times=times)
