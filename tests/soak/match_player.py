"""A client process: it plays one seat of every match over REST, until all are over.

It reads its orders as JSON from stdin and writes a line of JSON for every match that is over for
it. Whoever is left without an answer asks the other server, with the same request id.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from datetime import datetime
from itertools import cycle
from random import Random
from typing import Any

import msgspec
import uvloop

from service.journal.table_ids import derived_table_id
from service.keys.table_keys import parse_table_keys
from tests.soak.http import LOST, Connection, events
from tests.soak.serving import NICE, OPERATOR, token_of

PATIENCE = 120.0
AGAIN = (503, 504)


class Orders(msgspec.Struct, frozen=True):
    """What a client process is told."""

    seat: int
    seats: int
    addresses: list[str]
    secret: str
    sealing_keys: str
    matches: int
    at_once: int
    rounds: int
    seconds: int
    seed: int
    vanish_one_in: int


class MatchPlayer:
    """One player of one match."""

    def __init__(self, orders: Orders, match: int) -> None:
        self._orders = orders
        self._random = Random(f"{orders.seed} {match} {orders.seat}")
        self.player = player_id(match, orders.seat)
        self._token = token_of(orders.secret, self.player)
        self._addresses = cycle([*orders.addresses[match % 2 :], *orders.addresses[: match % 2]])
        self._connection = self._next_connection()
        request = (OPERATOR, player_id(match, 1), "open")
        nonce = parse_table_keys(orders.sealing_keys).nonces(*request)[0]
        self._table = derived_table_id(*request, nonce)
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._answered: set[str] = set()
        self._deadline = 0.0
        vanishes = self._random.randrange(orders.vanish_one_in) == 0
        self._vanishes_in = self._random.randint(1, orders.rounds) if vanishes else 0
        self.worst_wait = 0.0
        self.said: dict[str, int] = {}

    def _next_connection(self) -> Connection:
        return Connection(next(self._addresses), self._token)

    async def play(self) -> dict[str, Any]:
        """Sit down and play the match; how it ended, as far as he stayed."""
        await self._sit_down()
        last = 0
        while True:
            try:
                async for version, table in self._changes(next(self._addresses), last):
                    last = version
                    if self._vanishes_in and table["round"] >= self._vanishes_in:
                        return self._report(vanished=True)
                    if table["phase"] == "PHASE_FINISHED":
                        return self._report(vanished=False, ranking=_ranking(table))
                    self._answer(table)
            except LOST:
                await asyncio.sleep(0.02)

    async def _sit_down(self) -> None:
        orders = self._orders
        if orders.seat == 1:
            limit = orders.seconds
            overrides: dict[str, Any] = {
                "rounds": orders.rounds,
                "betSeconds": limit,
                "insuranceSeconds": limit,
                "turnSeconds": limit,
            }
            match: dict[str, Any] = {"ruleSetId": "ranked-match", "overrides": overrides}
            await self._send("/v1/tables", {"requestId": "open", **match})
        seat: dict[str, Any] = {"requestId": "seat", "seat": orders.seat}
        path = f"/v1/tables/{self._table}:takeSeat"
        while await self._send(path, seat) == 404:  # noqa: ASYNC110 - another process opens it
            await asyncio.sleep(0.05)

    async def _changes(
        self, address: str, last: int
    ) -> AsyncGenerator[tuple[int, dict[str, Any]], None]:
        """The table after each change, and how long after its deadline each one came."""
        path = f"/v1/tables/{self._table}:watch"
        async for version, data in events(address, self._token, path, last):
            if not version:
                continue
            now = time.time()
            if last and version != last + 1:
                raise AssertionError(f"version {version} came after {last}")
            last = version
            if self._deadline:
                self.worst_wait = max(self.worst_wait, now - self._deadline)
            table = json.loads(data)["table"]
            ends = table.get("deadline")
            self._deadline = datetime.fromisoformat(ends).timestamp() if ends else 0.0
            yield version, table

    def _answer(self, table: dict[str, Any]) -> None:
        """Do what is open, beside reading on."""
        your = table.get("your") or {}
        path = f"/v1/tables/{self._table}"
        if your.get("decision"):
            action = self._random.choice(your["legalActions"])["action"]
            decision = your["decision"]
            body = {"requestId": f"a-{decision}", "decision": decision, "action": action}
            self._begin(f"{path}:act", body)
        elif bet := your.get("bet"):
            least, step = int(bet["minStake"]), int(bet["step"])
            most = (int(bet["maxStake"]) - least) // step
            stake = least + step * min(most, self._random.choice([0, 1, 2, 5, 20]))
            body = {"requestId": f"b-{bet['round']}", "round": bet["round"], "stake": str(stake)}
            self._begin(f"{path}:bet", body)

    def _begin(self, path: str, body: dict[str, Any]) -> None:
        if body["requestId"] in self._answered:
            return
        self._answered.add(body["requestId"])
        task = asyncio.create_task(self._sent_alone(path, body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _sent_alone(self, path: str, body: dict[str, Any]) -> None:
        async with self._one_at_a_time:
            await self._send(path, body)

    async def _send(self, path: str, body: dict[str, Any]) -> int:
        """Send a command until some server answers it; the status."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                status, answer = await self._connection.call("POST", path, body)
            except LOST:
                self._connection = self._next_connection()
                await asyncio.sleep(0.02)
                continue
            if status in AGAIN:
                await asyncio.sleep(0.05)
                continue
            if status != 200:
                reason = answer["details"][0]["reason"].removeprefix("REASON_")
                self.said[reason] = self.said.get(reason, 0) + 1
            return status
        raise AssertionError(f"{path} got no answer")

    def _report(self, *, vanished: bool, ranking: list[Any] | None = None) -> dict[str, Any]:
        for task in self._tasks:
            task.cancel()
        self._connection.close()
        return {
            "table": self._table,
            "vanished": vanished,
            "ranking": ranking,
            "worst_wait": self.worst_wait,
            "refused": self.said,
        }


def player_id(match: int, seat: int) -> str:
    """The player of a seat of a match."""
    return f"m{match}-s{seat}"


def _ranking(table: dict[str, Any]) -> list[Any]:
    return sorted(
        [one["playerId"], one["rank"], int(one["stack"]), one["forfeited"]]
        for one in table["ranking"]
    )


async def play_all(orders: Orders) -> None:
    """Play every match, so many at once, in their order."""
    os.nice(NICE)
    matches: Iterator[int] = iter(range(orders.matches))

    async def play_one_after_another() -> None:
        for match in matches:
            report = await MatchPlayer(orders, match).play()
            print(json.dumps({"match": match, **report}), flush=True)

    await asyncio.gather(*(play_one_after_another() for _ in range(orders.at_once)))


if __name__ == "__main__":
    uvloop.run(play_all(msgspec.json.decode(sys.stdin.read(), type=Orders)))
