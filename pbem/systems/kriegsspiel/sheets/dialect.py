"""How a staff writes its orders in haste, besides the form of the language."""

from __future__ import annotations

from pbem.orders.kindness import Dialect

_NAME, _ID, _AND = r"[^\s:,]+", r"[^\s:,]*[\d/_][^\s:,]*", r"\s*(?:,|&|and\b)\s*"
"""A name, one that is plainly that of a unit, and what stands between two."""

DIALECT = Dialect(
    lengths=("paces", "pace", "p"),
    words={
        "till": "until", "tell": "say", "slowly": "slow", "quickly": "fast", "firing": "fire",
        "closest": "nearest", "proceed": "march", "move": "march",
    },
    joined=", ",
    prefix=r"\s*(?:to|voice)\s+[^:]+:",
    forms={
        r"^(?:please\s+)?orders?\s+(?:to|for)\s+(?=[^:]*:)": "to ",
        r"^(?:please\s+)?(?:orders?|tell|instruct|have|let)\s+(?:(?:to|for)\s+)?([^:]+?)\s+to\s+(?=[a-z])": r"to \1: ",
        rf"^(?!to\b|voice\b|at\b)({_NAME}(?:{_AND}{_NAME})*)\s*:\s*": r"to \1: ",
        rf"^(?!to\b|voice\b|at\b)({_ID}(?:{_AND}{_ID})*)\s+(?=[a-z])": r"to \1: ",
        rf"^to\s+({_NAME}(?:{_AND}{_NAME})*)\s*,?\s+(?!by\b|copies\b|urgent\b)(?=[a-z][^:]*$)": r"to \1: ",
        r"^(?:all|everybody|everyone)(?:\s+(?:my|of|the|others?|units))*\s*:?\s+(?=[a-z])": "to all: ",
        r"^(hold|halt)[\s.]*$": r"to all: \1",
        r"^(at\s+\d{1,2}[:.]\d\d),?\s+(to\s+[^:]+:)\s*": r"\2 \1: ",
        r"\b(at|until|till|by)\s+(\d{1,2})[.h](\d\d)\b": r"\1 \2:\3",
        r"(:\s*at\s+\d{1,2}:\d\d),?\s+(?=[a-z])": r"\1: ",
        r"(:\s*at\s+\d{1,2})[.h](\d\d),?\s+(?=[a-z])": r"\1:\2: ",
        r"(:\s*(?:if|when)\s+[^:,]+),\s*(?=[a-z])": r"\1: ",
        r"(:\s*)(?:stop|wait)\b": r"\1halt",
        r"(:\s*)stay\b": r"\1hold",
        r"\s+where\s+(?:you|they|it)\s+(?:are|is)\b": "",
        r"^(?:shout|call)\s+(?:out\s+)?(?:to\s+)?": "voice ",
        r"^voice\s+to\s+": "voice ",
        r"^i(?:'ll|\s+will|\s+shall)?\s+(?=ride|stay|look)": "",
        r"\bcomes?\s+(within|back)\b": r"\1",
        r"\b(?:send\s+)?(?:the\s+)?skirmishers\s+(?:back\s+)?(in|out)\b": r"skirmishers \1",
        r"\bsend\s+(?:the\s+)?skirmishers\b": "skirmishers",
        r"\bat\s+a\s+distance\s+of\b": "at",
        r"\b(blow|burn)(?:\s+up)?\s+(\S+)\s+(when\b.*\bcrosses)\s+it\b": r"\1 \2 \3 \2",
        r"\bpatrol\s+(?:with|of)\s+(\d+)(?:\s+men)?\b": r"patrol size \1",
        r"\b(when|if)\s+(?:you|they)(?:\s+are|'re)\s+": r"\1 ",
        r"^(\S+)\s+enters?\s+": r"enter \1 ",
        r"\b(\d)\s+copies\b": r"copies \1",
        r"\bacross\s+to\s+(\S+)": r"to \1 across",
        r"^stay\s+(?:here|put)$": "stay",
    },
)  # fmt: skip
"""How its players write."""
