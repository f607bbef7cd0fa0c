"""Reports as pages, as text and as letters: the sample game, and names that would like to be code."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import Environment
from msgspec.structs import replace

from pbem.kernel.names import CampaignId, Moment, Role
from pbem.reports.pages.environment import environment
from pbem.reports.pages.report import (
    LONGEST_ALT,
    MAIL_LIMIT,
    Changes,
    Page,
    file_name,
    mail_body_html,
    report_html,
    report_subject,
    report_text,
)
from pbem.resources import resources
from pbem.rules.view import Fact, Table, Told
from tests.kit.sample import CORRECTED, DUE, PAGE, VIEW
from tests.kit.sample_turn import HAPPENED, SEED

Golden = Callable[[Path, bytes], None]
HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}"


def hostile_page() -> Page:
    """The sample with a name that would like to be code wherever somebody else's words can stand."""
    told = Told(moment=VIEW.moment, phase=HOSTILE, text=HOSTILE, lead=HOSTILE, notes=VIEW.happened[0].notes)
    picture = replace(
        VIEW.picture,
        title=HOSTILE,
        whose=HOSTILE,
        caption=HOSTILE,
        focus_caption=HOSTILE,
        words=((HOSTILE, HOSTILE),),
        labels=tuple(replace(label, text=HOSTILE) for label in VIEW.picture.labels),
        blocks=tuple(replace(block, label=HOSTILE) for block in VIEW.picture.blocks),
        sides=(HOSTILE, HOSTILE),
    )
    view = replace(
        VIEW,
        addressed=HOSTILE,
        title=HOSTILE,
        dateline=HOSTILE,
        strip=(Fact(HOSTILE, HOSTILE, HOSTILE, HOSTILE),),
        brief=(HOSTILE,),
        picture=picture,
        happened=(told,),
        standing=(HOSTILE,),
        own=tuple(replace(one, caption=HOSTILE, columns=(HOSTILE,) * 5, note=HOSTILE) for one in VIEW.own),
        courses=tuple(replace(one, title=HOSTILE, words=HOSTILE) for one in VIEW.courses),
        owed=HOSTILE,
        otherwise=HOSTILE,
        next=HOSTILE,
        template=(HOSTILE,),
    )
    sent = tuple(replace(one, name=HOSTILE, text="\n".join([HOSTILE] * 12)) for one in PAGE.sent)
    changes = Changes(new=(0,), new_results=(0,), gone=view.happened, gone_results=view.ordered, sent=sent)
    page = replace(PAGE, view=view, title=HOSTILE, sent=sent, correction=HOSTILE, version=2, changes=changes)
    return replace(page, reply=HOSTILE)


EDITIONS = {"": PAGE, "-v2": CORRECTED}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_is_as_committed(env: Environment, golden: Golden, kept: Path, edition: str) -> None:
    golden(kept / f"report{edition}.html", report_html(EDITIONS[edition], env).encode())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_text_is_as_committed(env: Environment, golden: Golden, kept: Path, edition: str) -> None:
    golden(kept / f"report{edition}.txt", report_text(EDITIONS[edition], env).encode())


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_letter_is_as_committed(env: Environment, golden: Golden, kept: Path, edition: str) -> None:
    golden(kept / f"mail{edition}.html", mail_body_html(EDITIONS[edition], env, "map.4b@office.example").encode())


def test_the_same_page_gives_the_same_bytes_in_a_fresh_environment(env: Environment) -> None:
    fresh = environment.__wrapped__(resources("templates"), None)
    assert report_html(PAGE, fresh) == report_html(PAGE, env)
    assert report_text(PAGE, fresh) == report_text(PAGE, env)
    assert mail_body_html(PAGE, fresh, "x@y") == mail_body_html(PAGE, env, "x@y")


@pytest.mark.parametrize("page", [PAGE, hostile_page()], ids=["sample", "hostile"])
def test_a_page_has_no_script_and_fetches_nothing(env: Environment, page: Page) -> None:
    for html in (report_html(page, env), mail_body_html(page, env, "x@y")):
        assert "<script" not in html.lower()
        assert not re.search(r"\son\w+\s*=", html)
        assert not re.search(r"(?:src|href|action)\s*=\s*[\"']?(?!cid:|#)\w", html)
        assert "http" not in html.replace("http://www.w3.org/", "")
        assert "@import" not in html
        assert "url(" not in re.sub(r"url\(#", "", html)


