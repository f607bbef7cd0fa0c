"""One-time codes: good for one thing, for three days, and nothing that is kept gives them away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.confirm import CHANCE, LIFE, Answer, check_code, find_codes, hash_code, make_code

KEY = bytes(range(32))
MADE = 1_000_000
HOUR = 3_600_000_000

codes = st.binary(min_size=CHANCE, max_size=CHANCE).map(make_code)


def check(code: str, kept: str, *, about: str = "letter", key: bytes = KEY, now: int = MADE) -> Answer:
    return check_code(code, kept, about, key, made_at=MADE, now=now)


@given(codes)
def test_a_code_is_found_in_an_answer_however_its_case_was_folded(code: str) -> None:
    for text in (code, f"Re: [gpw] confirm {code.upper()}", f"<{code}>.", f'"{code.title()}"'):
        assert find_codes(text) == (code,)


@pytest.mark.parametrize(
    "text", ["", "abcd-efgh-ijkl", "0189-0189-0189-0189", "abcd-abcd-abcd-abcd-abcd", "xabcd-abcd-abcd-abcd"]
)
def test_what_is_no_code(text: str) -> None:
    assert find_codes(text) == ()


def test_many_codes_are_guesses() -> None:
    guesses = [make_code(n.to_bytes(CHANCE)) for n in range(50)]

    assert find_codes(" ".join(guesses)) == tuple(guesses[:5])
    assert find_codes(f"{guesses[0]} {guesses[0]}") == (guesses[0],)


@given(codes, codes)
def test_only_the_code_itself_is_good(code: str, other: str) -> None:
    kept = hash_code(code, "letter", KEY)

    assert check(code.upper(), kept) is Answer.GOOD
    assert check(other, kept) is (Answer.GOOD if other == code else Answer.WRONG)
    assert code not in kept


def test_a_code_confirms_one_thing_of_one_office() -> None:
    code = make_code(bytes(CHANCE))
    kept = hash_code(code, "letter", KEY)

    assert check(code, kept, about="another letter") is Answer.WRONG
    assert check(code, kept, key=bytes(32)) is Answer.WRONG
    assert check(code, "") is Answer.WRONG
    assert check(code, "é") is Answer.WRONG


@pytest.mark.parametrize(
    ("now", "answer"),
    [
        (MADE, Answer.GOOD),
        (MADE + 72 * HOUR - 1, Answer.GOOD),
        (MADE + 72 * HOUR, Answer.LATE),
        (MADE - 1, Answer.LATE),
    ],
)
def test_a_code_is_good_for_three_days(now: int, answer: Answer) -> None:
    code = make_code(b"0123456789")

    assert check(code, hash_code(code, "letter", KEY), now=now) is answer
    assert LIFE == 72 * HOUR


def test_a_code_takes_all_its_chance() -> None:
    with pytest.raises(ValueError, match="takes 10 bytes"):
        make_code(b"short")
