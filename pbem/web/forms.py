"""What a form sends, read within bounds."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from pbem.reports.text.speech import phrase_later
from pbem.web.asking import Upload
from pbem.web.guard import Refusal, body_of

FIELDS = 60
"""So many fields are read of one form."""

UNREADABLE = phrase_later("What was sent is no form of this office.  Nothing of it was taken.")


class Form:
    """A form, read: its fields, its files, and the bytes of what is none."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.files: dict[str, Upload] = {}
        self.body = b""


async def form_of(request: Request, most: int) -> Form:
    """Read what was sent, of *most* bytes at most.

    :raises Refusal: if it is too large, comes too slowly, or cannot be read.
    """
    form = Form()
    form.body = await body_of(request, most)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        try:
            pairs = parse_qsl(form.body.decode("utf-8"), keep_blank_values=True, max_num_fields=FIELDS)
        except (ValueError, UnicodeDecodeError):
            raise Refusal(400, UNREADABLE) from None
        form.fields = {name: value.replace("\r\n", "\n") for name, value in pairs}
    elif kind == "multipart/form-data":
        await _parts(request.headers, form, most)
    return form


async def _parts(headers: Headers, form: Form, most: int) -> None:
    async def stream() -> AsyncGenerator[bytes, None]:
        yield form.body

    parser = MultiPartParser(
        headers,
        stream(),
        max_files=4,
        max_fields=FIELDS,
        max_part_size=most,
    )
    try:
        found = await parser.parse()
        for name, value in found.multi_items():
            if isinstance(value, UploadFile):
                form.files[name] = Upload(value.filename or "", await value.read())
            else:
                form.fields[name] = value.replace("\r\n", "\n")
        await found.close()
    except (MultiPartException, KeyError, UnicodeDecodeError, ValueError):
        raise Refusal(400, UNREADABLE) from None
