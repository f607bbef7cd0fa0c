"""Which lines of a letter its writer typed, and which he only sent back.

One pass over the lines; each is looked at beside a fixed number of neighbours and no further than its first characters,
so that the work grows with the letter and no faster, whatever stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from pbem.kernel.marks import BEGIN, END, mark_of
from pbem.mail.wire.armour import of_signing
from pbem.mail.wire.languages import DEVICES, LANGUAGES

_PROBE: Final = 400
"""Characters of an attribution at most; it may be broken over `_SPAN` lines."""
_SPAN: Final = 3
_HEADER_SPAN: Final = 6
_SIGN_OFF_LINES: Final = 4
_FOOTER_LINES: Final = 8
_HEADER_FIELDS: Final = 3
_LABEL: Final = 40
_SHORT: Final = 8
_DEVICE_LENGTH: Final = 60
_WRAPPED: Final = 60
_WRAP_AT: Final = 70
"""A quoted line that was broken on its way is at least so long, and with its next word longer than that."""
_WRAPPED_MOST: Final = 80


class Kind(StrEnum):
    """Whose a line is."""

    OWN = "own"
    QUOTE = "quote"
    SIGNATURE = "signature"
    ATTRIBUTION = "attribution"
    ORIGINAL = "original message"


def mark(lines: Sequence[str]) -> list[Kind]:
    """Say of each line whose it is.

    >>> [str(kind) for kind in mark(["From Metz to Sedan", "", "Am 3.5.2024 10:00 schrieb GM:", "> hold"])]
    ['own', 'own', 'attribution', 'quote']
    """
    kinds = _mark_quotes(lines)
    for at, added in enumerate(of_signing(lines)):
        if added and kinds[at] is Kind.OWN:
            kinds[at] = Kind.SIGNATURE
    _mark_signatures(lines, kinds, _sheet(lines, kinds))
    return kinds


# ---------------------------------------------------------------------------------------------- what is sent back


def _mark_quotes(lines: Sequence[str]) -> list[Kind]:
    kinds = [Kind.QUOTE if _is_quoted(lines, at) else Kind.OWN for at in range(len(lines))]
    follows = _next_filled(lines)
    initials: set[str] = set()
    for at in range(len(lines)):
        if kinds[at] is Kind.OWN and initials and _initials(lines[at]) in initials:
            kinds[at] = Kind.QUOTE
        if kinds[at] is Kind.OWN and lines[at].strip():
            if _is_original(lines, at):
                start = _with_rule_above(lines, kinds, at)
                kinds[start:] = [Kind.ORIGINAL] * (len(lines) - start)
                break
            if _could_end_attribution(lines[at]):
                below = follows[at + 1]
                quoted_below = below < len(lines) and kinds[below] is Kind.QUOTE
                start = _attribution_start(lines, kinds, at, quoted_below=quoted_below)
                if start <= at:
                    end = _attribution_end(lines, at)
                    kinds[start:end] = [Kind.ATTRIBUTION] * (end - start)
                    below = follows[end]
                    if below < len(lines) and (found := _initials(lines[below])):
                        initials.add(found)
                    elif below == len(lines) or kinds[below] is not Kind.QUOTE:
                        kinds[end:] = [Kind.QUOTE] * (len(lines) - end)
                        break
    _mark_wrapped(lines, kinds)
    _restore_from(lines, kinds)
    return kinds


def _is_quoted(lines: Sequence[str], at: int) -> bool:
    line = lines[at].lstrip()
    if not line.startswith((">", "＞")):
        return False
    # The end of an address that was broken before its ">" is no quotation.
    above = lines[at - 1][-_PROBE:] if at and line in (">", ">:") else ""
    return above.startswith(">") or above.rfind("<") <= above.rfind(">")


def _initials(line: str) -> str:
    """The letters of a name before ">", as some programs mark what they quote; "" if there are none."""
    found = _INITIALS.match(line)
    return found[1] if found else ""


def _next_filled(lines: Sequence[str]) -> list[int]:
    """For each index the first one from there on whose line is not empty."""
    follows = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        follows[at] = at if lines[at].strip() else follows[at + 1]
    return follows


def _is_original(lines: Sequence[str], at: int) -> bool:
    """Whether an original letter starts here: a caption between dashes, or a block of header fields."""
    line = lines[at]
    if len(line) > _PROBE:
        return False
    text = _plain(line)
    if (found := _CAPTION.fullmatch(text)) and found[1].strip() in _ORIGINAL:
        return True
    if text.endswith(":") and text.rstrip(": ") in _ORIGINAL:
        return True
    return bool(_field(line)) and _is_header_block(lines, at)


def _is_header_block(lines: Sequence[str], at: int) -> bool:
    """Three different fields of one language within six lines without a gap."""
    seen: dict[str, set[str]] = {}
    for line in lines[at : at + _HEADER_SPAN]:
        if not line.strip():
            break
        for language, field in _field(line):
            seen.setdefault(language, set()).add(field)
    return any(len(fields) >= _HEADER_FIELDS for fields in seen.values())


def _field(line: str) -> frozenset[tuple[str, str]]:
    label, colon, _ = line[:_LABEL].replace("：", ":").partition(":")
    return _LABELS.get(_plain(label).strip("*_ "), frozenset()) if colon else frozenset()


def _with_rule_above(lines: Sequence[str], kinds: Sequence[Kind], at: int) -> int:
    """Where the original letter starts, if a drawn rule stands above its header."""
    above = at - 1
    while above >= 0 and at - above <= _SPAN and not lines[above].strip():
        above -= 1
    is_rule = above >= 0 and kinds[above] is Kind.OWN and _RULE.fullmatch(lines[above][:_PROBE])
    return above if is_rule else at


def _could_end_attribution(line: str) -> bool:
    end = _plain(line[-_PROBE:]).rstrip("-*_ ")
    return end.endswith((":", *_WROTE)) or _GAP in line[:_PROBE]


def _attribution_start(lines: Sequence[str], kinds: Sequence[Kind], end: int, *, quoted_below: bool) -> int:
    """Where the attribution that ends at *end* starts; behind *end* if there is none.

    The shortest reading wins, so that an order in the line above is not taken for a part of it.
    """
    if _GAP in lines[end][:_PROBE]:
        # One program writes the first quoted line behind the attribution.
        text = _plain(lines[end].lstrip()[:_PROBE].partition(_GAP)[0]) + ":"
        if _ends_wrote(text) and _ADDRESS.search(text) and _is_dated_attribution(text, wrote=True, quoted_below=False):
            return end
    wrote = _ends_wrote(_plain(lines[end]).strip("-*_ "))
    texts: list[str] = []
    text = ""
    for start in range(end, max(-1, end - _SPAN), -1):
        if kinds[start] is not Kind.OWN or not lines[start].strip() or len(text) + len(lines[start]) > _PROBE:
            break
        text = f"{lines[start].strip()} {text}".rstrip()
        texts.append(_plain(text).strip("-*_ "))
        if _is_dated_attribution(texts[-1], wrote=wrote, quoted_below=quoted_below):
            above = start - 1
            opens_above = len(texts) < _SPAN and above >= 0 and kinds[above] is Kind.OWN and _opens_only(lines[above])
            return above if opens_above else start
    for length, text in enumerate(texts):
        if _is_undated_attribution(text, wrote=wrote, quoted_below=quoted_below):
            return end - length
    return end + 1


def _attribution_end(lines: Sequence[str], at: int) -> int:
    """Behind the attribution whose verb stands at the end of a line: a name and a colon may come in the lines below."""
    if not _plain(lines[at]).endswith(":"):
        for below in range(at + 1, min(at + _SPAN, len(lines))):
            text = _plain(lines[below][:_PROBE])
            if not text or text.startswith(">"):
                break
            if text.endswith(":") or not text.strip("-"):
                return below + 1
    return at + 1


def _is_dated_attribution(text: str, *, wrote: bool, quoted_below: bool) -> bool:
    """On such a day, at such an hour, somebody wrote; above a quotation the verb may be of any language."""
    if not _DATED.match(text):
        return quoted_below and _names_writer_first(text)
    with_address = bool(_ADDRESS.search(text))
    clock, year = bool(_CLOCK.search(text)), bool(_YEAR.search(text))
    if not (with_address or clock or year):
        return False
    if wrote:
        return True
    if not text.endswith(":"):
        return False
    sure = (clock or year) if with_address else (clock and year and quoted_below)
    return sure or not _VERBS.isdisjoint(text.split())


def _names_writer_first(text: str) -> bool:
    """Somebody wrote on such a day: the verb stands between a name and the day."""
    name = _NAME_FIRST.match(text)
    if name is None or not text.endswith(":") or not _DATED.match(text, name.end()):
        return False
    return bool(_CLOCK.search(text, name.end()) or _YEAR.search(text, name.end()))


def _is_undated_attribution(text: str, *, wrote: bool, quoted_below: bool) -> bool:
    """Somebody wrote: sure with an address in it, or with a quotation below."""
    if not text.endswith(":"):
        return False
    with_address = bool(_ADDRESS.search(text))
    if text.count("<") < text.count(">"):
        return False  # the address begins in the line above
    if with_address and (wrote or (quoted_below and _CLOCK.search(text) and _YEAR.search(text))):
        return True
    return quoted_below and (with_address or wrote) and len(text.split()) <= _SHORT


def _ends_wrote(text: str) -> bool:
    """Whether the last word is a verb of writing; languages without blanks join it to the word before."""
    text = text.rstrip(": ")
    if not text.endswith(_WROTE):
        return False
    verb = next(verb for verb in _WROTE if text.endswith(verb))
    return verb[0] > _NO_BLANKS_BEFORE or not text.removesuffix(verb)[-1:].isalpha()


def _opens_only(line: str) -> bool:
    """Whether a line is but the start of an attribution, broken off there: "On Wed," or a name with an address."""
    text = _plain(line)
    if len(text) > _LABEL:
        return False
    if text.endswith(","):
        return bool(_DATED.match(text))
    return bool(_ADDRESS.search(text)) and (text.endswith(">") or bool(_YEAR.search(text)))


def _mark_wrapped(lines: Sequence[str], kinds: list[Kind]) -> None:
    """The rest of a long quoted line that a mail program broke, standing alone between quoted lines, is quoted too."""
    for at in range(1, len(lines) - 1):
        before, line = lines[at - 1], lines[at].strip()
        if (
            kinds[at] is Kind.OWN
            and line[:1].islower()
            and before.lstrip().startswith(">")
            and lines[at + 1].lstrip().startswith(">")
            and _WRAPPED <= len(before) <= _WRAPPED_MOST
            and len(before) + len(line.split(maxsplit=1)[0]) >= _WRAP_AT
        ):
            kinds[at] = Kind.QUOTE


def _restore_from(lines: Sequence[str], kinds: list[Kind]) -> None:
    """Mail stores write ">" before a line that starts with "From "; in a letter that quotes nothing it is an order."""
    if all(kind is Kind.OWN or line.startswith(_ESCAPED) for kind, line in zip(kinds, lines, strict=True)):
        for at, line in enumerate(lines):
            if line.startswith(_ESCAPED):
                kinds[at] = Kind.OWN


def unescaped(line: str) -> str:
    """An own line as it was typed, without the ">" that a mail store put before "From "."""
    return line[1:] if line.startswith(_ESCAPED) else line


# ---------------------------------------------------------------------------------------------- begin … end


def _sheet(lines: Sequence[str], kinds: Sequence[Kind]) -> range:
    """From the first `begin` that the writer typed to the last `end`, if there is one: in there is no signature."""
    marks = {at: mark_of(lines[at]) for at, kind in enumerate(kinds) if kind is Kind.OWN}
    first = next((at for at, mark in marks.items() if mark == BEGIN), len(lines))
    last = max((at for at, mark in marks.items() if mark == END and at > first), default=len(lines))
    return range(first, last + 1)


# ---------------------------------------------------------------------------------------------- signatures


def _mark_signatures(lines: Sequence[str], kinds: list[Kind], sheet: range) -> None:
    """In each run of own lines: what stands below "--", list footers, phones' last words, a name below "Regards"."""
    typed = [kind is Kind.OWN and at not in sheet for at, kind in enumerate(kinds)]
    borders = [at for at in range(1, len(kinds)) if typed[at] != typed[at - 1]]
    for start, end in pairwise([0, *borders, len(kinds)]):
        if start == end or not typed[start]:
            continue
        for at in range(start, end):
            line = lines[at]
            if line == "--" or (_FOOTER_RULE.fullmatch(line[:_PROBE]) and _is_list_footer(lines, at + 1, end)):
                kinds[at:end] = [Kind.SIGNATURE] * (end - at)
                end = at
                break
            if _is_device(line, lines[at + 1] if at + 1 < end else ""):
                kinds[at] = Kind.SIGNATURE
        _mark_notices(lines, kinds, start, end)
        _mark_sign_off(lines, kinds, start, end)