def test_what_looks_like_code_is_printed_as_it_was_written(env: Environment) -> None:
    html = report_html(hostile_page(), env)
    shown = "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert html.count(shown) > 40
    assert "{{ 7*7 }}" in html
    assert report_text(hostile_page(), env).count("<script>alert(1)</script>") > 20


def test_sizes_leave_room(env: Environment) -> None:
    assert len(report_html(PAGE, env).encode()) < 300_000
    assert len(mail_body_html(PAGE, env, "x@y").encode()) < 60_000


def test_a_long_turn_still_fits_a_letter_and_loses_no_order(env: Environment) -> None:
    many = replace(PAGE, view=replace(VIEW, happened=HAPPENED * 40))
    body = mail_body_html(many, env, "x@y")
    assert len(body.encode()) <= MAIL_LIMIT
    for order in ("move fc5+fc6+fc7 to", "hold fire f7+f8"):
        assert order in body


def test_text_stays_within_78_columns(env: Environment) -> None:
    for page in (PAGE, hostile_page()):
        text = report_text(page, env)
        template = text[text.index("\nbegin\n") : text.index("\nend\n")]
        assert max(map(len, text.replace(template, "").splitlines())) <= 78


def test_sections_stand_in_the_order_of_a_staff_report(env: Environment) -> None:
    html = report_html(PAGE, env)
    order = re.findall(r"<section id=\"(\w+)\"", html)
    assert order == ["map", "orders", "events", "own", "enemy", "score", "due", "dice"]
    assert html.count("<h1>") == 1
    assert set(re.findall(r"<a (?:class=\"skip\" )?href=\"#(\w+)\"", html)) <= set(order)


def test_no_two_things_of_a_page_share_an_id(env: Environment) -> None:
    ids = re.findall(r"\sid=\"([^\"]+)\"", report_html(PAGE, env))
    assert len(ids) == len(set(ids))


def test_every_result_has_its_word_beside_its_sign(env: Environment) -> None:
    html = report_html(PAGE, env)
    for word in ("Done", "In part", "Not carried out", "Standing"):
        assert re.search(rf"<span class=\"v \w+\"><svg [^>]*aria-hidden=\"true\">.*?</svg>{word}</span>", html)


def test_orders_are_shown_as_they_were_written(env: Environment) -> None:
    assert 'fire @<span class="q">H-9</span> in at <span class="q">H-12</span> else' in report_html(PAGE, env)
    assert "  8  shoot fg1 shot at J-11\n       NOT CARRIED OUT. No enemy" in report_text(PAGE, env)


def test_the_template_reads_back_as_a_sheet(env: Environment) -> None:
    lines = report_text(PAGE, env).splitlines()
    sheet = lines[lines.index("begin") + 1 : lines.index("end")]
    heads = dict(line.split(None, 1) for line in sheet[: sheet.index("")])
    assert heads == {"game": "stprivat-autumn", "role": "french", "turn": "5A"}
    assert Moment.parse(heads["turn"]) == PAGE.next
    assert tuple(sheet[sheet.index("") + 1 :]) == VIEW.template


def test_the_deadline_stands_in_the_readers_zone_and_in_utc(env: Environment) -> None:
    assert "Tuesday 24 November 2026, 20:00 in Paris (19:00 UTC)</dd>" in report_html(PAGE, env)
    tokyo = replace(PAGE, zone="Asia/Tokyo")
    assert "Wednesday 25 November 2026, 04:00 in Tokyo (Tue 24 Nov, 19:00 UTC)" in report_html(tokyo, env)


