"""The contract as the OpenAPI document has it, for pages that say what it says."""

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
