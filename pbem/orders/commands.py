"""The commands to the office, which are its own in every game: what each says, and what may follow it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import get_args

from msgspec import Struct

from pbem.kernel.office import MailSort

GUIDES = ("player", "gm", "review", "scenario", "author")
"""What may be asked for by `help`: the guides, each for its reader."""


class Argument(Enum):
    """What may follow an office word."""

    NONE = "nothing"
    MAYBE = "maybe something"
    SWITCH = "on, off, or nothing, which is on"
    DAILY = "on, off, or a time of day; or nothing"
    CHOICE = "one of the words that it takes"
    FORM = "what its form says, and nothing else"
    ZONE = "the name of a time zone, of one word or two, or nothing"
    ADDRESS = "an address, `off`, or both; or nothing: any other line is prose"
    TEXT = "a text: on the line, or on the lines below it up to a blank one or to a line `end letter`"


class Repeated(Enum):
    """What becomes of a word that one text says several times."""

    ONCE = "the same is done once; with another argument it is another"
    LAST = "the last one counts"
    JOINED = "their texts go together"


class Word(Struct, frozen=True):
    """One command to the office."""

    argument: Argument
    example: str
    says: str
    repeated: Repeated = Repeated.ONCE
    takes: tuple[str, ...] = ()
    """Of a choice, what may follow."""
    form: str = ""
    """Of a form, what may follow, as a pattern."""
    follows: str = ""
    """The same in a phrase."""


WORDS: Mapping[str, Word] = {
    "add": Word(Argument.NONE, "add", "these lines come after those that you sent before"),
    "withdraw": Word(
        Argument.FORM,
        "withdraw",
        "take your orders back; `withdraw V3`: take back what you proposed",
        form=r"(?:v\d{1,4})?",
        follows="nothing, or what you proposed, like V3",
    ),
    "preview": Word(
        Argument.NONE,
        "preview",
        "say what these lines would do, as far as I know; alone, what those do that stand; enter nothing",
    ),
    "wait": Word(
        Argument.SWITCH,
        "wait on",
        "do not run the exchange before its deadline; `wait off` lifts that, and no more",
        Repeated.LAST,
    ),
    "ready": Word(
        Argument.SWITCH,
        "ready",
        "play my orders as they stand, refused lines and all: the exchange may be run before its deadline; `ready off` "
        "takes it back, until it is run",
        Repeated.LAST,
    ),
    "umpire": Word(
        Argument.TEXT,
        "umpire: may guns cross the bridge?",
        "a question or message to the umpire; a long one as a long letter",
        Repeated.JOINED,
    ),
    "answer": Word(Argument.TEXT, "answer Q1: yes", "the answer to a question that I was asked, by its name"),
    "letter to": Word(
        Argument.TEXT,
        "letter to prussian: I ask for a truce.",
        "a letter to another role; to several: `letter to prussian and saxon: …`, `letter to side german: …`, `letter "
        "to all: …`; a long one goes on the lines below, up to a line `end letter`",
    ),
    "note to self": Word(
        Argument.TEXT,
        "note to self: They are weak at the mill.",
        "kept in my diary, which nobody else is shown while the game goes on; a long one as a long letter",
    ),
    "help": Word(
        Argument.CHOICE,
        "help",
        "send this list; `help player`: the guide to a first turn; `help review`: how to look back at a game; also "
        "`help gm`, `help scenario`, `help author`",
        takes=("", *GUIDES),
    ),
    "status": Word(Argument.NONE, "status", "what I owe, and when; and how punctual I have been"),
    "orders?": Word(Argument.MAYBE, "orders?", "send my orders as they stand"),
    "report": Word(Argument.MAYBE, "report 4B", "send a report again"),
    "format": Word(
        Argument.CHOICE,
        "format json",
        "send my reports with their content as JSON too, for programs; `format link`: a link to each alone, for those "
        "who read them as pages of the office; `format page` takes it back",
        Repeated.LAST,
        ("json", "link", "page"),
    ),
    "language": Word(
        Argument.CHOICE,
        "language de",
        "write to me in German, where the office can; `language en`: in English; orders are read in both, always",
        Repeated.LAST,
        ("de", "en"),
    ),
    "history": Word(Argument.NONE, "history", "list my reports, my receipts, and the rulings that I know of"),
    "vacation": Word(
        Argument.MAYBE,
        "vacation 2026-12-24 to 2027-01-02",
        "I am away, and deadlines in that time are moved behind it; `vacation off` takes it back",
    ),
    "publish": Word(
        Argument.MAYBE,
        "publish letters yes",
        "where this game is shown to others, my letters to other players and theirs to me may be in it, if they say "
        "so too; `publish name yes`: my name may; `publish diary yes`: my notes to myself, once the game is over; `no` "
        "takes it back, and it is no until you say yes",
    ),
    "zone": Word(
        Argument.ZONE,
        "zone Europe/Paris",
        "tell me hours by that clock; alone, by which I am told them",
        Repeated.LAST,
    ),
    "address": Word(
        Argument.ADDRESS,
        "address new@player.example",
        "let my letters go to another address: done when two codes come back, one from there and one from here; "
        "`address off` takes it back until then",
        Repeated.LAST,
    ),
    "also": Word(
        Argument.ADDRESS,
        "also work@player.example",
        "I write from that address too: done when a code from there comes back; `also off` and the address takes it "
        "away; alone, list them",
    ),
    "stop": Word(
        Argument.CHOICE,
        "stop",
        "send me no letters but answers to mine; I stay in my games, and whatever I write brings them back; `stop "
        "letters`: none of other players in this game, `stop reminders`, `stop notices`; `stop letters off` takes it "
        "back",
        takes=("", *(f"{sort}{off}" for off in ("", " off") for sort in get_args(MailSort))),
    ),
    "digest": Word(
        Argument.DAILY,
        "digest 20:00",
        "gather what other players write and notices of this game, and send them once a day, at that time by my "
        "clock; `digest off`: each at once",
        Repeated.LAST,
    ),
    "join": Word(
        Argument.MAYBE,
        "join stprivat-autumn as french or prussian",
        "I would play in that game, as the first of these roles that the lot leaves me; `as any`: as whatever; sent "
        "again it changes what I wish, and `join stprivat-autumn off` takes it back; in a letter of its own",
    ),
    "substitute": Word(
        Argument.MAYBE,
        "substitute anna@player.example for 2 turns",
        "she may send my orders too for so long, and is told what I am told, if she says yes; the newest orders count; "
        "`substitute off` takes it back",
    ),
    "proxy": Word(
        Argument.MAYBE,
        "proxy anna@player.example",
        "the same for the exchange that is open alone: she is sent my newest report, and not what comes of it",
    ),
    "resign": Word(Argument.MAYBE, "resign", "I give my role up; you are asked once more"),
    "propose": Word(
        Argument.FORM,
        "propose draw: we are even",
        "put to the vote of all: `draw`, `truce until 5A`, `end`, `extension 24h`, `pause`, `resume`, `replacement of "
        "ROLE`; a reason after a colon, if you like",
        form=r"(?:draw|end|pause|resume|truce (?:until|till|to) \S{1,12}|extension (?:of |by )?\d{1,4} ?h?(?:ours?)?"
        r"|replacement (?:of |for )?[\w.-]{1,40}) ?(?::.*)?",
        follows="what is proposed: draw, truce until 5A, end, extension 24h, pause, resume, or replacement of ROLE",
    ),
    "vote": Word(
        Argument.FORM,
        "vote V3 yes",
        "I am for what is put to the vote as V3, or against it (`no`); where one vote runs, `vote yes` is enough",
        form=r"(?:v\d{1,4} )?(?:yes|no)",
        follows='"yes" or "no", and before it which vote, like V3, where several run',
    ),
}
"""Every command to the office.  None of them is understood by its beginning alone."""

OF_HIMSELF = frozenset({"zone", "address", "also"})
"""Those by which a player says something of himself, and of no game."""
