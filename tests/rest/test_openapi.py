"""The OpenAPI document tells the truth: whatever it allows gets an answer that it describes.

Schemathesis makes requests from the document, sound and unsound ones, against the real service.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from service.rest.router import ROUTES
from tests.rest.doors import Request, send, servers
from tests.rest.real_pipeline import real_pipeline

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with servers(real_pipeline) as (port, _):
        yield port


@pytest.fixture(scope="module")
def api(port: int) -> Any:
    return schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")


@pytest.fixture(scope="module")
def token(port: int) -> str:
    answer = send(port, Request("POST", "/v1/guestTokens"))
    assert isinstance(answer.body, dict)
    return str(answer.body["token"])


def test_whatever_the_document_allows_is_answered_as_it_says(api: Any, token: str) -> None:
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) == len(ROUTES)
    for operation in operations:
        answer_as_described(operation, token)


def answer_as_described(operation: Any, token: str) -> None:
    @settings(
        max_examples=10, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        case.headers["authorization"] = f"Bearer {token}"
        case.call_and_validate(checks=CHECKS)

    ask()


def test_what_a_round_answers_is_described(api: Any, token: str) -> None:
    def call(method: str, path: str, body: Any = NOT_SET, **variables: Any) -> Any:
        case = api[path][method].Case(
            path_parameters=variables, headers={"authorization": f"Bearer {token}"}, body=body
        )
        response = case.call_and_validate(checks=CHECKS)
        assert response.status_code == 200
        return response.json()

    opening = {"requestId": "described", "ruleSetId": "four-deck-vegas"}
    table = call("POST", "/v1/tables", opening)["table"]
    table_id = table["tableId"]
    bet = {"requestId": "bet", "round": 1, "stake": 500}
    table = call("POST", "/v1/tables/{table_id}:bet", bet, table_id=table_id)["table"]
    while decision := table["your"]["decision"]:
        action = table["your"]["legalActions"][-1]["action"]
        act = {"requestId": decision, "decision": decision, "action": action}
        table = call("POST", "/v1/tables/{table_id}:act", act, table_id=table_id)["table"]
    call("GET", "/v1/tables/{table_id}", table_id=table_id)
    call("GET", "/v1/tables/{table_id}/rounds/{round}", table_id=table_id, round=1)
    call("GET", "/v1/tables/{table_id}/events", table_id=table_id)
    for path in ("/v1/tables", "/v1/rounds", "/v1/ruleSets"):
        call("GET", path)
    call("GET", "/v1/ruleSets/{rule_set_id}", rule_set_id="rotating-banker")
    call("POST", "/v1/tables/{table_id}:close", {"requestId": "close"}, table_id=table_id)
