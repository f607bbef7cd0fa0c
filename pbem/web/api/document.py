"""The OpenAPI document of the endpoints, made from their table."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

import pbem
from pbem.web.api.endpoints import BASE, ENDPOINTS, Endpoint
from pbem.web.api.shapes import Fault
from pbem.web.asking import Answer, Ask, File

_NAMED = re.compile(r"\{(\w+)\}")
_REF = "#/components/schemas/{name}"

FAULTS = {
    400: "The request cannot be read.",
    401: "There is no token, or it opens nothing any more.",
    404: "There is no such thing, or it is not the player's.",
    409: "It was not done; the reason is for the reader.",
    413: "It is too large.",
    422: "What was sent is not what is taken.",
    429: "There were too many requests.",
    503: "The office cannot do it just now.",
}
"""What an endpoint may answer besides what it gives."""


def document(ask: Ask) -> Answer:
    """The document."""
    return File(_made(ask.place), "application/json", public=True)


@cache
def _made(place: str) -> bytes:
    types = [Fault, *(one.gives for one in ENDPOINTS if one.gives), *(one.takes for one in ENDPOINTS if one.takes)]
    schemas, parts = msgspec.json.schema_components(types, ref_template=_REF)
    known = dict(zip(map(str, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in ENDPOINTS:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, known)
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "pbem",
            "version": pbem.__version__,
            "description": "Orders, reports and letters of a player's games, for his programs.",
        },
        "servers": [{"url": place or "/"}],
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }
    return msgspec.json.encode(whole)


def _operation(one: Endpoint, known: dict[str, Any]) -> dict[str, Any]:
    def holds(schema: Any) -> dict[str, Any]:
        return {"application/json": {"schema": schema}}

    place = _NAMED.sub(lambda found: found[1], one.path.removeprefix(f"{BASE}/"))
    said: dict[str, Any] = {
        "operationId": f"{one.method.lower()}_{place.replace('/', '_')}",
        "summary": one.says,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
            for name in _NAMED.findall(one.path)
        ],
        "responses": {
            "200": {"description": one.says, "content": holds(known[str(one.gives)] if one.gives else {})},
            **{
                str(status): {"description": why, "content": holds(known[str(Fault)])} for status, why in FAULTS.items()
            },
        },
    }
    if "{moment}" in one.path:
        said["parameters"].append({"name": "version", "in": "query", "schema": {"type": "integer", "minimum": 1}})
    if one.takes:
        said["requestBody"] = {"required": True, "content": holds(known[str(one.takes)])}
    return said
