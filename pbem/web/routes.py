"""The table of all routes, and of whom each is for."""

from __future__ import annotations

from pbem.web.api.document import document
from pbem.web.api.endpoints import BASE, ENDPOINTS, described
from pbem.web.pages import (
    desk,
    games,
    guides,
    letters,
    observed,
    orders,
    person,
    post,
    proof,
    public,
    ruling,
    sign_up,
    signing,
    turns,
    votes,
)
from pbem.web.pages.deeds import OF_CAMPAIGN, OF_OFFICE, done_by
from pbem.web.rights import Route

ROLE = "/games/{campaign}/{role}"

SIGNING = (
    Route("GET", "/", "anybody", signing.home),
    Route("GET", "/sign-in", "anybody", signing.ask_page),
    Route("POST", "/sign-in", "anybody", signing.send, largest=4096),
    Route("GET", "/sign-in/sent", "anybody", signing.sent),
    Route("POST", "/sign-in/code", "anybody", signing.code, largest=4096),
    Route("GET", "/sign-in/link/{secret}", "anybody", signing.link_page),
    Route("POST", "/sign-in/link/{secret}", "anybody", signing.link, largest=4096),
    Route("POST", "/sign-out", "somebody", signing.out, largest=4096),
)

PLAYING = (
    Route("GET", "/games", "a player", games.mine),
    Route("GET", ROLE, "the role", turns.newest),
    Route("GET", ROLE + "/turns/{moment}", "the role", turns.turn),
    Route("GET", ROLE + "/reel", "the role", turns.reel),
    Route("GET", ROLE + "/orders", "the role", orders.write),
    Route("POST", ROLE + "/orders", "the role", orders.send, largest=orders.LARGEST),
    Route("POST", ROLE + "/read", "the role", orders.read, largest=orders.LARGEST),
    Route("GET", ROLE + "/receipts/{number}", "the role", orders.receipt),
    Route("GET", ROLE + "/terms", "the role", games.terms),
    Route("GET", ROLE + "/rules", "the role", games.rulebook),
    Route("GET", ROLE + "/letters", "the role", letters.of_role),
    Route("POST", ROLE + "/letters", "the role", letters.write, largest=letters.LARGEST),
    Route("POST", ROLE + "/away", "the role", letters.away),
    Route("POST", ROLE + "/shown", "the role", letters.shown),
    Route("POST", ROLE + "/mails", "the role", letters.mails),
    Route("POST", ROLE + "/leave", "the role", letters.leave),
    Route("GET", ROLE + "/votes", "the role", votes.of_role),
    Route("POST", ROLE + "/votes", "the role", votes.say, largest=votes.LARGEST),
    Route("GET", "/letters", "a player", letters.every),
    Route("GET", "/calendar", "a player", person.calendar),
    Route("POST", "/calendar", "a player", person.new_address),
    Route("GET", "/calendar/{name}", "anybody", person.calendar_file),
    Route("GET", "/feed/{name}", "anybody", person.feed),
    Route("GET", "/me", "a player", person.me),
    Route("POST", "/me/zone", "a player", person.zone),
    Route("POST", "/me/addresses", "a player", person.addresses, largest=4096),
    Route("POST", "/me/end", "somebody", person.end),
    Route("POST", "/me/programs", "a player", person.program),
    Route("POST", "/me/hooks", "a player", person.hook),
    Route("POST", "/me/hooks/end", "a player", person.end_hook),
)

OBSERVED = "/observed/{campaign}"

OBSERVING = (
    Route("GET", OBSERVED, "who looks on", observed.newest),
    Route("GET", OBSERVED + "/turns/{moment}", "who looks on", observed.turn),
    Route("GET", OBSERVED + "/reel", "who looks on", observed.reel),
    Route("POST", OBSERVED + "/leave", "who looks on", observed.leave, largest=4096),
)

GAME = "/desk/games/{campaign}"

DESK = (
    Route("GET", "/desk", "a gm", desk.first),
    Route("GET", "/desk/campaigns", "a gm", desk.campaigns),
    Route("GET", "/desk/people", "gm", post.people, right="people"),
    Route("GET", "/desk/post", "gm", post.post, right="post"),
    Route("GET", "/desk/post/letters/{number}", "gm", post.letter, right="post"),
    Route("GET", "/desk/post/mails/{id}", "gm", post.mail, right="post"),
    Route("GET", "/desk/proof", "gm", proof.of_office, right="post"),
    Route("POST", "/desk/proof", "gm", proof.of_office, right="post"),
    Route("GET", GAME, "gm", desk.now),
    Route("POST", f"{GAME}/dry", "gm", desk.try_it, right="run"),
    Route("GET", f"{GAME}/players", "gm", desk.players),
    Route("GET", f"{GAME}/truth", "gm", desk.truth),
    Route("GET", f"{GAME}/reports/{{role}}", "gm", desk.report),
    Route("GET", f"{GAME}/reel", "gm", desk.reel),
    Route("GET", f"{GAME}/log", "gm", desk.log),
    Route("GET", f"{GAME}/votes", "gm", votes.of_game),
    Route("GET", f"{GAME}/rule", "gm", ruling.page, right="rule"),
    Route("POST", f"{GAME}/rule", "gm", ruling.rule, right="rule"),
    Route("GET", f"{GAME}/proof", "gm", proof.of_campaign),
    Route("POST", f"{GAME}/proof", "gm", proof.of_campaign),
    *(Route("POST", f"{GAME}/do/{name}", "gm", done_by(deed), deed.right) for name, deed in OF_CAMPAIGN.items()),
    *(Route("POST", f"/desk/do/{name}", "gm", done_by(deed), deed.right) for name, deed in OF_OFFICE.items()),
)

SIGN_UP = "/sign-up/{campaign}"

PUBLIC = (
    Route("GET", "/guide", "anybody", guides.listing),
    Route("GET", "/guide/{guide}", "anybody", guides.guide),
    Route("GET", "/sign-up", "anybody", sign_up.listing),
    Route("GET", SIGN_UP, "anybody", sign_up.page),
    Route("POST", SIGN_UP, "anybody", sign_up.send, largest=sign_up.LARGEST),
    Route("GET", f"{SIGN_UP}/code", "anybody", sign_up.code_page),
    Route("POST", f"{SIGN_UP}/code", "anybody", sign_up.code, largest=sign_up.LARGEST),
    Route("GET", "/scenarios", "the public", public.scenarios),
    Route("GET", "/scenarios/{system}/{name}", "the public", public.scenario),
    Route("GET", "/scenarios/{system}/{name}/rules", "the public", public.rules),
    Route("GET", "/public/", "anybody", public.index),
    Route("GET", "/public/{name}", "anybody", public.at_top),
    Route("GET", "/public/{campaign}/{name}", "anybody", public.of_game),
)

API = (
    Route("GET", BASE, "anybody", described),
    Route("GET", f"{BASE}/openapi.json", "anybody", document),
    *(one.route() for one in ENDPOINTS),
)

ROUTES: tuple[Route, ...] = (*SIGNING, *PLAYING, *OBSERVING, *DESK, *PUBLIC, *API)
"""Every route of the reading room."""
