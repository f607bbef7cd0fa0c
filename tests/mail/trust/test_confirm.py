"""One-time codes: good for one thing, for three days, and nothing that is kept gives them away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.letter import TextLine
from pbem.mail.trust.confirm import CHANCE, LIFE, Answer, check_code, confirm_lines, find_codes, hash_code, make_code

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


@pytest.mark.parametrize("form", ["confirm {}", "  Confirm: {} ", "{}", "<{}>.", "CONFIRM '{}'"])
def test_new_orders_beside_a_confirm_line_are_parted_from_it(form: str) -> None:
    code = make_code(bytes(range(CHANCE)))
    lines = [TextLine(n, text) for n, text in enumerate(("Hello,", form.format(code), "", "hold p1"), start=1)]

    assert confirm_lines(lines) == ((code,), (lines[0], *lines[2:]), (lines[1],))


def test_a_code_within_a_sentence_is_no_confirm_line() -> None:
    lines = [TextLine(1, f"I never sent {make_code(bytes(CHANCE))} to anybody")]

    assert confirm_lines(lines) == ((), tuple(lines), ())


def test_a_letter_full_of_confirm_lines_gives_few_codes_and_loses_no_line() -> None:
    lines = [TextLine(n, f"confirm {make_code(n.to_bytes(CHANCE))}") for n in range(1, 200)]
    found, rest, given = confirm_lines(lines)

    assert (len(found), rest, given) == (5, (), tuple(lines))


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
