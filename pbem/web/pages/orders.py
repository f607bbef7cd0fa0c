"""Orders: written beside the map, read at every pause, sent as a letter is; and what was said of each sheet."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import Any

from pbem.desk.intake.receive import LARGEST as LARGEST_LETTER
from pbem.desk.reading import asked
from pbem.desk.reading.live import live
from pbem.kernel.errors import Refused
from pbem.reports.pages.environment import environment
from pbem.reports.pages.receipt import MARKS, Receipt, receipt_html
from pbem.reports.pages.sliced import sliced
from pbem.reports.text.speech import phrase
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, Data, Go, Later, NotThere, Page
from pbem.web.handing import answered, handed
from pbem.web.pages.games import door

LARGEST = LARGEST_LETTER + 64 * 1024
"""Bytes of a form with a file in it."""

MAPS = 60
"""So many maps are kept that were drawn."""

_RECEIPTS: OrderedDict[tuple[str, str, str, str, int], Receipt] = OrderedDict()
_DRAWN: OrderedDict[tuple[Any, ...], asked.Drawn] = OrderedDict()


def write(ask: Ask, *, text: str | None = None, read: bool = False) -> Answer:
    """The page on which orders are written; *text*: what was written, without scripts, and is to be *read*."""
    dossier = ask.dossier()
    stamp = (str(ask.office.folder), *asked.stamp(ask.office, ask.campaign, ask.role))
    found = asked.asked(ask.office, ask.campaign, ask.role)
    sheet = found.text if text is None else text

    def page(drawn: asked.Drawn) -> Answer:
        return Page(
            "web/orders.html",
            {
                "door": door(dossier, ask.role),
                "tab": "orders",
                "asked": found,
                "sheet": sheet,
                "drawn": drawn,
                "live": live(ask.office, ask.campaign, ask.role, sheet) if sheet.strip() else None,
                "read": read,
                "marks": MARKS,
                "once": ask.office.fresh_id(),
            },
        )

    if kept := _DRAWN.get(stamp):
        _DRAWN.move_to_end(stamp)
        return page(kept)

    def keep(data: bytes) -> Answer:
        _DRAWN[stamp] = drawn = asked.read_drawn(data)
        while len(_DRAWN) > MAPS:
            _DRAWN.popitem(last=False)
        return page(drawn)

    return Later(asked.drawn, (ask.campaign, ask.role), keep)


def read(ask: Ask) -> Answer:
    """Read a sheet that is being written; for the script of the page."""
    form = ask.form
    return Data(live(ask.office, ask.campaign, ask.role, form.get("sheet", ""), turn=form.get("turn", "")))


def send(ask: Ask) -> Answer:
    """Take a sheet, or a file, as a letter is taken; or read it, or take back what stands."""
    does = ask.form.get("do", "send")
    if does == "read":
        return write(ask, text=ask.form.get("sheet", ""), read=True)
    text, name = ask.form.get("sheet", "").encode(), ""
    on = ask.form.get("wait") == "on"
    turned = on != (ask.form.get("waited") == "on")
    if does in ("withdraw", "ready", "ready off"):
        text = f"{does}\n".encode()
    elif does == "wait":
        text = _wait(on=on)
    elif does == "file":
        file = ask.files.get("file")
        if file is None or not file.data:
            raise Refused(phrase("no file was chosen.  Nothing was taken."))
        text, name = file.data, file.name
    elif turned:
        text = _wait(on=on) + text
    if not text.strip():
        raise Refused(phrase("there is nothing on the sheet.  Nothing was taken."))
    once, turn = ask.form.get("once", "")[:60], ask.form.get("turn", "")
    # A file is read as it is: what the box says goes by itself, before it if it holds the turn, and else after it.
    beside = partial(handed, ask, _wait(on=on), once=f"wait{once}"[:60] if once else "", turn=turn)
    if does == "file" and turned and on:
        beside()
    done = handed(ask, text, name=name, once=once, turn=turn)
    if does == "file" and turned and not on:
        beside()
    home = f"/games/{ask.campaign}/{ask.role}"
    if done.receipt is not None:
        _RECEIPTS[str(ask.office.folder), ask.player.id, ask.campaign, ask.role, done.receipt.number] = done.receipt
        while len(_RECEIPTS) > MAPS:
            _RECEIPTS.popitem(last=False)
        # By that the browser knows that the office has it, and lets its draft go.
        mark = f"#sent-{once}" if once.isalnum() else ""
        return Go(f"{home}/receipts/{done.receipt.number}{mark}")
    return answered(done, f"{home}/orders")


def _wait(*, on: bool) -> bytes:
    """What the box says in which the turn is held, as a line."""
    return f"wait {'on' if on else 'off'}\n".encode()


def receipt(ask: Ask) -> Answer:
    """A receipt, as it was mailed."""
    number = ask.named["number"]
    if not number.isdecimal():
        raise NotThere
    dossier = ask.dossier()
    values: dict[str, Any] = {"door": door(dossier, ask.role), "tab": "orders", "number": number}
    if made := _RECEIPTS.get((str(ask.office.folder), ask.player.id, ask.campaign, ask.role, int(number))):
        env = environment(resources("templates"), ask.office.templates)
        return Page("web/receipt.html", {**values, "page": sliced(receipt_html(made, env)), "text": ""})
    text = asked.receipt_text(ask.office, dossier, ask.role, ask.player, int(number))
    if text is None:
        raise NotThere
    return Page("web/receipt.html", {**values, "page": None, "text": text})
