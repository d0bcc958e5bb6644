"""The contract from the OpenAPI document, for pages that repeat parts of it."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def schemas() -> dict[str, Any]:
    """The schemas of all messages and enums, by name."""
    document = json.loads((files("croupier.v1") / "openapi.json").read_text())
    found: dict[str, Any] = document["components"]["schemas"]
    return found
