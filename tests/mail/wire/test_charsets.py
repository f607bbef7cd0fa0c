"""Character sets as mail programs name them, rightly or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.body import unflow
from pbem.mail.wire.charsets import clean_line, clean_lines, decode


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Mézières".encode(), "utf-8", "Mézières"),
        ("Mézières".encode(), "", "Mézières"),
        ("Mézières".encode("latin-1"), "", "Mézières"),
        ("„Metz“ – …".encode("cp1252"), "iso-8859-1", "„Metz“ – …"),
        ("москва".encode("koi8-r"), "KOI8-R", "москва"),
        ("メッツ".encode("iso2022_jp"), "iso-2022-jp", "メッツ"),
        ("一".encode("gb18030"), "gb2312", "一"),
        ("메스".encode("cp949"), "ks_c_5601-1987", "메스"),
        ("hold".encode("utf-16"), "utf-8", "hold"),
        (b"\xef\xbb\xbfhold", "us-ascii", "hold"),
        (b"a+AOQ-", "utf-7", "aä"),
    ],
)
def test_text_in_a_known_character_set_is_read_without_a_word(data: bytes, charset: str, text: str) -> None:
    assert decode(data, charset) == (text, "")


@pytest.mark.parametrize(
    ("data", "charset", "text", "warning"),
    [
        ("é".encode(), "x-foo", "é", 'The character set "x-foo" is not known; the text was read as UTF-8.'),
        (b"\xe9", "x-foo", "é", 'The character set "x-foo" is not known; the text was read as Windows-1252.'),
        ("é".encode(), "zlib", "é", 'The character set "zlib" is not known; the text was read as UTF-8.'),
        ("é".encode(), "punycode", "é", 'The character set "punycode" is not known; the text was read as UTF-8.'),
        (b"hold", "x-foo", "hold", ""),
        (
            b"M\xe9zi\xe8res",
            "utf-8",
            "Mézières",
            'The text is not in the character set "utf-8" that the letter names; it was read as Windows-1252.',
        ),
        (
            "é".encode(),
            "us-ascii",
            "é",
            'The text is not in the character set "us-ascii" that the letter names; it was read as UTF-8.',
        ),
    ],
)
def test_a_guess_is_said(data: bytes, charset: str, text: str, warning: str) -> None:
    assert decode(data, charset) == (text, warning)


@given(
    st.binary(max_size=100),
    st.sampled_from(["utf-8", "utf-16", "utf-7", "hz", "iso-2022-kr", "rot13", "x", "\x00", "idna"]),
)
def test_any_bytes_are_text_in_any_character_set(data: bytes, charset: str) -> None:
    text, _ = decode(data, charset)

    assert isinstance(text, str)


def test_lines_hold_what_can_be_seen() -> None:
    assert clean_lines("\ufeffa\u00a0b\u200b\r\nc \rd\u2028e\x0cf\x00g") == ["a b", "c", "d", "e", "fg"]
    assert clean_line("Me\u0301zie\u0300res") == "Mézières"


LONG = "march the third corps from Metz by way of Briey and Longuyon to "


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        (f"{LONG}\nSedan\nhold", f"{LONG}Sedan\nhold"),
        (f"{LONG}\n\nSedan", f"{LONG}\n\nSedan"),
        ("hold \nmarch", "hold \nmarch"),
        (f"> {LONG}\n> Sedan\nhold", f"> {LONG}Sedan\nhold"),
        (f"> {LONG}\nSedan", f"> {LONG}\nSedan"),
        (f"{LONG}\n-- \nAnton", f"{LONG}\n-- \nAnton"),
        (" From Metz\n > hold", "From Metz\n> hold"),
        ("-- \n" + LONG, "-- \n" + LONG),
    ],
)
def test_flowed_text_is_joined_and_orders_are_not(text: str, joined: str) -> None:
    assert unflow(text, delete_space=False) == joined


def test_flowed_text_without_spaces_is_joined_without_them() -> None:
    assert unflow(f"{LONG} \nSedan", delete_space=True) == f"{LONG}Sedan"
