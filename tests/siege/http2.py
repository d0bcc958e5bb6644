"""Attacks on the gRPC door, in frames put together by hand."""

import asyncio
import gzip
import struct

from tests.bench.grpc_client import (
    ACK,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    HTTP,
    PING,
    POST,
    PREFACE,
    RESET,
    SETTINGS,
    frame,
    text,
)
from tests.siege.attacker import Attacker, Line

CONTINUATION = 9
GUEST_TOKEN = "/croupier.v1.AccessService/IssueGuestToken"
LIST_TABLES = "/croupier.v1.TableService/ListTables"
HEALTH_WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
FEW, MANY = 20, 3000
STREAMS = 20_000
BOMB = gzip.compress(bytes(16_000_000), 9)
NO_WINDOW = struct.pack(">HI", 4, 0)
CANCEL = struct.pack(">I", 8)


async def compressed(attacker: Attacker) -> None:
    """Messages of 16 KB that are 16 MB when they are unpacked."""

    async def one(line: Line) -> None:
        caller = await _begin(line)
        for stream in range(1, 201, 2):
            await line.send(caller.headers(stream, GUEST_TOKEN, {"grpc-encoding": "gzip"}))
            message = b"\1" + struct.pack(">I", len(BOMB)) + BOMB
            for start in range(0, len(message), 16_000):
                await line.send(frame(DATA, 0, stream, message[start : start + 16_000]))
        await line.hold()

    await attacker.crowd(FEW, one)


async def open_streams(attacker: Attacker) -> None:
    """Calls that begin and never say what they ask."""

    async def one(line: Line) -> None:
        caller = await _begin(line)
        for stream in range(1, 2 * STREAMS // FEW, 2):
            await line.send(caller.headers(stream, GUEST_TOKEN))
        await line.hold()

    await attacker.crowd(FEW, one)


async def rapid_reset(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        caller = await _begin(line)
        stream = 1
        while attacker.goes_on:
            block = b""
            for _ in range(50):
                block += caller.headers(stream, GUEST_TOKEN) + frame(RESET, 0, stream, CANCEL)
                stream += 2
            await line.send(block)

    await attacker.crowd(FEW, one)


async def continuations(attacker: Attacker) -> None:
    """A header block that goes on for ever."""

    async def one(line: Line) -> None:
        await _begin(line)
        await line.send(frame(HEADERS, 0, 1, POST + HTTP))
        more = b"\0" + text("x-more") + text("a" * 8000)
        while attacker.goes_on:
            await line.send(frame(CONTINUATION, 0, 1, more))

    await attacker.crowd(FEW, one)


async def large_headers(attacker: Attacker) -> None:
    """Many headers that are as large as headers may be."""

    async def one(line: Line) -> None:
        caller = await _begin(line)
        for stream in range(1, 2001, 2):
            await line.send(caller.headers(stream, GUEST_TOKEN, {"x-large": "a" * 7000}))

    await attacker.crowd(FEW, one)


async def pings(attacker: Attacker) -> None:
    await _frames(attacker, frame(PING, 0, 0, bytes(8)) * 50)


async def settings(attacker: Attacker) -> None:
    await _frames(attacker, frame(SETTINGS, 0, 0, b"") * 50)


async def half_prefaces(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(PREFACE[:12])
        await line.hold()

    await attacker.crowd(MANY, one)


async def silence(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await _begin(line)
        await line.hold()

    await attacker.crowd(2 * MANY, one)


async def churn(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(PREFACE)

    await attacker.crowd(FEW, one)


async def health_watches(attacker: Attacker) -> None:
    await _calls_left_open(attacker, HEALTH_WATCH)


async def reflection(attacker: Attacker) -> None:
    """Every file of the contract, asked for again and again on one stream."""

    async def one(line: Line) -> None:
        caller = await _begin(line)
        await line.send(caller.headers(1, REFLECTION))
        reading = asyncio.create_task(line.hold())
        try:
            while attacker.goes_on:
                await line.send(frame(DATA, 0, 1, _message(b"\x3a\x00") * 100))
        finally:
            reading.cancel()

    await attacker.crowd(FEW, one)


async def guest_tokens(attacker: Attacker) -> None:
    await _repeat(attacker, GUEST_TOKEN, {})


async def wrong_tokens(attacker: Attacker) -> None:
    token = ".".join(["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "e30", "A" * 43])
    await _repeat(attacker, LIST_TABLES, {"authorization": f"Bearer {token}"})


async def closed_windows(attacker: Attacker) -> None:
    """Calls whose answers nobody lets come."""

    async def one(line: Line) -> None:
        await line.send(PREFACE + frame(SETTINGS, 0, 0, NO_WINDOW))
        caller = Caller()
        for stream in range(1, 2 * STREAMS // FEW, 2):
            await line.send(caller.call(stream, GUEST_TOKEN))
        await line.hold()

    await attacker.crowd(FEW, one)


class Caller:
    """Header blocks of one connection; the first call's headers are remembered by the other side,
    so that a later call takes a few bytes."""

    def __init__(self) -> None:
        self._known: list[tuple[str, str]] = []

    def headers(
        self, stream: int, method: str, more: dict[str, str] | None = None, flags: int = 0
    ) -> bytes:
        fields = {
            ":path": method,
            ":authority": "here",
            "content-type": "application/grpc",
            "te": "trailers",
            **(more or {}),
        }
        block = POST + HTTP
        for field in fields.items():
            if field in self._known:
                # Entries count from 62, the newest first.
                block += bytes([0x80 + 61 + len(self._known) - self._known.index(field)])
            elif len(field[1]) > 200:
                block += b"\0" + text(field[0]) + text(field[1])
            else:
                block += b"\x40" + text(field[0]) + text(field[1])
                self._known.append(field)
        return frame(HEADERS, END_HEADERS | flags, stream, block)

    def call(self, stream: int, method: str, more: dict[str, str] | None = None) -> bytes:
        """A whole call with an empty request."""
        return self.headers(stream, method, more) + frame(DATA, END_STREAM, stream, _message(b""))


async def _begin(line: Line) -> Caller:
    await line.send(PREFACE + frame(SETTINGS, ACK, 0, b""))
    return Caller()


def _message(body: bytes) -> bytes:
    return b"\0" + struct.pack(">I", len(body)) + body


async def _frames(attacker: Attacker, frames: bytes) -> None:
    async def one(line: Line) -> None:
        await _begin(line)
        reading = asyncio.create_task(line.hold())
        try:
            while attacker.goes_on:
                await line.send(frames)
        finally:
            reading.cancel()

    await attacker.crowd(FEW, one)


async def _calls_left_open(attacker: Attacker, method: str) -> None:
    async def one(line: Line) -> None:
        caller = await _begin(line)
        for stream in range(1, 2 * STREAMS // FEW, 2):
            await line.send(caller.call(stream, method))
        await line.hold()

    await attacker.crowd(FEW, one)


async def _repeat(attacker: Attacker, method: str, more: dict[str, str]) -> None:
    """Call after call on kept connections, as fast as the budget allows."""

    async def one(line: Line) -> None:
        caller = await _begin(line)
        reading = asyncio.create_task(line.hold())
        try:
            stream = 1
            while attacker.goes_on:
                await line.send(caller.call(stream, method, more))
                stream += 2
        finally:
            reading.cancel()

    await attacker.crowd(FEW, one)
