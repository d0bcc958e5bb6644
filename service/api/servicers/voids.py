"""Serves the call of `HistoryService` with which an operator voids a round."""

from collections.abc import Mapping

from croupier.v1.history_service_pb2 import VoidRoundRequest, VoidRoundResponse

from service.api.wire.tables import table_to_wire
from service.calls.access import only_operators
from service.calls.pipeline import Context, Method
from service.journal.plain_ids import plain_id, request_id
from service.live.shown_tables import ShownTables
from service.rules.reasons import Reason, Refused


class Voids:
    """Voids rounds."""

    def __init__(self, tables: ShownTables) -> None:
        self._tables = tables

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        return {"/croupier.v1.HistoryService/VoidRound": Method(self._void_round)}

    async def _void_round(self, context: Context, request: VoidRoundRequest) -> VoidRoundResponse:
        if request.round < 1:
            raise Refused(Reason.FIELD_INVALID, "round: rounds count from 1", field="round")
        operator = context.caller
        only_operators(operator)
        reply = await self._tables.void_round(
            plain_id(request.table_id, "table_id"),
            operator.operator,
            operator.actor,
            request_id(request.request_id),
            request.round,
            request.reason,
            context.until,
        )
        table = reply.table
        return VoidRoundResponse(
            table=table_to_wire(table),
            version=table.version,
            hash=table.hash.hex(),
            replayed=reply.replayed,
        )
