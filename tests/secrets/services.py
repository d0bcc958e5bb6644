"""Two services side by side: every call is made at both, and whoever may not tell them apart must
get the same from both, to the byte; and both must log and store the same."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from google.protobuf.message import Message
from structlog.testing import capture_logs

from service.calls import access
from service.journal.ports import JournalRow
from service.live import watcher
from tests.contract.doors import SECONDS
from tests.secrets.disclosure import Leak
from tests.secrets.games import Move, Twins
from tests.secrets.looks import SPECTATOR
from tests.secrets.raw_doors import Answer
from tests.secrets.scene import Some
from tests.secrets.serving import KEYS, OPERATOR, RIVAL, Stack, serving

DOORS = ("grpc", "rest")


class Viewer(NamedTuple):
    """Somebody who calls; `player` is empty for who has no seat to take."""

    name: str
    player: str
    token: str
    sees_tables: bool = True


class Stream(NamedTuple):
    """The same stream from both services, and what it is, for a message."""

    what: str
    pair: tuple[AsyncGenerator[bytes, None], AsyncGenerator[bytes, None]]


class Services:
    """The services of twins. `apart` are the players for whom the twins differ by now."""

    def __init__(self, stacks: Sequence[Stack], logs: Sequence[Any]) -> None:
        self._stacks = tuple(stacks)
        self._logs = logs
        self.apart: frozenset[str] = frozenset()
        self.compared = 0
        self.operator = Viewer("the operator", "", KEYS.operator_key)

    def player(self, name: str, operator: str = OPERATOR) -> Viewer:
        """A player, whether he sits somewhere or not."""
        token = self._stacks[0].access.player_token(operator, name, 3600).token
        return Viewer(name, name, token)

    def outsiders(self) -> list[Viewer]:
        """Who watches, who has no business here, the operator, and nobody known."""
        return [
            self.player(SPECTATOR),
            self.operator,
            self.player("stranger", RIVAL)._replace(sees_tables=False),
            Viewer("nobody", "", "", sees_tables=False),
        ]

    async def ask(self, viewer: Viewer, door: str, request: Message | Some) -> bool:
        """Make a call at both; whether both answered the same. Raises `Leak` where they may not
        differ."""
        answers, logged = [], []
        for stack in self._stacks:
            before = len(self._logs)
            answers.append(await _answer(stack, door, viewer, request))
            logged.append([_without_time(line) for line in self._logs[before:]])
        what = f"{viewer.name} at {door}: {type(request).__name__} {request}"
        self._compare(f"the log of {what}", logged)
        same = answers[0] == answers[1]
        if viewer.player not in self.apart:
            self._compare(what, answers)
        return same

    def _compare(self, what: str, pair: Sequence[object]) -> None:
        self.compared += 1
        if pair[0] != pair[1]:
            raise Leak(f"{what}\n{pair[0]!r}\n{pair[1]!r}")

    def watch(self, viewer: Viewer, door: str, request: Message) -> Stream:
        """Begin a stream at both."""
        one, other = (stack.doors[door].stream(request, viewer.token) for stack in self._stacks)
        return Stream(f"the stream of {viewer.name} at {door}", (one, other))

    async def read(self, stream: Stream, messages: int) -> None:
        """So many messages of a stream, or the end of it, from both."""
        for _ in range(messages):
            async with asyncio.timeout(SECONDS):
                got = [await anext(each, b"over") for each in stream.pair]
            self._compare(stream.what, got)

    async def let_time_pass(self, move: Move) -> None:
        """What is due is done by the table."""
        self.set_clocks(move.now)
        for stack in self._stacks:
            await stack.service._sweeper.sweep()

    def set_clocks(self, now: int) -> None:
        """The time, for both."""
        for stack in self._stacks:
            stack.clock.time = now

    def stop_streams(self) -> None:
        """As a server does that stops."""
        for stack in self._stacks:
            stack.service.end_streams()

    def compare_rows(self) -> None:
        """All that is stored."""
        self._compare("what is stored", [stack.rows() for stack in self._stacks])

    def journal(self, table_id: str) -> list[JournalRow]:
        """The rows of a table, as one of them has them."""
        return self._stacks[0].store._journal[table_id]


async def _answer(stack: Stack, door: str, viewer: Viewer, request: Message | Some) -> Answer:
    if not isinstance(request, Some):
        return await stack.doors[door].call(request, viewer.token)
    answer: list[bytes] = []
    messages = stack.doors[door].stream(request.request, viewer.token)
    async with aclosing(messages) as stream, asyncio.timeout(SECONDS):
        async for part in stream:
            answer.append(part)
            if len(answer) > request.messages:  # how it begins is the first part
                break
    return tuple(answer)


def _without_time(line: Any) -> dict[str, Any]:
    """A line of the log but for how long the call took."""
    return {name: value for name, value in line.items() if name != "milliseconds"}


@asynccontextmanager
async def twin_services(twins: Twins) -> AsyncIterator[Services]:
    """Both services, with nothing random and nothing that the time of day brings about."""
    with (
        patch.object(access, "token_hex", lambda size: "ab" * size),
        patch.object(watcher, "HEARTBEAT_SECONDS", 3600.0),
        capture_logs() as logs,
    ):
        async with serving(twins.one.chance.card) as one, serving(twins.other.chance.card) as other:
            yield Services((one, other), logs)
