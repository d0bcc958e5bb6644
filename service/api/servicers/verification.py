"""Serves `HistoryService.VerifyTable`: one table, as far as a call can."""

import asyncio

from croupier.v1 import history_service_pb2 as pb
from croupier.v1 import verdict_pb2

from service.api.asking import asker_of
from service.api.wire.enums import WireEnum
from service.calls.pipeline import Context
from service.live.lookup import Lookup, no_such_table
from service.records.verification import FaultKind, TableVerifier, Verdict
from service.rules.reasons import Reason, Refused

MOST_ROWS = 5_000
"""Of a table that is verified by a call: about two seconds of work."""

_KINDS = WireEnum(FaultKind, verdict_pb2.FaultKind, "FAULT_KIND")


class Verification:
    """Verifies for whoever sees the table: one at a time, so that play goes on beside it."""

    def __init__(self, lookup: Lookup, verifier: TableVerifier) -> None:
        self._lookup = lookup
        self._verifier = verifier
        self._one_at_a_time = asyncio.Lock()

    async def VerifyTable(
        self, request: pb.VerifyTableRequest, context: Context
    ) -> pb.VerifyTableResponse:
        table_id = request.table_id
        head = await self._lookup.head(table_id, asker_of(context.caller))
        if head.version > MOST_ROWS:
            raise Refused(
                Reason.TABLE_TOO_LONG,
                f"a call verifies at most {MOST_ROWS} rows; `croupier verify --table` has no limit",
                limit=MOST_ROWS,
                version=head.version,
            )
        async with self._one_at_a_time:
            if asyncio.get_running_loop().time() >= context.until:  # nobody waits for it any more
                raise Refused(
                    Reason.DEADLINE_EXCEEDED, "other tables came first; send it again in a moment"
                )
            verdict = await self._verifier.verify_table(table_id)
        if verdict is None:
            raise no_such_table(table_id)
        return pb.VerifyTableResponse(verdict=_verdict(verdict))


def _verdict(verdict: Verdict) -> verdict_pb2.Verdict:
    fault = verdict.fault
    return verdict_pb2.Verdict(
        table_id=verdict.table_id,
        version=verdict.version,
        rows=verdict.rows,
        events=verdict.events,
        pending=verdict.pending,
        hidden=verdict.hidden,
        unproved=verdict.unproved,
        fault=verdict_pb2.Fault(
            version=fault.version, kind=_KINDS.to_wire(fault.kind), message=fault.message
        )
        if fault
        else None,
    )
