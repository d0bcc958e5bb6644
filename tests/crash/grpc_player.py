"""A guest who plays over gRPC and sends each call to whichever process he likes."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
from croupier.v1 import access_service_pb2 as access
from croupier.v1 import history_service_pb2 as history
from croupier.v1 import table_pb2 as pb
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.access_service_pb2_grpc import AccessServiceStub
from croupier.v1.history_service_pb2_grpc import HistoryServiceStub
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.table_service_pb2_grpc import TableServiceStub
from google.protobuf.json_format import MessageToDict
from google.rpc import error_details_pb2, status_pb2

from tests.crash.server_process import ServerProcess

SECONDS = 30.0
Channel = grpc.aio.Channel
Failure = grpc.aio.AioRpcError


@asynccontextmanager
async def channels_to(servers: Sequence[ServerProcess]) -> AsyncIterator[list[Channel]]:
    """A channel to each process."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(grpc.aio.insecure_channel(server.grpc))
            for server in servers
        ]


class GrpcPlayer:
    """`newest` is the highest version that an answer has shown him; no later one may show less."""

    def __init__(self, name: str, token: str, table_id: str, choose: random.Random) -> None:
        self._name = name
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._choose = choose
        self._sent = 0
        self.table_id = table_id
        self.newest = 0

    @classmethod
    async def guest(cls, channel: Channel, name: str, choose: random.Random) -> "GrpcPlayer":
        """A new guest, without a table yet."""
        issued = await AccessServiceStub(channel).IssueGuestToken(
            access.IssueGuestTokenRequest(), timeout=SECONDS
        )
        return cls(name, issued.token, "", choose)

    def new_id(self) -> str:
        """A request id that he has not used."""
        self._sent += 1
        return f"{self._name}-{self._sent}"

    async def send(self, channel: Channel, request: Any) -> Any:
        """Send a request to the method that it is for; grpc.aio.AioRpcError if it is refused."""
        method = type(request).__name__.removesuffix("Request")
        call = getattr(TableServiceStub(channel), method)
        answer = await call(request, metadata=self._metadata, timeout=SECONDS)
        if not getattr(answer, "replayed", False):
            assert answer.version >= self.newest, f"{method}: {answer.version} < {self.newest}"
            self.newest = answer.version
        return answer

    async def open(self, channel: Channel, rule_set_id: str, overrides: RuleSetOverrides) -> None:
        """Open a table, which is his from now on."""
        request = tables.OpenTableRequest(
            request_id=self.new_id(), rule_set_id=rule_set_id, overrides=overrides
        )
        self.table_id = (await self.send(channel, request)).table.table_id

    async def read(self, channel: Channel) -> Any:
        """The table, as one process has it."""
        return await self.send(channel, tables.GetTableRequest(table_id=self.table_id))

    def bet(self, round: int, stake: int = 1000) -> Any:
        """A bet, with a new request id."""
        return tables.PlaceBetRequest(
            table_id=self.table_id,
            request_id=self.new_id(),
            round=round,
            stake=stake,
            client_seed=f"seed-{round}",
        )

    def act(self, decision: str, action: int) -> Any:
        """An answer to a decision, with a new request id."""
        return tables.ActRequest(
            table_id=self.table_id,
            request_id=self.new_id(),
            decision=decision,
            action=pb.Action.ValueType(action),
        )

    def next_command(self, table: pb.Table) -> Any:
        """A legal action at random, or a bet; None when it is not for him to do anything."""
        if table.your.decision:
            action = self._choose.choice(table.your.legal_actions).action
            return self.act(table.your.decision, action)
        if table.your.HasField("bet"):
            return self.bet(table.your.bet.round)
        return None

    async def journal(self, channel: Channel) -> list[dict[str, Any]]:
        """Every row of the journal, as JSON has it."""
        rows: list[dict[str, Any]] = []
        token = ""
        while True:
            page = await HistoryServiceStub(channel).ListEvents(
                history.ListEventsRequest(table_id=self.table_id, page_size=1000, page_token=token),
                metadata=self._metadata,
                timeout=SECONDS,
            )
            rows += [
                MessageToDict(row, always_print_fields_with_no_presence=True) for row in page.rows
            ]
            token = page.next_page_token
            if not token:
                return rows


def error_info(failure: Failure) -> error_details_pb2.ErrorInfo:
    """The reason and the metadata that a refusal came with."""
    details = dict(failure.trailing_metadata() or ())
    status = status_pb2.Status.FromString(details["grpc-status-details-bin"])
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    return info
