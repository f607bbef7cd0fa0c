"""A player's own: his hours as a calendar, what came as a feed, and what the office knows of him."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from pbem.desk.access import people, sessions
from pbem.desk.access.sessions import Kind, Visit
from pbem.desk.books.standing import in_words, standing_of
from pbem.desk.office.office import Office
from pbem.desk.players import own_addresses
from pbem.desk.players.own_addresses import What
from pbem.desk.post import hooks
from pbem.desk.reading import games, letters
from pbem.kernel.names import PlayerId
from pbem.reports.text.speech import phrase
from pbem.reports.text.times import stamp
from pbem.web.asking import Answer, Ask, File, Go, Later, NotThere, Page
from pbem.web.pages.games import door
from pbem.web.pages.signing import LONGEST

ADDRESSES: dict[str, tuple[Kind, str, str]] = {
    "calendar": ("calendar", "/calendar/", ".ics"),
    "feed": ("feed", "/feed/", ".xml"),
}
"""The private addresses: what door each opens, and how it is written."""


def calendar(ask: Ask, made: str = "") -> Answer:
    """What is due in all games, and the address from which a calendar fetches it."""
    return Page("web/calendar.html", {"due": letters.deadlines(ask.office, ask.player), "made": made, **_kinds(ask)})


def _kinds(ask: Ask) -> dict[str, object]:
    with ask.office.read() as connection:
        found = sessions.listing(connection, ask.person)
    return {"there": {one.kind for one in found}}


def new_address(ask: Ask) -> Answer:
    """Make a private address, which is shown this once; the one before is void."""
    what = ask.form.get("what", "")
    if what not in ADDRESSES:
        raise NotThere
    kind, head, end = ADDRESSES[what]
    secret = sessions.make(ask.office, ask.player, kind)
    return calendar(ask, made=f"{ask.place}{head}{secret}{end}")


def calendar_file(ask: Ask) -> Answer:
    """The calendar, for the program that has its address."""
    visit = _by_address(ask, "calendar", ".ics")
    assert visit.person.player is not None, "its address is a player's"
    return File(letters.calendar_file(ask.office, visit.person.player), "text/calendar; charset=utf-8")


def feed(ask: Ask) -> Answer:
    """What came of late, for the program that has its address."""
    visit = _by_address(ask, "feed", ".xml")
    assert visit.person.player is not None, "its address is a player's"
    found = games.news(ask.office, visit.person.player, most=30)
    return Page(
        "web/feed.xml",
        {
            "news": found,
            "stamp": stamp,
            "place": ask.place,
            "id": f"urn:sha256:{visit.session.id}",
            "updated": stamp(max((one.at for one in found), default=visit.session.made_at)),
        },
        media="application/atom+xml",
    )


def _by_address(ask: Ask, kind: Kind, end: str) -> Visit:
    name = ask.named["name"]
    visit = sessions.find(ask.office, name.removesuffix(end), kind) if name.endswith(end) else None
    if visit is None or visit.person.player is None:
        raise NotThere
    return visit


def me(ask: Ask, made: str = "", hooked: tuple[str, str] = ("", "")) -> Answer:
    """What the office knows of a player, and what stands open for him."""
    with ask.office.read() as connection:
        open_ = sessions.listing(connection, ask.person)
        own = standing_of(ask.office, connection, ask.player)
        wishes = own_addresses.waiting(ask.office, connection, ask.player.id)
    return Page(
        "web/me.html",
        {
            "player": ask.player,
            "standing": in_words(own) if own else "",
            "others": people.other_addresses(ask.office, ask.player),
            "wishes": wishes,
            "browsers": [one for one in open_ if one.kind == "browser"],
            "programs": [one for one in open_ if one.kind == "program"],
            "private": [one for one in open_ if one.kind in ("calendar", "feed")],
            "here": ask.visit.session.id if ask.visit else "",
            "made": made,
            "told": hooks.standing(ask.office, ask.player.id),
            "hooked": hooked,
            "games": [
                (door(dossier, role), dossier.campaign.stopped.get(role, ()), dossier.campaign.digests.get(role, ""))
                for _, role, dossier in letters.campaigns_of(ask.office, ask.player)
                if not dossier.campaign.ended
            ],
        },
    )


def _told(office: Office, player: str, address: str, what: tuple[str, ...]) -> tuple[str, str]:
    hook, secret = hooks.make(office, PlayerId(player), address, what)
    return hook.address, secret


def hook(ask: Ask) -> Answer:
    """Have a program told what comes; what its messages are signed with is shown this once."""
    what = tuple(one for one in hooks.WHATS if ask.form.get(one) == "on")
    address = ask.form.get("address", "").strip()
    # A host is looked up, which can take a while.
    return Later(_told, (ask.player.id, address, what), lambda done: me(ask, hooked=done))


def end_hook(ask: Ask) -> Answer:
    """Tell a program no more."""
    hooks.end(ask.office, ask.player.id, ask.form.get("id", ""))
    return Go("/me", phrase("That program is told no more."))


def zone(ask: Ask) -> Answer:
    """Set the clock by which hours are told."""
    wanted = ask.form.get("zone", "").strip()
    named = people.set_zone(ask.office, ask.player, wanted)
    return Go("/me", phrase("Your hours are told by the clock of {zone} from now on.", zone=named))


def addresses(ask: Ask) -> Answer:
    """Ask for another address, or for one to write from; give back a code for it; or take one away."""
    does = OF_ADDRESSES.get(ask.form.get("do", ""))
    if does is None:
        raise NotThere
    return does(ask, ask.form.get("address", "").strip()[:LONGEST])


def _asked(ask: Ask, address: str, what: What) -> Answer:
    return Go("/me", own_addresses.ask_for(ask.office, ask.player, address, what))


def _code(ask: Ask, address: str) -> Answer:
    come = own_addresses.give(ask.office, ask.player, ask.form.get("code", ""))
    # With another address all that was open for him is closed.
    if not come.moved:
        return Go("/me", come.says)
    again = phrase("Come in by it again.")
    return Go("/sign-in", f"{come.says} {again}", sign_out=True)


def _take_away(ask: Ask, address: str) -> Answer:
    own_addresses.take_away(ask.office, ask.player, address)
    return Go("/me", phrase("What comes from {address} no longer counts as yours.", address=address))


def _stay(ask: Ask, address: str) -> Answer:
    own_addresses.stay(ask.office, ask.player)
    return Go("/me", phrase("Your address stays as it is."))


OF_ADDRESSES: Mapping[str, Callable[[Ask, str], Answer]] = {
    "move": partial(_asked, what="address"),
    "also": partial(_asked, what="also"),
    "code": _code,
    "off": _take_away,
    "stay": _stay,
}
"""What the forms about addresses do, by their buttons."""


def end(ask: Ask) -> Answer:
    """Sign a browser out, end a program or a private address, or all other browsers."""
    if ask.form.get("do") == "others":
        assert ask.visit is not None, "he is signed in"
        sessions.end_others(ask.office, ask.visit.session)
        return Go("/me", phrase("All other browsers are signed out."))
    sessions.end(ask.office, ask.person, ask.form.get("id", ""))
    return Go("/me", phrase("That is not open any more."))


def program(ask: Ask) -> Answer:
    """Let a program in; its token is shown this once."""
    secret = sessions.make(
        ask.office, ask.player, "program", name=ask.form.get("name", ""), scope=ask.form.get("scope", "")
    )
    return me(ask, made=secret)
