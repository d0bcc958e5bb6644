"""A round played over our REST door and through Envoy, on one table of the real service.

Each command goes to our door first and then, with the same request id, to Envoy: the second answer
is the first one again, only marked as a repetition.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.rest.doors import Answer, Request, send, two_doors
from tests.rest.envoy_server import skip_where_envoy_cannot_run
from tests.rest.real_pipeline import real_pipeline


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    skip_where_envoy_cannot_run()
    with two_doors(real_pipeline, tmp_path_factory.mktemp("envoy")) as ports:
        yield ports


class Client:
    """Asks both doors, and holds their answers against each other."""

    def __init__(self, doors: tuple[int, int]) -> None:
        self._doors = doors
        self._headers: dict[str, str] = {}
        token = self.post("/v1/guestTokens", {}, repeated=False)["token"]
        self._headers = {"authorization": f"Bearer {token}"}

    def get(self, target: str) -> Any:
        return self._same(Request("GET", target, headers=self._headers))

    def post(self, target: str, body: dict[str, Any], *, repeated: bool = True) -> Any:
        request = Request("POST", target, json.dumps(body).encode(), self._headers)
        ours = send(self._doors[0], request)
        if repeated:
            assert ours.status == 200, ours
            assert isinstance(ours.body, dict)
            assert send(self._doors[1], request) == Answer(200, ours.body | {"replayed": True})
        return ours.body

    def refused(self, target: str, body: dict[str, Any], reason: str) -> None:
        request = Request("POST", target, json.dumps(body).encode(), self._headers)
        answer = self._same(request, 400)
        assert answer["details"][0]["reason"] == f"REASON_{reason}"

    def _same(self, request: Request, status: int = 200) -> Any:
        ours, envoys = (send(port, request) for port in self._doors)
        assert ours == envoys
        assert ours.status == status, ours
        return ours.body


def test_rounds_are_the_same_through_both_doors(doors: tuple[int, int]) -> None:
    client = Client(doors)
    opening = {"requestId": "open", "ruleSetId": "six-deck-h17"}
    table = client.post("/v1/tables", opening)["table"]
    path = f"/v1/tables/{table['tableId']}"
    for number in range(1, 6):
        client.refused(
            f"{path}:bet",
            {"requestId": "low", "round": number, "stake": 1},
            "STAKE_BELOW_MINIMUM",
        )
        bet = {"requestId": f"bet-{number}", "round": number, "stake": 1000}
        table = client.post(f"{path}:bet", bet)["table"]
        while decision := table["your"]["decision"]:
            action = table["your"]["legalActions"][-1]["action"]
            act = {"requestId": f"act-{decision}", "decision": decision, "action": action}
            table = client.post(f"{path}:act", act)["table"]
        assert client.get(path)["table"] == table
        client.get(f"{path}/rounds/{number}")
    for page in ("/v1/tables", "/v1/rounds", f"{path}/events?round=2", "/v1/ruleSets"):
        client.get(page)
