"""One connection: its requests one after another, its answers, and its end.

It is either *due* something from its client, or *busy* with an answer, or *parting*: the last
answer is on its way, and whatever still comes is thrown away. A server that closes a connection
with unread bytes makes the client's system throw away the answer; so it first closes only its own
direction, and waits a moment for the client to do the same.
"""

import asyncio
import math
from contextlib import aclosing
from typing import cast

import structlog

from service.rest.http1.connections import Connections
from service.rest.http1.messages import Application, Reply, Request, Stream, Unacceptable
from service.rest.http1.outgoing import Outgoing
from service.rest.http1.reader import Due, Reader
from service.rest.http1.writer import CONTINUE, chunk, reply_bytes, stream_head

_log = structlog.get_logger(__name__)


class Connection(asyncio.Protocol):
    """What the event loop reports of a connection, and what follows from it."""

    def __init__(self, app: Application, others: Connections) -> None:
        self._app = app
        self._others = others
        self._limits = others.limits
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._out: Outgoing
        self._reader = Reader(others.limits)
        self._due: Due | None = None
        self._due_since = 0.0
        self._busy = False
        self._parting = False
        self._eof = False
        self._held_back = False
        self._thrown_away = 0
        self._probe = b""
        self.until = math.inf
        self.held = 0
        self.served = False
        self.task: asyncio.Task[None] | None = None

    # --- what the event loop reports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come."""
        self._transport = cast("asyncio.Transport", transport)
        self._out = Outgoing(self._transport, self._limits)
        peer = transport.get_extra_info("peername")
        self._reader.address = _plain(peer[0]) if isinstance(peer, tuple) else ""
        if self._others.admit(self):
            self._wait()
        elif self._others.turn_away(self):
            message = "there are too many connections; try again in a moment"
            self._refuse(Unacceptable(503, message))
        else:
            self.abort()

    def data_received(self, data: bytes) -> None:
        """Bytes have come, in pieces of any size."""
        if self._parting:
            self._throw_away(len(data))
            return
        self._reader.feed(data)
        if not self._busy:
            self._advance()
            return
        held = self._reader.held
        self._others.holds(self, held)
        if held > self._limits.pipelined_bytes and not self._held_back:
            self._held_back = True
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """The client sends no more, but may still read: whether the connection stays open."""
        self._eof = True
        if self._parting:
            return False
        if self._busy:
            if self._probe and not self._out.paused:
                self.until = 0.0
        else:
            self._wait()
        return True

    def connection_lost(self, _error: Exception | None) -> None:
        """The connection is closed; nobody reads what its call would answer."""
        self._parting = True
        self._others.forget(self)
        if self.task is not None:
            self.task.cancel()

    def pause_writing(self) -> None:
        """The client does not read as fast as answers are written."""
        self._out.pause()
        self.until = self._loop.time() + self._limits.stall_seconds

    def resume_writing(self) -> None:
        """It has read what waited."""
        self._out.resume()
        if self._parting:
            self.until = self._loop.time() + self._limits.linger_seconds
            return
        self.until = 0.0 if self._eof and self._probe else math.inf
        if self.task is None:
            self._next_soon()

    # --- what the other connections and the clock ask for

    def expire(self, now: float) -> None:
        """The time is over for whatever the client has to do."""
        if self._out.paused or self._parting:
            if self._out.is_read():
                self.until = now + self._limits.stall_seconds
            else:
                self.abort()
        elif self._busy:
            self._out.write(self._probe)
        elif self._due is Due.REQUEST:
            self._close()
        else:
            what = "head" if self._due is Due.HEAD else "body"
            message = f"the {what} of the request did not come in time"
            self._refuse(Unacceptable(408, message))

    def abort(self) -> None:
        """Close at once."""
        self._parting = True
        self._transport.abort()

    def wind_down(self) -> None:
        """Close if nothing of a request has come; else its answer is the last one."""
        if self._due is Due.REQUEST and not self._parting:
            self._close()

    # --- requests

    def _advance(self) -> None:
        """Serve the next request if it has come as a whole."""
        try:
            request = self._reader.next()
        except Unacceptable as refused:
            self._refuse(refused)
            return
        if request is None:
            self._wait()
            return
        self._busy = True
        self._due = None
        self.served = True
        if not self._out.paused:
            self.until = math.inf
        self._others.works(self)
        if self.held:
            self._others.holds(self, self._reader.held)
        reply = self._app.at_once(request)
        if reply is None:
            self.task = self._loop.create_task(self._answer(request))
        else:
            self._reply(request, reply)

    def _wait(self) -> None:
        """The client has to send the rest of a request, or the next one."""
        due = self._reader.due
        if self._eof:
            if due is Due.REQUEST:
                self._close()
            else:
                self._refuse(Unacceptable(400, "the request ends before it is complete"))
            return
        begins = due is not self._due
        if begins:
            self._due = due
            self._due_since = self._loop.time()
        limits = self._limits
        held = self._reader.held
        if due is Due.REQUEST:
            seconds = limits.keep_alive_seconds
        elif due is Due.HEAD:
            seconds = limits.head_seconds
        else:
            seconds = limits.body_seconds + held / limits.body_bytes_per_second
            if begins and self._reader.continues:
                self._out.write(CONTINUE)
        self.until = self._due_since + seconds
        if held != self.held:
            self._others.holds(self, held)

    def _next_soon(self) -> None:
        """Go on with what has come meanwhile, after whatever else is ready: a client that sends
        many requests at once gets no more than its turn."""
        if self._reader.due is Due.REQUEST:
            self._next()
        else:
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        if self._parting:
            return
        self._busy = False
        if self._held_back:
            self._held_back = False
            self._transport.resume_reading()
        self._advance()

    # --- answers

    async def _answer(self, request: Request) -> None:
        try:
            answer = await self._app.answer(request)
            if isinstance(answer, Stream):
                await self._send(request, answer)
            else:
                self._reply(request, answer)
        except Exception:  # noqa: BLE001 - a fault of this file: the log gets the trace
            _log.exception("an answer could not be sent", path=request.path)
            self.abort()

    def _reply(self, request: Request, reply: Reply) -> None:
        close = self._closes_after(request)
        self._out.write(reply_bytes(reply, self._others.date, request, close=close))
        self._done(close=close)

    async def _send(self, request: Request, stream: Stream) -> None:
        """Send a stream, no faster than its client reads."""
        chunked = request.minor == 1
        close = self._closes_after(request) or not chunked
        whole = True
        async with aclosing(stream.pieces) as pieces:
            head = stream_head(stream.headers, self._others.date, request, close=close)
            self._out.write(head)
            if request.method != "HEAD":
                self._probe = chunk(stream.probe) if chunked and stream.probe else stream.probe
                if self._eof and self._probe:
                    self.until = 0.0
                whole = await self._out.send_pieces(pieces, chunked=chunked)
        self._probe = b""
        if whole:
            self._done(close=close or self._others.stopping)
        else:
            self._close()

    def _closes_after(self, request: Request) -> bool:
        return not request.keep_alive or self._others.stopping

    def _done(self, *, close: bool) -> None:
        """An answer has been written as a whole."""
        self.task = None
        if close:
            self._part()
            return
        self._others.waits(self)
        if not self._out.paused:
            self.until = math.inf
            self._next_soon()

    # --- the end

    def _refuse(self, refused: Unacceptable) -> None:
        """Answer what is not a request; nothing that follows it is one."""
        reply = self._app.refusal(refused)
        self._out.write(reply_bytes(reply, self._others.date, None, close=True))
        self._part()

    def _part(self) -> None:
        """The last answer has been written: let the client read it, and close after it."""
        if self._eof:
            self._close()
            return
        self._leave_reading()
        self._transport.write_eof()
        if self._held_back:
            self._transport.resume_reading()

    def _close(self) -> None:
        """Close when everything has been sent."""
        self._leave_reading()
        self._transport.close()

    def _leave_reading(self) -> None:
        self._parting = True
        self._out.watch()
        self.until = self._loop.time() + self._limits.linger_seconds
        self._reader = Reader(self._limits)
        self._others.holds(self, 0)
        self._others.parts(self)

    def _throw_away(self, size: int) -> None:
        self._thrown_away += size
        if self._thrown_away > self._limits.linger_bytes:
            self.abort()


def _plain(address: str) -> str:
    """An address without its zone, and an IPv4 one as such where the socket is for both."""
    return address.partition("%")[0].removeprefix("::ffff:")
