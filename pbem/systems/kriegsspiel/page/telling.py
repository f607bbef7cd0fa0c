"""The commander's diary: what reached him, minute by minute, and the papers word for word.

Only facts of knowledge are told: there is nothing else that reaches a role.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from pbem.ground.bearing import compass
from pbem.kernel.names import FULL, Moment, Role
from pbem.orders.prose import cap
from pbem.rules.view import Table, Told
from pbem.systems.kriegsspiel.field.works_standing import name_of
from pbem.systems.kriegsspiel.page import diary
from pbem.systems.kriegsspiel.page.ordered import BARRED, YOUR_RIDE, told_of
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import place_words, tiding_words, who
from pbem.systems.kriegsspiel.scene.words import line_words
from pbem.systems.kriegsspiel.tables.knowledge import INTERRUPTS
from pbem.systems.kriegsspiel.world import outcomes_knowledge as k
from pbem.systems.kriegsspiel.world.dispatches import TRUCE, Tiding
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Mind, Received
from pbem.systems.kriegsspiel.world.orders import Line

Teller = Callable[[Scene, Any, Mind], Sequence[Told]]  # type: ignore[explicit-any] # one teller for each kind of fact

NOISES = {
    "cannon": "Cannon fire", "musketry": "Musketry", "explosion": "An explosion", "signal": "A signal",
}  # fmt: skip


def moment_of(mind: Mind) -> Moment:
    """The exchange in which he learns it."""
    return Moment(mind.turn) if mind.turn else Moment(0, 1)


class _Beside(TypedDict, total=False):
    """What a line may have beside its text."""

    lead: str
    quote: str
    weight: int
    headline: str


def _told(scene: Scene, mind: Mind, fact: Fact, text: str, **beside: Unpack[_Beside]) -> Told:
    phase = scene.clock(fact.move) if mind.turn else "Before the first move"
    return Told(moment=moment_of(mind), phase=phase, text=text, **beside)


# ------------------------------------------------------------------ what is told of each


def _briefed(scene: Scene, fact: k.Briefed, mind: Mind) -> Sequence[Told]:
    lines = [_told(scene, mind, fact, fact.general_idea, lead="General Idea.")]
    if fact.separate_report:
        lines.append(_told(scene, mind, fact, fact.separate_report, lead="Separate Report."))
    lines += [_told(scene, mind, fact, cap(text), lead="Information.") for text in fact.information]
    return lines


def _run_ended(scene: Scene, fact: k.RunEnded, mind: Mind) -> Sequence[Told]:
    if not fact.passed:
        return ()
    return [_told(scene, mind, fact, "There was no time to ask you: standing orders decided.", lead="Alarm.", weight=3)]


def _halt(scene: Scene, fact: k.HaltCalled, mind: Mind) -> Sequence[Told]:
    why = ", ".join(INTERRUPTS[code].name.replace("_", " ") for code in fact.codes)
    return [_told(scene, mind, fact, f"You may send new orders ({why}).", lead="You are asked.", weight=1)]


def _interrupt(scene: Scene, fact: k.InterruptRaised, mind: Mind) -> Sequence[Told]:
    if fact.code not in ("W7", "W8") or not fact.why:
        return ()
    weight, headline = (8, "The enemy is close") if fact.code == "W7" else (3, "")
    return [_told(scene, mind, fact, f"{cap(fact.why)}.", lead="Alarm.", weight=weight, headline=headline)]


def _eyes(scene: Scene, fact: k.EyesSaw, mind: Mind) -> Sequence[Told]:
    learned = fact.learned
    entries = learned.entries if learned is not None else {}
    lines: list[Told] = []
    fresh = sorted(
        (
            (*diary.enemy_weight(mind, entry.tiding, first=name not in mind.entries), entry.tiding, name)
            for name in fact.fresh
            if (entry := entries.get(name)) is not None
        ),
        key=lambda one: -one[0],
    )
    if fresh:
        said = "; ".join(f"{tiding_words(scene, tiding)} ({name})" for _, _, tiding, name in fresh)
        lines.append(
            _seen(
                _told(scene, mind, fact, f"{cap(said)}.", lead="You see:", weight=fresh[0][0], headline=fresh[0][1]),
                fact,
                tidings=tuple(tiding for _, _, tiding, _ in fresh),
            )
        )
    gone = [name for name in fact.lost if name in mind.entries]
    if gone:
        told = _told(scene, mind, fact, f"{', '.join(gone)} out of your sight.", lead="Seen.")
        lines.append(_seen(told, fact, lost=tuple(gone)))
    own = [text for text in fact.news if not text.endswith("is in sight")]
    for text in own:
        weight, headline = diary.own_weight(text)
        lines.append(_told(scene, mind, fact, f"{cap(text)}.", lead="Seen.", weight=weight, headline=headline))
    if learned is not None:
        for crossing, (state, _) in learned.crossings.items():
            label = name_of(scene.chart, crossing)
            lines.append(_told(scene, mind, fact, f"The {label}: {state.replace('_', ' ')}.", lead="Seen.", weight=7))
    return lines


class _Sighted(TypedDict, total=False):
    """What a line of sightings may have; see `Seen`."""

    by: str
    tidings: tuple[Tiding, ...]
    lost: tuple[str, ...]
    spare: bool
    gist: str


def _seen(told: Told, fact: Fact, **sighted: Unpack[_Sighted]) -> diary.Seen:
    """A line whose sightings are told with all others of those ten minutes; as a rule there is nothing else in it."""
    sighted.setdefault("spare", True)
    fields = {name: getattr(told, name) for name in Told.__struct_fields__}
    return diary.Seen(**fields, move=fact.move, **sighted)


def _of_unit(scene: Scene, told: Told, fact: Fact, unit: str, text: str, tidings: Sequence[Tiding]) -> diary.Seen:
    """A report of a unit: what it sees goes to the sightings, what happened to it decides how much it weighs."""
    rest = diary.without_sightings(text, tidings, scene)
    spare = diary.says_no_more(rest, unit)
    return _seen(
        replace(told, quote=rest) if told.quote else replace(told, text=f"“{rest}”"),
        fact,
        by=unit,
        tidings=tuple(tidings),
        spare=spare,
        gist=rest.rpartition(f"{unit}: ")[0].strip(),
    )


def _weighed(scene: Scene, told: diary.Seen, mind: Mind) -> diary.Seen:
    """A report of a unit with its weight: by what became of it, or by how near the enemy is that it saw."""
    weight, headline = diary.own_weight(told.gist, told.by)
    weight = max(weight, 0 if told.spare else 2)
    gist = told.gist
    for tiding in told.tidings:
        heavy, called = diary.enemy_weight(mind, tiding, first=False)
        if heavy > weight:
            weight, headline = heavy, called
            gist = f"We see {tiding_words(scene, tiding)}{diary.how_near(mind, tiding)}."
    return replace(told, weight=weight, headline=headline, gist=f"{told.by}: {gist}" if gist else "")


def paper_body(scene: Scene, paper: Received) -> str:
    """A paper as it was written, orders and free text."""
    return paper_words(scene, paper.lines, paper.text)


def paper_words(scene: Scene, lines: Sequence[Line], text: str) -> str:
    """Orders in words, and the free text behind them."""
    parts = [line_words(scene, line) for line in lines]
    if text:
        parts.append(text)
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)


KIND_WORDS = {"report": "Report of", "letter": "Letter of", "order": "Orders from", "receipt": "Receipt from"}


def _paper(scene: Scene, fact: k.PaperReceived, mind: Mind) -> Sequence[Told]:
    paper = fact.paper
    kind, place = KIND_WORDS.get(paper.kind, "Paper of"), place_words(scene, paper.place)
    head = f"{kind} {who(scene, paper.sender)}, written {scene.clock(paper.written)}, {place}."
    if paper.sender == TRUCE:
        head = f"Letter of the enemy, under a flag of truce, written {scene.clock(paper.written)}."
    refs = f"On your page: {', '.join(dict.fromkeys(paper.entries))}." if paper.entries else ""
    if paper.kind == "report" and f"{paper.sender}: " in paper.text:
        told = replace(_told(scene, mind, fact, "Urgent." if paper.urgent else "", lead=head), quote=paper.text)
        return [_weighed(scene, _of_unit(scene, told, fact, paper.sender, paper.text, paper.tidings), mind)]
    heavy = paper.kind in ("letter", "order")
    weight = 6 if heavy else (4 if paper.urgent else 2)
    headline = f"A paper from {who(scene, paper.sender)}" if heavy else ("An urgent report" if paper.urgent else "")
    if "commander_taken" in paper.events:
        weight, headline = 9, paper.text.partition(";")[0].rstrip(".")
    text = " ".join(part for part in ("Urgent." if paper.urgent else "", refs) if part)
    told = _told(scene, mind, fact, text, lead=head, weight=weight, headline=headline)
    return [replace(told, quote=paper_body(scene, paper))]


def _receipt(scene: Scene, fact: k.ReceiptReceived, mind: Mind) -> Sequence[Told]:
    text = f"{cap(who(scene, fact.to))} had it at {scene.clock(fact.received)}, {place_words(scene, fact.at)}."
    return [_told(scene, mind, fact, text, lead=f"Receipt of your paper {fact.no}.")]


def _sent(scene: Scene, fact: k.PaperSent, mind: Mind) -> Sequence[Told]:
    paper = f"paper {fact.no} to {who(scene, fact.to)}"
    said = {
        "waiting": f"No rider is free for your {paper}; it waits.",
        "left": f"Your {paper} left at {scene.clock(fact.move - 1)}.",
        "repeated": f"No receipt of your {paper} has come; it is written again.",
        "taken": f"Your {paper} had not left; it is taken with you.",
        "back": f"Your rider brings back your {paper}: he could not deliver it.",
        "cancelled": f"Your paper {fact.no} is torn up.",
    }
    weight = 3 if fact.what in ("taken", "back") else 0
    return [_told(scene, mind, fact, said[fact.what], lead="Papers.", weight=weight)] if fact.what in said else ()


def _officer(scene: Scene, fact: k.OfficerReported, mind: Mind) -> Sequence[Told]:
    told = _told(scene, mind, fact, "", lead=f"{fact.unit} reports to you.")
    return [_weighed(scene, _of_unit(scene, told, fact, fact.unit, fact.text, fact.tidings), mind)]


def _said(scene: Scene, fact: k.Said, mind: Mind) -> Sequence[Told]:
    if fact.speaker == mind.person:
        return [_told(scene, mind, fact, f"“{fact.text}”", lead=f"You, to {who(scene, fact.to)}.")]
    return [_told(scene, mind, fact, f"“{fact.text}”", lead=f"{who(scene, fact.speaker)} says to you.", weight=4)]


def _taken(scene: Scene, fact: k.SheetTaken, mind: Mind) -> Sequence[Told]:
    del scene
    return told_of(fact, mind)


def _at_once(scene: Scene, fact: k.ToldAtOnce, mind: Mind) -> Sequence[Told]:
    line = _told(scene, mind, fact, f"“{fact.order}”: {fact.reason}.", lead="Not done.", weight=2)
    return [replace(line, line=fact.line, result="not carried out")] if fact.line else [line]


def _rode(scene: Scene, fact: k.RodeTo, mind: Mind) -> Sequence[Told]:
    if not fact.arrived:
        return ()
    where = place_words(scene, fact.path[-1])
    if fact.cut:
        return [_told(scene, mind, fact, f"You halt, {where}: {BARRED}", lead=YOUR_RIDE, weight=5)]
    return [_told(scene, mind, fact, f"You are there: {where}.", lead=YOUR_RIDE, weight=1)]


def _noise(scene: Scene, fact: k.NoiseHeard, mind: Mind) -> Sequence[Told]:
    what = NOISES.get(fact.noise, fact.noise)
    if fact.noise == "signal":
        what = f"A signal of {fact.shots} shots"
    return [_told(scene, mind, fact, f"{what} to the {compass(fact.bearing * 100)}.", lead="Heard.", weight=2)]


def _fire(scene: Scene, fact: k.FireSeen, mind: Mind) -> Sequence[Told]:
    return [_told(scene, mind, fact, f"Houses burn, {place_words(scene, fact.at)}.", lead="Seen.", weight=5)]


def _fight(scene: Scene, fact: k.FightSeen, mind: Mind) -> Sequence[Told]:
    text = f"{cap(fact.text)}, {place_words(scene, fact.at)}."
    return [_told(scene, mind, fact, text, lead="Seen.", weight=8, headline="Hand to hand before your eyes")]


def _sky(scene: Scene, fact: k.SkyChanged, mind: Mind) -> Sequence[Told]:
    return [_told(scene, mind, fact, fact.text)]


def _command(scene: Scene, fact: k.CommandTold, mind: Mind) -> Sequence[Told]:
    weight = 9 if fact.headline else 3
    if fact.learned is not None and fact.learned.state == "captured":
        weight = 8  # what comes after it in the same run heads the page
    return [_told(scene, mind, fact, f"{fact.text}.", lead="Command.", weight=weight, headline=fact.headline)]


def _over(scene: Scene, fact: k.GameTold, mind: Mind) -> Sequence[Told]:
    end = _told(scene, mind, fact, fact.text, lead="The end.", weight=10, headline="The game has ended")
    rows = tuple((item, str(red), str(blue)) for item, red, blue in fact.scores)
    table = Table(caption="The reckoning", columns=("Item", "Red", "Blue"), rows=rows, numbers=(1, 2))
    return [replace(end, tables=(table,) if rows else ())]


TELLERS: Mapping[type[Fact], Teller] = {
    k.Briefed: _briefed, k.RunEnded: _run_ended, k.HaltCalled: _halt, k.InterruptRaised: _interrupt, k.EyesSaw: _eyes,
    k.PaperReceived: _paper, k.ReceiptReceived: _receipt, k.PaperSent: _sent, k.OfficerReported: _officer,
    k.Said: _said, k.SheetTaken: _taken, k.ToldAtOnce: _at_once, k.RodeTo: _rode, k.NoiseHeard: _noise,
    k.FireSeen: _fire, k.FightSeen: _fight, k.SkyChanged: _sky, k.CommandTold: _command, k.GameTold: _over,
}  # fmt: skip
"""How each kind of tiding is told; what is not here is told by the page itself."""


def tell(scene: Scene, fact: Fact, mind: Mind, role: Role) -> Sequence[Told]:
    """A fact of knowledge in the words of his diary; to any other role nothing."""
    if fact.known.get(role) != FULL:
        return ()
    teller = TELLERS.get(type(fact))
    return teller(scene, fact, mind) if teller is not None else ()
