"""How a game has ended is said in one way, whatever the rules give."""

from __future__ import annotations

import pytest

from pbem.desk.books.ended import ending
from pbem.rules.contract import Verdict

ENDINGS = {
    "whose victory it is": (
        Verdict("german", "victory, 22 to 0 points"),
        "the German side has won: victory, 22 to 0 points",
    ),
    "one full stop, that of whoever says it": (
        Verdict("french", "The last turn was played.  French 9, Prussians 4."),
        "the French side has won: The last turn was played.  French 9, Prussians 4",
    ),
    "what the rules say already is not said twice": (Verdict("guard", "the guard has won"), "the guard has won"),
    "nobody has won": (Verdict(None, "a draw, 4 to 4 points"), "a draw, 4 to 4 points"),
}


@pytest.mark.parametrize(("over", "said"), ENDINGS.values(), ids=ENDINGS)
def test_an_ending(over: Verdict, said: str) -> None:
    assert ending(over) == said
