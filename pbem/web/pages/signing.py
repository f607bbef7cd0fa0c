"""Coming in and going out: a link and a code by mail, the page on which a link is used, and the way out."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from pbem.desk.access import sessions, sign_in
from pbem.desk.office.office import Office
from pbem.kernel.errors import PbemError
from pbem.reports.text.speech import phrase
from pbem.web.asking import Answer, Ask, Go, Page

LONGEST = 320
"""Letters of an address."""


def home(ask: Ask) -> Answer:
    """Where somebody is at home: at the desk, in his games, or before the door."""
    if ask.person.rights:
        return Go("/desk")
    return Go("/games" if ask.person.player else "/sign-in")


def ask_page(ask: Ask) -> Answer:
    """The page on which one asks to come in."""
    if ask.person.known:
        return home(ask)
    return Page("web/sign-in.html", {"state": "ask", "mails": _mails(ask.office)})


def send(ask: Ask) -> Answer:
    """Have a link sent to whoever is known by an address; the answer is the same whether anybody is.

    What there is to do is done when the answer is given: nobody learns from how long it takes either.
    """
    address = ask.form.get("address", "").strip()[:LONGEST]
    Thread(target=_asked, args=(ask.office, address, ask.browser, ask.sender), name="sign-in").start()
    return Go("/sign-in/sent")


def _asked(office: Office, address: str, browser: str, sender: str) -> None:
    with suppress(PbemError):  # whoever asked asks again; `doctor` says what is wrong with the disk
        sign_in.ask(office, address, browser=browser, sender=sender)


def sent(ask: Ask) -> Answer:
    """The page on which a code is typed."""
    return Page("web/sign-in.html", {"state": "sent", "mails": _mails(ask.office)})


def code(ask: Ask) -> Answer:
    """Sign in by the code."""
    secret, _ = sign_in.by_code(ask.office, ask.form.get("code", ""), browser=ask.browser, name=ask.agent)
    return Go("/", sign_in=secret)


def link_page(ask: Ask) -> Answer:
    """The page of a link: one button, for programs that look through mail open links."""
    return Page("web/sign-in.html", {"state": "link", "secret": ask.named["secret"], "mails": True})


def link(ask: Ask) -> Answer:
    """Sign in by a link."""
    secret, _ = sign_in.by_link(ask.office, ask.named["secret"], browser=ask.browser, name=ask.agent)
    return Go("/", sign_in=secret)


def out(ask: Ask) -> Answer:
    """Sign out."""
    if ask.visit:
        sessions.end(ask.office, ask.person, ask.visit.session.id)
    return Go("/sign-in", phrase("You are signed out."), sign_out=True)


def _mails(office: Office) -> bool:
    """Whether a letter of the office would leave."""
    return office.mails and bool(office.settings.smtp.host)
