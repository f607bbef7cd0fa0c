"""Signatures on outgoing letters: they hold, the same letter has the same, and nothing can be added under one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from pbem.mail.leaving.compose import Draft, compose
from pbem.mail.leaving.sign import BadKey, SigningKey, read_key, sign, txt_record
from pbem.mail.trust.authentication import Result, authenticate
from pbem.mail.wire.addresses import Address

AT = datetime(2026, 6, 12, 16, 2, tzinfo=UTC)
RAW = compose(
    Draft(
        message_id="<gpw.3.french.report.1@office.example>",
        date=AT,
        sender=Address("gpw@office.example", "GPW"),
        to=Address("zoe@x.example"),
        subject="[gpw] Turn 3 report",
        text="Mézières holds.\n.\n",
        html="<p>Mézières holds.</p>",
        office="office.example",
        list_id="gpw.office.example",
        unsubscribe=("https://office.example/stop", "mailto:gpw@office.example?subject=stop"),
    )
)


@pytest.fixture(scope="module")
def private() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def pem(
    private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey,
    form: serialization.PrivateFormat = serialization.PrivateFormat.PKCS8,
    password: bytes = b"",
) -> bytes:
    how: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        how = serialization.BestAvailableEncryption(password)
    return private.private_bytes(serialization.Encoding.PEM, form, how)


@pytest.fixture(scope="module")
def key(private: rsa.RSAPrivateKey, tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    path = tmp_path_factory.mktemp("key") / "dkim.pem"
    path.write_bytes(pem(private))
    return read_key(path, "Office.example", "S2026")


def holds(raw: bytes, key: SigningKey) -> bool:
    name, text = txt_record(key)
    records = {f"{name}.": text.encode()}
    good = bool(dkim.verify(raw, dnsfunc=lambda name, timeout: records.get(name.decode())))
    assert (authenticate(raw, lambda address: True, lookup=records.get).result is Result.PASS) is good
    return good


def test_a_signed_letter_is_believed(key: SigningKey) -> None:
    signed = sign(RAW, key, AT)

    assert signed.startswith(b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=office.example;")
    assert signed.endswith(RAW)
    assert holds(signed, key)
    assert holds(signed.replace(b"\r\n", b"\n"), key)


def test_the_same_letter_has_the_same_signature(key: SigningKey) -> None:
    assert sign(RAW, key, AT) == sign(RAW, key, AT)
    assert f"t={int(AT.timestamp())};".encode() in sign(RAW, key, AT).replace(b"\r\n ", b" ")
    later = sign(RAW, key, AT + timedelta(hours=1))
    assert later != sign(RAW, key, AT)
    assert holds(later, key)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"holds.", b"falls."),
        (b"Subject: [gpw] Turn 3", b"Subject: [gpw] Turn 4"),
        (b"From: GPW <gpw@office.example>", b"From: GPW <gm@office.example>"),
        (b"List-Unsubscribe:", b"List-Unsubscribe: <https://x.example>\r\nX:"),
        (b"Subject:", b"From: b@office.example\r\nSubject:"),
        (b"Subject:", b"Reply-To: b@x.example\r\nSubject:"),
        (b"Date:", b"Subject: flee\r\nDate:"),
    ],
)
def test_what_is_changed_or_added_is_found(key: SigningKey, old: bytes, new: bytes) -> None:
    signed = sign(RAW, key, AT)
    assert old in signed

    assert not holds(signed.replace(old, new, 1), key)


def test_a_subdomain_is_signed_for_and_a_stranger_is_not(key: SigningKey) -> None:
    below = RAW.replace(b"gpw@office.example>\r\nTo", b"gpw@mail.office.example>\r\nTo")
    assert below != RAW
    assert holds(sign(below, key, AT), key)
    for sender in (b"a@x.example", b"a@notoffice.example", b"nobody"):
        with pytest.raises(BadKey, match=r"^a key of office.example cannot sign a letter from"):
            sign(b"From: " + sender + b"\r\n\r\nhold\r\n", key, AT)
    with pytest.raises(BadKey, match="from nobody"):
        sign(b"Subject: x\r\n\r\nhold\r\n", key, AT)


@pytest.mark.parametrize("form", [serialization.PrivateFormat.PKCS8, serialization.PrivateFormat.TraditionalOpenSSL])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_keys_in_the_forms_of_openssl(
    private: rsa.RSAPrivateKey, tmp_path: Path, form: serialization.PrivateFormat, newline: bytes
) -> None:
    (tmp_path / "key").write_bytes(pem(private, form).replace(b"\n", newline))
    key = read_key(tmp_path / "key", "office.example", "s")

    assert holds(sign(RAW, key, AT), key)


def test_the_record_is_that_of_openssl(private: rsa.RSAPrivateKey, key: SigningKey) -> None:
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    middle = b"".join(public.splitlines()[1:-1]).decode()

    assert txt_record(key) == ("s2026._domainkey.office.example", f"v=DKIM1; k=rsa; p={middle}")


def test_keys_that_cannot_sign(private: rsa.RSAPrivateKey, tmp_path: Path) -> None:
    def refusal(content: bytes, domain: str = "office.example", selector: str = "s") -> str:
        (tmp_path / "key").write_bytes(content)
        with pytest.raises(BadKey) as refused:
            read_key(tmp_path / "key", domain, selector)
        return str(refused.value)

    good = pem(private)
    lacking = f"{tmp_path / 'key'}: there is no RSA key without a password in it (PEM)."
    for content in (
        b"",
        b"nonsense",
        good[:200],
        pem(private, password=b"secret"),
        pem(ec.generate_private_key(ec.SECP256R1())),
    ):
        assert refusal(content) == lacking
    assert refusal(good, domain="localhost") == '"localhost" is no domain.'
    assert refusal(good, domain="office.example; x=y") == '"office.example; x=y" is no domain.'
    assert refusal(good, selector="") == '"" is no selector.'
    with pytest.raises(BadKey, match=r"gone: no such file or directory\.$"):
        read_key(tmp_path / "gone", "office.example", "s")


def test_the_key_is_not_shown(key: SigningKey) -> None:
    assert "PRIVATE" not in repr(key)
