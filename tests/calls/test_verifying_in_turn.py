"""Verification by calls: one at a time, and none whose caller has given up meanwhile."""

import asyncio
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import VerifyTableRequest

from service.api.servicers.verification import Verification
from service.calls.access import Identity, Role
from service.calls.pipeline import Context
from service.records.verification import Verdict
from service.rules.reasons import Reason, Refused
from tests.live.table_in_memory import OPERATOR, Clock, PlannedStore, Process


class SlowVerifier:
    """Takes its time, and says which tables it has looked at."""

    def __init__(self) -> None:
        self.may_end = asyncio.Event()
        self.tables: list[str] = []

    async def verify_table(self, table_id: str) -> Verdict:
        self.tables.append(table_id)
        await self.may_end.wait()
        return Verdict(table_id, OPERATOR, 1)


async def test_a_call_whose_time_is_over_before_its_turn_is_not_begun() -> None:
    process = Process(Clock(), PlannedStore(Clock().now))
    table_id = await process.open()
    verifier = SlowVerifier()
    servicer = Verification(process.lookup, verifier)

    async def call(seconds: float) -> Any:
        until = asyncio.get_running_loop().time() + seconds
        caller = Identity(Role.PLAYER, OPERATOR, "ann")
        request = VerifyTableRequest(table_id=table_id)
        return await servicer.VerifyTable(request, Context(caller, until))

    first, late = asyncio.create_task(call(60)), asyncio.create_task(call(0))
    await asyncio.sleep(0.01)
    verifier.may_end.set()
    assert (await first).verdict.version == 1
    with pytest.raises(Refused) as refused:
        await late
    assert refused.value.reason is Reason.DEADLINE_EXCEEDED
    assert verifier.tables == [table_id]
