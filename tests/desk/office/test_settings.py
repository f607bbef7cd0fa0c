from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.office.settings import Smtp, find_office, read_settings, smtp_password
from pbem.kernel.errors import Refused


def write(folder: Path, text: str) -> Path:
    (folder / "pbem.toml").write_text(text, "utf-8")
    return folder


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, 'address = "Office@Example.ORG"'))

    assert (settings.address, settings.host, settings.terms.hours) == ("office@example.org", "example.org", 72)


def test_the_environment_stands_above_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP__HOST", "there.example")
    settings = read_settings(write(tmp_path, 'address = "a@b.org"\n[smtp]\nhost = "here.example"\nport = 2525'))

    assert (settings.smtp.host, settings.smtp.port) == ("there.example", 2525)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "address"),
        ('address = "nobody"', '"nobody" is no address'),
        ('address = "büro@b.org"', "is no address"),
        ('address = "a@my_host.org"', "is no address that an office can have"),
        ('address = "a@b.org"\nname = "The\\r\\nBcc: x@b.org"', "the office cannot be called"),
        ('address = "a@b.org"\nname = "=?utf-8?q?a=0D=0ABcc:_x=40b.org?="', "the office cannot be called"),
        ('address = "a@b.org"\nzone = "Mars/Base"', "there is no time zone"),
        ('address = "a@b.org"\n[smtp]\npassword = "hunter2"', "smtp.password"),
        ('address = "a@b.org"\nadress = "c@d.org"', "adress"),
        ("address = ", "is no TOML"),
    ],
)
def test_a_wrong_entry_is_named_with_its_file(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(Refused) as caught:
        read_settings(write(tmp_path, text))

    assert named in str(caught.value)
    assert str(tmp_path / "pbem.toml") in str(caught.value)


def test_a_password_in_the_file_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        read_settings(write(tmp_path, 'address = "a@b.org"\n[smtp]\npassword = "hunter2"'))

    assert "hunter2" not in str(caught.value)


def test_the_office_is_looked_for_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_OFFICE", raising=False)
    below = write(tmp_path, "") / "one" / "two"
    below.mkdir(parents=True)

    assert find_office(None, below) == tmp_path


def test_the_environment_names_the_office_and_what_is_told_stands_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, "")
    monkeypatch.setenv("PBEM_OFFICE", str(tmp_path / "here"))

    assert find_office(None, tmp_path) == tmp_path / "here"
    assert find_office(tmp_path / "there", tmp_path) == tmp_path / "there"


def test_without_an_office_it_is_said_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_OFFICE", raising=False)
    with pytest.raises(Refused, match="pbem init"):
        find_office(None, tmp_path)
    with pytest.raises(Refused, match="is no office"):
        find_office(tmp_path, tmp_path)


def test_a_password_comes_from_the_environment_or_from_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    smtp = Smtp(password_variable="PBEM_TEST_PASSWORD", password_command="echo from-a-command")
    monkeypatch.delenv("PBEM_TEST_PASSWORD", raising=False)
    assert smtp_password(smtp) == "from-a-command"
    monkeypatch.setenv("PBEM_TEST_PASSWORD", "from-the-environment")
    assert smtp_password(smtp) == "from-the-environment"
    monkeypatch.delenv("PBEM_TEST_PASSWORD")
    with pytest.raises(Refused, match="failed with 3"):
        smtp_password(Smtp(password_variable="PBEM_TEST_PASSWORD", password_command="exit 3"))


def test_large_mail_houses_have_limits_over_which_those_of_the_file_stand(tmp_path: Path) -> None:
    written = 'address = "a@b.org"\n[smtp.limits]\n"GMail.com" = 5\n"outlook.com" = 0\n"our.club" = 60\n'
    limits = read_settings(write(tmp_path, written)).smtp.limits

    assert (limits["gmail.com"], limits["our.club"], limits["yahoo.com"]) == (5, 60, 20)
    assert "outlook.com" not in limits
    with pytest.raises(Refused, match=r"smtp.limits: x.org: -1 is no number of mails a minute"):
        read_settings(write(tmp_path, 'address = "a@b.org"\n[smtp.limits]\n"x.org" = -1\n'))


@pytest.mark.parametrize(
    ("variable", "said", "entry", "worth"),
    [
        ("PBEM_ZONE", "Europe/Paris", "zone", "Europe/Paris"),
        ("PBEM_IMAP__PORT", "143", "imap.port", 143),
        ("PBEM_WEB__PUBLIC", "true", "web.public", True),
        ("PBEM_WEB__PROXIES", '["10.0.0.1"]', "web.proxies", ("10.0.0.1",)),
        ("pbem_smtp__host", "there.example", "smtp.host", "there.example"),
        ("PBEM_DEFAULTS__GRACE", "3", "defaults", {"grace": 3}),
        ("PBEM_DEFAULTS__NMR", "gm", "defaults", {"nmr": "gm"}),
        ("PBEM_SMTP_PASSWORD", "hunter2", "smtp.host", ""),
    ],
)
def test_what_the_environment_says_is_worth_what_its_entry_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, said: str, entry: str, worth: object
) -> None:
    monkeypatch.setenv(variable, said)
    found: object = read_settings(write(tmp_path, 'address = "a@b.org"'))
    for name in entry.split("."):
        found = getattr(found, name)

    assert found == worth


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[smtp]\nport = 70000", "smtp.port: it takes a whole number <= 65535."),
        ('[smtp]\nport = "many"', "smtp.port: it takes a whole number."),
        ('[smtp]\nsecurity = "ssl"', 'smtp.security: it takes "none", "starttls" or "tls".'),
        ('[web]\nproxies = "all"', "web.proxies: it takes a list."),
        ('[web]\nbind = "localhost"', 'web.bind: "localhost" is no address and port: write it like 127.0.0.1:8080.'),
        (
            '[listen]\nlmtp = "localhost"',
            'listen.lmtp: "localhost" is no address and port: write it like 127.0.0.1:2424.',
        ),
        (
            '[listen]\nnetworks = ["relay"]',
            'listen.networks: "relay" is no network: write it like 10.0.0.0/8.',
        ),
        ("smtp = 5", "smtp: it takes a table."),
        ("[defaults]\nhours = 0", "defaults: "),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_in_a_sentence(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(Refused) as caught:
        read_settings(write(tmp_path, f'address = "a@b.org"\n{text}'))

    assert str(caught.value).removeprefix(f"{tmp_path / 'pbem.toml'}: ").startswith(named)
