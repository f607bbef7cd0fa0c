"""A sheet is parted into what it says of itself, what it asks of the office, and orders."""

from __future__ import annotations

import pytest

from pbem.kernel.ballot import KINDS
from pbem.kernel.names import Moment, Role
from pbem.orders.account import LineFate
from pbem.orders.commands import WORDS, Argument
from pbem.orders.joining import joins
from pbem.orders.sheet import Line, lines_of
from pbem.orders.tongues import languages
from pbem.orders.words import JOINED, MOST, Head, Sheet, command_of, split_sheet


def never(line: Line) -> bool:
    return False


def split(text: str) -> Sheet:
    return split_sheet(lines_of(text), never)


def orders(sheet: Sheet) -> list[str]:
    return [line.text.strip() for line in sheet.orders]


@pytest.mark.parametrize(
    "text",
    [
        "game autumn\nrole French\nturn 5B",
        "GAME: autumn\n\nTurn:  t5 b\nrole:french # me",
        "turn 5b,\ngame autumn\nrole french",
    ],
    ids=["plain", "colons", "any order"],
)
def test_the_head_is_read_in_any_order_with_or_without_colons(text: str) -> None:
    assert split(text).head == Head("autumn", Role("french"), Moment(5, 2))


def test_a_sheet_without_a_head_says_nothing_of_itself() -> None:
    assert split("move p1 to Q-9").head == Head()


def test_the_head_ends_with_the_first_order() -> None:
    sheet = split_sheet(lines_of("game autumn\nmove p1 to Q-9\nrole french"), lambda line: "move" in line.text)

    assert sheet.head == Head("autumn")
    assert orders(sheet) == ["move p1 to Q-9", "role french"]


def test_a_greeting_above_the_head_does_not_hide_it() -> None:
    sheet = split_sheet(lines_of("Nobody stops now.\n\nturn 5B\nmove p1 to Q-9"), lambda line: "move" in line.text)

    assert sheet.head.turn == Moment(5, 2)
    assert orders(sheet) == ["Nobody stops now.", "move p1 to Q-9"]


def test_a_turn_that_is_no_moment_is_an_order() -> None:
    assert orders(split("turn @J-10 e")) == ["turn @J-10 e"]


def test_a_head_that_contradicts_itself_is_complained_of() -> None:
    sheet = split("turn 5\nturn 6")

    assert [one.line for one in sheet.complaints] == [2]
    assert sheet.head.turn == Moment(5)


def test_lines_keep_their_numbers() -> None:
    assert split("# hello\n\nmove p1 to Q-9\nadd\nhold p2").orders == (
        Line(3, "move p1 to Q-9"),
        Line(5, "hold p2"),
    )


@pytest.mark.parametrize("word", WORDS)
def test_every_office_word_is_read_from_its_own_example(word: str) -> None:
    sheet = split(f"move p1 to Q-9\n{WORDS[word].example}")

    assert [command.word for command in sheet.commands] == [word]
    assert sheet.asks(word)
    assert not sheet.complaints


@pytest.mark.parametrize("word", [word for word in WORDS if WORDS[word].argument is Argument.NONE])
def test_a_word_that_takes_nothing_is_refused_with_something(word: str) -> None:
    sheet = split(f"{word} now")

    assert not sheet.commands
    assert sheet.complaints[0].instead == word


def test_wait_is_on_or_off() -> None:
    assert split("WAIT: on").commands[0].argument == "on"
    assert split("wait maybe").complaints[0].line == 1


def test_a_word_that_only_begins_like_an_office_word_is_none() -> None:
    assert orders(split("reporter x\nadder\nhel")) == ["reporter x", "adder", "hel"]


def test_a_letter_may_stand_on_the_line() -> None:
    command = split("letter to Prussian: Dear sir, # 1 is mine").commands[0]

    assert (command.to, command.argument) == (("prussian",), "Dear sir, # 1 is mine")


