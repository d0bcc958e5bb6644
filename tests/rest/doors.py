"""Two doors to one pipeline, on loopback: our REST door, and Envoy's gRPC-JSON transcoder."""

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from service.api.server import GrpcServer
from service.calls.availability import Availability
from service.rest.app import RestApp
from service.rest.server import RestServer
from tests.rest.envoy_server import envoy_before, wait_for_port

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
def two_doors(make_pipeline: Callable[[], Any], folder: Path) -> Iterator[tuple[int, int]]:
    """The ports of our door and of Envoy's, while both serve one pipeline."""
    with servers(make_pipeline) as (rest, upstream), envoy_before(upstream, folder) as port:
        yield rest, port


@contextmanager
def servers(make_pipeline: Callable[[], Any]) -> Iterator[tuple[int, int]]:
    """The ports of our REST door and our gRPC door, which serve in a thread of their own."""
    ports: list[int] = []
    started, stopped = threading.Event(), threading.Event()

    async def serve() -> None:
        pipeline = make_pipeline()
        grpc = GrpcServer(pipeline, "127.0.0.1:0", Availability())
        rest = RestServer(RestApp(pipeline, _ready), "127.0.0.1", 0, 1.0)
        await grpc.start()
        serving = asyncio.create_task(rest.serve())
        ports.extend([rest.port, grpc.port])
        started.set()
        await asyncio.to_thread(stopped.wait)
        rest.stop()
        await serving
        await grpc.drain(0)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        if not started.wait(SECONDS):
            raise TimeoutError("the servers did not start")
        wait_for_port(ports[0])
        yield ports[0], ports[1]
    finally:
        stopped.set()
        thread.join(SECONDS)


async def _ready() -> bool:
    return True
