"""Plays tables through the write path that serves players, and records their journals.

`python -m tests.replay.record` adds a recording for every game that has none yet. What is recorded
is never recorded again: a later change of the rules gets games of its own, and the old recordings
keep saying what was decided then.
"""

import asyncio
import hashlib
import sys
from collections.abc import Callable, Sequence
from random import Random

import msgspec

from service.calls.access import Identity, Role
from service.journal.ports import Append, Outcome
from service.live.live_table import LiveTable
from service.live.void import Voiding
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.shoes.sealing import SealingKeys
from service.table.causes import InterruptionCause
from service.table.chance import Chance
from service.table.commands import (
    CloseIdle,
    CloseTable,
    Command,
    LeaveSeat,
    OpenTable,
    TimeOut,
    VoidRound,
)
from service.table.deciding.decision import decision_token
from service.table.events import RoundSettled, RoundVoided, TableFinished
from service.table.phase import Phase
from service.table.state import Seat, State
from tests.live.table_in_memory import OPERATOR, SECOND, Clock, PlannedStore, Process
from tests.properties.moves import legal_command
from tests.replay.games import GAMES, Game
from tests.replay.recording import (
    FOLDER,
    MANIFEST,
    CameTo,
    Json,
    Opened,
    Recording,
    manifest,
    state_text,
    written,
)

AN_HOUR = 3600
KEYS = SealingKeys({"key": bytes(32)})


class KeepingStore(PlannedStore):
    """A store that keeps every step as it was appended."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.steps: list[Append] = []

    async def append(self, appends: Sequence[Append]) -> Sequence[Outcome]:
        """Append, and keep what was appended."""
        outcomes = await super().append(appends)
        self.steps += [
            step
            for step, outcome in zip(appends, outcomes, strict=True)
            if outcome is Outcome.APPENDED
        ]
        return outcomes


class Recorder:
    """Plays one game, and keeps what the table came to."""

    def __init__(self, game: Game) -> None:
        self.now = 0
        self.settled: dict[int, RoundSettled] = {}
        self._game = game
        self._random = Random(game.seed)
        self._clock = Clock()
        self._store = KeepingStore(self._clock.now)
        self._process = Process(self._clock, self._store)
        self._process.handler.on_commit(self._committed)
        self._voiding = Voiding(self._process.handler, self._process.lookup, self._store)
        self._operator = Identity(Role.OPERATOR, OPERATOR, "")
        self._states: dict[int, Json] = {}
        self._requests = 0

    @property
    def state(self) -> State:
        """The table as it stands."""
        return self._engine.state

    @property
    def chance(self) -> Chance:
        """Its shoes."""
        return self._engine.chance

    def deciders(self) -> list[Seat]:
        """The seats that have a decision."""
        return [seat for seat in self.state.seats if decision_token(self.state, seat)]

    async def play(self) -> Recording:
        """Play the game to its end."""
        await self._open()
        while len(self.settled) < self._game.rounds and self._goes_on:
            await self._move()
        if self._game.ends == "closed":
            while not self.state.running and self._goes_on:
                await self._move()
            await self._give(CloseTable(""))
            while self._goes_on:
                await self._move()
        while self._game.ends == "left" and self._goes_on:
            seated = [seat.player for seat in self.state.seats if not seat.left]
            await self._give(LeaveSeat(self._random.choice(seated)))
        if self._game.ends == "idle":
            self._clock.sleep(2 * AN_HOUR)
            before = self._clock.now() - AN_HOUR * SECOND
            await self._process.handler.close_idle(self._engine.head.table_id, before, AN_HOUR)
        return await self._recording()

    @property
    def _goes_on(self) -> bool:
        return self.state.phase is not Phase.FINISHED

    async def _move(self) -> None:
        """One more command, but none that would end the game too early."""
        if self._game.interrupted and self._random.random() < 0.1:
            self._process.interrupt(
                self._clock,
                self._random.choice((4, 30, 3600)),
                self._random.choice(list(InterruptionCause)),
            )
        command = legal_command(self._random, self)
        laid = [seat for seat in self.state.seats if seat.stake or seat.number == self.state.banker]
        if self.state.phase is Phase.BETTING and laid and self._random.random() < 0.04:
            command = LeaveSeat(self._random.choice(laid).player)
        if command and not self._would_end(command):
            await self._give(command)

    def _would_end(self, command: Command) -> bool:
        staying = [seat for seat in self.state.seats if not (seat.left or seat.out)]
        few = len(staying) < (3 if self.state.rules.rounds else 2)
        return isinstance(command, CloseTable | CloseIdle) or (
            isinstance(command, LeaveSeat) and few
        )

    async def _open(self) -> None:
        rules = with_options(PRESETS[self._game.preset], self._game.options)
        player = "ann" if rules.max_seats == 1 else ""
        command = OpenTable(player, self._game.preset, rules)
        actor = player or self._operator.actor
        opened = await self._process.handler.open_table(OPERATOR, actor, self._game.name, command)
        self._committed(opened.table)

    def _committed(self, engine: LiveTable) -> None:
        self._engine = engine
        told = False
        for event in engine.latest:
            if isinstance(event, RoundSettled) and event.seats:
                self.settled[engine.state.round] = event
            told = told or isinstance(event, RoundSettled | RoundVoided | TableFinished)
        if told:
            self._states[engine.head.version] = state_text(engine.state)

    async def _give(self, command: Command) -> None:
        """Carry a command out; one that came too late is refused, and that is all."""
        self._clock.sleep(self._random.choice((0.4, 1.5, 4)))
        self._requests += 1
        table_id, request_id = self._engine.head.table_id, f"r{self._requests}"
        try:
            match command:
                case TimeOut():
                    self._clock.time = max(self._clock.time, self.state.deadline)
                    await self._process.handler.apply_deadline(table_id)
                case VoidRound(round=number):
                    await self._voiding.void(
                        self._operator.operator,
                        self._operator.actor,
                        table_id,
                        request_id,
                        number,
                        "a torn card",
                        _soon(),
                    )
                case _:
                    actor: str = getattr(command, "player", "") or self._operator.actor
                    await self._process.handler.execute(
                        table_id, OPERATOR, actor, request_id, command, _soon()
                    )
        except Refused as refused:
            print(f"{self._game.name}: {refused.message}", file=sys.stderr)

    async def _recording(self) -> Recording:
        head = self._engine.head
        shoes = await self._store.load_shoes(head.table_id, 1)
        return Recording(
            Opened(
                head.table_id,
                head.operator,
                head.owner,
                head.rule_set_id,
                head.rule_set,
                head.private,
                tuple(KEYS.unseal(shoe) for shoe in shoes),
            ),
            tuple(step.row for step in self._store.steps),
            {
                step.row.version: CameTo(
                    step.row.version,
                    self._states[step.row.version],
                    step.summaries,
                    step.voids,
                )
                for step in self._store.steps
                if step.row.version in self._states
            },
        )


def _soon() -> float:
    return asyncio.get_running_loop().time() + 10


async def record(game: Game) -> bytes:
    """The text of a game's recording."""
    return b"".join(written(await Recorder(game).play()))


def main() -> int:
    """Record what is not recorded yet, and say what each file hashes to."""
    known = manifest() if MANIFEST.exists() else {}
    for game in GAMES:
        file = FOLDER / f"{game.name}.jsonl"
        if file.name not in known:
            text = asyncio.run(record(game))
            file.write_bytes(text)
            known[file.name] = hashlib.sha256(text).hexdigest()
            print(f"{file.name}: {len(text)} bytes")
    MANIFEST.write_bytes(msgspec.json.format(msgspec.json.encode(known)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
