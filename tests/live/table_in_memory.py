"""The write path over the in-memory store, with a clock that a test moves and faults on purpose."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from db.memory_store import MemoryStore
from service.journal import ports
from service.journal.flush import Flusher
from service.journal.ports import Append, JournalRow, Outcome
from service.journal.serving_time import Interruption
from service.keys.table_keys import TableKeys
from service.live.execute import Answer, Handler
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable
from service.live.lookup import Asker, Lookup
from service.live.read import Reader
from service.rules.hand import Action
from service.rules.presets import PRESETS
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from service.table.causes import InterruptionCause
from service.table.commands import Act, Command, OpenTable, PlaceBet
from service.table.deciding.decision import decision_token

SECOND = 1_000_000
OPERATOR = "house"
Appending = Callable[[Sequence[Append]], Awaitable[Sequence[Outcome]]]
Meanwhile = Callable[[Sequence[Append], Appending], Awaitable[Sequence[Outcome]]]


class PlannedStore(MemoryStore):
    """A store whose appends a test may come between: `meanwhile` gets each one, and the real one
    to call or not."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.meanwhile: Meanwhile | None = None

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append, as the test wants it."""
        if self.meanwhile is None:
            return await super().append(appends)
        return await self.meanwhile(appends, super().append)

    async def journal_of(self, table_id: str) -> list[JournalRow]:
        """Every row of a table."""
        return list(await self.journal(table_id, 0, 0, 1000))


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.time = 1_000_000 * SECOND

    def now(self) -> int:
        """Microseconds since 1970."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time += round(seconds * SECOND)


class Process:
    """One serving process: what `serving` wires together, without its doors."""

    def __init__(
        self,
        clock: ports.Clock,
        store: PlannedStore,
        capacity: int = 100,
        sealing_keys: Sequence[str] = ("key",),
    ) -> None:
        self.store = store
        self.kept = KeptTables(capacity)
        seeds = count(1)
        keys = SealingKeys(dict.fromkeys(sealing_keys, bytes(32)))
        self.table_keys = TableKeys((key + "-a").encode() for key in sealing_keys)
        self.shoes = Vault(keys, lambda: next(seeds).to_bytes(32, "big"))
        self.interruptions: list[Interruption] = []
        self.handler = Handler(
            store,
            clock,
            self.shoes,
            self.kept,
            self.table_keys,
            Flusher(store).append,
            lambda: self.interruptions,
        )
        self.lookup = Lookup(store, self.table_keys)
        self.reader = Reader(store, store, self.shoes, self.kept, self.lookup)

    def interrupt(
        self, clock: Clock, seconds: float, cause: InterruptionCause = InterruptionCause.OUTAGE
    ) -> Interruption:
        """Let time pass in which nobody can answer; the process learns of it."""
        began = clock.now()
        clock.sleep(seconds)
        self.interruptions.append(Interruption(began, clock.now(), cause))
        return self.interruptions[-1]

    async def open(self, request_id: str = "open", player: str = "ann", **options: Any) -> str:
        """Open a table of the preset six-deck-h17 with these options; its id."""
        rules = replace(PRESETS["six-deck-h17"], **options)
        command = OpenTable(player, "six-deck-h17", rules)
        answer = await self.handler.open_table(OPERATOR, player, request_id, command)
        return answer.table.head.table_id

    async def send(
        self, table_id: str, request_id: str, command: Command, seconds: float = 5.0
    ) -> Answer:
        """Carry out a command of the player whom it names."""
        player: str = getattr(command, "player", "")
        until = asyncio.get_running_loop().time() + seconds
        return await self.handler.execute(table_id, OPERATOR, player, request_id, command, until)

    async def read(self, table_id: str) -> LiveTable:
        """The table, as a reader gets it."""
        return await self.reader.table(table_id, Asker(OPERATOR))

    async def deal(self, table_id: str, player: str = "ann") -> LiveTable:
        """Bet until the player has a turn; rounds that end at once are passed over."""
        while True:
            engine = await self.read(table_id)
            if is_turn(engine, player):
                return engine
            command = next_command(engine, player)
            await self.send(table_id, f"deal-{engine.head.version}", command)


def is_turn(engine: LiveTable, player: str) -> bool:
    """Whether the player decides about a hand now."""
    seat = engine.state.seat_of(player)
    token = decision_token(engine.state, seat) if seat else ""
    return bool(token) and token.split("-")[1] != "0"


def decision(engine: LiveTable, player: str = "ann") -> str:
    """The open decision of a player, who has a seat."""
    seat = engine.state.seat_of(player)
    assert seat is not None
    return decision_token(engine.state, seat)


def next_command(engine: LiveTable, player: str = "ann") -> Command:
    """A bet, no insurance, or a stand: whatever is next."""
    token = decision(engine, player)
    if not token:
        return PlaceBet(player, engine.state.betting_round, 1000)
    insurance = token.split("-")[1] == "0"
    return Act(player, token, Action.DECLINE if insurance else Action.STAND)