def _is_list_footer(lines: Sequence[str], start: int, end: int) -> bool:
    if end != len(lines) or end - start > _FOOTER_LINES:
        return False
    return any("http://" in line or "https://" in line for line in lines[start:end])


def _is_device(line: str, below: str) -> bool:
    """Whether a line is the last words of a phone; with more text right below it, only if it names a device."""
    if not line.strip() or len(line) > _PROBE:
        return False
    text = _LINK.sub("", _plain(line)).strip()
    if len(text) > _DEVICE_LENGTH or not text.startswith(_DEVICE) or _SENTENCE.search(text):
        return False
    return not below.strip() or bool(_RULE.fullmatch(below[:_PROBE])) or any(thing in text for thing in DEVICES)


def _mark_notices(lines: Sequence[str], kinds: list[Kind], start: int, end: int) -> None:
    """The paragraphs at the foot that a firm or a program put there, and a rule drawn above them."""
    last = end
    while last > start:
        if not lines[last - 1].strip() or kinds[last - 1] is Kind.SIGNATURE:
            last -= 1
            continue
        first = last
        while first > start and lines[first - 1].strip() and kinds[first - 1] is Kind.OWN:
            first -= 1
        notice = next((at for at in range(first, last) if _is_notice(lines[at])), last)
        if notice == last:
            return
        if notice > first and _RULE.fullmatch(lines[notice - 1][:_PROBE]):
            notice -= 1
        kinds[notice:last] = [Kind.SIGNATURE] * (last - notice)
        if notice > first:
            return
        last = first


