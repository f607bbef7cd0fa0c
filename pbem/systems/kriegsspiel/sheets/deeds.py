"""What a unit may be ordered to do: the verbs of its orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from pbem.orders.sheet import Judgement
from pbem.orders.verbs import Verb
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Wrong
from pbem.systems.kriegsspiel.sheets.sentence import BadWord, Sentence, number_of
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.orders import Order

Reader = Callable[[Sentence], object]
Maker = Callable[[Sentence], Order]

MOVES = "moves"
"""The sort of orders that take a unit elsewhere."""

OPTIONS: Mapping[str, str] = {
    "across": "across", "in_form": "in a formation", "rate": "a rate", "facing": "facing", "join": "join",
    "by": "by", "on": "on", "last": "to the last", "until": "until", "lines": "lines", "interval": "interval",
    "apart": "distance", "reserve": "reserve", "guns": "guns", "ahead": "ahead", "zugs": "zugs",
    "intervals": "in intervals", "toward": "toward", "half": "half", "waves": "by waves", "bayonet": "with bayonet",
    "after_fire": "after fire", "with_support": "support", "side_of": "side", "kept": "in reserve", "long": "length",
    "at_spot": "at", "moves": "moves", "beyond": "not beyond", "size": "size", "report_to": "report to",
    "by_lines": "by lines",
}  # fmt: skip
"""The options of orders, each once, in words."""

BARE = ("STEP", "SIDE", "HAUL", "WIDTH", "REFUSED", "PACE", "BRIDGE", "LOAD", "CHARGE", "TIMED", "AMMUNITION", "NOW")
"""Words that say how."""


@rule("KS-ORD-11")
def once(told: Sentence) -> None:
    """Of an order each option may stand once."""
    found: set[str] = set()
    for name in (one.kind for one in told.all() if one.kind in OPTIONS):
        if name in found:
            raise BadWord(None, Wrong(f'"{OPTIONS[name]}" stands twice', "KS-ORD-11", judgement=Judgement.NOT_CLEAR))
        found.add(name)


def bare_words(told: Sentence) -> tuple[str, ...]:
    """The words that say how."""
    return tuple(told.keyword(one) for one in told.words(*BARE))


ALIKE: Mapping[str, Reader] = {
    "to": Sentence.places, "by": Sentence.way, "across": lambda told: told.has("across"),
    "formation": lambda told: told.word_of("in_form"), "rate": lambda told: told.word_of("rate"),
    "facing": lambda told: told.facing_of("facing"), "manner": bare_words,
}  # fmt: skip
"""What all orders have alike: places, options, bare words."""


def order(verb: say.Verb, **fields: Reader) -> Maker:
    """How a line becomes an order *verb*: what all have alike, and after it those *fields* that it reads in its way."""
    readers = {name: read for name, read in ALIKE.items() if name not in fields} | fields

    def make(told: Sentence) -> Order:
        once(told)
        # The text is filled in by whoever knows where in its line the order begins.
        return replace(Order(verb, ""), **{name: read(told) for name, read in readers.items()})

    return make


def first_of(*kinds: str) -> Reader:
    """What reads the places of an order; a name that has several meanings is the first of these kinds."""
    return lambda told: told.places(*kinds)


def in_part(name: str, *kinds: str) -> Reader:
    """What reads the place of an option."""
    return lambda told: told.place_of(name, *kinds)


def unit_in(name: str) -> Reader:
    """What reads the unit of an option."""
    return lambda told: told.unit_of(name)


def until(name: str) -> Reader:
    """What reads the condition of an option."""
    return lambda told: told.until(name)


def with_words(**options: str) -> Reader:
    """What reads the bare words, and those that stand for options."""
    return lambda told: (*bare_words(told), *(said for name, said in options.items() if told.has(name)))


def beside(verb: say.Verb, **fields: Reader) -> Maker:
    """An order that names another unit, and perhaps how far from it."""
    make = order(verb, **fields, unit=Sentence.unit, number=number_of("at_paces"))

    def beside_it(told: Sentence) -> Order:
        made = make(told)
        return replace(made, where=told.bench.at(made.unit))

    return beside_it


def against(verb: say.Verb) -> Maker:
    """An order that names a target."""
    return order(
        verb, to=in_part("beyond", "water", "place"), number=_moves_or_paces, second=number_of("waves"),
        target=Sentence.target, unit=unit_in("with_support"), manner=with_words(bayonet="bayonet"),
    )  # fmt: skip


def _moves_or_paces(told: Sentence) -> int | None:
    name = next((one for one in ("at_paces", "after_fire", "moves") if told.has(one)), "")
    return told.number_of(name)


def hold(verb: say.Verb) -> Maker:
    """An order to stay, until something, or to the last."""
    make = order(verb, until=until("until"), manner=with_words(last="to the last"))

    def made(told: Sentence) -> Order:
        held = make(told)
        relieved = held.until is not None and held.until.kind == "relieved"
        return replace(held, manner=(*held.manner, "until relieved")) if relieved else held

    return made


def _drawn_up(told: Sentence) -> tuple[str, ...]:
    """In how many lines a group is deployed, and where its guns go."""
    lines, guns = told.word_of("lines"), told.word_of("guns")
    one_or_two = ["two lines" if lines.startswith("two") else "one line"] if lines else []
    return (*one_or_two, *([f"guns {guns}"] if guns else []))


def _and_at(*kinds: str) -> Reader:
    return lambda told: (*told.places(*kinds), *told.place_of("at_spot"))


def _take_boats(told: Sentence) -> Order:
    made = order("take_boats", to=first_of("boats"))(told)
    return replace(made, by=made.to[:1], to=made.to[1:])


def patrol(verb: say.Verb) -> Maker:
    """A body sent out or posted: of ten, or as many as is said; without a number the whole unit."""
    return order(verb, unit=_reports_to, number=_men_sent, manner=_how_it_goes)


def _reports_to(told: Sentence) -> str:
    one = told.given("report_to")
    return "" if one is None else one.person()


def _men_sent(told: Sentence) -> int | None:
    size = told.given("size")
    if size is None:
        return 10
    return size.number_said() or None if size.says("NUMBER") else None


def _how_it_goes(told: Sentence) -> tuple[str, ...]:
    found = []
    for one in told.all("how", "size"):
        if one.kind == "how":
            found.append(one.keyword(one.first))
        elif not _men_sent(told):
            found.append("unit")
    return tuple(found)


def _new_name(told: Sentence) -> str:
    """The name of a part that is detached."""
    return told.said(told.all("new")[0].first).strip(".;")


def _squadron(told: Sentence) -> int | None:
    return told.number_said() if told.says("NUMBER") else None


def _half_or_squadron(told: Sentence) -> tuple[str, ...]:
    return bare_words(told) or ("squadron",)


_GO = '("march" | "advance" | "go")'
_HOLD = '("hold" | "defend")'
_RETIRE = '("retire" | "retreat" | "fall" "back")'
_crossing = first_of("crossing")

DEEDS: Mapping[str, Verb[Sentence, Order]] = {
    "march": Verb(f'{_GO} "to" spot march_option*', order("march", unit=unit_in("join")),
        {"march": "to 1/F: march to Kreuzweg in section_column"}, MOVES),
    "march_concealed": Verb(f'{_GO} "concealed" "to" spot march_option*',
        order("march", unit=unit_in("join"), concealed=lambda told: True),
        {"march concealed": "to H5/1: march concealed to hagen by hagenweg"}, MOVES),
    "follow": Verb('"follow" unit at_paces?', beside("follow"), {"follow": "to 1/II: follow 1/I at 200"}, MOVES),
    "halt": Verb('"halt"', order("halt"), {"halt": "to 1/I: now halt"}),
    "hold": Verb(f'{_HOLD} spot? (last | until)*', hold("hold"), {"hold": "to 3/F: hold until 09:30"}, MOVES),
    "hold_concealed": Verb(f'{_HOLD} "concealed" spot? until?', hold("hold_concealed"),
        {"hold concealed": "to U3/1: hold concealed Birkenbusch until enemy within 100"}, MOVES),
    "form": Verb('"form" FORMATION (facing | on)*',
        order("form", to=in_part("on"), formation=lambda told: told.keyword(told.the("FORMATION"))),
        {"form": "to 1/I: form line facing N on 3700,2600"}),
    "face": Verb('"face" direction', order("face", facing=Sentence.facing), {"face": "to 1/I: face NE"}),
    "shift": Verb('"shift" STEP paces', order("shift", number=number_of("paces")), {"shift": "to 1/I: shift left 150"}),
    "deploy": Verb('"deploy" unit deploy_option*',
        order("deploy", to=in_part("on"), unit=unit_in("reserve"), number=number_of("interval"),
            second=number_of("apart"), manner=_drawn_up),
        {"deploy":
            "to brigade_asmus: deploy brigade_asmus in two lines distance 200 interval 25 facing S on 3700,2600"},
        MOVES),
    "support": Verb('"support" unit at_paces?', beside("support"), {"support": "to 1/II: support 1/I at 200"}, MOVES),
    "cover": Verb('"cover" unit', beside("cover"), {"cover": "to 1/II: cover 6F3"}),
    "skirmishers_out": Verb('"skirmishers" "out" out_option*',
        order("skirmishers_out", to=in_part("toward"), number=number_of("zugs"), second=number_of("ahead"),
            manner=with_words(intervals="in intervals", half="half")),
        {"skirmishers out": "to 1/F: skirmishers out 4 200 ahead toward Kreuzweg"}),
    "skirmishers_in": Verb('"skirmishers" "in"', order("skirmishers_in"), {"skirmishers in": "to 1/F: skirmishers in"}),
    "fire_at_will": Verb('"fire" "at" "will"', order("fire_at_will"), {"fire at will": "to 1/F: fire at will"}),
    "fire_on": Verb('"fire" "on" target ("with"? AMMUNITION)?', against("fire_on"),
        {"fire on": "to 6F3: fire on battery near Ostberg with shot"}),
    "cease_fire": Verb('"cease" "fire"', order("cease_fire"), {"cease fire": "to 6F3: cease fire"}),
    "hold_fire": Verb('"hold" "fire" ("until" paces)?', order("hold_fire", number=number_of("paces")),
        {"hold fire": "to 1/F: hold fire until 100"}),
    "attack": Verb('"attack" target attack_option*', against("attack"),
        {"attack": "to 1/F: attack Dornach in attack_column with bayonet after 4 moves fire"}, MOVES),
    "charge": Verb('"charge" target (in_form | waves)*', against("charge"),
        {"charge": "to H5/1: charge battery at 4400,3300 by waves 2"}, MOVES),
    "retire": Verb(f'{_RETIRE} "to" spot (PACE | by_lines | by)*',
        order("retire", manner=with_words(by_lines="by lines")),
        {"retire": "to 1/F: retire to Ziegelei by lines"}, MOVES),
    "occupy": Verb('"occupy" spot (side_of | kept)*',
        order("occupy", to=first_of("stronghold", "area", "line", "crossing"), number=number_of("kept"),
            facing=lambda told: told.facing_of("side_of")),
        {"occupy": "to 1/F: occupy Neuwerk side N with 1 half battalions in reserve"}, MOVES),
    "fortify": Verb('"fortify" spot', order("fortify", to=first_of("stronghold", "area", "line")),
        {"fortify": "to 1/F: fortify Neuwerk"}),
    "barricade": Verb('"barricade" spot at_spot?', order("barricade", to=_and_at("crossing", "road")),
        {"barricade": "to 1/F: barricade muehlrode_bridge"}),
    "clear": Verb('"clear" spot', order("clear", to=_crossing), {"clear": "to 1/F: clear muehlrode_bridge"}),
    "dig": Verb('"dig" "earthwork" (at_spot | facing | long)*', order("dig", to=_and_at(), number=number_of("long")),
        {"dig": "to 1/F: dig earthwork at 3700,2600 facing N length 300"}),
    "limber": Verb('"limber"', order("limber"), {"limber": "to 6F3: limber"}),
    "unlimber": Verb('"unlimber" (facing | WIDTH | REFUSED)*', order("unlimber"),
        {"unlimber": "to 6F3: unlimber facing N wide refused"}),
    "prolonge": Verb('"prolonge" HAUL paces', order("prolonge", number=number_of("paces")),
        {"prolonge": "to 6F3: prolonge forward 100"}),
    "send_wagons": Verb('"send" "wagons" "to" spot', order("send_wagons"),
        {"send wagons": "to 6F3: send wagons to Ziegelei"}),
    "bombard": Verb('"bombard" spot (until_fire | moves)?',
        order("bombard", to=first_of("area"), number=number_of("moves"), manner=with_words(until_fire="until fire")),
        {"bombard": "to 6F3: bombard Neuwerk until fire"}),
    "breach": Verb('"breach" spot at_spot?', order("breach", to=_and_at("line", "stronghold", "crossing")),
        {"breach": "to 6F3: breach oberhofmauer at 2320,2070"}),
    "batter": Verb('"batter" spot', order("batter", to=_crossing), {"batter": "to 6F3: batter neuwerk_bridge"}),
    "build": Verb('"build" BRIDGE "bridge" "at" spot ("for" LOAD)?', order("build"),
        {"build": "to PT: build pontoon bridge at 5200,2700 for all"}),
    "dismantle": Verb('"dismantle" spot', order("dismantle", to=_crossing),
        {"dismantle": "to PT: dismantle neuwerk_bridge"}),
    "prepare": Verb('"prepare" spot "for" CHARGE TIMED?', order("prepare", to=_crossing),
        {"prepare": "to PB: prepare muehlrode_bridge for blowing timed"}),
    "blow": Verb('"blow" spot as_soon?', order("blow", to=_crossing, until=until("as_soon")),
        {"blow": "to PB: blow muehlrode_bridge when enemy crosses muehlrode_bridge"}),
    "burn": Verb('"burn" spot as_soon?', order("burn", to=_crossing, until=until("as_soon")),
        {"burn": "to J2/b: burn neuwerk_bridge"}),
    "tear_up": Verb('"tear" "up" spot', order("tear_up", to=_crossing), {"tear up": "to J2/b: tear up neuwerk_bridge"}),
    "remove": Verb('"remove" spot', order("remove", to=_crossing), {"remove": "to J2/b: remove neuwerk_bridge"}),
    "repair": Verb('"repair" spot', order("repair", to=_crossing), {"repair": "to PR: repair neuwerk_bridge"}),
    "put_out": Verb('"put" "out" "fire" "at" spot', order("put_out", to=first_of("crossing", "area")),
        {"put out": "to J2/b: put out fire at neuwerk_bridge"}),
    "embark": Verb('"embark" "at" spot "to" spot in_boats?',
        order("embark", to=first_of("boats", "place"), by=in_part("in_boats", "boats")),
        {"embark": "to 3/I: embark at 3480,3050 to 3400,3200 in m_faehren"}, MOVES),
    "land": Verb('"land"', order("land"), {"land": "to 3/I: land"}),
    "take_boats": Verb('"take" "boats" spot "to" spot', _take_boats,
        {"take boats": "to 3/I: take boats m_faehren to 3000,2950"}, MOVES),
    "swim": Verb('"swim" "to" spot', order("swim"), {"swim": "to U3/1: swim to 3000,3050"}, MOVES),
    "patrol": Verb('"patrol" patrol_option* "to" spot+ patrol_option*', patrol("patrol"),
        {"patrol": "to H5/4: patrol size 10 to Dornach, Ostberg return report to Dorn wide"}, MOVES),
    "post": Verb('"post" size? "at" spot size?', patrol("post"), {"post": "to H5/4: post at Galgenberg size 10"}),
    "detach": Verb('"detach" ("half" SIDE | "squadron" NUMBER) "as" new',
        order("detach", unit=_new_name, number=_squadron, manner=_half_or_squadron),
        {"detach": "to 3/I: detach half right as 3/Ib"}),
    "rejoin": Verb('"rejoin" unit', beside("rejoin"), {"rejoin": "to 3/Ib: rejoin 3/I"}, MOVES),
    "escort": Verb('"escort" "prisoners" escorts? "to" spot escorts?', order("escort", number=number_of("escorts")),
        {"escort": "to 1/F: escort prisoners to Altenfeld"}, MOVES),
    "release": Verb('"release" "prisoners"', order("release"), {"release": "to 1/F: release prisoners"}),
    "dismount": Verb('"dismount"', order("dismount"), {"dismount": "to D2/1: dismount"}),
    "mount": Verb('"mount"', order("mount"), {"mount": "to D2/1: mount"}),
    "report": Verb('"report" (NOW | as_soon)?', order("report", until=until("as_soon")),
        {"report": "to 1/F: report when at Kreuzweg"}),
    "report_at": Verb('"report" "at" TIME', order("report", until=Sentence.hour)),
    "rest": Verb('"rest"', order("rest"), {"rest": "to 1/F: rest"}),
    "guard": Verb('"guard" SIDE "of" unit at_paces', beside("guard"),
        {"guard": "to U3/1: guard left of 3/I at 300"}, MOVES),
    "observe": Verb('"observe" target at_paces?', against("observe"), {"observe": "to U3/1: observe e3 at 900"}, MOVES),
    "outposts": Verb('"outposts" "from" spot "to" spot posts?', order("outposts", number=number_of("posts")),
        {"outposts": "to U3/1: outposts from Galgenberg to Dornach posts 4"}, MOVES),
    "pursue": Verb('"pursue" target (moves | beyond)*', against("pursue"),
        {"pursue": "to U3/1: pursue e2 4 moves not beyond Lohe"}, MOVES),
    "relieve": Verb('"relieve" unit', beside("relieve"), {"relieve": "to 1/I: relieve 1/F"}, MOVES),
    "make_way": Verb('"make" "way" "for" unit', beside("make_way"), {"make way": "to 1/I: make way for 6F3"}),
    "demonstrate": Verb('"demonstrate" "against" spot ("to" paces)?', order("demonstrate", number=number_of("paces")),
        {"demonstrate": "to 1/I: demonstrate against Neuwerk to 400"}, MOVES),
    "rally": Verb('"rally"', order("rally"), {"rally": "voice 1/I: rally"}),
    "order_of_march": Verb('"order" "of" "march" unit+', order("order_of_march", units=Sentence.units),
        {"order of march": "to brigade_asmus: order of march 1/II, 1/I, 6F3"}),
    "signal": Verb('"signal" NUMBER', order("signal", number=Sentence.number_said), {"signal": "to 6F3: signal 3"}),
    "withdraw_guns": Verb('"withdraw" "guns"', order("withdraw_guns"), {"withdraw guns": "to 6F3: withdraw guns"}),
    "words": Verb('"words" ":" TEXT', order("words"),
        {"words": "to 1/F: words: lure them toward the gardens, then turn"}),
}  # fmt: skip
"""Every order of a unit: how it is written, how it is read, an example, and whether it takes the unit elsewhere."""
