"""gRPC by hand: one connection, one call at a time, as few instructions as Python allows.

The frames of HTTP/2 are put together here, because the client shares the machine's cores with what
it measures, and grpcio's own client takes as long for a call as its server. The headers that do not
change go into the compression table with the first call and are one byte each afterwards, as with
any gRPC client. Headers that come back are not looked at: a call that fails has no message.
"""

import asyncio
import struct
from typing import cast

from croupier.v1 import table_pb2, table_service_pb2

from tests.bench.player import Client, Request, Seen, UnexpectedAnswerError

SERVICE = "/croupier.v1.TableService/"
PRESET = "six-deck-h17"

DATA, HEADERS, RESET, SETTINGS, PING, GO_AWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
LARGEST_WINDOW = 2**31 - 1
INITIAL_WINDOW = 65535
INITIAL_WINDOW_SIZE = 4  # the number of that setting


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """A frame of HTTP/2."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


PREFACE = (
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    + frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW_SIZE, LARGEST_WINDOW))
    + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", LARGEST_WINDOW - INITIAL_WINDOW))
)
POST, HTTP = b"\x83", b"\x86"  # from HPACK's static table


def text(value: str) -> bytes:
    """A text in HPACK, uncompressed: its length (7 bits, then 7 more at a time) and its bytes."""
    data = value.encode()
    if len(data) < 127:
        return bytes([len(data)]) + data
    rest, length = len(data) - 127, bytearray([127])
    while rest >= 128:
        length.append(rest % 128 + 128)
        rest //= 128
    length.append(rest)
    return bytes(length) + data


class HeaderBlocks:
    """The header blocks of one connection."""

    def __init__(self, authority: str, token: str) -> None:
        lasting = {
            ":authority": authority,
            "content-type": "application/grpc",
            "te": "trailers",
            "user-agent": "bench",
            "authorization": f"Bearer {token}",
        }
        self._lasting = b"".join(b"\x40" + text(name) + text(lasting[name]) for name in lasting)
        # Entries of the table count from 62, the one that was put in last comes first.
        self._known = bytes(0x80 + 62 + place for place in range(len(lasting)))

    def next(self, method: str) -> bytes:
        """The block of the next call on this connection."""
        block = POST + HTTP + b"\x04" + text(SERVICE + method) + self._lasting
        self._lasting = self._known
        return block


class GrpcWire:
    """Messages of the gRPC door."""

    def open_table(self, request_id: str) -> Request:
        message = table_service_pb2.OpenTableRequest(request_id=request_id, rule_set_id=PRESET)
        return Request("OpenTable", "", message.SerializeToString())

    def bet(self, table_id: str, request_id: str, round: int, stake: int) -> Request:
        message = table_service_pb2.PlaceBetRequest(
            table_id=table_id, request_id=request_id, round=round, stake=stake
        )
        return Request("PlaceBet", table_id, message.SerializeToString())

    def act(self, table_id: str, request_id: str, decision: str, action: str) -> Request:
        message = table_service_pb2.ActRequest(
            table_id=table_id,
            request_id=request_id,
            decision=decision,
            action=table_pb2.Action.Value(action),
        )
        return Request("Act", table_id, message.SerializeToString())

    def get(self, table_id: str) -> Request:
        message = table_service_pb2.GetTableRequest(table_id=table_id)
        return Request("GetTable", table_id, message.SerializeToString())

    def seen(self, answer: bytes) -> Seen:
        # The responses of all calls have the same fields, but that of GetTable is never replayed.
        response = table_service_pb2.ActResponse.FromString(answer)
        table = response.table
        decision = table.your.decision
        hand = table.seats[0].hands[table.active_hand - 1] if table.active_hand else None
        return Seen(
            table.table_id,
            response.version,
            response.replayed,
            decision,
            table.your.bet.round,
            table.your.bet.min_stake,
            hand.total if hand else 0,
        )


class GrpcConnection(asyncio.Protocol):
    """A client's connection. `over` is done when it has stopped, or something went wrong."""

    def __init__(self, client: Client, authority: str, token: str) -> None:
        self._client = client
        self._headers = HeaderBlocks(authority, token)
        self._received = bytearray()
        self._message = b""
        self._stream = -1
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:

        self._transport = cast("asyncio.WriteTransport", transport)
        self._transport.write(PREFACE)
        self._send(self._client.begin())

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc or ConnectionError("the service closed the connection"))

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        at = 0
        while len(received) >= at + 9:
            length = received[at] << 16 | received[at + 1] << 8 | received[at + 2]
            end = at + 9 + length
            if len(received) < end:
                break
            self._frame(received[at + 3], received[at + 4], bytes(received[at + 9 : end]))
            at = end
        del received[:at]

    def _frame(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == DATA:
            self._message += payload
        if kind in (DATA, HEADERS):
            if flags & END_STREAM:
                self._answered()
        elif kind in (SETTINGS, PING) and not flags & ACK:
            self._transport.write(frame(kind, ACK, 0, payload if kind == PING else b""))
        elif kind in (RESET, GO_AWAY):
            self._fail(UnexpectedAnswerError(f"frame {kind}: {payload!r}"))

    def _answered(self) -> None:
        message, self._message = self._message, b""
        if not message:
            self._fail(UnexpectedAnswerError("a call was refused"))
            return
        try:
            request = self._client.answered(message[5:])
        except (UnexpectedAnswerError, ValueError) as error:
            self._fail(error)
            return
        if request is None:
            self.over.set_result(None)
            self._transport.close()
        else:
            self._send(request)

    def _send(self, request: Request) -> None:
        self._stream += 2
        message = b"\0" + struct.pack(">I", len(request.body)) + request.body
        self._transport.write(
            frame(HEADERS, END_HEADERS, self._stream, self._headers.next(request.method))
            + frame(DATA, END_STREAM, self._stream, message)
        )

    def _fail(self, error: Exception) -> None:
        if not self.over.done():
            self.over.set_exception(error)