def _is_notice(line: str) -> bool:
    return _LINK.sub("", _plain(line[:_PROBE])).replace("[", "").replace("]", "").startswith(_NOTICE)


def _mark_sign_off(lines: Sequence[str], kinds: list[Kind], start: int, end: int) -> None:
    """A closing formula alone on its line, below it nothing but a few short lines without a figure."""
    filled = 0
    for at in range(end - 1, start - 1, -1):
        line = lines[at]
        if not line.strip() or kinds[at] is Kind.SIGNATURE:
            continue
        if len(line) > _DEVICE_LENGTH:
            return
        if _plain(line).rstrip(",.! ") in _CLOSING:
            kinds[at:end] = [Kind.SIGNATURE] * (end - at)
            return
        filled += 1
        if filled > _SIGN_OFF_LINES or any(c.isdigit() for c in line):
            return


# ---------------------------------------------------------------------------------------------- words


def _plain(text: str) -> str:
    """For comparison: lower case, straight apostrophes, ASCII colons."""
    return text.replace("&nbsp;", " ").strip().lower().replace("’", "'").replace("：", ":").replace("\xa0", " ")


def _words(field: str) -> tuple[str, ...]:
    """One field of every language, longest words first."""
    found = {word for language in LANGUAGES for word in getattr(language, field).split("|") if word}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def _either(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in words)


