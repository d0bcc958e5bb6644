"""REST by hand: one HTTP/1.1 connection that is kept open, one call at a time."""

import asyncio
from typing import cast

import msgspec

from tests.bench.grpc_client import PRESET
from tests.bench.player import Client, Request, Seen, UnexpectedAnswerError

PATHS = {
    "OpenTable": "POST /v1/tables",
    "PlaceBet": "POST /v1/tables/{}:bet",
    "Act": "POST /v1/tables/{}:act",
    "GetTable": "GET /v1/tables/{}",
}
LENGTH = b"content-length: "


class Hand(msgspec.Struct):
    """Only what a player looks at; so are the others."""

    total: int = 0


class Seat(msgspec.Struct):
    hands: list[Hand]


class Bet(msgspec.Struct, rename="camel"):
    round: int = 0
    min_stake: str = "0"


class Your(msgspec.Struct):
    decision: str = ""
    bet: Bet = msgspec.field(default_factory=Bet)


class Table(msgspec.Struct, rename="camel"):
    table_id: str
    seats: list[Seat]
    your: Your
    active_hand: int = 0


class Answer(msgspec.Struct):
    table: Table
    version: str
    replayed: bool = False


decode = msgspec.json.Decoder(Answer).decode


class RestWire:
    """Messages of the REST door."""

    def open_table(self, request_id: str) -> Request:
        return _request("OpenTable", "", requestId=request_id, ruleSetId=PRESET)

    def bet(self, table_id: str, request_id: str, round: int, stake: int) -> Request:
        return _request("PlaceBet", table_id, requestId=request_id, round=round, stake=str(stake))

    def act(self, table_id: str, request_id: str, decision: str, action: str) -> Request:
        return _request("Act", table_id, requestId=request_id, decision=decision, action=action)

    def get(self, table_id: str) -> Request:
        return Request("GetTable", table_id, b"")

    def seen(self, answer: bytes) -> Seen:
        answered = decode(answer)
        table = answered.table
        return Seen(
            table.table_id,
            int(answered.version),
            answered.replayed,
            table.your.decision,
            table.your.bet.round,
            int(table.your.bet.min_stake),
            table.seats[0].hands[table.active_hand - 1].total if table.active_hand else 0,
        )


def _request(method: str, table_id: str, **fields: str | int) -> Request:
    return Request(method, table_id, msgspec.json.encode(fields))


class RestConnection(asyncio.Protocol):
    """A client's connection. `over` is done when it has stopped, or something went wrong."""

    def __init__(self, client: Client, authority: str, token: str) -> None:
        self._client = client
        self._headers = (
            f" HTTP/1.1\r\nhost: {authority}\r\nauthorization: Bearer {token}\r\n"
            "content-type: application/json\r\ncontent-length: "
        )
        self._received = b""
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:

        self._transport = cast("asyncio.WriteTransport", transport)
        self._send(self._client.begin())

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionError("the service closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank:
            return
        at = head.lower().index(LENGTH) + len(LENGTH)
        if len(body) < int(head[at:].split(b"\r\n", 1)[0]):
            return
        self._received = b""
        if not head.startswith(b"HTTP/1.1 200 "):
            self._fail(UnexpectedAnswerError(f"a call was refused: {body!r}"))
            return
        try:
            request = self._client.answered(body)
        except (UnexpectedAnswerError, ValueError) as error:
            self._fail(error)
            return
        if request is None:
            self.over.set_result(None)
            self._transport.close()
        else:
            self._send(request)

    def _send(self, request: Request) -> None:
        path = PATHS[request.method].format(request.table_id)
        head = f"{path}{self._headers}{len(request.body)}\r\n\r\n"
        self._transport.write(head.encode() + request.body)

    def _fail(self, error: Exception) -> None:
        if not self.over.done():
            self.over.set_exception(error)
