"""Letters that came back: which failed and why, nothing believed of an address that we never wrote to."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.reading.bounce import (
    DAY,
    Bounce,
    Failure,
    Setback,
    header_rule,
    is_failing,
    read_bounce,
    score,
)
from pbem.mail.wire.headers import fields
from tests.kit.hostile import LETTERS, texts
from tests.mail.test_corpora import BOUNCES, CRISP, TALON, ZAPIER, files

OURS = {"moltke@x.example", "bazaine@y.example"}
OWN_LETTERS = sorted((Path(__file__).parents[2] / "letters").glob("*.eml"))


def mailed(address: str) -> bool:
    return address in OURS


def report(*groups: str, before: str = "Reporting-MTA: dns; mx.x.example\n", kind: str = "delivery-status") -> bytes:
    return (
        "Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.x.example>\n"
        "Subject: Undelivered Mail Returned to Sender\n"
        f'Content-Type: multipart/report; report-type={kind}; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nI'm sorry to have to tell you.\n"
        f"--b\nContent-Type: message/{kind}\n\n{before}\n" + "\n".join(groups) + "\n"
        "--b\nContent-Type: message/rfc822\n\n"
        "Message-ID: <gpw.report.3@office.example>\nSubject: [gpw] Turn 3\n\nThe enemy.\n--b--\n"
    ).encode()


def group(
    final: str = "rfc822; moltke@x.example",
    action: str = "failed",
    status: str = "5.1.1",
    diagnosis: str = "smtp; 550 5.1.1 <moltke@x.example>: no such user",
) -> str:
    return f"Final-Recipient: {final}\nAction: {action}\nStatus: {status}\nDiagnostic-Code: {diagnosis}\n"


def read(raw: bytes, *, mail: str | None = None) -> list[tuple[str, str]]:
    bounce = read_bounce(raw, mailed, mail=mail)
    return [(failure.address, failure.status) for failure in bounce.failures] if bounce else []


def is_bounce(raw: bytes) -> bool:
    """Whether the post wrote the letter about one that it could not deliver, or was late with."""
    return bool(header_rule(fields(raw))) or read_bounce(raw, lambda address: True, mail="?") is not None


def test_a_report_of_a_failure_is_read_whole() -> None:
    assert read_bounce(report(group()), mailed, mail="k3xq7mmd2a") == Bounce(
        mail="k3xq7mmd2a",
        message_id="<gpw.report.3@office.example>",
        failures=(Failure("moltke@x.example", "5.1.1", "smtp; 550 5.1.1 <moltke@x.example>: no such user"),),
    )


@pytest.mark.parametrize(
    ("groups", "failures"),
    [
        ([group()], [("moltke@x.example", "5.1.1")]),
        ([group().upper().replace("RFC822", "rfc822")], [("moltke@x.example", "5.1.1")]),
        ([group("<moltke@x.example>")], [("moltke@x.example", "5.1.1")]),
        ([group(action="delayed", status="4.4.1")], [("moltke@x.example", "4.4.1")]),
        ([group(action="error")], [("moltke@x.example", "5.1.1")]),
        (
            [group(), group("rfc822; bazaine@y.example")],
            [("bazaine@y.example", "5.1.1"), ("moltke@x.example", "5.1.1")],
        ),
        ([group(), group(action="delayed", status="4.4.1")], [("moltke@x.example", "5.1.1")]),
        # The server's own words are nearer the truth.
        ([group(status="5.0.0", diagnosis="smtp; 552 5.2.2 mailbox full")], [("moltke@x.example", "5.2.2")]),
        ([group(status="", diagnosis="smtp; 450 greylisted")], [("moltke@x.example", "4.0.0")]),
        ([group(status="", diagnosis="smtp; 554 no")], [("moltke@x.example", "5.0.0")]),
        ([group(status="", diagnosis="", action="delayed")], [("moltke@x.example", "4.0.0")]),
        ([group(status="", diagnosis="")], [("moltke@x.example", "5.0.0")]),
        ([group(status="5.1.1 (no such user)")], [("moltke@x.example", "5.1.1")]),
        # The address that we wrote to was forwarded to another.
        (
            ["Original-Recipient: rfc822; moltke@x.example\n" + group("rfc822; m@z.example")],
            [("moltke@x.example", "5.1.1")],
        ),
        ([group(diagnosis="smtp; 550\n no such\n user")], [("moltke@x.example", "5.1.1")]),
        # We never wrote to him.
        ([group("rfc822; stranger@z.example")], []),
        ([group("rfc822; nonsense")], []),
        ([group(action="delivered", status="2.1.5")], []),
        ([group(action="relayed", status="2.1.5")], []),
        ([group(action="expanded", status="2.1.5")], []),
    ],
)
def test_what_a_report_says(groups: list[str], failures: list[tuple[str, str]]) -> None:
    assert read(report(*groups)) == failures


def test_a_report_whose_parts_run_together() -> None:
    """Some servers leave out the empty lines between what is of the letter and what is of each address."""
    run = report((group() + group("rfc822; bazaine@y.example")).rstrip(), before="Reporting-MTA: dns; mx")
    run = run.replace(b"mx\n\nFinal", b"mx\nFinal")

    assert read(run) == [("bazaine@y.example", "5.1.1"), ("moltke@x.example", "5.1.1")]


def test_a_letter_that_arrived_is_no_bounce() -> None:
    assert read_bounce(report(group(action="delivered", status="2.0.0")), mailed, mail="k3") is None


def test_a_report_within_a_letter_that_somebody_forwards_is_his_letter() -> None:
    forwarded = (
        b"From: moltke@x.example\nSubject: Fwd: what is this?\n"
        b'Content-Type: multipart/mixed; boundary="f"\n\n--f\n\nhold\n--f\nContent-Type: message/rfc822\n\n'
        + report(group())
        + b"\n--f--\n"
    )

    assert not is_bounce(forwarded)
    assert read_bounce(forwarded, mailed) is None


def test_what_came_back_to_its_own_address_need_not_say_which_failed() -> None:
    raw = report(group("rfc822; m@elsewhere.example"))

    assert read_bounce(raw, mailed) is None
    assert read_bounce(raw, mailed, mail="k3") == Bounce("k3", "<gpw.report.3@office.example>", ())
    assert Bounce("k3", "", ()).status == "5.0.0"


@pytest.mark.parametrize(
    "answer",
    [
        "From: moltke@x.example\nAuto-Submitted: auto-replied\nSubject: Out of office\n\nmoltke@x.example is away\n",
        "From: moltke@x.example\nSubject: Re: [gpw] Turn 3\nIn-Reply-To: <a@b>\n\nmoltke@x.example: hold\n",
        "From: moltke@x.example\nSubject: orders\n\nhold\n",
        "Return-Path: <>\nFrom: moltke@x.example\nSubject: Read: [gpw] Turn 3\n"
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nread\n--b--\n",
        "From: moltke@x.example\nSubject: Re: Undelivered Mail Returned to Sender\nIn-Reply-To: <a@b>\n\n"
        "> <moltke@x.example>: host mx said: 550 no such user\nIt was full, try again.\n",
        "From: moltke@x.example\nSubject: delivery failure of my dispatch to Metz\n\nWhere is it?\n",
    ],
    ids=["absence", "reply", "letter", "receipt for reading", "reply to a bounce", "subject"],
)
def test_an_answer_to_the_address_of_bounces_is_none(answer: str) -> None:
    assert not is_bounce(answer.encode())
    assert read_bounce(answer.encode(), mailed, mail="k3") is None


def test_what_is_told_in_words_is_believed_of_addresses_that_we_wrote_to() -> None:
    told = (
        "From: MAILER-DAEMON@mx.example\nSubject: failure notice\n\n"
        "Hi. This is the qmail-send program at mx.example.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        "<{}>:\nSorry, no mailbox here by that name.\n\n--- Below this line is a copy of the message.\n\n"
    )

    assert read(told.format("bazaine@y.example").encode()) == [("bazaine@y.example", "5.0.0")]
    assert read(told.format("stranger@z.example").encode()) == []
    assert read_bounce(told.format("stranger@z.example").encode(), mailed, mail="k3") == Bounce("k3", "", ())


def test_exim_names_the_addresses_in_the_header() -> None:
    raw = b"X-Failed-Recipients: Moltke@x.example, b@z.example\nFrom: a@mx.example\nSubject: x\n\nsorry\n"

    assert read(raw) == [("moltke@x.example", "5.0.0")]


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("Content-Type: multipart/report; report-type=delivery-status", "multipart/report"),
        ("Content-Type: multipart/report; report-type=disposition-notification", ""),
        ("X-Failed-Recipients: a@x.example", "X-Failed-Recipients"),
        ("From: Mail Delivery Subsystem <a@x.example>", "From: Mail Delivery Subsystem <a@x.example>"),
        ("From: Postmaster <>", "From: Postmaster <>"),
        ("Return-Path: <>\nFrom: a@x.example\nSubject: Unzustellbar: Zug 3", "Subject: Unzustellbar: Zug 3"),
        ("Return-Path: <a@x.example>\nFrom: a@x.example\nSubject: Unzustellbar: Zug 3", ""),
        ("Return-Path: <>\nFrom: a@x.example\nSubject: Away", ""),
        ("From: a@x.example\nSubject: orders", ""),
    ],
)
def test_what_a_header_shows(header: str, why: str) -> None:
    assert header_rule(fields(f"{header}\n\n".encode())) == why


# ------------------------------------------------------------------------------------------------------- corpora


def test_bounces_of_twenty_mail_systems_are_known_for_what_they_are() -> None:
    """One of the corpus is a person's letter, and one the answer of somebody who is away."""
    bounces = files(BOUNCES, "*.txt")
    missed = [path.name for path in bounces if not is_bounce(path.read_bytes())]

    assert (len(bounces), missed) == (117, ["groupwise_03.txt", "qmail_08.txt"])


