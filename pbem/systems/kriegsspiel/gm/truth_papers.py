"""Papers in the umpire's words: who wrote what to whom, when, and where its bearer is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.orders.prose import counted
from pbem.systems.kriegsspiel.gm.truth_fights import named
from pbem.systems.kriegsspiel.page.telling import paper_words
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import place_words, who
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world.dispatches import Paper
from pbem.systems.kriegsspiel.world.fact import Fact

Papers = Mapping[int, Paper]
"""By their numbers, as they were begun."""

STATES: Mapping[str, str] = {
    "writing": "is being written",
    "waiting": "waits for a rider",
    "riding": "rides with its bearer",
    "searching": "its bearer looks for him",
    "returning": "comes back",
    "delivered": "is in his hand, not read yet",
    "captured": "is in the enemy's hands",
    "lost": "is lost",
}
WAITS: Mapping[str, str] = {
    "no_rider": "there is no rider for it",
    "in_combat": "he for whom it is is fighting",
    "totally_defeated": "he for whom it is is beaten",
}


def papers_of(facts: Iterable[Fact]) -> Papers:
    """All papers that *facts* brought into being; what comes back is still what it was."""
    found: dict[int, Paper] = {}
    for fact in facts:
        for paper in fact.changes.papers if fact.changes is not None else ():
            found.setdefault(paper.id, paper)
    return found


def who_is(scene: Scene, key: str) -> str:
    """Who writes or reads: `Major von Asmus`, `red 1/F`, `the army command`."""
    return who(scene, named(key))


def called(scene: Scene, papers: Papers, number: int, by: str = "") -> str:
    """A paper: `order 4 of Major von Asmus to 1/F`; he who has it (*by*) is not named again."""
    paper = papers.get(number)
    if paper is None:
        return "a paper of before"
    own = f"{paper.kind} {paper.no}" if paper.no else f"the {paper.kind}"
    to = f" to {who_is(scene, paper.to)}" if paper.to != by else ""
    return f"{own} of {who_is(scene, paper.sender)}{to}"


def ordered_by(scene: Scene, papers: Papers, by: str) -> str:
    """By what an order came: by word of mouth, or by which paper."""
    if by.isdigit():
        return f"by {called(scene, papers, int(by))}"
    return "by word of mouth" if by == "voice" else f"by {by}"


def _written(scene: Scene, papers: Papers, number: int) -> str:
    paper = papers.get(number)
    words = paper_words(scene, paper.lines, paper.text) if paper is not None else ""
    return f": “{words.removesuffix('.')}”" if words else ""


def words(scene: Scene, papers: Papers, fact: Fact) -> str:
    """What came to pass with a paper, without a full stop; empty of another fact."""
    match fact:
        case o.PaperBegun():
            copies = f", in {fact.copies} copies" if fact.copies > 1 else ""
            urgent = ", urgent" if (paper := papers.get(fact.message_id)) and paper.priority == "urgent" else ""
            own = f" {paper.no}" if paper and paper.no else ""
            kind = f"{paper.kind}{own}" if paper else "a paper"
            return (
                f"{who_is(scene, fact.sender)} writes {kind} to {who_is(scene, fact.to)}{urgent}{copies}"
                f"{_written(scene, papers, fact.message_id)}; it can go at {scene.clock(fact.depart_move)}"
            )
        case o.ReportWritten():
            how = "" if fact.message_id else " by word of mouth"
            about = ", ".join(one.replace("_", " ") for one in fact.events)
            urgent = ", urgent" if fact.priority == "urgent" else ""
            text = _written(scene, papers, fact.message_id) if fact.message_id else ""
            return f"{named(fact.unit)} reports to {who_is(scene, fact.to)}{how} ({about}{urgent}){text}"
        case o.PaperWaiting():
            why = WAITS.get(fact.cause, fact.cause.replace("_", " "))
            return f"{called(scene, papers, fact.message_id)} waits: {why}"
        case o.PaperDeparted():
            return f"a bearer sets out with {called(scene, papers, fact.message_id)}, {place_words(scene, fact.at)}"
        case o.PaperDelivered():
            place = place_words(scene, fact.at)
            return f"{who_is(scene, fact.to)} is handed {called(scene, papers, fact.message_id, fact.to)}, {place}"
        case o.PaperRead():
            return f"{who_is(scene, fact.by)} reads {called(scene, papers, fact.message_id, fact.by)}"
        case o.PaperLost():
            return f"{called(scene, papers, fact.message_id)} comes to nothing: {fact.cause.replace('_', ' ')}"
        case o.RiderDiverted():
            what = called(scene, papers, fact.message_id)
            return f"the bearer of {what} goes round {named(fact.body)}, {counted(fact.delay, 'move')} longer"
        case o.PaperCaptured():
            what = called(scene, papers, fact.message_id)
            text = _written(scene, papers, fact.message_id)
            return f"{named(fact.captor)} takes the bearer of {what}, {place_words(scene, fact.at)}{text}"
        case _:  # a fact of something else than papers
            return ""


KINDS = (
    o.PaperBegun,
    o.ReportWritten,
    o.PaperWaiting,
    o.PaperDeparted,
    o.PaperDelivered,
    o.PaperRead,
    o.PaperLost,
    o.RiderDiverted,
)
"""What is told of the papers of a move together; a capture stands alone."""
