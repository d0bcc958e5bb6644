"""Two doors to one echo, on loopback: our REST door, and Envoy's gRPC-JSON transcoder."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import uvicorn

from service.rest.app import RestApp
from tests.rest.echo import EchoOverGrpc, echo
from tests.rest.envoy_server import envoy_before

SECONDS = 20.0


@dataclass(frozen=True)
class Request:
    """One HTTP request, sent as it stands."""

    method: str
    target: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What came back; `body` is parsed where it is JSON."""

    status: int
    body: object


def send(port: int, request: Request) -> Answer:
    """Send a request and read the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.putrequest(request.method, request.target, skip_accept_encoding=True)
        headers = {"authorization": "Bearer t", **request.headers}
        if request.body or request.method == "POST":
            headers["content-length"] = str(len(request.body))
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(request.body)
        response = connection.getresponse()
        text = response.read()
        is_json = text and "json" in (response.getheader("content-type") or "")
        return Answer(
            response.status, json.loads(text) if is_json else text.decode(errors="replace")
        )
    finally:
        connection.close()


@contextmanager
def two_doors(folder: Path) -> Iterator[tuple[int, int]]:
    """The ports of our door and of Envoy's, while both serve."""
    with _servers() as (rest, upstream), envoy_before(upstream, folder) as port:
        yield rest, port


@contextmanager
def _servers() -> Iterator[tuple[int, int]]:
    """Our REST door and the gRPC server behind Envoy, in one thread of their own."""
    ports: list[int] = []
    started, stopped = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(ports, started, stopped)))
    thread.start()
    try:
        if not started.wait(SECONDS):
            raise TimeoutError("the servers did not start")
        yield ports[0], ports[1]
    finally:
        stopped.set()
        thread.join(SECONDS)


async def _serve(ports: list[int], started: threading.Event, stopped: threading.Event) -> None:
    async def ready() -> bool:
        return True

    server = grpc.aio.server()
    server.add_generic_rpc_handlers((EchoOverGrpc(),))
    upstream = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(RestApp(echo, ready), lifespan="off", log_level="warning")
    rest = uvicorn.Server(config)
    serving = asyncio.create_task(rest.serve(sockets=[listener]))
    while not rest.started:  # noqa: ASYNC110 - uvicorn tells it in no other way
        await asyncio.sleep(0.01)
    ports += [listener.getsockname()[1], upstream]
    started.set()
    await asyncio.to_thread(stopped.wait)
    rest.should_exit = True
    await serving
    await server.stop(None)
