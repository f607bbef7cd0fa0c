"""A sheet is parted into what it says of itself, what it asks of the office, and orders."""

from __future__ import annotations

import pytest

from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Line, lines_of
from pbem.orders.words import WORDS, Argument, Head, Sheet, command_of, split_sheet


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

    assert (command.to, command.argument) == ("prussian", "Dear sir, # 1 is mine")


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

    assert (letter.to, letter.signed, letter.argument) == ("guard", signed, "x")


def test_an_answer_names_its_question() -> None:
    [answer] = split("Answer 5B/Halt-1#2: no, he waits").commands

    assert (answer.word, answer.about, answer.argument) == ("answer", "5B/Halt-1#2", "no, he waits")


@pytest.mark.parametrize(
    "text", ["add", "umpire: hello", "letter to guard: hello", "help me", "wait for it", "Report!"]
)
def test_a_subject_is_a_command_only_word_for_word(text: str) -> None:
    found = command_of(text)

    assert (found.word if found else None) == ("add" if text == "add" else None)