def test_of_nearly_all_it_is_known_which_address_failed() -> None:
    """Three name none that one could have written to."""
    silent = []
    for path in files(BOUNCES, "*.txt"):
        bounce = read_bounce(path.read_bytes(), lambda address: True)
        if bounce is None or not bounce.failures:
            silent.append(path.stem)

    assert silent == ["bounce_01", "dumbass_01", "groupwise_03", "qmail_08", "simple_43"]


def test_no_letter_of_a_person_is_taken_for_a_bounce() -> None:
    letters = [*files(f"{TALON}/standard_replies", "*.eml"), *files(TALON, "*.eml"), *OWN_LETTERS]
    raws = {path.name: path.read_bytes() for path in letters}
    for folder in (CRISP, ZAPIER):
        for path in files(folder, "*.txt"):
            raws[path.name] = b"From: a@x.example\nSubject: Re: delivery\nIn-Reply-To: <a@b>\n\n" + path.read_bytes()

    assert len(raws) > 160
    assert [name for name, raw in raws.items() if is_bounce(raw) or read_bounce(raw, lambda a: True, mail="x")] == []


def test_no_letter_of_ours_is_taken_for_a_bounce() -> None:
    assert [path.name for path in OWN_LETTERS if is_bounce(path.read_bytes())] == []