def test_a_letter_may_stand_below_up_to_a_blank_line() -> None:
    sheet = split("letter to prussian:\nDear sir,\n  turn 5 was unfair\n\nmove p1 to Q-9")

    assert sheet.commands[0].argument == "Dear sir,\nturn 5 was unfair"
    assert sheet.head == Head()
    assert orders(sheet) == ["move p1 to Q-9"]


def test_a_letter_without_text_is_refused() -> None:
    assert split("letter to prussian:\n\nmove p1 to Q-9").complaints[0].why == "there is no text"


def test_only_what_stands_between_begin_and_end_is_the_sheet() -> None:
    sheet = split("Dear umpire,\nhere are mine.\nBEGIN\nmove p1 to Q-9\nEnd.\nmove p2 to Q-9")

    assert orders(sheet) == ["move p1 to Q-9"]
    assert not sheet.complaints


BLOCKS = """begin
dispatch north
  help comes at noon
  report to me

end
status
hold p1
end
and no more"""


def test_a_block_is_the_system_s_up_to_its_end() -> None:
    sheet = split_sheet(lines_of(BLOCKS), never, lambda text: text.startswith("dispatch"))

    assert [line.number for line in sheet.orders] == [2, 3, 4, 5, 6, 8]
    assert [command.word for command in sheet.commands] == ["status"]


def test_a_block_without_an_end_takes_nothing_with_it() -> None:
    sheet = split_sheet(lines_of("dispatch north\nhold p1\nstatus"), never, lambda text: text.startswith("dispatch"))

    assert orders(sheet) == ["dispatch north", "hold p1"]
    assert sheet.asks("status")


def test_a_head_right_above_begin_counts() -> None:
    sheet = split("game on, I think\nbut first\ngame autumn\n\nturn 5\nbegin\nrole french\nmove p1 to Q-9")

    assert sheet.head == Head("autumn", Role("french"), Moment(5))


def test_a_word_of_both_is_the_systems_where_the_system_reads_it() -> None:
    def reads(line: Line) -> bool:
        return line.text.startswith("report enemy")

    sheet = split_sheet(lines_of("report enemy\nreport 4B"), reads)

    assert orders(sheet) == ["report enemy"]
    assert [command.argument for command in sheet.commands] == ["4B"]


def test_the_system_is_asked_only_of_lines_that_the_office_would_take() -> None:
    asked: list[str] = []

    def reads(line: Line) -> bool:
        asked.append(line.text)
        return False

    split_sheet(lines_of("move p1 to Q-9\nstatus\nhold p1"), reads)

    assert asked == ["status"]


LONG = """\
letter to guard: Dear Sir,

I ask for a truce.
wait on

Yours, the smuggler
END LETTER
move s1 to 3
"""


def test_a_long_letter_goes_to_its_end() -> None:
    sheet = split(LONG)

    [letter] = sheet.commands
    assert letter.argument == "Dear Sir,\n\nI ask for a truce.\nwait on\n\nYours, the smuggler"
    assert orders(sheet) == ["move s1 to 3"]


def test_a_letter_without_its_end_takes_no_order_with_it() -> None:
    sheet = split("letter to guard:\nHello.\n\nmvoe s1 to 3\nletter to miller: And you\n\nat last\nend letter\nhold")

    assert [one.argument for one in sheet.commands] == ["Hello.", "And you\n\nat last"]
    assert orders(sheet) == ["mvoe s1 to 3", "hold"]


@pytest.mark.parametrize(
    ("line", "signed"),
    [("letter to guard: x", None), ("letter to guard unsigned: x", False), ("Letter to Guard, signed: x", True)],
)
def test_a_letter_says_whether_it_is_signed(line: str, signed: bool | None) -> None:
    [letter] = split(line).commands

    assert (letter.to, letter.signed, letter.argument) == (("guard",), signed, "x")


