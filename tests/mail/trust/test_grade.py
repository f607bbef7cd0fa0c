"""The whole table of who may speak: sender, secret address and the word of his domain, under each policy."""

from __future__ import annotations

from itertools import product

import pytest

from pbem.mail.reading.letter import Head, read_head
from pbem.mail.trust.authentication import Authentication, Result
from pbem.mail.trust.grade import POLICIES, Disposition, Grade, Judgement, Policy, judge
from pbem.mail.wire.reply_address import Meaning, Proof, Purpose, Token

REGISTERED = {"moltke@x.example": "moltke", "bazaine@y.example": "bazaine"}
SENDERS = {"own": "moltke@x.example", "other player": "bazaine@y.example", "stranger": "a@z.example", "none": ""}
SECRET = Meaning(Purpose.REPLY, "gpw", "moltke", 1)


def head(sender: str, *fields: str) -> Head:
    return read_head("\n".join([f"From: {sender}", *fields, ""]).encode())


def judged(sender: str, token: Token, result: Result, policy: Policy = POLICIES["table"], *fields: str) -> Judgement:
    proof = Proof(token, SECRET if token in (Token.GOOD, Token.OLD) else None)
    flaw = "its signature does not cover To" if result is Result.PART else ""
    return judge(head(sender, *fields), REGISTERED, proof, Authentication(result, f"result {result}", flaw), policy)


GRADES = {
    # sender, address, whose letter: grade if the domain vouches for it, and otherwise
    ("own", Token.GOOD, "moltke"): "AB",
    ("own", Token.OLD, "moltke"): "AD",
    ("own", Token.BAD, "moltke"): "AD",
    ("own", Token.NONE, "moltke"): "AD",
    ("other player", Token.GOOD, "moltke"): "CC",
    ("other player", Token.OLD, "bazaine"): "AD",
    ("other player", Token.BAD, "bazaine"): "AD",
    ("other player", Token.NONE, "bazaine"): "AD",
    ("stranger", Token.GOOD, "moltke"): "CC",
    ("stranger", Token.OLD, None): "EE",
    ("stranger", Token.BAD, None): "EE",
    ("stranger", Token.NONE, None): "EE",
    ("none", Token.GOOD, "moltke"): "CC",
    ("none", Token.OLD, None): "EE",
    ("none", Token.BAD, None): "EE",
    ("none", Token.NONE, None): "EE",
}

DISPOSITIONS = {"table": "AB accepted CD held E refused", "address": "ABD accepted C held E refused"}


def test_the_table_is_whole() -> None:
    assert {(sender, token) for sender, token, _ in GRADES} == set(product(SENDERS, Token))


@pytest.mark.parametrize(("sender", "token", "player"), GRADES)
def test_grades(sender: str, token: Token, player: str | None) -> None:
    passed, not_passed = map(Grade, GRADES[sender, token, player])

    for result, grade in [
        (Result.PASS, passed),
        (Result.FAIL, not_passed),
        (Result.NONE, not_passed),
        (Result.PART, not_passed),
    ]:
        found = judged(SENDERS[sender], token, result)
        assert (found.grade, found.player) == (grade, player)
        assert found.evidence.startswith(f"{grade}: from {SENDERS[sender] or 'no address'}; address {token}; ")
        assert found.evidence.endswith(f"result {result}")


@pytest.mark.parametrize("policy", DISPOSITIONS)
@pytest.mark.parametrize(("sender", "token", "player"), GRADES)
def test_dispositions(policy: str, sender: str, token: Token, player: str | None) -> None:
    words = DISPOSITIONS[policy].split()
    of = {grade: said for grades, said in zip(words[::2], words[1::2], strict=True) for grade in grades}
    for result in (Result.PASS, Result.NONE, Result.PART):
        found = judged(SENDERS[sender], token, result, POLICIES[policy])
        assert found.disposition == of[found.grade]


def test_a_strict_campaign_wants_both() -> None:
    strict = POLICIES["strict"]

    def become(token: Token, result: Result) -> Disposition:
        return judged(SENDERS["own"], token, result, strict).disposition

    assert become(Token.GOOD, Result.PASS) is Disposition.ACCEPTED
    assert become(Token.GOOD, Result.NONE) is Disposition.HELD
    assert become(Token.NONE, Result.PASS) is Disposition.HELD
    assert become(Token.NONE, Result.NONE) is Disposition.HELD
    assert judged(SENDERS["stranger"], Token.NONE, Result.NONE, strict).disposition is Disposition.REFUSED
    assert "did not come to the secret address" in judged(SENDERS["own"], Token.OLD, Result.PASS, strict).reason


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("sender", SENDERS.values(), ids=SENDERS)
@pytest.mark.parametrize("token", Token)
def test_what_our_own_server_found_forged_is_never_accepted(policy: Policy, sender: str, token: Token) -> None:
    assert judged(sender, token, Result.FAIL, policy).disposition is not Disposition.ACCEPTED


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_machines_are_ignored_whatever_they_prove(policy: Policy) -> None:
    found = judged(SENDERS["own"], Token.GOOD, Result.PASS, policy, "Auto-Submitted: auto-replied")

    assert (found.disposition, found.reason) == (
        Disposition.IGNORED,
        "a machine wrote it (Auto-Submitted: auto-replied)",
    )


@pytest.mark.parametrize(
    ("sender", "token", "result", "reason"),
    [
        ("own", Token.GOOD, Result.PASS, "moltke@x.example is registered, and its domain vouches for the letter"),
        ("own", Token.GOOD, Result.NONE, "moltke@x.example is registered, and it came to that player's secret address"),
        ("own", Token.GOOD, Result.FAIL, "our mail server found its From forged (result fail)"),
        ("stranger", Token.GOOD, Result.PASS, "it came to a player's secret address, from a@z.example, which is not"),
        ("own", Token.NONE, Result.NONE, "only its From line says that it is from moltke@x.example"),
        ("own", Token.NONE, Result.PART, "and that need not be this: its signature does not cover To"),
        ("own", Token.OLD, Result.NONE, "; the secret address that it came to has been replaced"),
        ("none", Token.NONE, Result.NONE, "nobody here writes from no address"),
    ],
)
def test_the_reason_is_in_words(sender: str, token: Token, result: Result, reason: str) -> None:
    assert reason in judged(SENDERS[sender], token, result).reason
