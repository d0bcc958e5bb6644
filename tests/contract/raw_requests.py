"""Requests of any content, sensible or not, at a table."""

from collections.abc import Callable
from typing import Any

from croupier.v1.table_pb2 import Action, Table
from croupier.v1.table_service_pb2 import (
    ActRequest,
    PlaceBetRequest,
)

from tests.contract.player import fresh_id

Make = Callable[[Table], Any]


def bet(stake: int = 100, **fields: Any) -> Make:
    def make(table: Table) -> PlaceBetRequest:
        given = {"table_id": table.table_id, "request_id": fresh_id(), "round": 1, "stake": stake}
        return PlaceBetRequest(**{**given, **fields})

    return make


def act(action: int = Action.ACTION_STAND, **fields: Any) -> Make:
    def make(table: Table) -> ActRequest:
        given = {
            "table_id": table.table_id,
            "request_id": fresh_id(),
            "decision": table.your.decision,
            "action": action,
        }
        return ActRequest(**{**given, **fields})

    return make
