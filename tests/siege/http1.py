"""Attacks on the REST door."""

import asyncio

from tests.siege.attacker import Attacker, Line

HOST = b"Host: here\r\n"
FEW, MANY = 50, 3000


async def endless_heads(attacker: Attacker) -> None:
    """Header after header, and never the end."""

    async def one(line: Line) -> None:
        await line.send(b"GET /healthz HTTP/1.1\r\n" + HOST)
        while attacker.goes_on:
            await line.send((b"X-More: " + b"a" * 1000 + b"\r\n") * 16)

    await attacker.crowd(FEW, one)


async def dripped_heads(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        for byte in b"GET /healthz HTTP/1.1\r\n" + HOST * 100:
            await line.send(bytes([byte]))
            await asyncio.sleep(0.5)

    await attacker.crowd(MANY, one)


async def half_heads(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Half: ")
        await line.hold()

    await attacker.crowd(MANY, one)


async def half_bodies(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(_post(b"/v1/guestTokens", 200_000) + b"{")
        await line.hold()

    await attacker.crowd(MANY, one)


async def dripped_bodies(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(_post(b"/v1/guestTokens", 1000))
        for _ in range(1000):
            await line.send(b" ")
            await asyncio.sleep(0.5)

    await attacker.crowd(MANY, one)


async def large_bodies(attacker: Attacker) -> None:
    """As large as the limit allows, for a method that anybody may call."""

    async def one(line: Line) -> None:
        await line.send(_post(b"/v1/guestTokens", 250_000))
        for _ in range(25):
            await line.send(b" " * 10_000)
        await line.read()

    await attacker.crowd(FEW, one)


async def long_urls(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(b"GET /v1/tables?pageToken=")
        while attacker.goes_on:
            await line.send(b"a" * 16_000)

    await attacker.crowd(FEW, one)


async def unread_answers(attacker: Attacker) -> None:
    """Many requests at once for something long, none of whose answers is read."""

    async def one(line: Line) -> None:
        while attacker.goes_on:
            await line.send((b"GET /openapi.json HTTP/1.1\r\n" + HOST + b"\r\n") * 20)

    await attacker.crowd(FEW, one)


async def silence(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.hold()

    await attacker.crowd(2 * MANY, one)


async def churn(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        pass

    await attacker.crowd(FEW, one)


async def guest_tokens(attacker: Attacker) -> None:
    await _repeat(attacker, _post(b"/v1/guestTokens", 2) + b"{}")


async def wrong_tokens(attacker: Attacker) -> None:
    head = b".".join([b"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", b"e30", b"A" * 43])
    await _repeat(
        attacker,
        b"GET /v1/tables HTTP/1.1\r\n" + HOST + b"Authorization: Bearer " + head + b"\r\n\r\n",
    )


async def missing_paths(attacker: Attacker) -> None:
    await _repeat(attacker, b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n")


async def noise(attacker: Attacker) -> None:
    async def one(line: Line) -> None:
        await line.send(attacker.dice.randbytes(2000))
        await line.read()

    await attacker.crowd(FEW, one)


async def _repeat(attacker: Attacker, request: bytes) -> None:
    """One request after the other on kept connections, all answers read."""

    async def one(line: Line) -> None:
        while attacker.goes_on:
            await line.send(request)
            await line.read()

    await attacker.crowd(FEW, one)


def _post(path: bytes, length: int) -> bytes:
    return (
        b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
        b"Content-Length: " + str(length).encode() + b"\r\n\r\n"
    )