def test_no_page_tells_a_time_that_is_wrong_when_it_is_read_a_day_later(env: Environment) -> None:
    later = replace(PAGE, now=PAGE.now + 86_400_000_000)
    pages = [
        (report_html(page, env), report_text(page, env), mail_body_html(page, env, map_cid="m"))
        for page in (PAGE, later)
    ]
    for then, now in zip(*pages, strict=True):
        differing = [new for old, new in zip(then.splitlines(), now.splitlines(), strict=True) if old != new]
        assert all("Sent " in line for line in differing)


def test_who_owes_nothing_is_told_no_hour_of_his(env: Environment) -> None:
    text = report_text(replace(PAGE, view=replace(PAGE.view, owed="")), env)
    assert "It closes" in text
    assert "  By  " not in text


def test_printed_dice_follow_from_the_printed_seed(env: Environment) -> None:
    text = report_text(PAGE, env)
    assert hashlib.sha256(SEED).hexdigest() in text
    throws = re.findall(r"^    (4B/\S+) +\[([\d ]+)\]$", text, re.MULTILINE)
    assert len(throws) == 14
    for name, faces in throws:
        for i, face in enumerate(map(int, faces.split()), start=1):
            digest = hmac.digest(SEED, f"{name}#{i}.0".encode(), "sha256")
            assert int(digest.hex()[:16], 16) % 6 + 1 == face


def test_a_correction_says_so(env: Environment) -> None:
    corrected = replace(PAGE, version=2, correction="The charge on I-9 was counted twice.")
    for printed in (
        report_html(corrected, env),
        report_text(corrected, env),
        mail_body_html(corrected, env, "x@y"),
    ):
        assert re.search(r"corrected report, version 2", printed, re.IGNORECASE)
        assert "was counted twice" in printed
    assert file_name(corrected) == "report-4b-french-v2.html"
    assert "corrected (version 2)" in report_subject(corrected)


def test_a_corrected_report_marks_what_is_new_and_lists_what_no_longer_holds(env: Environment) -> None:
    text = " ".join(report_text(CORRECTED, env).split())
    html, letter = report_html(CORRECTED, env), mail_body_html(CORRECTED, env, "x@y")

    assert "3 sentences are new, and are marked so. 4 that version 1 told no longer hold." in text
    assert text.count("[NEW]") == html.count('<b class="new">New</b>') == letter.count(">NEW</b>") == 3
    assert "[NEW] From I-9 f4–6 fired" in text
    for printed in (text, html, letter):
        assert "has changed hands: 3 points to the enemy" in printed
        assert "Two companies destroyed." in printed
    assert "- 4B, line 6, fire @I-9 in at I-11 else I-10: done." in text


def test_a_corrected_report_that_tells_the_same_says_so(env: Environment) -> None:
    same = replace(CORRECTED, changes=Changes())
    for printed in (report_html(same, env), report_text(same, env), mail_body_html(same, env, "x@y")):
        assert "It tells you nothing else than version 1 did." in printed


def test_a_letter_that_is_full_leaves_out_what_no_longer_holds_and_says_where_it_is(env: Environment) -> None:
    changes = replace(CORRECTED.changes, gone=CORRECTED.changes.gone * 400) if CORRECTED.changes else None
    letter = mail_body_html(replace(CORRECTED, changes=changes), env, "x@y")

    assert len(letter.encode()) <= MAIL_LIMIT
    assert "These are listed in the attached report." in letter
    assert "has changed hands: 3 points to the enemy" not in letter


def test_the_end_asks_for_nothing(env: Environment) -> None:
    over = replace(
        PAGE,
        view=replace(VIEW, over="The French have won by 12 points to 6.", owed="", template=()),
        due=None,
        next=None,
        promises=None,
        closed_seeds=(("4B", "00" * 32),),
    )
    for printed in (report_html(over, env), report_text(over, env), mail_body_html(over, env, "x@y")):
        assert "The French have won by 12 points to 6." in printed
        assert "Reply" not in printed
        assert "due next" not in printed.lower()
    assert 'h-w">The end<' in report_html(over, env)
    assert "\nTHE END\n" in report_text(over, env)
    assert "00" * 32 in report_html(over, env)
    assert report_subject(over).endswith("The game is over")


