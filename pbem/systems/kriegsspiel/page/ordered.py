"""What became of each line of a commander's sheets, as far as he knows (KS-MSG-05, KS-SIT-10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.kernel.names import Moment
from pbem.orders.prose import cap, listed
from pbem.rules.view import Result, Told
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import place_words, who
from pbem.systems.kriegsspiel.world.mind import Mind, Sent
from pbem.systems.kriegsspiel.world.outcomes_knowledge import SheetTaken, Taken

YOUR_RIDE, BARRED = "Your ride.", "the enemy bars your way."
"""How the diary tells of a ride that ended before its goal."""

RIDES = ("ride_to", "ride_with", "stay")
PAPERS = ("paper", "letter")
HIMSELF: Mapping[str, tuple[Result, str]] = {
    "on_arrival": ("standing", "For when you are there"),
    "start": ("done", "It begins as you wrote"),
    "enter": ("done", "It comes as you wrote"),
    "give": ("done", "It is under him"),
    "intention": ("done", "The umpire has it"),
    "look": ("done", "You looked there"),
    "mute": ("done", "So it is kept"),
    "take_command": ("given", "Those within your voice have heard it"),
    "hand_over": ("given", "Those within your voice have heard it"),
    "staff_observe": ("given", "Your officer has his orders"),
    "cancel_paper": ("done", "It is torn up"),
    "offer_end": ("done", "Your offer stands"),
    "note_join": ("done", "On your page"),
    "note_drop": ("done", "On your page"),
    "parley": ("done", "The umpire has it"),
}
"""Acts whose end he sees when he does them."""


class Did(Told, frozen=True, kw_only=True):
    """A line of his sheet as it was done; for his list of orders, not for his diary."""

    taken: Taken


def told_of(fact: SheetTaken, mind: Mind) -> list[Did]:
    """Each line of the sheet that he has now carried out, for the list of his orders."""
    moment = _moment_of_sheet(fact, mind)
    return [Did(moment=moment, phase="", text="", line=taken.line, taken=taken) for taken in fact.lines]


def _moment_of_sheet(fact: SheetTaken, mind: Mind) -> Moment:
    """The moment for which he sent the sheet: the dispositions, the run, or his halt in it."""
    if not mind.turn:
        return Moment(0, 2 if mind.options.two_stage_setup and mind.superior else 1)
    if mind.phase == "halt" and fact.move == mind.move:
        return Moment(mind.turn, 1, fact.move)
    return Moment(mind.turn)


def ordered(scene: Scene, mind: Mind, told: Sequence[Told]) -> tuple[Told, ...]:
    """What became of each of his own lines in these exchanges, sheet by sheet."""
    did = [one for one in told if isinstance(one, Did)]
    failed = {one.line: one.text for one in told if one.line and not isinstance(one, Did)}
    cut = any(one.lead == YOUR_RIDE and one.text.endswith(BARRED) for one in told)
    if cut:
        failed = {one.line: "The enemy barred your way" for one in did if one.taken.how == "on_arrival"} | failed
    last = next((one for one in reversed(did) if one.taken.how in RIDES), None)
    ended = next((one.text for one in reversed(told) if one.lead == YOUR_RIDE), "")
    return tuple(_lines(scene, mind, did, failed, last, barred=ended.endswith(BARRED)))


def _lines(
    scene: Scene, mind: Mind, did: Sequence[Did], failed: Mapping[int, str], last: Did | None, *, barred: bool
) -> Iterator[Told]:
    for one in did:
        taken = one.taken
        result: Result
        if taken.why:
            result, text = "not carried out", cap(taken.why)
        elif taken.how == "on_arrival" and taken.line in failed:
            result, text = "not carried out", failed[taken.line].rstrip(".")
        elif taken.how in PAPERS:
            result, text = _paper(scene, mind, taken)
        elif taken.how in RIDES:
            result, text = _ride(scene, mind, taken, later=one is not last, barred=barred)
        else:
            result, text = _at_once(scene, mind, taken)
        yield Told(moment=one.moment, phase="", text=f"{text}.", line=one.line, result=result)


def _paper(scene: Scene, mind: Mind, taken: Taken) -> tuple[Result, str]:
    sent = next((sent for sent in mind.sent if sent.no == taken.no), None)
    head = f"Paper {taken.no} to {who(scene, taken.to)}"
    if sent is None:
        return "sent", head
    if sent.cancelled:
        return "superseded", f"{head}: torn up"
    state, known = paper_state(scene, mind, sent)
    kept = sent.waiting or sent.leaves > mind.move
    return "standing" if kept else "sent", f"{head}: {known if sent.received is not None else state}" + (
        f", {known}" if known and sent.received is None else ""
    )


def _ride(scene: Scene, mind: Mind, taken: Taken, *, later: bool, barred: bool) -> tuple[Result, str]:
    if later:
        return "superseded", "A later line of yours took its place"
    if taken.how == "stay":
        return "done", f"You stay, {place_words(scene, mind.at)}"
    if mind.riding_to:
        return "standing", "You are on your way"
    if mind.rides_with:
        return "standing", f"You ride with {mind.rides_with}"
    if barred:
        return "in part", f"The enemy barred your way; you halted, {place_words(scene, mind.at)}"
    return "done", f"Your ride has ended, {place_words(scene, mind.at)}"


def _at_once(scene: Scene, mind: Mind, taken: Taken) -> tuple[Result, str]:
    match taken.how:
        case "voice" if taken.deaf:
            return "in part", f"Said to {taken.to}; not within voice: {listed(taken.deaf)}"
        case "voice":
            return "given", f"Said to {taken.to}, which obeys in the next move"
        case "dispositions" if taken.to in mind.players:
            return "given", f"In the hands of {who(scene, taken.to)} at the opening"
        case "dispositions":
            return "given", f"Known to {who(scene, taken.to)} at the opening"
        case "say":
            return "done", f"You said it to {who(scene, taken.to)}"
        case "wake":
            rings = any(line.line == taken.line for line in mind.wakes)
            return ("standing", "In force") if rings else ("done", "It has called you")
        case "take_command" if taken.no:
            return "sent", "In writing; it is yours once it has read it"
        case "hand_over" if taken.no:
            return "sent", f"In writing; it is under {who(scene, taken.to)} once both have read it"
        case how:
            return HIMSELF.get(how, ("done", "Done"))


def paper_state(scene: Scene, mind: Mind, sent: Sent) -> tuple[str, str]:
    """How a paper of his stands, and what he knows or expects of it; never its rider's fate."""
    if sent.cancelled:
        return "torn up", ""
    if sent.received is not None:
        return "received", f"had it at {scene.clock(sent.received)}"
    if sent.back is not None:
        return "not delivered", f"brought back at {scene.clock(sent.back)}"
    if sent.waiting:
        return "waits", "no rider free"
    if sent.leaves > mind.move:
        return "being written", f"leaves {scene.clock(sent.leaves - 1)}"
    likely = f"should be there {scene.clock(sent.likely)}" if sent.likely is not None else ""
    return ("no receipt asked" if not sent.receipt_wanted else "no receipt yet"), likely
