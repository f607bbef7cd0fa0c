"""What is kept in a browser: who has signed in by it, what it is known by before, and what it is told once."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from starlette.requests import Request
from starlette.responses import Response

from pbem.desk.access.secrets import blurred, same
from pbem.desk.access.sessions import LASTS
from pbem.desk.office.office import SECOND, Office

A_YEAR = 365 * 24 * 3600

_PATH = re.compile(r"/(?:games|desk|letters|calendar|me)(?:/[A-Za-z0-9.-]+){0,6}")
"""A page that somebody may want to come to."""


class Cookies:
    """The cookies of one office; where it is reached by TLS alone they are bound to that, and to its host."""

    def __init__(self, office: Office, *, secure: bool) -> None:
        self._office, self._secure = office, secure
        head = "__Host-" if secure else ""
        self._session, self._browser = f"{head}pbem", f"{head}pbem-browser"
        self._said, self._wanted = f"{head}pbem-said", f"{head}pbem-wanted"

    def session(self, request: Request) -> str:
        """The secret of the session; empty, if there is none."""
        return request.cookies.get(self._session, "")[:200]

    def browser(self, request: Request) -> str:
        """What the browser is known by; empty, if it is not yet."""
        return request.cookies.get(self._browser, "")[:200]

    def said(self, request: Request) -> str:
        """What is to be told once; empty, if that is nothing, or was not written by this office."""
        seal, _, text = request.cookies.get(self._said, "").partition(".")
        try:
            words = urlsafe_b64decode(text.encode()).decode() if text else ""
        except ValueError:
            return ""
        return words if words and same(seal, blurred(self._office, "said", words)) else ""

    def wanted(self, request: Request) -> str:
        """The page that was asked for before anybody had signed in; empty: none."""
        path = request.cookies.get(self._wanted, "")
        return path if _PATH.fullmatch(path) else ""

    def want(self, response: Response, path: str) -> None:
        """Have the browser keep which page was asked for."""
        if _PATH.fullmatch(path):
            self._put(response, self._wanted, path, seconds=1800)

    def sign_in(self, response: Response, secret: str) -> None:
        """Have the browser keep the secret of a session, whatever it had before."""
        self._put(response, self._session, secret, seconds=LASTS // SECOND)
        self._put(response, self._wanted, "", seconds=0)

    def sign_out(self, response: Response) -> None:
        """Have the browser forget the session."""
        self._put(response, self._session, "", seconds=0)

    def know(self, response: Response, browser: str) -> None:
        """Give the browser what it is known by."""
        self._put(response, self._browser, browser, seconds=A_YEAR)

    def say(self, response: Response, words: str) -> None:
        """Have the next page say something."""
        if words:
            text = urlsafe_b64encode(words[:600].encode()).decode()
            self._put(response, self._said, f"{blurred(self._office, 'said', words[:600])}.{text}", seconds=60)

    def heard(self, response: Response) -> None:
        """Have what was said forgotten."""
        self._put(response, self._said, "", seconds=0)

    def _put(self, response: Response, name: str, value: str, *, seconds: int) -> None:
        response.set_cookie(name, value, max_age=seconds, path="/", secure=self._secure, httponly=True, samesite="lax")
