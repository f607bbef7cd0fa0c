"""What is put to the vote: for a player, who proposes and votes; for the GM, who sees what all may know."""

from __future__ import annotations

from pbem.desk.turns import votes
from pbem.desk.turns.votes import AGREE
from pbem.kernel.ballot import KINDS
from pbem.kernel.errors import Refused
from pbem.reports.text.speech import phrase, phrase_later
from pbem.web.asking import Answer, Ask, Page
from pbem.web.handing import answered, handed
from pbem.web.pages.desk import in_game
from pbem.web.pages.games import door

LARGEST = 16 * 1024

_NAMED = {
    "draw": phrase_later("a draw"),
    "truce": phrase_later("a truce until a turn"),
    "end": phrase_later("the end of the game"),
    "extension": phrase_later("more time"),
    "pause": phrase_later("a pause"),
    "resume": phrase_later("that the game goes on"),
    "replacement": phrase_later("another player for a role"),
}


def of_role(ask: Ask) -> Answer:
    """All that was put to the vote, as a role may know it, and forms to propose and to vote.

    Who stands in for a player has no vote, and does not see his.
    """
    dossier = ask.dossier()
    terms, own = dossier.campaign.terms, dossier.campaign.players.get(ask.role) == ask.player.id
    found = votes.seen(dossier, ask.role if own else None)
    return Page(
        "web/votes.html",
        {
            "door": door(dossier, ask.role),
            "tab": "votes",
            "running": [one for one in found if not one.how],
            "over": [one for one in found if one.how],
            "kinds": [(kind, _NAMED[kind]) for kind in KINDS if terms.ballot(kind).allowed],
            "agree": AGREE,
            "others": [role for role in dossier.roles if role in dossier.campaign.players and role != ask.role],
            "proposes": own and bool(dossier.campaign.started),
            "moment": dossier.campaign.now,
            "once": ask.office.fresh_id(),
        },
    )


def say(ask: Ask) -> Answer:
    """Propose, vote, or take back what was proposed: as a letter of the player's says it."""
    form = {name: " ".join(value.split())[:400] for name, value in ask.form.items()}
    key, reason = form.get("key", ""), form.get("reason", "")
    if form.get("do") == "propose":
        what = form.get("what", "")
        if what not in _NAMED:
            raise Refused(phrase("that is nothing that can be put to the vote.  Nothing was done."))
        more = {"truce": f" until {form.get('turn', '')}", "extension": f" {form.get('hours', '')}h"}
        more["replacement"] = f" of {form.get('who', '')}"
        words = f"propose {what}{more.get(what, '')}{f': {reason}' if reason else ''}"
    else:
        words = f"withdraw {key}" if form.get("do") == "withdraw" else f"vote {key} {form.get('do', '')}"
    done = handed(ask, f"{words}\n", once=form.get("once", ""), turn=form.get("moment", ""))
    return answered(done, f"/games/{ask.campaign}/{ask.role}/votes")


def of_game(ask: Ask) -> Answer:
    """All that was put to the vote in a game, as its GM may know it."""
    found = votes.seen(ask.dossier(), None)
    running, over = [one for one in found if not one.how], [one for one in found if one.how]
    return in_game(ask, "web/game-votes.html", "votes", running=running, over=over, agree=AGREE)
