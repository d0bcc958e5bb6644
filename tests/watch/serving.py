"""Serving processes as far as watching sees them: services on one database, with both doors.

They live in the test's own event loop, so that a test may shorten a constant or stop one.
"""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import grpc
import httpx
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse
from google.protobuf import json_format
from google.rpc import status_pb2

from db.audit_reader import PostgresAuditReader
from db.catalog import PostgresCatalog
from db.connections import connect
from db.event_store import PostgresStore
from db.history import PostgresHistory
from service.api.server import GrpcServer
from service.audit.verify.verifier import Verifier
from service.calls.access import Access
from service.calls.availability import Availability, State
from service.journal.clock import DatabaseClock
from service.keys.key_file import Keys
from service.rest.app import RestApp
from service.rest.server import RestServer
from service.server.process import Service, Storage
from service.server.settings import Settings
from tests.answers import answers
from tests.contract.doors import Door, GrpcDoor, RestDoor, refusal_of
from tests.contract.player import Caller

KEYS = Keys.fresh()
OPERATOR = "house"
# Whoever stops reading is noticed soon where little is on the way to him.
SMALL_SEND = (socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
SMALL_RECEIVE = (socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
WATCH = "/croupier.v1.TableService/WatchTable"


@dataclass(frozen=True)
class Serving:
    """One process: what serves, who lets in, and its two doors."""

    service: Service
    access: Access
    doors: dict[str, Door]

    def caller(self, door: str, player: str, seconds: int = 3600) -> Caller:
        """A player at one of the doors, whose token is good for so long."""
        token = self.access.player_token(OPERATOR, player, seconds).token
        return Caller(self.doors[door], token, player)


@asynccontextmanager
async def serving(conninfo: str) -> AsyncIterator[Serving]:
    """Serve on a database until the end of the block."""
    async with connect(conninfo, size=2) as database:
        store, catalog, clock = PostgresStore(database), PostgresCatalog(database), DatabaseClock()
        await clock.refresh(catalog)
        access = Access(KEYS.token_secret.encode(), catalog, clock, OPERATOR, clock.lasting_until)
        history = PostgresHistory(database)
        verifier = Verifier(PostgresAuditReader(database))
        storage = Storage(store, store, store, catalog, history, verifier, answers, ())
        service = Service(Settings(), storage, clock, KEYS, access, Availability())
        rest = RestServer(RestApp(service.pipeline, service.ready), "127.0.0.1", 0, 1.0)
        rest._socket.setsockopt(*SMALL_SEND)
        grpc_server = GrpcServer(service.pipeline, "127.0.0.1:0", service.availability)
        await grpc_server.start()
        service.availability.become(State.SERVING)
        doors = asyncio.create_task(rest.serve())
        beside = asyncio.create_task(service.run_beside())
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{grpc_server.port}", SMALL_WINDOW)
        client = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{rest.port}",
            timeout=20,
            transport=httpx.AsyncHTTPTransport(verify=False, socket_options=[SMALL_RECEIVE]),
        )
        async with channel, client:
            yield Serving(service, access, {"grpc": GrpcDoor(channel), "rest": RestDoor(client)})
        service.end_streams()
        rest.stop()
        await asyncio.gather(grpc_server.drain(0.1), doors)
        beside.cancel()
        with suppress(asyncio.CancelledError):
            await beside


async def watch(
    caller: Caller, table_id: str, after: int = 0, *, header: bool = False
) -> AsyncGenerator[WatchTableResponse, None]:
    """What a watcher gets, heartbeats included; `Refusal` where the stream breaks off.

    Over REST a heartbeat has no version. With `header` the version to resume after comes as
    `Last-Event-ID`.
    """
    if isinstance(caller.door, GrpcDoor):
        responses = _over_grpc(caller.door, caller.token, table_id, after)
    else:
        assert isinstance(caller.door, RestDoor)
        responses = _over_rest(caller.door, caller.token, table_id, after, header)
    try:
        async for response in responses:
            yield response
    finally:
        await responses.aclose()


async def _over_grpc(
    door: GrpcDoor, token: str, table_id: str, after: int
) -> AsyncGenerator[WatchTableResponse, None]:
    method: Any = door.channel.unary_stream(WATCH)
    request = WatchTableRequest(table_id=table_id, after_version=after)
    call = method(request.SerializeToString(), metadata=(("authorization", f"Bearer {token}"),))
    try:
        async for data in call:
            yield WatchTableResponse.FromString(data)
    except grpc.aio.AioRpcError as error:
        details: Any = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
        raise refusal_of(status_pb2.Status.FromString(details)) from error
    finally:
        call.cancel()


async def _over_rest(
    door: RestDoor, token: str, table_id: str, after: int, header: bool
) -> AsyncGenerator[WatchTableResponse, None]:
    headers = {"authorization": f"Bearer {token}"}
    if header:
        headers["last-event-id"] = str(after)
    query = {} if header else {"afterVersion": str(after)}
    path = f"/v1/tables/{table_id}:watch"
    async with door.client.stream("GET", path, params=query, headers=headers) as response:
        if not response.is_success:
            body = json.loads(await response.aread())
            raise refusal_of(json_format.ParseDict(body, status_pb2.Status()))
        assert response.headers["content-type"] == "text/event-stream"
        event: dict[str, str] = {}
        async for line in response.aiter_lines():
            name, _, text = line.partition(": ")
            if line:
                event[name] = text
                continue
            yield _response(event)
            event = {}


def _response(event: dict[str, str]) -> WatchTableResponse:
    if "data" not in event:
        assert event == {"": "heartbeat"}
        return WatchTableResponse()
    data = json.loads(event["data"])
    if event.get("event") == "error":
        raise refusal_of(json_format.ParseDict(data, status_pb2.Status()))
    response = json_format.ParseDict(data, WatchTableResponse())
    assert event["id"] == str(response.version)
    return response
