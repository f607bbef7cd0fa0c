"""The snippets for Caddy and nginx, run as they are but for ports, folders and a certificate of our own."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import trustme

from tests.conftest import needs
from tests.kit.demos import copy_of
from tests.kit.room import Room, open_room
from tests.web.conftest import FRENCH

HOST = "games.example.org"
DEPLOY = Path(__file__).parents[2] / "deploy"


def free() -> int:
    with socket.create_server(("127.0.0.1", 0)) as tried:
        return int(tried.getsockname()[1])


def certificate(folder: Path) -> tuple[Path, Path]:
    made = trustme.CA().issue_cert(HOST)
    chain, key = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    key.write_bytes(made.private_key_pem.bytes())
    return chain, key


@contextmanager
def caddy(folder: Path, behind: int, port: int) -> Iterator[Path]:
    """Caddy before a server on port *behind*; gives its log."""
    chain, key = certificate(folder)
    log = folder / "pbem.log"
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    text = text.replace("/var/log/caddy/pbem.log", str(log))
    head = f"\n{{\n\tadmin off\n\tauto_https off\n}}\n{HOST}:{port} {{\n\ttls {chain} {key}"
    text = text.replace(f"\n{HOST} {{", head, 1)
    (folder / "Caddyfile").write_text(text, "utf-8")
    command = [needs("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with running(command, port, {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "PBEM_WEB": f"127.0.0.1:{behind}"}):
        yield log


@contextmanager
def nginx(folder: Path, behind: int, port: int) -> Iterator[Path]:
    """The same, of nginx."""
    chain, key = certificate(folder)
    log = folder / "pbem.log"
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{behind}").replace("listen 443 ssl", f"listen {port} ssl")
    text = text.replace("listen 80;", f"listen {free()};").replace("/var/log/nginx/pbem.log", str(log))
    text = re.sub(r"/etc/letsencrypt\S*fullchain\.pem", str(chain), text)
    text = re.sub(r"/etc/letsencrypt\S*privkey\.pem", str(key), text)
    (folder / "site.conf").write_text(text, "utf-8")
    whole = (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; "
        f"uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; include {folder}/site.conf; }}\n"
    )
    (folder / "nginx.conf").write_text(whole, "utf-8")
    with running([needs("nginx"), "-c", str(folder / "nginx.conf"), "-p", str(folder)], port, {}):
        yield log


@contextmanager
def running(command: list[str], port: int, environment: dict[str, str]) -> Iterator[None]:
    around = {"PATH": "/usr/sbin:/usr/bin:/bin", **environment}
    with subprocess.Popen(command, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as tried:
                if not tried.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.parametrize("proxy", [caddy, nginx], ids=["Caddy", "nginx"])
def test_the_pages_behind_it_are_those_of_the_office(left: Path, tmp_path: Path, proxy: object) -> None:
    port, folder = free(), tmp_path / "proxy"
    folder.mkdir()
    # nginx tells the office the name without the port, and Caddy logs nothing of a name without it.
    there = HOST if proxy is nginx else f"{HOST}:{port}"
    with open_room(copy_of(left, tmp_path / "office"), url=f"https://{there}") as room:
        assert callable(proxy)
        with proxy(folder, room.port, port) as log:
            _tried(room, port, there)
            text = _said(log)
    assert "sign-in/link/" in text
    assert not re.search(r"sign-in/link/[a-z2-7]{20}", text)
    assert not re.search(r"[a-z2-7]{52}", text)


def _said(log: Path) -> str:
    """What stands in the log, which is written a little later."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if log.exists() and "/games" in (text := log.read_text("utf-8")):
            return text
        time.sleep(0.05)
    return ""


def _tried(room: Room, port: int, there: str) -> None:
    """Come in through the proxy, and try what it bounds."""
    origin = {"origin": f"https://{there}", "host": there}
    base = f"https://127.0.0.1:{port}"
    with httpx.Client(base_url=base, verify=False, headers=origin, timeout=60) as browser:
        named = {"sni_hostname": HOST}
        page = browser.get(f"/sign-in/link/{room.secret(FRENCH)}", extensions=named)
        assert page.status_code == 200, page.text[:300]
        seal = re.search(r'name="seal" value="([^"]*)"', page.text)
        assert seal is not None
        answer = browser.post(page.url.path, data={"seal": seal[1]}, extensions=named)
        assert answer.status_code == 303, answer.text
        assert all(one.startswith("__Host-") for one in answer.headers.get_list("set-cookie"))
        assert browser.get("/games", extensions=named).status_code == 200
        big = browser.post("/sign-in", content=b"x" * 7_000_000, extensions=named, timeout=15)
        assert big.status_code in (413, 502)  # the office hangs up as soon as it knows, and Caddy may not hear why
        other = browser.get("/games", headers={"host": "evil.example"}, extensions=named)
        assert "My games" not in other.text