@pytest.mark.parametrize(
    ("line", "readers"),
    [
        ("letter to guard and miller: x", ("guard", "miller")),
        ("letter to guard, miller, and Side Red: x", ("guard", "miller", "side red")),
        ("letter to guard & guard unsigned: x", ("guard",)),
        ("letter to all: x", ("all",)),
        ("letter to allied.guards , russian: x", ("allied.guards", "russian")),
    ],
)
def test_a_letter_names_one_or_several(line: str, readers: tuple[str, ...]) -> None:
    [letter] = split(line).commands

    assert (letter.word, letter.to, letter.argument) == ("letter to", readers, "x")


@pytest.mark.parametrize(
    "line", ["letter to my mother: x", "letter to and: x", "note to himself: x", "stop him at once"]
)
def test_a_line_that_only_looks_like_one_is_none(line: str) -> None:
    assert orders(split(line)) == [line]


def test_a_note_to_oneself_may_be_long() -> None:
    sheet = split("Note to self:\nThey are weak.\n\nturn 5 was lost\nend letter\nmove p1 to Q-9")

    assert [(one.word, one.argument) for one in sheet.commands] == [
        ("note to self", "They are weak.\n\nturn 5 was lost")
    ]
    assert orders(sheet) == ["move p1 to Q-9"]


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        ("stop", True), ("stop letters", True), ("Stop notices off.", True), ("stop reports", False),
        ("digest", True), ("digest on", True), ("digest at 8:00", True),
        ("digest 24:00", False), ("digest daily", False),
    ],
)  # fmt: skip
def test_what_may_follow_the_words_about_mails(line: str, fine: bool) -> None:
    sheet = split(line)

    assert bool(sheet.commands) is fine
    assert bool(sheet.complaints) is not fine


def test_an_answer_names_its_question() -> None:
    [answer] = split("Answer 5B/Halt-1#2: no, he waits").commands

    assert (answer.word, answer.about, answer.argument) == ("answer", "5B/Halt-1#2", "no, he waits")


@pytest.mark.parametrize(
    "text", ["add", "umpire: hello", "letter to guard: hello", "help me", "wait for it", "Report!"]
)
def test_a_subject_is_a_command_only_word_for_word(text: str) -> None:
    found = command_of(text)

    assert (found.word if found else None) == ("add" if text == "add" else None)


def nests(text: str) -> bool:
    return text.split()[:1] in (["act"], ["sub"])


def taken(text: str) -> list[int]:
    """The numbers of the lines that are orders."""
    return [line.number for line in split_sheet(lines_of(text), never, nests=nests).orders]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("begin\nact a\nforce\nend\ndiv b\nend\nno more", [2, 3, 4, 5]),
        ("Begin:\nact a\nsub b\nforce\nend\nself\nend\nact c\nEND\n*end*\nno more", [2, 3, 4, 5, 6, 7, 8, 9]),
        ("begin\nact a\nforce\nend", [2, 3, 4]),
        ("begin\nact a\nforce\nact b\nself\nend\nend\nno more", [2, 3, 4, 5, 6, 7]),
        ("begin\nact a\nend\nact b\nforce", [2, 3, 4, 5]),
        ("no\nbegin\nact a\nend\nend\nno\n--- BEGIN ---\ndiv b\n[end]\nno", [3, 4, 8]),
        ("begin\nhold\nbegin\nmove\nend.\nno", [2, 4]),
        ("begin\nhold", [2]),
        ("act a\nend\nend\nhold", [1, 2, 3, 4]),
    ],
    ids=[
        "an end of a block is not the end of the sheet",
        "blocks in blocks",
        "the last end is of a block",
        "a block without its end",
        "the sheet without its end",
        "two sheets in one letter",
        "begin twice",
        "begin alone",
        "end alone",
    ],
)
def test_no_line_between_begin_and_end_is_lost(text: str, numbers: list[int]) -> None:
    assert taken(text) == numbers


def fates(text: str) -> list[str]:
    sheet = split_sheet(lines_of(text), lambda line: line.text.startswith("move"), nests=nests)
    assert [one.line for one in sheet.account] == list(lines_of(text))
    return [one.fate.name.lower() for one in sheet.account]


