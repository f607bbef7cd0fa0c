"""Letters made to hurt whoever reads them, and texts made to hurt whoever looks for quotations in them."""

from __future__ import annotations

HEAD = b"From: a@x.example\r\nTo: gm@x.example\r\nSubject: orders\r\n"
PLAIN = b"\r\nmove p1 to J-10\r\n"


def _nested(depth: int) -> bytes:
    parts = [HEAD]
    for level in range(depth):
        parts.append(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level))
    return b"".join([*parts, b"Content-Type: text/plain\r\n\r\nhold\r\n"])


def _html(page: str) -> bytes:
    return HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + page.encode()


LETTERS = {
    "commas in To": HEAD + b"To: " + b"," * 50_000 + b"\r\n" + PLAIN,
    "brackets in From": b"From: " + b"(" * 8_000 + b"a@x.example\r\n" + PLAIN,
    "angles in To": b"To: " + b"<" * 8_000 + b"\r\n" + HEAD + PLAIN,
    "quotes in Content-Type": HEAD + b'Content-Type: multipart/mixed; x="' + b'";"' * 60_000 + b"\r\n" + PLAIN,
    "semicolons in Content-Type": HEAD + b"Content-Type: text/plain" + b"; a" * 2_500 + b"\r\n" + PLAIN,
    "encoded words in Subject": HEAD + b"Subject: " + b"=?a?q?" * 10_000 + b"\r\n" + PLAIN,
    "one encoded word of many": b"Subject: " + b"=?utf-8?q?=C3?= =?utf-8?q?=A4?= " * 200 + b"\r\n" + HEAD + PLAIN,
    "references": HEAD + b"References:" + b" <a@b>" * 10_000 + b"\r\n" + PLAIN,
    "nested parts": _nested(1_000),
    "nested letters": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 5_000 + b"hold\r\n",
    "many parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\n\r\nx\r\n" * 20_000
    + b"--b--\r\n",
    "many boundaries in force": HEAD
    + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(20))
    + b"x\r\n" * 19_000,
    "one long line": HEAD + b"\r\n" + b"x" * 900_000,
    "empty lines": HEAD + b"\r\n" * 500_000,
    "carriage returns": HEAD + b"\r" * 900_000,
    "punycode": HEAD + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a-" * 100_000,
    "utf-7": HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + b"+AGE-" * 40_000,
    "combining marks": HEAD
    + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    + "a\u0301\u0316".encode() * 80
    + b"\r\n"
    + "\u0301\u0316".encode() * 60_000,
    "uuencode": HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\n" + b"M" * 100_000,
    "base64 of nothing": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * 500_000,
    "quoted-printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=\r\n" * 30_000,
    "html nested": _html("<div>" * 90_000),
    "html nested just so": _html("<div>" * 1_900 + "hold"),
    "html never closed": _html("<p>x" * 60_000),
    "html attributes": _html("<div " + " ".join(f"a{n}=1" for n in range(40_000)) + ">hold"),
    "html open brackets": _html("<" * 400_000),
    "html open tags": _html("<a" * 200_000),
    "html comments": _html("<!--" * 100_000 + "hold"),
    "html entities": _html("&amp;" * 80_000),
    "html formatting": _html("<b><i>x</b>" * 20_000),
    "html quotations": _html("<blockquote>x</blockquote>" * 15_000),
    "html choices": _html("<select>" + "<option>x" * 50_000),
    "html groups of choices": _html("<select>" + "<optgroup><option>x" * 25_000),
    "combining marks in lines": HEAD
    + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    + ("a" + "\u0301\u0316" * 490 + "\r\n").encode() * 140,
    "thirty megabytes of header": b"X: y\r\n" * 5_000_000,
    "html meta": HEAD + b"Content-Type: text/html\r\n\r\n" + b"<meta " * 80_000,
    "html lines by style": HEAD
    + b"Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    + b'<p style=3D"white-space:pre">'
    + b"=0A" * 300_000,
    "base64 of scraps": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QUFB\r\n=\r\n!\r\n" * 6_000,
    "boundary not named": HEAD + b"Content-Type: multipart/mixed\r\n\r\n" + b"--b\r\nContent-Type: x\r\n" * 9_000,
    "boundaries of a boundary": HEAD
    + b"Content-Type: multipart/mixed\r\n\r\n--b\r\nContent-Type: multipart/mixed\r\n\r\n" * 2_000,
    "binary": bytes(range(256)) * 400,
    "twenty megabytes": HEAD + b"\r\n" + b"hold\r\n" * 3_500_000,
}
"""By what they have too much of."""


def texts(size: int) -> dict[str, list[str]]:
    """Bodies of about *size* lines, each the worst for one way of looking for quotations."""
    return {
        "attributions without end": ["On Mon, 1 Jun 2026 at 10:00 A <a@x.example>"] * size,
        "colons": ["On Mon, 1 Jun 2026:"] * size,
        "verbs": ["he wrote:"] * size,
        "verbs with addresses, broken": ["<a@x.example>", "x wrote"] * (size // 2),
        "header fields": ["From: a@x.example"] * size,
        "header fields, two of three": ["From: a@x.example", "To: b@x.example", ""] * (size // 3),
        "rules": ["_" * 60] * size,
        "dashes": ["-" * 200] * size,
        "captions": ["----- Original -----"] * size,
        "angles": ["<" * 60] * size,
        "broken quotations": ["> " + "x" * 66, "y y y y"] * (size // 2),
        "closing formulas": ["Regards,", ""] * (size // 2),
        "phones": ["Sent from my phone"] * size,
        "begin and end": ["begin", "hold", "end"] * (size // 3),
        "quotations and answers": ["> x", "hold"] * (size // 2),
        "escaped": [">From Metz to Sedan"] * size,
        "notices": ["This e-mail and any attachments are confidential"] * size,
        "notices in paragraphs": ["This e-mail and any attachments are confidential", ""] * (size // 2),
        "notices under rules": ["_" * 60, "This e-mail and any attachments are confidential"] * (size // 2),
        "paragraphs that are no notices": ["x", "Virus-free", ""] * (size // 3),
        "signed": ["-----BEGIN PGP SIGNED MESSAGE-----", "", "- hold", "-----BEGIN PGP SIGNATURE-----"] * (size // 4),
        "initials": ["On Mon, 1 Jun 2026 at 10:00 A wrote:", "AB> x", "hold"] * (size // 3),
        "gaps": ["On Mon, 1 Jun 2026 at 10:00 A:  x"] * size,
        "footers of lists": ["-=-=-=-=-=-=-", "https://x.example"] * (size // 2),
        "blanks": [" " * 60] * size,
        "open brackets": ["(<" * 30] * size,
    }
