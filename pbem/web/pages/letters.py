"""Letters between roles and to the umpire, answers to questions, and a player's word on being away or leaving."""

from __future__ import annotations

from typing import get_args

from pbem.desk.intake import diary
from pbem.desk.intake.preferences import LEAVES
from pbem.desk.intake.press import as_text
from pbem.desk.post.wanted import SAYS
from pbem.desk.reading import letters
from pbem.kernel.errors import Refused
from pbem.kernel.office import ReportForm
from pbem.reports.text.speech import phrase, spoken
from pbem.web.asking import Answer, Ask, Go, Page
from pbem.web.handing import answered, handed
from pbem.web.pages.games import door

LARGEST = 64 * 1024


def of_role(ask: Ask) -> Answer:
    """All letters of a role, and forms to write one."""
    dossier = ask.dossier()
    return Page(
        "web/letters.html",
        {
            "door": door(dossier, ask.role),
            "tab": "letters",
            "post": letters.post(dossier, ask.role, ask.player.id),
            "once": ask.office.fresh_id(),
            "to": ask.query.get("to", ""),
        },
    )


def every(ask: Ask) -> Answer:
    """The letters of all games, the newest first."""
    games = [
        (door(dossier, role), letters.post(dossier, role, ask.player.id))
        for _, role, dossier in letters.campaigns_of(ask.office, ask.player)
    ]
    found = [(door, one) for door, post in games for one in post.letters]
    return Page(
        "web/all-letters.html",
        {"letters": sorted(found, key=lambda pair: -pair[1].at)[:60], "games": games},
    )


def write(ask: Ask) -> Answer:
    """Write to a role or to the umpire, or answer a question: as a letter of the player's says it."""
    text, to = ask.form.get("text", "").strip(), ask.form.get("to", "")
    key = ask.form.get("question", "")
    if not text:
        raise Refused(phrase("there is nothing to send: the letter is empty."))
    if key:
        words = f"answer {_word(key)}: {' '.join(text.split())}"
    else:
        also = [
            name.removeprefix("and-") for name, said in ask.form.items() if name.startswith("and-") and said == "on"
        ]
        # The umpire is who stands there if nobody was chosen.
        chosen = also if also and to in ("", "umpire") else [to or "umpire", *also]
        several = to if to == "self" else ", ".join(dict.fromkeys(chosen))
        words = in_words(several, text, unsigned=ask.form.get("unsigned") == "on")
    return _said(ask, words, "letters")


def in_words(to: str, text: str, *, unsigned: bool) -> str:
    """A letter to a role, to the umpire or to oneself, as a sheet says it."""
    if to == "self":
        return f"{diary.WORD}:\n{as_text(text)}\nend letter"
    if to in ("", "umpire"):
        return f"umpire:\n{as_text(text)}\nend letter"
    return f"letter to {_word(to)}{' unsigned' if unsigned else ''}:\n{as_text(text)}\nend letter"


def away(ask: Ask) -> Answer:
    """Say that one is away, or not after all."""
    since, until = ask.form.get("since", ""), ask.form.get("until", "")
    words = "vacation off" if ask.form.get("do") == "off" else f"vacation {_word(since)} to {_word(until)}"
    return _said(ask, words, "terms")


def leave(ask: Ask) -> Answer:
    """Give the role up, by its name typed."""
    if ask.form.get("sure", "").strip().casefold() != ask.campaign.casefold():
        raise Refused(
            phrase(
                "to give up {role} for good, type {campaign}.  Nothing was done.", role=ask.role, campaign=ask.campaign
            )
        )
    done = handed(ask, f"resign {ask.campaign}")
    return Go(
        "/games",
        phrase("{role} in {campaign}: {reason}.", role=ask.role, campaign=ask.campaign, reason=phrase(done.reason)),
    )


def shown(ask: Ask) -> Answer:
    """Say what of oneself may be shown where the game is, and in what form reports come."""
    lines = [f"publish {what} {'yes' if ask.form.get(what) == 'on' else 'no'}" for what in LEAVES]
    if (form := ask.form.get("form", "")) in get_args(ReportForm):
        lines.append(f"format {form}")
    if (language := ask.form.get("language", "")) in spoken():
        lines.append(f"language {language}")
    return _said(ask, "\n".join(lines), "terms")


def mails(ask: Ask) -> Answer:
    """Say which kinds of mails come, and whether they are gathered."""
    now = ask.dossier().campaign
    stopped, lines = now.stopped.get(ask.role, ()), []
    for sort in SAYS:
        if (wanted := ask.form.get(sort) == "on") == (sort in stopped):
            lines.append(f"stop {sort}{' off' if wanted else ''}")
    daily = ask.form.get("digest", "").strip()
    if daily != now.digests.get(ask.role, ""):
        lines.append(f"digest {_word(daily) or 'off'}")
    if not lines:
        return Go(f"/games/{ask.campaign}/{ask.role}/terms", phrase("It is so already: nothing was changed."))
    return _said(ask, "\n".join(lines), "terms")


def _said(ask: Ask, words: str, page: str) -> Answer:
    done = handed(ask, f"{words}\n", once=ask.form.get("once", ""))
    return answered(done, f"/games/{ask.campaign}/{ask.role}/{page}")


def _word(text: str) -> str:
    """A word that a form gives, in one line."""
    return " ".join(text.split())[:200]