def test_the_account_says_of_each_line_what_it_was_taken_for() -> None:
    text = "Hello\ngame x\n\nbegin\n# me\nmove p1\nadd\nwait perhaps\n, .\nend\nmove p2"

    assert fates(text) == (
        ["outside", "head", "blank", "mark", "comment", "order", "office", "office", "comment", "mark", "outside"]
    )


def test_of_a_letter_to_another_role_all_lines_are_accounted_for() -> None:
    assert fates("letter to guard:\nDear Sir,\n\nyours\nend letter\nmove") == ["office"] * 5 + ["order"]


def test_a_word_said_fifty_times_is_done_once() -> None:
    for word in ("report", "help", "status", "Report 4B", "orders?", "withdraw"):
        sheet = split("\n".join([word] * 50))
        assert len(sheet.commands) == 1
        assert [one.fate for one in sheet.account] == [LineFate.OFFICE, *[LineFate.AGAIN] * 49]


def test_of_wait_on_and_wait_off_the_last_counts() -> None:
    [command] = split("wait off\nwait on\n" * 100 + "ready").commands

    assert (command.word, command.line.number) == ("ready", 201)


def test_two_hundred_words_to_the_umpire_are_one_letter_to_him() -> None:
    sheet = split("\n".join(f"umpire: question {n}" for n in range(200)))

    [command] = sheet.commands
    assert command.argument.split("\n\n") == [f"question {n}" for n in range(200)]


def test_what_is_written_to_the_umpire_is_bounded_and_the_rest_is_named() -> None:
    sheet = split("\n".join(f"umpire: {n} {'x' * 1000}" for n in range(200)))

    assert len(sheet.commands[0].argument) <= JOINED
    assert len([one for one in sheet.account if one.fate is LineFate.OVER]) > 150


def test_a_letter_asks_for_so_much_and_no_more() -> None:
    sheet = split("\n".join(f"report {n}A" for n in range(1, 100)))

    assert len(sheet.commands) == MOST
    assert [one.fate for one in sheet.account][MOST:] == [LineFate.OVER] * (99 - MOST)


def test_the_work_of_parting_grows_with_the_text_and_no_faster() -> None:
    """Heads below lines that are no orders, papers without an end: each line is asked about a few times at most."""
    asked = 0

    def counting(line: Line) -> bool:
        nonlocal asked
        asked += 1
        return False

    lines = lines_of("begin\n" + "no order\n" * 900 + "game x\n" * 900 + "dispatch x\nend\n" * 100)
    split_sheet(lines, counting, lambda text: text.startswith("dispatch"))

    assert asked <= 2 * len(lines)


@pytest.mark.parametrize(
    "line",
    [
        "Also, the guns are late.",
        "also we attack",
        "Also:",
        "Address: 12 Mill Lane",
        "address the men",
        "address a@b@c",
    ],
)
def test_a_word_about_an_address_takes_no_prose(line: str) -> None:
    assert not split(line).commands


@pytest.mark.parametrize(
    ("line", "argument"),
    {
        "also": "",
        "Address: New@player.example.": "New@player.example",
        "address new@player.example <mailto:new@player.example>": "new@player.example <mailto:new@player.example>",
        "also off new@player.example": "off new@player.example",
        "address off": "off",
    }.items(),
)
def test_a_word_about_an_address_takes_one_as_people_write_it(line: str, argument: str) -> None:
    assert [one.argument for one in split(line).commands] == [argument]


