"""What a receipt says of lines that do not stand as they were written."""

from __future__ import annotations

from pbem.kernel.names import Role
from pbem.orders.sheet import Complaint, Judgement, lines_of
from pbem.rules.contract import apply
from pbem.systems.empire_1870 import SYSTEM
from pbem.systems.empire_1870.scene.scene import parse_scene
from pbem.systems.empire_1870.sheets.forecast import forecast, idle
from pbem.systems.empire_1870.world.orders import AnyOrder
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN
from tests.systems.play import files

SCENE = parse_scene(files("empire-1870", "france-1870"))
POSITION = """
set turn 2
set phase action
set pulse 2
place F3 at 2206
place french 12SP at 2206
place F4 at 2205
place french 12SP at 2205
place G7 at 2305
place german 3SP at 2405
french: ACT F4; SELF 12SP MARCH 2206; END; DIV 2206 3SP MARCH 2207
"""


class Receipt:
    """A sheet as it is read, and what its writer is told of it."""

    def __init__(self, side: Role, sheet: str, position: str = POSITION) -> None:
        world = SYSTEM.blank(SCENE, {})
        for line in lines_of(position):
            reading = SYSTEM.direct(SCENE, world, [line], {})
            assert not reading.complaints, reading.complaints[0].why
            for fact in reading.items:
                world = apply(SYSTEM, world, fact)
        mind, call = world.minds[side], SYSTEM.awaits(world.truth).call(side)
        assert call is not None
        read = SYSTEM.read(SCENE, lines_of(sheet), mind, side, call)
        self.orders: tuple[AnyOrder, ...] = tuple(read.items)
        self.complaints: tuple[Complaint, ...] = tuple(read.complaints)
        self.plan = "\n".join(text for _, text in forecast(SCENE, mind, side, self.orders))
        self.idle = idle(SCENE, mind, side, self.orders, call)

    def of(self, line: int) -> str:
        """What is said against a line."""
        return " ".join(one.why for one in self.complaints if one.line == line)


def test_a_line_in_a_block_that_is_told_to_wait_is_said_to_be_left_out() -> None:
    """Only an entry can wait; the activation goes on without a line of it (WE-SEQ-04)."""
    inside = "ACT F3\n SELF 12SP MARCH 2207 IF CONTROL 2305 ELSE WAIT\nEND"
    assert (
        "if Saarlouis 2305 is yours; else it is left out, and its units stay unspent." in Receipt(FRENCH, inside).plan
    )
    entry = "ACT F3 IF CONTROL 2305 ELSE WAIT\n SELF 12SP MARCH 2207\nEND"
    assert "else it waits and is tried again:" in Receipt(FRENCH, entry).plan


def test_drop_and_insert_name_the_entries_they_are_about() -> None:
    plan = Receipt(FRENCH, "DROP 2\nINSERT 1\nDIV 2206 4SP MARCH 2306\nINSERT 9\nPASS").plan
    assert "Entry 2 of what remains is dropped: “DIV 2206 3SP MARCH 2207”." in plan
    assert "Before entry 1 of what remains, “ACT F4”:" in plan
    assert "After all that remains:" in plan


def test_a_new_list_leaves_nothing_to_drop_and_what_would_be_inserted_stands_in_it() -> None:
    receipt = Receipt(FRENCH, "DROP 2\nINSERT 1\nDIV 2206 4SP MARCH 2306\nPASS")
    assert receipt.of(1) == "line 4 begins a new list, which replaces all that remains"
    assert receipt.of(2).endswith("what stands below it is an entry of the new list")
    assert [one.text for one in receipt.orders] == ["DIV 2206 4SP MARCH 2306", "PASS"]


def test_a_block_refused_from_its_head_on_leaves_no_end_behind() -> None:
    """Else the sheet that stands would have an END with nothing to end, and be refused when it is sent again."""
    receipt = Receipt(FRENCH, "ACT F3\n SUB F4\n  SELF 12SP MARCH 2206\n END\n SELF 12SP MARCH 2207\nEND")
    refused = {one.line for one in receipt.complaints if one.judgement.refuses}
    assert refused == {2, 3, 4}
    assert receipt.of(4) == "line 2 was refused, and with it the rest of its block, up to its END"
    [order] = receipt.orders
    assert order.text == "ACT F3"


def test_what_is_probably_meant_is_shown_as_a_whole_line() -> None:
    [complaint] = Receipt(FRENCH, "DIV 2206 3SP MARCH Faulqemont IF CONTROL Metz").complaints
    assert complaint.instead == "DIV 2206 3SP MARCH Faulquemont IF CONTROL Metz"


def test_a_hex_in_which_an_hq_is_seen_alone_is_not_called_unknown() -> None:
    assert "not known" not in Receipt(FRENCH, "ACT F4\n SELF 12SP MARCH 2305\nEND").plan.partition("RP:")[0]


def test_a_programme_in_the_set_up_is_not_used_line_by_line() -> None:
    receipt = Receipt(GERMAN, "ACT A1\n SELF 12SP MARCH 2405\nEND", "set phase setup_german")
    assert {one.line: one.judgement for one in receipt.complaints} == {
        1: Judgement.NOT_USED,
        2: Judgement.NOT_USED,
    }


def test_what_remains_of_a_programme_is_an_order_too() -> None:
    assert Receipt(FRENCH, "REACT LOSSES SPREAD").idle == ("No entry activates F3: it stays where it is.",)
    assert Receipt(FRENCH, "DROP 1").idle == ("No entry activates F3 and F4: they stay where they are.",)


