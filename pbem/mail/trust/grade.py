"""How sure it is who wrote a letter, and what a campaign does with it.

    A   From is registered, and its domain vouches for it
    B   From is registered, and the letter came to that player's secret address
    C   it came to a player's secret address, from an address that is not his
    D   From is registered, and that is all: anybody can write a From, or pass on a letter that was signed
    E   nothing

A letter that is held is not read to anybody: whoever wrote it, it may hold the orders of a third.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from pbem.mail.reading.letter import Head
from pbem.mail.trust.authentication import Authentication, Result
from pbem.mail.wire.reply_address import Proof, Token


class Grade(StrEnum):
    """How sure it is who wrote."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


class Disposition(StrEnum):
    """What becomes of a letter."""

    ACCEPTED = "accepted"
    HELD = "held"
    """Until its player answers a code, or the GM says so."""

    REFUSED = "refused"
    IGNORED = "ignored"


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a campaign does with letters of each grade."""

    by_grade: Mapping[Grade, Disposition]
    forged: Disposition = Disposition.HELD
    """Instead of acceptance, where our own mail server found the From forged."""

    token: bool = False
    """Whether a letter is accepted only if it also came to the secret address of its player."""


def _policy(accepted: str, held: str, *, token: bool = False) -> Policy:
    said = {Grade(one): Disposition.ACCEPTED for one in accepted} | {Grade(one): Disposition.HELD for one in held}
    return Policy(by_grade={grade: said.get(grade, Disposition.REFUSED) for grade in Grade}, token=token)


POLICIES: Final[Mapping[str, Policy]] = {
    "table": _policy("AB", "CD"),
    "address": _policy("ABD", "C"),
    "strict": _policy("A", "BCD", token=True),
}
"""By the word that stands in the settings of a campaign: `table` if nothing else is said; `address` among friends, for
it believes every From; `strict` for those who fear forgers, and for what a GM commands by mail."""


class Judgement(msgspec.Struct, frozen=True):
    """What becomes of a letter, and why."""

    grade: Grade
    disposition: Disposition
    player: str | None
    """Whose letter it is taken for; None if nobody's."""

    reason: str
    """Without any secret in it."""

    evidence: str
    """What the grade rests upon: for the log and the GM."""


def judge(
    letter: Head, registered: Mapping[str, str], proof: Proof, authentication: Authentication, policy: Policy
) -> Judgement:
    """Say what becomes of a letter; *registered*: the player of each address that the office knows.

    A letter to the secret address of one player from the address of another is of grade C: it is the first one's, if he
    confirms it.
    """
    sender = letter.sender.address
    writer = registered.get(sender)
    owner = proof.meaning.name if proof.token is Token.GOOD and proof.meaning else None
    passed = authentication.result is Result.PASS
    grade, player = _grade(writer, owner, passed=passed)
    evidence = f"{grade}: from {sender or 'no address'}; address {proof.token}; {authentication.evidence}"
    if letter.auto:
        why = f"a machine wrote it ({letter.auto})"
        return Judgement(grade, Disposition.IGNORED, player, why, evidence)
    why = _IN_PART if grade is Grade.D and authentication.result is Result.PART else _REASON[grade]
    disposition, reason = policy.by_grade[grade], why.format(sender=sender or "no address", flaw=authentication.flaw)
    if disposition is Disposition.ACCEPTED and authentication.result is Result.FAIL:
        disposition, reason = policy.forged, f"our mail server found its From forged ({authentication.evidence})"
    elif policy.token and owner is None and disposition is Disposition.ACCEPTED:
        disposition, reason = Disposition.HELD, "it did not come to the secret address of its player"
    if proof.token is Token.OLD and disposition is not Disposition.ACCEPTED:
        reason += "; the secret address that it came to has been replaced"
    return Judgement(grade, disposition, player, reason, evidence)


def _grade(writer: str | None, owner: str | None, *, passed: bool) -> tuple[Grade, str | None]:
    if owner is not None:
        if writer != owner:
            return Grade.C, owner
        return (Grade.A if passed else Grade.B), owner
    if writer is None:
        return Grade.E, None
    return (Grade.A if passed else Grade.D), writer


_IN_PART: Final = "the domain of {sender} vouches for a letter of his, and that need not be this: {flaw}"
_REASON: Final = {
    Grade.A: "{sender} is registered, and its domain vouches for the letter",
    Grade.B: "{sender} is registered, and it came to that player's secret address",
    Grade.C: "it came to a player's secret address, from {sender}, which is not his",
    Grade.D: "only its From line says that it is from {sender}",
    Grade.E: "nobody here writes from {sender}",
}
