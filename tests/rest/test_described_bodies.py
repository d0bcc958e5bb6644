"""The OpenAPI document describes what is sent: by the pages, in either spelling, and no less than
a request needs. (What the contract tests send is held to it where they send it.)"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from croupier.v1.table_service_pb2 import OpenTableRequest
from google.protobuf import json_format

from service.api.contract import methods
from service.server.first_screen import first_screen
from tests.contract.declared import good_request
from tests.contract.doors import PATHS
from tests.rest.described import faults

ROOT = Path(__file__).parents[2]
# In the shell `'$D'` puts what a variable holds between two parts of a text in quotes.
VARIABLES = {"'$D'": "1-1-0", "'$A'": "ACTION_STAND"}
SENT = re.compile(r"(/v1|\$API|\$TABLES?|[\w:/.$-]*/tables)([\w/:$-]*)\"? (?:-d )?'(\{.*\})'")
SENT_BEFORE = re.compile(r"-d '(\{.*\})' \\\n +\"http://[\w.:]+/v1(\S+)\"")


def written(text: str) -> Iterator[tuple[str, Any]]:
    """The path and body of each call that a text shows."""
    text = re.sub(r"\$\{(\w+)\}", r"$\1", text)
    for shown, value in VARIABLES.items():
        text = text.replace(shown, value)
    for body, path in SENT_BEFORE.findall(text):
        yield f"/v1{path}".replace("$TABLE", "t"), json.loads(body)
    for line in text.splitlines():
        for start, rest, body in SENT.findall(line):
            path = f"{start}{rest}".replace("$API", "/v1").replace("$TABLES", "/v1/tables")
            path = path.replace("$TABLE", "t" if "/tables/" in path else "/v1/tables/t")
            yield path[path.index("/v1") :], json.loads(body)


SCREEN = first_screen("127.0.0.1:1", "127.0.0.1:2", "here", ("token", "t"))
PAGES = {
    "the first screen": SCREEN,
    **{str(page.relative_to(ROOT)): page.read_text()
       for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))},
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_bodies_of_the_pages(page: str) -> None:
    found = list(written(PAGES[page]))
    assert len(found) >= {"README.md": 4, "the first screen": 3}.get(page, 0)
    assert len(found) == PAGES[page].count("'{")
    for path, body in found:
        assert not faults(path, body)


POSTED = {
    method.name: (method, PATHS[f"/{method.containing_service.full_name}/{method.name}"][1])
    for method in methods()
    if PATHS[f"/{method.containing_service.full_name}/{method.name}"][0] == "POST"
}


@pytest.mark.parametrize("snake_case", [True, False])
@pytest.mark.parametrize("name", POSTED)
def test_both_spellings_and_what_is_needed(name: str, snake_case: bool) -> None:
    method, template = POSTED[name]
    path = re.sub(r"\{round\}", "1", re.sub(r"\{\w*id\}", "t", template))
    body = json_format.MessageToDict(good_request(method), preserving_proto_field_name=snake_case)
    assert not faults(path, body)
    assert faults(path, body | {"nothing_like_it": 1})
    needed = {"ruleSetId", "rule_set_id", "baseRuleSetId", "base_rule_set_id", "decision", "action",
              "reason"} | ({"round"} if "{round}" not in template else set())  # fmt: skip
    for field in needed & body.keys():
        less = {key: value for key, value in body.items() if key != field}
        assert faults(path, less), field


def test_what_is_within_has_both_spellings_too() -> None:
    request = OpenTableRequest(request_id="r", rule_set_id="six-deck-h17")
    request.overrides.max_seats = 2
    request.overrides.pair_bet.numerator = 5
    for snake_case in (True, False):
        body = json_format.MessageToDict(request, preserving_proto_field_name=snake_case)
        assert not faults("/v1/tables", body)
    assert faults("/v1/tables", {"ruleSetId": "a", "rule_set_id": "a"})
    assert faults("/v1/tables", {"ruleSetId": "a", "overrides": {"max-seats": 2}})
    assert faults("/v1/tables", {"rule_set_id": "a b"})
