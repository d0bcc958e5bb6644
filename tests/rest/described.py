"""Whether a body is one that the OpenAPI document describes."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from croupier.v1 import contract_index

from service.rest.router import ROUTES, Router

DOCUMENT = json.loads((Path(contract_index.__file__).parent / "openapi.json").read_text())
ROUTER = Router(ROUTES)


def faults(path: str, body: Any) -> list[str]:
    """What the document has against a body that is sent to a path; nothing if it describes it."""
    route, _ = ROUTER.match("POST", path)
    found = _validator(route.request.DESCRIPTOR.name).iter_errors(body)
    return [f"{path}: {error.message} in {json.dumps(body)}" for error in found]


@cache
def _validator(name: str) -> Any:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(schema)
