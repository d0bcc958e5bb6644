"""Three readings of the same bytes: ours, h11's and llhttp's."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import h11
import httptools

from service.rest.http1.limits import Limits
from service.rest.http1.messages import Unacceptable
from service.rest.http1.reader import Reader

LARGE = 1 << 20


@dataclass(frozen=True)
class Read:
    """One request, as far as framing goes."""

    method: str
    target: str
    body: bytes


def read(method: str, target: str, body: bytes) -> Read:
    """A request whose target may be absolute, or have an empty query."""
    relative = re.sub(r"(?i)^https?://[^/?]+", "", target)
    if not relative.startswith(("/", "*")):
        relative = f"/{relative}"
    path, _, query = relative.partition("?")
    return Read(method, f"{path}?{query}" if query else path, body)


@dataclass(frozen=True)
class Reading:
    """The requests that a reader took, in order, and the code of what it refused then (0: nothing;
    it may wait for more)."""

    requests: tuple[Read, ...]
    refused: int = 0


def by_us(pieces: Iterable[bytes], limits: Limits | None = None) -> Reading:
    """As the service reads, whatever pieces the bytes come in."""
    reader = Reader(limits or Limits())
    found: list[Read] = []
    try:
        for piece in pieces:
            if not piece:
                continue
            reader.feed(piece)
            while (request := reader.next()) is not None:
                target = f"{request.path}?{request.query}"
                found.append(read(request.method, target, request.body))
                if not request.keep_alive:
                    return Reading(tuple(found))
    except Unacceptable as refused:
        return Reading(tuple(found), refused.status)
    return Reading(tuple(found))


def by_h11(data: bytes) -> Reading:
    """As h11 reads, which is strict and slow; but with the empty line that may come before a
    request, which it refuses."""
    found: list[Read] = []
    try:
        while True:
            request, data, last = _next_by_h11(data.removeprefix(b"\r\n"))
            if request is None:
                return Reading(tuple(found))
            found.append(request)
            if last:
                return Reading(tuple(found))
    except h11.RemoteProtocolError as refused:
        return Reading(tuple(found), refused.error_status_hint)


def _next_by_h11(data: bytes) -> tuple[Read | None, bytes, bool]:
    """A request, what follows it, and whether it is the last one of its connection."""
    server = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGE)
    server.receive_data(data)
    head: h11.Request | None = None
    body = b""
    while True:
        event = server.next_event()
        if isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage):
            assert head is not None
            request = read(head.method.decode(), head.target.decode(), body)
            closes = server.their_state in (h11.MUST_CLOSE, h11.CLOSED)
            return request, server.trailing_data[0], closes
        else:
            return None, b"", True


class _Callbacks:
    def __init__(self) -> None:
        self.found: list[Read] = []
        self.parser = httptools.HttpRequestParser(self)
        self.target, self.body = b"", b""

    def on_message_begin(self) -> None:
        self.target, self.body = b"", b""

    def on_url(self, url: bytes) -> None:
        self.target += url

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        method = self.parser.get_method().decode()
        self.found.append(read(method, self.target.decode("latin-1"), self.body))


def by_llhttp(data: bytes) -> Reading:
    """As llhttp reads, which many servers use."""
    callbacks = _Callbacks()
    try:
        callbacks.parser.feed_data(data)
    except httptools.HttpParserUpgrade:
        return Reading(tuple(callbacks.found), 101)
    except httptools.HttpParserError:
        return Reading(tuple(callbacks.found), 400)
    return Reading(tuple(callbacks.found))