GERMAN = {
    "bereit": ("ready", ""),
    "Fertig.": ("ready", ""),
    "warten an": ("wait", "on"),
    "warte aus": ("wait", "off"),
    "Urlaub 24. Dez bis 2. Januar": ("vacation", "24. dec to 2. jan"),
    "Urlaub aus": ("vacation", "off"),
    "Urlaub vom 24.12. bis 2.1.": ("vacation", "from 24.12. to 2.1"),
    "Bericht 4B": ("report", "4B"),
    "Befehle?": ("orders?", ""),
    "Format Seite": ("format", "page"),
    "veröffentlichen Briefe ja": ("publish", "letters yes"),
    "veroeffentliche Name nein": ("publish", "name no"),
    "Rücktritt": ("resign", ""),
    "Hilfe": ("help", ""),
    "vacation 24. Dez bis 2. Jan": ("vacation", "24. dec to 2. jan"),
    "wait an": ("wait", "on"),
    "vorschlagen Remis": ("propose", "draw"),
    "vorschlagen Unentschieden: Es steht gleich, und bis heute von allen": (
        "propose",
        "draw: Es steht gleich, und bis heute von allen",
    ),
    "vorschlagen Waffenruhe bis 5A": ("propose", "truce to 5A"),
    "beantragen Waffenstillstand bis zum 5A: Name": ("propose", "truce to 5A: Name"),
    "vorschlagen Ende": ("propose", "end"),
    "vorschlagen Verlängerung 24h": ("propose", "extension 24h"),
    "vorschlagen Verlaengerung um 24 Stunden: an Weihnachten": ("propose", "extension by 24 hours: an Weihnachten"),
    "vorschlagen Pause": ("propose", "pause"),
    "vorschlagen Fortsetzung": ("propose", "resume"),
    "vorschlagen Ablösung guard": ("propose", "replacement guard"),
    "vorschlagen Ablösung von guard: er schweigt": ("propose", "replacement of guard: er schweigt"),
    "propose Waffenruhe bis 5A": ("propose", "truce to 5A"),
    "stimmen V3 ja": ("vote", "V3 yes"),
    "Stimme nein": ("vote", "no"),
}


@pytest.mark.parametrize(("text", "means"), GERMAN.items(), ids=GERMAN)
def test_a_word_to_the_office_may_be_german(text: str, means: tuple[str, str]) -> None:
    command = command_of(text)
    assert command is not None
    assert (command.word, command.argument) == means


def test_every_kind_of_vote_has_a_word_in_every_language() -> None:
    for language in languages():
        assert {*KINDS} - {*language.office.said} == set()


def test_one_may_join_in_german() -> None:
    assert joins("Mitspielen alma als french oder prussian.") == joins("join alma as french or prussian")
    assert joins("Beitreten alma als egal") == joins("join alma as any")


def test_every_word_to_the_office_has_one_in_every_language() -> None:
    for language in languages():
        assert {*WORDS} - {*language.office.words} == set()


def test_what_stands_in_a_german_letter_is_left_as_it_is() -> None:
    sheet = split_sheet(
        lines_of("Brief an Prussian gezeichnet: Name und Seite, an, aus, ja\n\nSpielleiter: Geht das am Dienstag?\n"),
        never,
    )
    assert [(one.word, one.to, one.signed, one.argument) for one in sheet.commands] == [
        ("letter to", ("prussian",), True, "Name und Seite, an, aus, ja"),
        ("umpire", (), None, "Geht das am Dienstag?"),
    ]


def test_a_german_letter_ends_with_its_word_and_a_german_block_with_its_own() -> None:
    head, letter = (
        "Spiel: autumn\nRolle: french\nZug: 3A\n\n",
        "Brief an prussian:\nErstens.\n\nZweitens.\nEnde Brief\n",
    )
    text = f"{head}Anfang\n{letter}Ende\nGruß"
    sheet = split_sheet(lines_of(text), never)
    assert sheet.head == Head("autumn", Role("french"), Moment.parse("3A"))
    assert [one.argument for one in sheet.commands] == ["Erstens.\n\nZweitens."]
    assert sheet.orders == ()


def test_german_prose_is_no_word_to_the_office() -> None:
    for text in ("Bereit zum Spielen, und danke!", "Bericht von der Front", "Befehle:", "Spiel mir das Lied vom Tod"):
        assert command_of(text) is None
        assert split_sheet([Line(1, text)], never).head == Head()