def test_the_set_up_is_told_as_it_will_stand_with_the_default_for_the_rest() -> None:
    receipt = Receipt(FRENCH, "SETUP NAP AT 2108\nSETUP 3SP AT 2106", "set phase setup_french")
    assert receipt.plan.endswith("2106: 3 SP; Metz 2107: 13 SP; 2108: NAP, IG, 12 SP.")


def test_who_may_not_be_set_up_there_is_told_where_he_may() -> None:
    receipt = Receipt(FRENCH, "SETUP F2 AT 2206\nSETUP 4SP AT 2607\nSETUP NAP AT Nancy", "set phase setup_french")
    free = "2106, Metz 2107, 2108 and Faulquemont 2207"
    assert receipt.of(1).endswith("F2 may not be set up at Forbach 2206: it stands at Saarbruecken 2306 in any case")
    assert receipt.of(2).endswith(f"what stands there is fixed, and the others have {free}")
    assert receipt.of(3).endswith(f"there is room at {free}")
    assert "it begins in the pool" in Receipt(GERMAN, "SETUP A4 AT 2504", "set phase setup_german").of(1)


def test_trains_that_cannot_go_and_too_many_of_them_are_doubted() -> None:
    position = POSITION + "place french 3SP at 2513\nplace german 3SP at 2512\nset french resource_points 3"
    receipt = Receipt(FRENCH, "DIV 2513 3SP MARCH RAIL 2513 TO Strasbourg", position)
    assert receipt.of(1).startswith("rail_blocked: as things stand no train can go from 2513 to 2609")
    sheet = "DIV 2206 4G MARCH RAIL Forbach TO Metz"
    assert "Of the 4 SP by rail only 3 can ride in a turn." in Receipt(FRENCH, sheet, position).plan
    assert "That is more than you have: what comes last is not carried out." in Receipt(FRENCH, sheet, position).plan


def test_a_standing_mobilization_is_counted_with_the_rest() -> None:
    position = "set turn 2\nset phase administration\nplace french 3SP at 2107"
    sheet = "MOBILIZE 1SP AT Metz\nSTANDING MOBILIZE 1SP AT Paris Laon RESERVE 10"
    assert "Your standing mobilization may take 4 of them, as long as 10 stay." in Receipt(FRENCH, sheet, position).plan


def test_advance_from_where_nobody_attacks_is_doubted() -> None:
    receipt = Receipt(FRENCH, "ACT F4\n SELF 12SP ASSAULT 2305 ADVANCE 2305\nEND")
    assert "nobody attacks from 2305: ADVANCE names hexes of the attackers, here 2205" in receipt.of(2)
    assert not Receipt(FRENCH, "ACT F4\n SELF 12SP ASSAULT 2305 ADVANCE 2205\nEND").of(2)


def test_examples_are_in_the_names_of_the_side_that_reads_them() -> None:
    assert SYSTEM.own_forms is not None
    world = SYSTEM.blank(SCENE, {})
    french, german = (SYSTEM.own_forms(SCENE, world.minds[side], side) for side in (FRENCH, GERMAN))
    assert [one["setup"] for one in (french, german)] == ["SETUP 12SP AT Metz", "SETUP 4SP OF A1 AT 2405"]
    assert [("react chassepot" in one) for one in (french, german)] == [True, False]
    [complaint] = Receipt(FRENCH, "ACT <b>F3</b>").complaints
    assert complaint.example == "ACT F3"


def test_the_odds_of_an_attack_are_reckoned_by_what_is_known() -> None:
    position = POSITION + "place german 4SP at 2306\nplace german 9SP at 2707"
    sheet = "ACT F3\n SELF 8SP ASSAULT 2306\nEND\nDIV 2206 4SP MARCH 2306 ATTACK\nDIV 2205 4SP MARCH 2206 2306"
    planned, march, plain = Receipt(FRENCH, sheet, position).plan.split("\n")[1:4]
    assert "Odds by what you know: 2:1; odds: 88 % to win, 3.7 loss points on the average, if" in planned
    assert "Odds by what you know: 1:2; odds: 5 % to win" in march
    assert "Odds" not in plain


def test_an_insert_takes_no_other_entry_than_the_one_below_it() -> None:
    """Else what was meant to stand at the end would come first, because the line before it was bad."""
    for bad in ("ACT F99\nEND", "ACT G7\nEND", "DIV 2206 9SP MARCH 2207", "DIV 9999 3SP MARCH 2207", "DIV 2206 MARCH"):
        receipt = Receipt(FRENCH, f"INSERT 1\n{bad}\nINSERT 9\nDIV 2206 4SP MARCH 2306")
        assert receipt.of(1) == "the entry below it was refused", bad
        assert [getattr(one, "number", 0) for one in receipt.orders] == [9]
    receipt = Receipt(FRENCH, "INSERT 2\nINSERT 1\nPASS\nINSERT 3")
    assert [receipt.of(line) for line in (1, 2, 4)] == ["no entry stands below it", "", "no entry stands below it"]


def test_a_division_has_sp_and_leaves_no_train_that_it_is_not_on() -> None:
    assert "at least one SP" in Receipt(FRENCH, "DIV 2206 0SP MARCH 2207").of(1)
    assert "nobody is on a train in 2206 now" in Receipt(FRENCH, "DIV 2206 3SP MARCH RAIL 2206 TO 2206").of(1)


def test_the_programme_of_a_turn_that_is_over_is_no_programme_any_more() -> None:
    """What the last turn left of it is not edited, and says nothing of who acts in the next (WE-SEQ-04)."""
    over = POSITION + "set turn 3\nset phase administration\n"
    receipt = Receipt(FRENCH, "DROP 1", over)
    assert "your programme has no entries left" in receipt.of(1)
    assert any("F4" in said for said in receipt.idle)
