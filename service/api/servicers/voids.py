"""Serves the call of `HistoryService` with which an operator voids a round."""

from collections.abc import Mapping

from croupier.v1.history_service_pb2 import VoidRoundRequest, VoidRoundResponse

from service.api.shown_tables import ShownTables
from service.calls.access import only_operators
from service.calls.pipeline import Context, Method
from service.journal.plain_ids import plain_id, request_id
from service.live.void import Voiding
from service.rules.reasons import Reason, Refused


class Voids:
    """Voids rounds."""

    def __init__(self, voiding: Voiding, shown: ShownTables) -> None:
        self._voiding = voiding
        self._shown = shown

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        return {"/croupier.v1.HistoryService/VoidRound": Method(self._void_round)}

    async def _void_round(self, context: Context, request: VoidRoundRequest) -> VoidRoundResponse:
        if request.round < 1:
            raise Refused(Reason.FIELD_INVALID, "round: rounds count from 1", field="round")
        operator = context.caller
        only_operators(operator)
        answer = await self._voiding.void(
            operator.operator,
            operator.actor,
            plain_id(request.table_id, "table_id"),
            request_id(request.request_id),
            request.round,
            request.reason,
            context.until,
        )
        head = answer.table.head
        return VoidRoundResponse(
            table=self._shown.show(answer.table, ""),
            version=head.version,
            hash=head.hash.hex(),
            replayed=answer.replayed,
        )