def _labels() -> dict[str, frozenset[tuple[str, str]]]:
    """Each label of a header block: in which languages it stands for what."""
    labels: dict[str, set[tuple[str, str]]] = {}
    for language in LANGUAGES:
        for field in ("sender", "sent", "to", "copy", "subject"):
            for word in getattr(language, field).split("|"):
                labels.setdefault(word, set()).add((language.code, field))
    return {word: frozenset(meanings) for word, meanings in labels.items()}


_LABELS: Final = _labels()
_WROTE: Final = _words("wrote")
_VERBS: Final = frozenset(_WROTE)
_DEVICE: Final = _words("device")
_NOTICE: Final = _words("notice")
_CLOSING: Final = frozenset(_words("closing"))
_ORIGINAL: Final = frozenset(_words("original"))
_ESCAPED: Final = ">From "
_GAP: Final = ":  "
_NO_BLANKS_BEFORE: Final = "\u2fff"

_DATES: Final = _either(_words("dates"))
_DAY: Final = rf"(?:{_DATES})[^\W\d_]*[.,]{{0,2}}(?=\s|$)"
_DATE: Final = rf"(?:\d{{1,4}}[./\-年:]|\d{{4}}년|\d{{1,2}}\.?\s+(?:de\s+)?{_DAY}|{_DAY})"
_DATED: Final = re.compile(rf"(?:(?:{_either(_words('opening'))})\s*)?(?:den\s+)?{_DATE}")
_NAME_FIRST: Final = re.compile(rf"[^:>]{{1,80}}?\s(?:{_either(_WROTE)})\s+")
_CLOCK: Final = re.compile(r"(?<!\d)\d{1,2}\s?[:.h]\s?\d\d(?!\d)")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ADDRESS: Final = re.compile(r"[^\s<>@]@[^\s<>@]")
_CAPTION: Final = re.compile(r"[-_=*]{2,}([^-_=*][^_=*]{0,80}?)[-_=*]{2,}:?")
_RULE: Final = re.compile(r"\s*[-_=*]{2,}\s*")
_FOOTER_RULE: Final = re.compile(r"_{2,}|(?:-=){4,}-?|#{20,}")
_INITIALS: Final = re.compile(r" ?([A-Z][A-Za-z]{0,2})>")
_LINK: Final = re.compile(r"<[^<>]*>|\([^()]*\)")
_SENTENCE: Final = re.compile(r"[,;:?]|\.$")