def test_a_first_column_of_numbers_has_its_head_above_them(env: Environment) -> None:
    table = Table(columns=("Square", "Men"), rows=(("4", "12"),), numbers=(0, 1))
    html = report_html(replace(PAGE, view=replace(VIEW, own=(table,))), env)

    assert '<th scope="col">Square</th><th scope="col" class="n">Men</th>' in html
    assert '<th scope="row">4</th><td class="n" data-l="Men">12</td>' in html


def test_the_name_of_a_unit_is_not_broken_over_a_line(env: Environment) -> None:
    html = report_html(replace(PAGE, view=replace(VIEW, title="FR-A1 and FR-2 at UK-RB, PR-C12")), env)

    for name in ("FR-A1", "FR-2", "UK-RB", "PR-C12"):
        assert f'<span class="q">{name}</span>' in html


def test_a_role_that_owes_nothing_is_told_so(env: Environment) -> None:
    idle = replace(PAGE, view=replace(VIEW, owed="", ordered=()), sent=())
    html = report_html(idle, env)
    assert "Nothing now" in html
    assert "No orders of yours were played" in html


def test_the_subject_says_what_is_due() -> None:
    assert report_subject(PAGE) == (
        "[stprivat-autumn] 4B report, french. Due: movement for turn 5, Tue 24 Nov 2026, 20:00 in Paris"
    )
    assert PAGE.now < DUE


def test_an_office_can_lay_its_own_template_over_ours(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(
        '{% extends "pbem/report.html" %}{% block footer %}Printed in Metz.{% endblock %}'
    )
    html = report_html(PAGE, environment(resources("templates"), tmp_path))
    assert "Printed in Metz." in html
    assert "Your forces" in html


def test_a_system_can_have_its_own_template(tmp_path: Path) -> None:
    (tmp_path / "st-privat").mkdir()
    (tmp_path / "st-privat" / "report.txt").write_text("{{ view.title }}")
    own = environment(resources("templates"), tmp_path)
    assert report_text(PAGE, own) == "St. Privat held against the Guard\n"
    other = replace(PAGE, system="kriegsspiel", campaign=CampaignId("x"), view=replace(VIEW, role=Role("blue")))
    assert "YOUR FORCES" in report_text(other, own)


def test_a_long_comment_of_the_template_goes_on_as_a_comment_and_no_order_is_broken(env: Environment) -> None:
    asked = f"# You are asked: {'the enemy: a dark mass (e7); ' * 20}"
    order = f"move p1 to {'J-9 ' * 60}"
    marked = f"# to 1/F: {'march ' * 20}# {'Kreuzweg, in line, ' * 20}"
    page = replace(PAGE, view=replace(VIEW, template=(asked, order.strip(), marked)))
    lines = report_text(page, env).split("\nbegin\n")[1].split("\nend\n")[0].splitlines()[4:]

    assert [line for line in lines if not line.startswith("#")] == [order.strip()]
    assert " ".join(line.lstrip("# ") for line in lines if line in lines[: lines.index(order.strip())]) == (
        asked.lstrip("# ").strip()
    )
    assert any(line.startswith(f"# to 1/F: {'march ' * 20}#") for line in lines)
    assert max(len(line) for line in lines if line.count("#") == 1) <= 100


ENDINGS = {
    "a sentence": ("Metz: IG, 17 SP. ", "Landau: A3.", "Metz: IG, 17 SP."),
    "an item": ("fg1 face down; ", "fg2 face down.", "fg1 face down"),
    "a word": ("a dark mass in ", "the wood.", "a dark mass in"),
}


@pytest.mark.parametrize(("before", "after", "end"), ENDINGS.values(), ids=ENDINGS)
def test_the_words_for_a_map_end_where_something_ends(env: Environment, before: str, after: str, end: str) -> None:
    lead = "x" * (LONGEST_ALT - len(f" Y: {before}"))
    picture = replace(VIEW.picture, focus_caption=lead, words=(("Y", before + after),))
    html = mail_body_html(replace(PAGE, view=replace(VIEW, picture=picture)), env, "x@y")
    (alt,) = re.findall(r'alt="(x[^"]*)"', html)

    assert alt == f"{lead} Y: {end}"
