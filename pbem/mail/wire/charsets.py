"""Bytes to text, whatever a letter says of its character set; and text to clean lines."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final

# What mail programs write, and what they mean by it (as browsers read these names).
_MEANT: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "latin-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
_ALIASES: Final = {
    "ks_c_5601-1987": "cp949",
    "iso-8859-8-i": "iso8859-8",
    "unicode-1-1-utf-7": "utf-7",
    "windows-31j": "cp932",
    "x-sjis": "cp932",
}
_NO_TEXT: Final = frozenset({"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"})
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NEWLINE: Final = re.compile("\r\n|[\r\x0b\x0c\u2028\u2029]")
_BLANK: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_NOUGHTS: Final = 0.8
_COMPOSED: Final = 1_000
"""Longer lines are not brought to one form of accents: that is quadratic in a hostile line."""


def decode(data: bytes, charset: str) -> tuple[str, str]:
    """The text of *data*, and a warning if its character set had to be guessed, else "".

    A byte order mark is believed before *charset*; an unknown or wrong name is read as UTF-8, then as Windows-1252.

    >>> decode(b"caf\\xc3\\xa9", "x-unknown")
    ('café', 'The character set "x-unknown" is not known; the text was read as UTF-8.')
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace"), ""
    codec = _codec(charset)
    if wide := _wide(data, codec):
        return data.decode(wide, "replace"), ""
    if codec == "cp1252" and not data.isascii():
        # Many programs write "us-ascii" or "iso-8859-1" above UTF-8, and true UTF-8 is hardly ever anything else.
        try:
            return data.decode("utf-8"), "" if not charset else _guessed(charset, "UTF-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace"), ""
    if codec:
        try:
            return data.decode(codec), ""
        except (UnicodeError, ValueError):
            pass
    try:
        text, read_as = data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        text, read_as = data.decode("cp1252", "replace"), "Windows-1252"
    return text, "" if data.isascii() else _guessed(charset, read_as)


def _wide(data: bytes, codec: str) -> str:
    """UTF-16 without a byte order mark, where a name says that the text is in bytes and every other one is nought."""
    if codec.startswith(("utf-16", "utf-32")) or len(data) < 2 or len(data) % 2:
        return ""
    half = len(data) // 2
    low, high = data[::2].count(0), data[1::2].count(0)
    if high > half * _NOUGHTS and not low:
        return "utf-16-le"
    return "utf-16-be" if low > half * _NOUGHTS and not high else ""


def _codec(charset: str) -> str:
    """Python's name for *charset*, or "" if it names no character set."""
    name = charset.strip().strip("\"'").lower() or "us-ascii"
    name = _ALIASES.get(name, name)
    try:
        found = codecs.lookup(name).name
        " ".encode(found)  # refuses the codecs that turn bytes into bytes
    except (LookupError, ValueError):
        return ""
    return "" if found in _NO_TEXT else _MEANT.get(found, found)


def _guessed(charset: str, read_as: str) -> str:
    shown = clean_line(" ".join(charset.split())[:40])
    if not _codec(charset):
        return f'The character set "{shown}" is not known; the text was read as {read_as}.'
    return f'The text is not in the character set "{shown}" that the letter names; it was read as {read_as}.'


def clean_lines(text: str) -> list[str]:
    """Lines of *text* without what nobody typed: byte order marks, unseen characters, kinds of blanks, line ends.

    >>> clean_lines("MOVE\\u00a03 corps  \\r\\n\\ufeffhold")
    ['MOVE 3 corps', 'hold']
    """
    lines = _NEWLINE.sub("\n", text).split("\n")
    return [clean_line(line) for line in lines]


def clean_line(line: str) -> str:
    """One line of `clean_lines`."""
    line = _UNSEEN.sub("", _BLANK.sub(" ", line)).rstrip()
    if line.isascii() or len(line) > _COMPOSED:
        return line
    return unicodedata.normalize("NFC", line)
