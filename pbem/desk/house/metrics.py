"""How the office stands, as Prometheus reads it (text format 0.0.4).  Nothing in it is of a person, or names a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct

import pbem
from pbem.desk.house.status import Spread, Status

MEDIA = "text/plain; version=0.0.4; charset=utf-8"

_SECOND = 1_000_000


class Sample(Struct, frozen=True):
    """One number, under what it is counted."""

    value: float
    labels: Mapping[str, str] = {}


Family = tuple[str, str, Iterable[Sample]]
"""What is measured: its name, what it is in words, and its samples; all are gauges."""


def exposition(status: Status) -> str:
    """The office as *status* has it."""
    lines = []
    for name, words, samples in chain(_games(status), _post(status), _processes(status)):
        lines += [f"# HELP {name} {_escaped(words, '')}", f"# TYPE {name} gauge"]
        lines += [f"{name}{_labels(one.labels)} {_number(one.value)}" for one in samples]
    return "".join(f"{line}\n" for line in lines)


def _games(status: Status) -> Iterator[Family]:
    campaigns = status.campaigns
    of_states = {state: getattr(campaigns, state) for state in ("enrolling", "running", "paused", "over")}
    yield "pbem_info", "The version of pbem that says this.", [Sample(1, {"version": pbem.__version__})]
    yield "pbem_campaigns", "Campaigns, by how they are.", _by("state", of_states)
    yield (
        "pbem_campaigns_due",
        "Campaigns whose deadline has passed and whose turn was not run.",
        [Sample(campaigns.due)],
    )
    yield (
        "pbem_campaigns_overdue",
        "Those of them whose deadline passed more than ten minutes ago.",
        [Sample(campaigns.overdue)],
    )
    yield (
        "pbem_campaigns_unreleased",
        "Campaigns whose turn was run and is not made known.",
        [Sample(campaigns.unreleased)],
    )


def _post(status: Status) -> Iterator[Family]:
    mails = status.mails
    of_mails = {state: count for state, count in mails._asdict().items() if state != "due"}
    since = {"unread": status.unread_since, "waiting": status.waiting_since}
    yield "pbem_letters", "Letters that ever came, by what became of them.", _by("state", status.letters)
    yield (
        "pbem_letter_oldest_age_seconds",
        "Age of the oldest letter that nobody dealt with, or that waits.",
        _by("state", {state: (status.at - at) / _SECOND for state, at in since.items() if at is not None}),
    )
    yield "pbem_mails", "Mails that have not left, by how far they have come.", _by("state", of_mails)
    yield (
        "pbem_mail_oldest_due_age_seconds",
        "For how long the oldest mail that waits could have left.",
        [Sample((status.at - due) / _SECOND) for due in [mails.due] if due is not None],
    )
    made = {(window, until): getattr(of, until) for window, of in status.receipts.items() for until in ("made", "sent")}
    yield (
        "pbem_receipts",
        "Receipts of letters that came within the window.",
        [Sample(one.count, {"window": window, "until": until}) for (window, until), one in made.items()],
    )
    yield (
        "pbem_receipt_seconds",
        "From when a letter came until its receipt was made out, or sent.",
        [sample for (window, until), one in made.items() for sample in _quantiles(one, window=window, until=until)],
    )
    yield (
        "pbem_releases",
        "Turns that were released after their deadline within the window.",
        [Sample(status.turns.count, {"window": "day"})],
    )
    yield (
        "pbem_release_seconds",
        "From the deadline of a turn until its release.",
        _quantiles(status.turns, window="day"),
    )


def _processes(status: Status) -> Iterator[Family]:
    yield (
        "pbem_wakeups",
        "Wake-ups in a queue of PostgreSQL.",
        [
            Sample(getattr(queue, state), {"queue": queue.name, "state": state})
            for queue in status.queues
            for state in ("todo", "doing", "failed")
        ],
    )
    yield (
        "pbem_wakeup_oldest_age_seconds",
        "Age of the oldest wake-up that waits in a queue.",
        [
            Sample((status.at - queue.oldest) / _SECOND, {"queue": queue.name})
            for queue in status.queues
            if queue.oldest is not None
        ],
    )
    on_duty = Counter((node.does, node.version) for node in status.nodes)
    yield (
        "pbem_nodes",
        "Processes on duty.",
        [Sample(count, {"does": does, "version": version}) for (does, version), count in sorted(on_duty.items())],
    )


def _by(label: str, values: Mapping[Any, float]) -> list[Sample]:
    return [Sample(value, {label: name}) for name, value in values.items()]


def _quantiles(spread: Spread, **labels: str) -> list[Sample]:
    values = {"0.5": spread.p50, "0.99": spread.p99}
    return [Sample(took / _SECOND, {**labels, "quantile": part}) for part, took in values.items() if took is not None]


def _labels(labels: Mapping[str, str]) -> str:
    said = ",".join(f'{name}="{_escaped(value, chr(34))}"' for name, value in labels.items())
    return f"{{{said}}}" if said else ""


def _escaped(text: str, also: str) -> str:
    r"""*text* as a line holds it, with what stands in *also* behind a stroke.

    >>> print(_escaped('a "b"\n\\', '"'))
    a \"b\"\n\\
    """
    for sign in ("\\", *also):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", r"\n")


def _number(value: float) -> str:
    """A number, to the microsecond.

    >>> _number(3), _number(0.25), _number(1200.0)
    ('3', '0.25', '1200')
    """
    return f"{value:.6f}".rstrip("0").rstrip(".")
