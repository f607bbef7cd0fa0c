"""What is written of a player's own addresses when he changes them himself: to each mailbox that it concerns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.orders.prose import listed
from pbem.reports.pages.notice import Notice
from pbem.storage.aliases import Wish

ASKED = {
    "address": (
        "Nothing has changed yet.  Two codes are on their way, one to the address that you have and one to {address}: "
        "give both back, from whichever you like, and your letters go to {address}.  They are good until {until}."
    ),
    "also": (
        "Nothing has changed yet.  A code is on its way to {address}: give it back, from wherever you like, and you "
        "may write from there too.  It is good until {until}."
    ),
}
BOX: Mapping[str, str] = {"old": "the address that you have had until now", "new": "{address}"}
"""How somebody is told to which mailbox a code went."""


def to_old(address: str, code: str, until: str) -> Notice:
    """The letter with the code to the address that a player has."""
    return Notice(
        campaign="",
        subject="shall your letters go to another address?",
        heading="Shall your letters go to another address?",
        summary=f"You asked that the letters of this office go to {address} from now on, and no longer come here.",
        body=(
            "If that is your wish, answer with the line below and nothing else. Another code went to "
            f"{address}: give that back too, from whichever address you like. When both have come, it is done. They "
            f"are good until {until}, and only once.\n\n"
            "If you did not ask for it, give no code back, and nothing changes. But then somebody writes in your name: "
            "look who else reads this mailbox, and tell the umpire."
        ),
        quoted=(("Your answer", f"confirm {code}"),),
        foot="",
    )


def to_new(wish: Wish, code: str, until: str) -> Notice:
    """The letter with the code to the address that somebody asks for; it tells nothing of him, nor of any game."""
    moves = wish.what == "address"
    asked = "that its letters come here from now on" if moves else "to be known by this address too"
    other = (
        " Another code went to the address that you have had until now: give that back too, from whichever address "
        "you like. When both have come, it is done. They are"
        if moves
        else " It is"
    )
    return Notice(
        campaign="",
        subject="is this address yours?",
        heading="Is this address yours?",
        summary=f"Somebody who plays games by mail in this office has asked {asked}.",
        body=(
            f"If it was you, answer with the line below and nothing else.{other} good until {until}, and only once.\n\n"
            "If it was not you, do nothing: nothing changes, and no more of this comes here. Somebody has mistyped his "
            "own address, perhaps."
        ),
        quoted=(("Your answer", f"confirm {code}"),),
        foot="",
    )


def half(said: str) -> Notice:
    """The letter that says what a code came to that did not do it."""
    return Notice(
        campaign="",
        subject="a code has come back",
        heading="A code has come back",
        summary=said,
        body="If you asked for no other address, give no code back, and write to the umpire.",
        foot="",
    )


def gone(address: str) -> Notice:
    """The letter to an address that a player has left."""
    return Notice(
        campaign="",
        subject="your letters go to another address",
        heading="Your letters go to another address",
        summary=f"As you asked, and confirmed from both addresses, the letters of this office go to {address} now.",
        body="If that is not your wish, write to the umpire at once: he can undo it.",
        foot="",
    )


def moved(address: str, others: Sequence[str]) -> Notice:
    """The letter to the address that a player has now; *others* are those that he may write from besides."""
    besides = (
        f"You may still write from {listed(others)} too; to take one away, write `also off` and the address. "
        if others
        else ""
    )
    return Notice(
        campaign="",
        subject="your letters come here now",
        heading="Your letters come here now",
        summary=f"The letters of this office go to {address} from now on; the address before counts no more.",
        body=(
            f"{besides}Your secret addresses are new: answer this letter or one that comes after it. On the pages you "
            "are signed out everywhere, and programs that read or were told in your name do so no more: make their "
            "tokens and addresses anew."
        ),
        foot="",
    )


def also(address: str) -> Notice:
    """The letter that tells a player at his own address that he may write from another."""
    return Notice(
        campaign="",
        subject="you may write from another address too",
        heading="You may write from another address too",
        summary=f"What comes from {address} counts as yours from now on, if it is certain that it comes from there.",
        body=(
            "The letters of this office still come here and nowhere else. To take it away again, write "
            f"`also off {address}`. If you did not ask for it, do that at once, and tell the umpire."
        ),
        foot="",
    )
