"""What is written of a player's own addresses when he changes them himself: to each mailbox that it concerns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import Row, phrase, phrase_later
from pbem.storage.aliases import Wish

ASKED = {
    "address": phrase_later(
        "Nothing has changed yet.  Two codes are on their way, one to the address that you have and one to {address}: "
        "give both back, from whichever you like, and your letters go to {address}.  They are good until {until}."
    ),
    "also": phrase_later(
        "Nothing has changed yet.  A code is on its way to {address}: give it back, from wherever you like, and you "
        "may write from there too.  It is good until {until}."
    ),
}
NOT_HIS = phrase_later("{address} cannot be entered for you.  If it is yours, write to the umpire.")
"""What is said of an address that is somebody's already."""
BOX: Mapping[str, str] = {"old": phrase_later("the address that you have had until now"), "new": "{address}"}
"""How somebody is told, later, to which mailbox a code went."""


def to_old(address: str, code: str, until: str) -> Notice:
    """The letter with the code to the address that a player has."""
    return Notice(
        campaign="",
        subject=phrase("shall your letters go to another address?"),
        heading=cap(phrase("shall your letters go to another address?")),
        summary=phrase(
            "You asked that the letters of this office go to {address} from now on, and no longer come here.",
            address=address,
        ),
        body=phrase(
            "If that is your wish, answer with the line below and nothing else. Another code went to {address}: give "
            "that back too, from whichever address you like. When both have come, it is done. They are good until "
            "{until}, and only once.\n\n"
            "If you did not ask for it, give no code back, and nothing changes. But then somebody writes in your name: "
            "look who else reads this mailbox, and tell the umpire.",
            address=address,
            until=until,
        ),
        quoted=((phrase("Your answer"), f"confirm {code}"),),
        foot="",
    )


def to_new(wish: Wish, code: str, until: str) -> Notice:
    """The letter with the code to the address that somebody asks for; it tells nothing of him, nor of any game."""
    moves = wish.what == "address"
    return Notice(
        campaign="",
        subject=phrase("is this address yours?"),
        heading=cap(phrase("is this address yours?")),
        summary=phrase(_NEW_ASKED["address" if moves else "also"]),
        body=phrase(_NEW_TO_DO["address" if moves else "also"], until=until) + "\n\n" + phrase(_NOT_YOU),
        quoted=((phrase("Your answer"), f"confirm {code}"),),
        foot="",
    )


_NEW_ASKED = {
    "address": phrase_later(
        "Somebody who plays games by mail in this office has asked that its letters come here from now on."
    ),
    "also": phrase_later("Somebody who plays games by mail in this office has asked to be known by this address too."),
}
_NEW_TO_DO = {
    "address": phrase_later(
        "If it was you, answer with the line below and nothing else. Another code went to the address that you have "
        "had until now: give that back too, from whichever address you like. When both have come, it is done. They "
        "are good until {until}, and only once."
    ),
    "also": phrase_later(
        "If it was you, answer with the line below and nothing else. It is good until {until}, and only once."
    ),
}
_NOT_YOU = phrase_later(
    "If it was not you, do nothing: nothing changes, and no more of this comes here. Somebody has mistyped his own "
    "address, perhaps."
)


def half(said: str) -> Notice:
    """The letter that says what a code came to that did not do it."""
    return Notice(
        campaign="",
        subject=phrase("a code has come back"),
        heading=cap(phrase("a code has come back")),
        summary=said,
        body=phrase("If you asked for no other address, give no code back, and write to the umpire."),
        foot="",
    )


def gone(address: str) -> Notice:
    """The letter to an address that a player has left."""
    return Notice(
        campaign="",
        subject=phrase("your letters go to another address"),
        heading=cap(phrase("your letters go to another address")),
        summary=phrase(
            "As you asked, and confirmed from both addresses, the letters of this office go to {address} now.",
            address=address,
        ),
        body=phrase("If that is not your wish, write to the umpire at once: he can undo it."),
        foot="",
    )


def moved(address: str, others: Sequence[str]) -> Notice:
    """The letter to the address that a player has now; *others* are those that he may write from besides."""
    new = phrase(
        "Your secret addresses are new: answer this letter or one that comes after it. On the pages you are signed out "
        "everywhere, and programs that read or were told in your name do so no more: make their tokens and addresses "
        "anew."
    )
    besides = phrase(
        "You may still write from {others} too; to take one away, write `also off` and the address.", others=Row(others)
    )
    return Notice(
        campaign="",
        subject=phrase("your letters come here now"),
        heading=cap(phrase("your letters come here now")),
        summary=phrase(
            "The letters of this office go to {address} from now on; the address before counts no more.",
            address=address,
        ),
        body=f"{besides} {new}" if others else new,
        foot="",
    )


def also(address: str) -> Notice:
    """The letter that tells a player at his own address that he may write from another."""
    return Notice(
        campaign="",
        subject=phrase("you may write from another address too"),
        heading=cap(phrase("you may write from another address too")),
        summary=phrase(
            "What comes from {address} counts as yours from now on, if it is certain that it comes from there.",
            address=address,
        ),
        body=phrase(
            "The letters of this office still come here and nowhere else. To take it away again, write `also off "
            "{address}`. If you did not ask for it, do that at once, and tell the umpire.",
            address=address,
        ),
        foot="",
    )
