"""The reading room as an application: each route of the table is read, seen whether it may be opened, and answered.

Whatever is asked of the desk is done in one thread, one thing after the other, for the office is one; what takes long
is done in a process of its own (`works`).  So nobody waits behind a turn that is resolved.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send

from pbem.desk.access import secrets as seals
from pbem.desk.access import sessions
from pbem.desk.access.sessions import Visit
from pbem.desk.house.saying import Said
from pbem.desk.office.office import Office
from pbem.desk.reading import languages
from pbem.kernel.errors import PbemError, Refused, StorageError
from pbem.reports.pages.environment import environment
from pbem.reports.text.speech import ENGLISH, phrase, phrase_later, speaking
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, Data, File, Go, Later, NotThere, Page
from pbem.web.assets import Asset, Assets, assets
from pbem.web.cookies import Cookies
from pbem.web.forms import Form, form_of
from pbem.web.guard import Guard, Place, Refusal, place_of_url
from pbem.web.rights import Route, may
from pbem.web.routes import ROUTES
from pbem.web.show import Room, shown
from pbem.web.watched import Watched
from pbem.web.works import Works

Say = Callable[[str], None]
"""Hears a line for each request, and what went wrong."""

T = TypeVar("T")

ENGLISH_PATHS = ("/desk", "/api", "/public", "/scenarios")
"""What is said in English, whoever asks."""

OLD_FORM = phrase_later(
    "this form is older than your visit here, or was not made by this office.  Nothing was done.  Go back, open the "
    "page again, and send it once more."
)
"""What is said of a form that was not made for this visit."""

BEARER = {"WWW-Authenticate": 'Bearer realm="pbem"'}
"""What says that a token is wanted."""

KEPT = "public, max-age=31536000, immutable"
"""For how long a browser keeps what has the version of the assets in its name."""


class Answering:
    """What all answers are made with."""

    def __init__(self, office: Office, *, drawing: Works, deeds: Works, place: Place, say: Say) -> None:
        self.office, self.drawing, self.deeds, self.place, self.say = office, drawing, deeds, place, say
        templates = resources("templates")
        self.env = environment(templates, office.templates)
        self.assets: Assets = assets(templates, self.env)
        self.cookies = Cookies(office, secure=place.secure)
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="desk")

    async def at_the_desk(self, do: Callable[..., T], *arguments: Any) -> T:
        """Have something done by the one thread that asks the office, and said in the language that is spoken here."""
        there = partial(copy_context().run, do, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self._desk, there)

    def end(self) -> None:
        """Let go of the thread and of the process."""
        self.drawing.end()
        self.deeds.end()
        self._desk.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------------ a request

    async def answer(self, route: Route, request: Request) -> Response:
        """Answer a request for a route."""
        start = time.perf_counter()
        wants_data = _wants_data(request)
        ask = Ask(office=self.office, method=request.method, path=request.url.path, wants_data=wants_data)
        try:
            form = await form_of(request, route.largest) if request.method == "POST" else Form()
            response = await self._answered(route, request, form, wants_data=wants_data)
        except Refusal as refusal:
            with speaking(_of_browser(request)):
                response = self.refused(ask, refusal)
        except (PbemError, NotThere) as error:
            response = self._in_words(ask, error)
        except Exception:
            response = self._broken(ask)
        line = f"{request.method} {masked(request.url.path)} {response.status_code} {_milliseconds(start)}"
        self.say(
            Said(line, campaign=str(request.path_params.get("campaign", "")) if response.status_code < 400 else "")
        )
        return response

    async def _answered(self, route: Route, request: Request, form: Form, *, wants_data: bool) -> Response:
        secret = _bearer(request) if "program" in route.by else self.cookies.session(request)
        visit: Visit | None = await self.at_the_desk(sessions.find, self.office, secret, *route.by) if secret else None
        with speaking(await self.at_the_desk(self._language, visit, request)):
            return await self._of_visit(route, request, form, visit, wants_data=wants_data)

    async def _of_visit(
        self, route: Route, request: Request, form: Form, visit: Visit | None, *, wants_data: bool
    ) -> Response:
        known = self.cookies.browser(request)
        browser = known or seals.fresh(self.office)
        named = {name: str(value) for name, value in request.path_params.items()}
        ask = Ask(
            office=self.office.as_gm(visit.person.name) if visit else self.office,
            method=request.method,
            path=request.url.path,
            named=named,
            query=dict(request.query_params),
            form=form.fields,
            files=form.files,
            body=form.body,
            browser=browser,
            agent=request.headers.get("user-agent", "")[:300],
            sender=request.client.host if request.client else "",
            visit=visit,
            now=self.office.now(),
            wants_data=wants_data,
            assets=f"/static/{self.assets.version}",
            place=self.place.url,
        )
        room = Room(
            assets=f"/static/{self.assets.version}",
            seal=seal_of(self.office, visit, browser),
            says=self.cookies.said(request),
            place=self.place.url,
        )
        try:
            answer = await self.at_the_desk(self._opened, route, ask, room)
            while isinstance(answer, Later):
                works = self.deeds if answer.slow else self.drawing
                try:
                    done = await works.do(answer.job, *answer.arguments)
                except BaseException:
                    answer.lost()
                    raise
                answer = await self.at_the_desk(answer.then, done)
        except NotThere:
            if visit is None and "program" in route.by:
                raise Refusal(401, "There is no token, or it opens nothing any more.", BEARER) from None
            if visit is None and route.who != "anybody" and request.method == "GET" and not wants_data:
                gate = RedirectResponse("/sign-in", 303)
                self.cookies.want(gate, request.url.path)
                return gate
            return self._in_words(ask, NotThere(), room)
        except Refusal:
            raise
        except PbemError as error:
            return self._in_words(ask, error, room)
        except Exception:
            return self._broken(ask, room)
        if isinstance(answer, Go) and answer.sign_in:
            answer = replace(answer, to=self.cookies.wanted(request) or answer.to)
        response = await self.at_the_desk(self._response, ask, answer, room)
        if not known and not wants_data:
            self.cookies.know(response, browser)
        return response

    def _language(self, visit: Visit | None, request: Request) -> str:
        """In which language a page is said to who asks for it; programs and the desk are told in English."""
        if request.url.path.startswith(ENGLISH_PATHS) or (visit and visit.session.kind != "browser"):
            return ENGLISH
        player, campaign = visit.person.player if visit else None, str(request.path_params.get("campaign", ""))
        accepts = request.headers.get("accept-language", "")
        return languages.of_page(self.office, player.id if player else None, campaign, accepts)

    def _opened(self, route: Route, ask: Ask, room: Room) -> Answer:
        """What a route answers, if it may be opened."""
        if not may(self.office, route, ask.visit, dict(ask.named)):
            raise NotThere
        by_form = ask.visit is None or ask.visit.session.kind == "browser"
        if route.method == "POST" and route.safe and by_form and not seals.same(ask.form.get("seal", ""), room.seal):
            raise Refused(phrase(OLD_FORM))
        return route.does(ask)

    # ------------------------------------------------------------------ what is answered

    def _response(self, ask: Ask, answer: Answer, room: Room) -> Response:
        match answer:
            case Page(template, values, status, media):
                html = shown(self.env, ask, room, template, values)
                response = Response(html, status, media_type=media)
            case Data(data, status):
                response = Response(msgspec.json.encode(data), status, media_type="application/json")
            case File():
                response = _file(answer)
            case Go(to, says, sign_in, sign_out):
                response = RedirectResponse(to, 303)
                self.cookies.say(response, says)
                if sign_in:
                    self.cookies.sign_in(response, sign_in)
                if sign_out:
                    self.cookies.sign_out(response)
            case _:  # a Later, which is no answer yet
                raise AssertionError("what takes long was done before")
        if room.says:
            self.cookies.heard(response)
        return response

    def refused(self, ask: Ask, refusal: Refusal) -> Response:
        """What is answered to what was turned away."""
        return self._words(
            ask, refusal.status, phrase_later("That was turned away"), refusal.why, headers=refusal.headers
        )

    def _in_words(self, ask: Ask, error: Exception, room: Room | None = None) -> Response:
        """What was refused, in words."""
        if isinstance(error, NotThere):
            why = phrase_later("There is no such page, or it is not yours to read.")
            return self._words(ask, 404, phrase_later("There is no such page"), why, room=room)
        if isinstance(error, StorageError):
            return self._words(ask, 503, phrase_later("The office cannot do that just now"), str(error), room=room)
        return self._words(ask, 409, phrase_later("That was not done"), str(error), room=room)

    def _broken(self, ask: Ask, room: Room | None = None) -> Response:
        """What is said of a fault of ours: a number, under which the log has it."""
        number = self.office.fresh_id()[:8]
        fault = f"fault {number}: {ask.method} {masked(ask.path)}: {traceback.format_exc(limit=-12)}"
        self.say(Said(fault, level="error"))
        why = phrase(
            "It is not your fault.  Nothing was done.  The umpire finds it in his log as {number}.", number=number
        )
        return self._words(ask, 500, phrase_later("Something went wrong here"), why, room=room)

    def _words(
        self,
        ask: Ask,
        status: int,
        title: str,
        why: str,
        *,
        room: Room | None = None,
        headers: dict[str, str] | None = None,
    ) -> Response:
        said = f"{why[:1].upper()}{why[1:]}"
        if ask.wants_data:
            return Response(msgspec.json.encode({"error": said}), status, headers, media_type="application/json")
        frame = room or Room(assets=f"/static/{self.assets.version}", seal="", says="", place=self.place.url)
        html = shown(self.env, ask, frame, "web/words.html", {"title": title, "why": said, "status": status})
        return Response(html, status, headers, media_type="text/html")


def _file(file: File) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"'} if file.name else {}
    if file.public:
        headers["Cache-Control"] = "public, max-age=300"
    if file.policy:
        headers["Content-Security-Policy"] = file.policy
    return Response(file.data, 200, headers, media_type=file.media)


def seal_of(office: Office, visit: Visit | None, browser: str) -> str:
    """What a form bears that is made for this visit: nobody else can make it."""
    return seals.blurred(office, "form", visit.session.id if visit else browser)


def _bearer(request: Request) -> str:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def masked(path: str) -> str:
    """A path as it may stand in a log: without what opens a door.

    >>> masked("/sign-in/link/abc"), masked("/calendar/abc.ics"), masked("/games")
    ('/sign-in/link/…', '/calendar/…', '/games')
    """
    for head in ("/sign-in/link/", "/calendar/", "/feed/"):
        if path.startswith(head):
            return f"{head}…"
    return "".join(sign if sign.isprintable() else "?" for sign in path[:200])


def _milliseconds(start: float) -> str:
    return f"{(time.perf_counter() - start) * 1000:.0f} ms"


# ------------------------------------------------------------------ the application


def application(office: Office, *, behind: int = 0, say: Say = lambda line: None) -> FastAPI:
    """The reading room of an office that is open; *behind*: by how many microseconds its clock is."""
    settings = office.settings.web
    place = place_of_url(settings.url, settings.bind)
    drawing, deeds = (Works(office, behind=behind) for _ in range(2))
    answering = Answering(office, drawing=drawing, deeds=deeds, place=place, say=say)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        answering.end()

    app = FastAPI(
        title="pbem", version="1", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan,
        redirect_slashes=False,
    )  # fmt: skip
    for route in ROUTES:
        app.add_route(route.path, _endpoint(answering, route), [route.method], include_in_schema=False)
    app.add_route("/static/{version}/{name}", _static(answering), ["GET"], include_in_schema=False)

    async def lost(request: Request, error: Exception) -> Response:
        ask, refusal = _bare(answering, request), Refusal(404, "There is no such page, or it is not yours to read.")
        if isinstance(error, HTTPException) and error.status_code == 405:
            allowed = sorted({way for one in ROUTES if _leads_to(one, request.url.path) for way in _methods(one)})
            refusal = Refusal(405, phrase_later("That is not done there."), {"Allow": ", ".join(allowed)})
        with speaking(_of_browser(request)):
            return answering.refused(ask, refusal)

    app.add_exception_handler(404, lost)
    app.add_exception_handler(405, lost)
    app.add_exception_handler(HTTPException, lost)

    async def turned_away(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        with speaking(_of_browser(request)):
            response = answering.refused(_bare(answering, request), scope["refusal"])
        answering.say(f"{scope['method']} {masked(request.url.path)} {response.status_code}")
        await response(scope, receive, send)

    app.add_middleware(Guard, place=place, refused=turned_away)
    app.add_middleware(Watched, office=office, place=place)
    return app


def _of_browser(request: Request) -> str:
    """The language that a browser asks for, of a page before which nobody is known."""
    if request.url.path.startswith(ENGLISH_PATHS):
        return ENGLISH
    return languages.asked_for(request.headers.get("accept-language", ""))


def _bare(answering: Answering, request: Request) -> Ask:
    return Ask(office=answering.office, method=request.method, path=request.url.path, wants_data=_wants_data(request))


def _methods(route: Route) -> tuple[str, ...]:
    return ("GET", "HEAD") if route.method == "GET" else (route.method,)


def _leads_to(route: Route, path: str) -> bool:
    return compile_path(route.path)[0].match(path) is not None


def _wants_data(request: Request) -> bool:
    """Whether a script or a program asks, to which a fault is told as data."""
    return "application/json" in request.headers.get("accept", "") or request.url.path.startswith("/api/v1/")


def _endpoint(answering: Answering, route: Route) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        return await answering.answer(route, request)

    answer.__name__ = f"{route.method.lower()} {route.path}"
    return answer


def _static(answering: Answering) -> Callable[[Request], Any]:
    async def asset(request: Request) -> Response:
        found: Asset | None = answering.assets.files.get(request.path_params["name"])
        if found is None or request.path_params["version"] != answering.assets.version:
            return answering.refused(_bare(answering, request), Refusal(404, "There is no such file."))
        return Response(found.data, 200, {"Cache-Control": KEPT}, media_type=found.media)

    return asset