# ------------------------------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize("raw", LETTERS.values(), ids=LETTERS)
def test_hostile_letters_are_no_bounces_that_count(raw: bytes) -> None:
    from_the_post = raw.replace(b"From: a@x.example", b"From: MAILER-DAEMON@x.example", 1)
    bounce = read_bounce(from_the_post, mailed)

    assert bounce is None


@pytest.mark.parametrize("lines", texts(2_000).values(), ids=texts(20))
def test_hostile_texts_are_no_bounces_that_count(lines: list[str]) -> None:
    head = "From: MAILER-DAEMON@x.example\nSubject: failure notice\n\nhere is your list of failed recipients\n"

    assert read_bounce((head + "\n".join(lines)).encode(), mailed) is None


@pytest.mark.parametrize("text", ["<" * 400_000, "x" * 400_000, "a@" * 200_000, '";' * 200_000, "=41" * 100_000])
@pytest.mark.parametrize("place", ["text", "report"])
def test_one_long_line_is_not_looked_at_for_ever(text: str, place: str) -> None:
    """The library alone is quadratic here, and would hold up all other letters."""
    head = "From: MAILER-DAEMON@x.example\nSubject: failure notice\n"
    in_text = f"{head}\nhere is your list of failed recipients\n{text}\n".encode()
    raw = in_text if place == "text" else report(f"Final-Recipient: {text}\nAction: failed\n")

    assert read_bounce(raw, mailed) is None


# ----------------------------------------------------------------------------------------------------------- score

NOW = 100 * DAY


def setbacks(*statuses: str, at: int = NOW) -> list[Setback]:
    return [Setback(at, f"m{number}", status) for number, status in enumerate(statuses)]


@pytest.mark.parametrize(
    ("statuses", "points", "failing"),
    [
        ([], 0, False),
        (["5.1.1", "5.1.1"], 2, False),
        (["5.1.1", "5.1.1", "5.2.2"], 3, True),
        (["4.4.1"] * 11, 2.75, False),
        (["4.4.1"] * 12, 3, True),
        (["5.1.1", "5.1.1", "4.4.1", "4.4.1", "4.4.1", "4.4.1"], 3, True),
    ],
)
def test_the_score(statuses: list[str], points: float, failing: bool) -> None:
    assert score(setbacks(*statuses), NOW) == points
    assert is_failing(setbacks(*statuses), NOW) is failing


def test_a_letter_counts_once_by_its_gravest() -> None:
    assert score([Setback(NOW, "m", status) for status in ("4.4.1", "5.4.7", "4.4.1")], NOW) == 1


@pytest.mark.parametrize(("at", "counts"), [(NOW - 14 * DAY, 0), (NOW - 14 * DAY + 1, 1), (NOW, 1), (NOW + 1, 0)])
def test_old_setbacks_are_forgotten(at: int, counts: int) -> None:
    assert score(setbacks("5.1.1", at=at), NOW) == counts
