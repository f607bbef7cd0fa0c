"""One commander's page, made from his mind and nothing else (KS-SIT-10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.orders.prose import cap, listed
from pbem.rules.ledger import rule
from pbem.rules.page import Frame, page
from pbem.rules.telling import WORDS, weightiest
from pbem.rules.view import Fact, Table, Told, View
from pbem.systems.kriegsspiel.mind.beliefs import believed
from pbem.systems.kriegsspiel.page.diary import CLOSE, NEAR, Seen, condensed, heaviest, latest, nearest_enemy, paces
from pbem.systems.kriegsspiel.page.drawing import doubled, picture, tied
from pbem.systems.kriegsspiel.page.himself import addressed, heading_of, unable
from pbem.systems.kriegsspiel.page.ordered import Did, ordered, paper_state
from pbem.systems.kriegsspiel.scene import wording
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.words import moves_words
from pbem.systems.kriegsspiel.sheets.template import template
from pbem.systems.kriegsspiel.tables.knowledge import INTERRUPTS, MOVE_MINUTES
from pbem.systems.kriegsspiel.world.mind import Entry, Mind

WEIGHTY = 2
"""The least weight of what the brief tells."""
SHORT = 28
"""Words of one thing in the brief."""
ALARMING = 9
"""From this weight on a thing heads the page before an enemy who is close."""
SMALL = ("Heard.", "Alarm.", "Papers.", "Seen.")
"""Leads of things that are told together, minute by minute."""


def _minutes(moves: int) -> str:
    return "now" if moves <= 0 else f"{moves * MOVE_MINUTES} min"


def _strip(scene: Scene, mind: Mind) -> tuple[Fact, ...]:
    codes = ", ".join(INTERRUPTS[code].name.replace("_", " ") for code in mind.called)
    out = [str(sent.no) for sent in mind.sent if sent.no and sent.received is None and not sent.cancelled]
    there = [known for name in mind.command if (known := mind.own.get(name)) and known.state.stand in ("map", "afloat")]
    coming = sum(name in mind.entry_of and name not in mind.own for name in mind.command)
    talk = [scene.persons[name].name for name in mind.near if name in scene.persons]
    said = (
        f"{coming} still to come" if coming else "",
        f"you can talk to {listed(talk)}" if talk else "no commander is near enough to talk to",
    )
    seen = f"{sum(known.in_sight for known in there)} of {len(there)} in sight"
    opening = not mind.turn
    return (
        Fact("Your clock", scene.clock(mind.move), codes or wording.place_words(scene, mind.at)),
        Fact(
            "Your troops",
            f"{len(there)} on the field" if opening else seen,
            said[0] if opening else "; ".join(part for part in said if part),
        ),
        Fact("Riders", f"{mind.riders} free", f"no receipt of {listed(out)}" if out else "no paper is out"),
    )


def _short(told: Told) -> str:
    """What was told, in the room of the brief: of a paper its head and how it begins."""
    gist = told.gist if isinstance(told, Seen) else ""
    words = (gist or f"{told.lead} {told.quote or told.text}").split()
    return " ".join(words) if len(words) <= SHORT else f"{' '.join(words[:SHORT]).rstrip(',;:.')} …"


def _brief(told: Sequence[Told], scene: Scene, mind: Mind) -> tuple[str, ...]:
    """The weightiest of what reached him, the later before the earlier, as far as the room goes; and where he is."""
    said = [
        (one.weight * len(told) + place, f"{one.phase}: {_short(one)}")
        for place, one in enumerate(latest(told))
        if one.weight >= WEIGHTY
    ]
    where = wording.place_words(scene, mind.at)
    near = "" if " paces " in where else "at "
    place = f"You are {near}{where}." if mind.on_map else f"You are not yet on the field; you come to {where}."
    enemy = nearest_enemy(mind)
    if enemy is not None and enemy[0] <= CLOSE:
        far, entry = enemy
        what = wording.kind_words(entry.tiding)
        place = f"{place} The nearest enemy in your sight, {paces(far)} paces off: {what} ({entry.id})."
    head = unable(mind)
    first = " ".join(weightiest(said, WORDS - len(f"{head} {place}".split()), 4))
    nothing = "No news has reached you." if mind.turn else "What you know at the opening stands below."
    return (*filter(None, (head,)), first or nothing, place)


def _merged(told: Sequence[Told]) -> tuple[Told, ...]:
    """Without what was told twice in the same minute; small things of one minute and kind are one paragraph."""
    merged: dict[tuple[object, ...], Told] = {}
    for one in dict.fromkeys(told):
        small = one.lead in SMALL and not one.line
        key = (one.phase, one.lead) if small else (one.phase, one.lead, one.text, one.quote, one.line)
        old = merged.get(key)
        if old is None:
            merged[key] = one
        elif one.text not in old.text:
            merged[key] = replace(old, text=f"{old.text} {one.text}", weight=max(old.weight, one.weight))
    return tuple(merged.values())


# ------------------------------------------------------------------ tables


def _command(scene: Scene, mind: Mind) -> Table:
    rows = []
    for name in mind.command:
        known = mind.own.get(name)
        if known is None:
            continue
        state = known.state
        doing = [wording.body_form(state)]
        if state.body != "fresh":
            doing.append(state.body.replace("_", " "))
        if state.zugs_out:
            doing.append(f"{state.zugs_out} zugs out")
        if state.guns:
            doing.append(f"{state.guns} guns, {'limbered' if state.limbered else 'unlimbered'}")
        if state.losses != "none":
            doing.append(f"losses {state.losses}")
        if state.doing:
            doing.append(wording.order_text(scene, state.doing))
        where = believed(scene, mind, name, mind.move)
        place = f"{state.at.x},{state.at.y}"
        if where is not None and where[1]:
            place = f"{place}; believed {where[0].x},{where[0].y}"
        age = mind.move - state.seen
        rows.append(
            (
                name,
                ", ".join(doing),
                place,
                "now" if known.in_sight else f"{scene.clock(state.seen)} ({_minutes(age)})",
                wording.who(scene, state.source),
            )
        )
    return Table(
        caption="Your command as you know it",
        columns=("Unit", "State and doing", "Place", "Known at", "From"),
        rows=(*rows, *_expected(scene, mind)),
        note="Troops out of your sight stand where they were last known; believed: where your orders should have them.",
    )


@rule("KS-SIT-09", "KS-MOV-20")
def _expected(scene: Scene, mind: Mind) -> Iterator[tuple[str, ...]]:
    """Units of which there is no word yet, those of one hour and entry together: to come, and what should be in."""
    coming: dict[tuple[int, str, bool], list[tuple[str, Point | None]]] = {}
    for name in mind.command:
        if name not in mind.own and name in mind.entry_of:
            found = believed(scene, mind, name, mind.move)
            coming.setdefault((*mind.entry_of[name], found is not None), []).append((name, found[0] if found else None))
    for (move, where, is_in), units in coming.items():
        entry = scene.chart.entries[where].name if where in scene.chart.entries else where
        places = list(dict.fromkeys(f"{at.x},{at.y}" for _, at in units if at is not None))
        state = f"should be in, by {entry}" if is_in else f"expected by {entry}"
        if move <= mind.move and not is_in:
            state = f"no room yet to come in, by {entry}"
        place = f"believed {' to '.join(dict.fromkeys((places[0], places[-1])))}" if places else ""
        yield ", ".join(name for name, _ in units), state, place, scene.clock(move), "schedule"


def _papers(scene: Scene, mind: Mind) -> Table | None:
    rows = []
    for sent in mind.sent:
        if not sent.no:
            continue
        state, told = paper_state(scene, mind, sent)
        lines = "; ".join(line.text for line in sent.lines)
        what = f"{lines} {sent.text}".strip()
        rows.append(
            (str(sent.no), wording.who(scene, sent.to), what if len(what) <= 90 else f"{what[:87]}…", state, told)
        )
    if not rows:
        return None
    return Table(
        caption="Your papers",
        columns=("Paper", "To", "What", "State", "Known"),
        rows=tuple(rows[-15:]),
        note="A paper counts as received when its receipt is in your hand. What became of the others you cannot know.",
    )


def _age(entry: Entry) -> tuple[bool, int]:
    return (not entry.in_sight, -entry.tiding.seen)


def _from(scene: Scene, entry: Entry) -> str:
    return "seen" if entry.tiding.source == "own eyes" else wording.who(scene, entry.tiding.source)


def _enemy(scene: Scene, mind: Mind) -> Table:
    rows = []
    shown = [one for one in mind.entries.values() if not one.dropped and not doubled(mind, one)]
    for entry in sorted(shown, key=_age):
        tiding = entry.tiding
        blocks = f", {wording.strength_words(tiding)}" if not tiding.arm and tiding.blocks else ""
        what = cap(wording.tiding_words(scene, tiding)) if tiding.arm else cap(f"{wording.mass_words(tiding)}{blocks}")
        sure = "" if tiding.reliability == "certain" else f", {tiding.reliability}"
        source = "your own eyes" if tiding.source == "own eyes" else wording.who(scene, tiding.source)
        known = "now" if entry.in_sight else f"{scene.clock(tiding.seen)} ({_minutes(mind.move - tiding.seen)})"
        gone = "; lost from sight" if tiding.gone else ""
        also = [other for other in mind.entries.values() if tied(entry, other)]
        more = f"; also {', '.join(f'{one.id} ({_from(scene, one)})' for one in also)}" if also else ""
        rows.append((entry.id, what + gone, f"{tiding.at.x},{tiding.at.y}", known, f"{source}{sure}{more}"))
    return Table(
        caption="The enemy as you know him",
        columns=("Entry", "What", "Place", "Seen at", "Source"),
        rows=tuple(rows),
        note="What seems to be one body stands in one line, with all that tell of it. A block is a half battalion, a "
        "squadron or a half battery."
        if rows
        else "Nothing has been seen or reported.",
    )


def _standing(mind: Mind) -> Iterator[str]:
    """Reactions that he has ordered, as order lines."""
    newest: dict[tuple[str, str], str] = {}
    for unit, sheets in mind.orders.items():
        for _, lines in sheets:
            for line in lines:
                if line.react is not None:
                    newest[unit, line.react[0]] = f"to {unit}: {line.text}"
    yield from newest.values()


# ------------------------------------------------------------------ the page


def _title(scene: Scene, mind: Mind, told: Sequence[Told]) -> str:
    if heading := heading_of(mind):
        return heading
    best, enemy = heaviest(told), nearest_enemy(mind)
    if enemy is not None and enemy[0] <= NEAR // 2 and (best is None or best.weight < ALARMING):
        return f"Enemy {enemy[1].tiding.arm or 'troops'} {paces(enemy[0])} paces from you"
    if best is not None:
        return best.headline
    if not mind.turn:
        return "Before the first move"
    return f"{scene.clock(mind.move)}, {wording.place_words(scene, mind.at)}"


def _owed(call: Call | None, pause: Pause) -> str:
    if call is None:
        return ""
    if not pause.moment.turn:
        return "dispositions"
    if pause.moment.halt:
        return f"orders at halt {pause.moment.halt} of turn {pause.moment.turn}"
    return f"orders for turn {pause.moment.turn}"


@rule("KS-TUR-03", "KS-TUR-08")
def _next(scene: Scene, mind: Mind, pause: Pause) -> str:
    """How far play goes on from here, and where it may stop before."""
    options = mind.options
    if mind.ended:
        return mind.ended
    if not mind.turn:
        if options.two_stage_setup and not mind.superior:
            return "Those below you set up; then play opens."
        waits = options.two_stage_setup and pause.moment.exchange <= 1
        return "Your commander-in-chief sets up, and then you." if waits else "Play opens."
    begun = mind.run_from if pause.moment.halt else mind.move + 1
    last = min(begun + options.turn_moves - 1, scene.last_move)
    moves, clock = last - mind.move, scene.clock(last)
    said = f"{moves_words(moves)} {'is' if moves == 1 else 'are'} played, to {clock}"
    if options.interrupts == "shared":
        return f"At most {said}; fewer, if somebody is called."
    if options.auto_skip_quiet:
        return f"{cap(said)}; more, if nobody has ordered or learned anything."
    between = {
        "private": f"; you may be asked on the way, every {moves_words(options.step_moves)}, or at once if need be",
        "urgent_only": "; you may be asked on the way, if need be",
    }
    return f"{cap(said)}{between.get(options.interrupts, '') if moves > 1 else ''}."


def view(scene: Scene, mind: Mind, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """The page of a commander: his diary of this run, his map, papers, troops, and the enemy as he knows him."""
    turn = max((line.moment.turn for line in told), default=pause.moment.turn)
    if not pause.moment.halt and not mind.ended and turn >= pause.moment.turn > 0:
        turn = max((line.moment.turn for line in told if line.moment.turn < pause.moment.turn), default=turn)
    of_turn = [line for line in told if line.moment.turn == turn]
    news = [line for line in of_turn if not isinstance(line, Did)]
    happened = _merged(condensed(scene, mind, news))
    moment = (
        Moment(turn, 1, pause.moment.halt) if turn and pause.moment.halt else (Moment(turn) if turn else Moment(0, 1))
    )
    call = pause.call(role)
    clock = scene.clock(mind.move)
    papers = _papers(scene, mind)
    own = tuple(table for table in (papers, _command(scene, mind)) if table is not None)
    return page(
        Frame(role, of_turn, (moment,), moment, call, None),
        happened,
        str,
        quiet="",
        addressed=addressed(scene, mind),
        title=_title(scene, mind, news),
        dateline=f"{scene.place}, {scene.date}, {clock}.",
        strip=_strip(scene, mind),
        brief=_brief(news, scene, mind),
        picture=picture(scene, mind, role),
        ordered=ordered(scene, mind, of_turn),
        own=own,
        enemy=(_enemy(scene, mind),),
        standing=tuple(_standing(mind)),
        owed=_owed(call, pause),
        next=_next(scene, mind, pause),
        template=template(scene, mind, role, pause),
        over=mind.ended,
    )
