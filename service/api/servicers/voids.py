"""Serves the call of `HistoryService` with which an operator voids a round."""

from croupier.v1.history_service_pb2 import VoidRoundRequest, VoidRoundResponse

from service.api.wire.tables import table_to_wire
from service.calls.pipeline import Context
from service.live.shown_tables import ShownTables


class Voids:
    """Voids rounds."""

    def __init__(self, tables: ShownTables) -> None:
        self._tables = tables

    async def VoidRound(self, request: VoidRoundRequest, context: Context) -> VoidRoundResponse:
        operator = context.caller
        reply = await self._tables.void_round(
            request.table_id,
            operator.operator,
            operator.actor,
            request.request_id,
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
