"""Page sizes and page tokens that no list gave out."""

import base64
import json

import pytest
from croupier.v1.history_service_pb2 import ListEventsRequest, ListRoundsRequest
from croupier.v1.rule_set_service_pb2 import ListRuleSetsRequest
from croupier.v1.table_service_pb2 import (
    ListTablesRequest,
)

from tests.contract.player import Caller

INVALID = "INVALID_ARGUMENT"
STATE = "FAILED_PRECONDITION"


@pytest.mark.parametrize("size", [-1, -(2**31)])
async def test_a_negative_page_size(player: Caller, size: int) -> None:
    table = await player.open("six-deck-h17")
    for request in (
        ListTablesRequest(page_size=size),
        ListRuleSetsRequest(page_size=size),
        ListRoundsRequest(page_size=size),
        ListEventsRequest(table_id=table.table_id, page_size=size),
    ):
        refusal = await player.refused(request)
        assert (refusal.code, refusal.metadata) == (INVALID, {"field": "page_size"})


def made_up(name: str, *key: object) -> str:
    text = json.dumps([name, key if len(key) != 1 else key[0]])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "token",
    [
        "garbage", "!", "é", "\0", "AAAA", "a" * 5_000, made_up("nothing", 1),
        made_up("tables", 2**70, "t"), made_up("tables", -1, "t"), made_up("tables", 1, "a\0"),
        made_up("tables", 1, "\ud800"), made_up("rounds", 2**64, "t", 1, 1),
        made_up("rounds", 1, "t", 2**63, 1), made_up("rounds", 1, "t' OR true", 1, 1),
        made_up("events", [2**63]), made_up("events", [-1]), made_up("events", [1.5]),
        made_up("ruleSets", True, "a\0"), made_up("ruleSets", 1, "a"),
        base64.urlsafe_b64encode(b"[" * 3000).decode(),
    ],
)  # fmt: skip
async def test_a_page_token_that_no_list_gave_out(player: Caller, token: str) -> None:
    table = await player.open("six-deck-h17")
    for request in (
        ListTablesRequest(page_token=token),
        ListRuleSetsRequest(page_token=token),
        ListRoundsRequest(page_token=token),
        ListRoundsRequest(table_id=table.table_id, page_token=token),
        ListEventsRequest(table_id=table.table_id, page_token=token),
    ):
        refusal = await player.refused(request)
        assert (refusal.code, refusal.reason) == (INVALID, "PAGE_TOKEN_INVALID")
