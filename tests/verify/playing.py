"""Random play through the real write path, on a clock that the test moves: journals to verify.

Players hit, stand, double, split, insure and surrender as it comes; now and then nobody answers in
time, somebody leaves or comes back, and an operator voids a round.
"""

from collections.abc import Mapping
from itertools import count
from random import Random

from db.catalog import PostgresCatalog
from db.connections import Database
from db.event_store import PostgresStore
from service.journal.flush import Flusher
from service.keys.table_keys import TableKeys
from service.live.execute import Handler
from service.live.kept_tables import KeptTables
from service.live.live_table import LiveTable
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from service.table import commands as c
from service.table.commands import PairBet
from service.table.deciding.decision import decision_token
from service.table.deciding.legal_actions import legal_actions
from service.table.deciding.voiding import nets_of
from service.table.phase import Phase
from service.table.state import Seat

OPERATOR = "house"
KEYS = SealingKeys({"k1": bytes(range(32))})
SECOND = 1_000_000


class Clock:
    """Stands until a test moves it."""

    def __init__(self, now: int) -> None:
        self.time = now

    def now(self) -> int:
        """Microseconds since 1970."""
        return self.time


class Playing:
    """Plays at tables of one database."""

    def __init__(self, database: Database, now: int, seed: int) -> None:
        self.random = Random(seed)
        self.clock = Clock(now)
        self.store = PostgresStore(database)
        self.catalog = PostgresCatalog(database)
        shoes = Vault(KEYS, lambda: self.random.randbytes(32))
        append = Flusher(self.store).append
        keys = TableKeys([bytes(32)])
        self.handler = Handler(self.store, self.clock, shoes, KeptTables(100), keys, append)
        self.handler.on_commit(self._keep)
        self._engines: dict[str, LiveTable] = {}
        self._requests = count(1)
        self._seed = seed

    def _keep(self, engine: LiveTable) -> None:
        self._engines[engine.head.table_id] = engine

    async def open(self, preset: str, players: int, options: Mapping[str, str]) -> str:
        """A table of a preset with these options, at which players have sat down."""
        rules = with_options(PRESETS[preset], options)
        owner = "p1" if rules.max_seats == 1 else ""
        command = c.OpenTable(owner, preset, rules)
        actor = owner or f"operator:{OPERATOR}"
        answer = await self.handler.open_table(OPERATOR, actor, self._request(), command)
        table_id = answer.table.head.table_id
        self._keep(answer.table)
        for number in range(1, players + 1):
            if not self.engine(table_id).state.seat_of(f"p{number}"):
                seed = f"luck-{number}" if number % 2 else ""
                await self.send(table_id, c.TakeSeat(f"p{number}", client_seed=seed))
        if not self.engine(table_id).state.started:
            for number in range(1, players + 1):
                await self.send(table_id, c.SetReady(f"p{number}"))
        return table_id

    def engine(self, table_id: str) -> LiveTable:
        """The table as it stands."""
        return self._engines[table_id]

    async def send(self, table_id: str, command: c.Command) -> bool:
        """Carry a command out; whether it was accepted."""
        self.clock.time += self.random.randrange(1, SECOND)
        player: str = getattr(command, "player", "")
        try:
            await self.handler.execute(
                table_id,
                OPERATOR,
                player or f"operator:{OPERATOR}",
                self._request(),
                command,
                until=float("inf"),
            )
        except Refused:
            return False
        return True

    def _request(self) -> str:
        return f"r{self._seed}-{next(self._requests)}"

    async def play(self, table_id: str, rounds: int) -> None:
        """Play so many rounds, or until the table is finished."""
        while True:
            state = self.engine(table_id).state
            if state.phase is Phase.FINISHED or (state.between_rounds and state.round > rounds):
                return
            if state.deadline and self.random.random() < 0.03:
                self.clock.time = max(self.clock.time, state.deadline)
                await self.handler.apply_deadline(table_id)
            elif self.random.random() < 0.02:
                await self._come_or_go(table_id)
            elif state.between_rounds:
                await self._bet(table_id)
            else:
                await self._act(table_id)

    async def _come_or_go(self, table_id: str) -> None:
        state = self.engine(table_id).state
        if state.rules.max_seats == 1:
            return
        player = f"p{self.random.randint(1, state.rules.max_seats)}"
        if state.seat_of(player):
            await self.send(table_id, c.LeaveSeat(player))
        else:
            await self.send(table_id, c.TakeSeat(player, client_seed=f"back-{player}"))

    async def _bet(self, table_id: str) -> None:
        state = self.engine(table_id).state
        waiting = [seat for seat in state.seats if not (seat.stake or seat.sits_out or seat.out)]
        if state.phase is Phase.SETTLED:
            waiting = [seat for seat in state.seats if not (seat.out or seat.left)]
        players = [seat for seat in waiting if seat.number != state.banker]
        if not players or len(state.seats) < state.rules.min_seats:
            missing = [f"p{n}" for n in range(1, 7) if not state.seat_of(f"p{n}")]
            await self.send(table_id, c.TakeSeat(self.random.choice(missing)))
            return
        seat = self.random.choice(players)
        await self.send(table_id, self._a_bet(table_id, seat))

    def _a_bet(self, table_id: str, seat: Seat) -> c.Command:
        state, random = self.engine(table_id).state, self.random
        rules = state.rules
        stake = max(rules.min_bet, rules.bet_step) * random.choice((1, 1, 2, 5))
        pairs: tuple[PairBet, ...] = ()
        if rules.pair_bet and random.random() < 0.3:
            pairs = (PairBet(seat.number, rules.min_bet),)
        if rules.max_seats > 1 and random.random() < 0.05:
            return c.SitOut(seat.player, state.betting_round)
        given = f"seed {random.random()}" if random.random() < 0.2 else ""
        return c.PlaceBet(seat.player, state.betting_round, stake, pairs, given)

    async def _act(self, table_id: str) -> None:
        engine = self.engine(table_id)
        state = engine.state
        asked = [seat for seat in state.seats if decision_token(state, seat)]
        seat = self.random.choice(asked)
        action = self.random.choice(legal_actions(state, seat, engine.chance))
        await self.send(table_id, c.Act(seat.player, decision_token(state, seat), action))

    async def start_round(self, table_id: str) -> None:
        """Play on until a round is running, if there is another one."""
        while self.engine(table_id).state.between_rounds:
            await self._bet(table_id)

    async def void(self, table_id: str, round: int) -> None:
        """Void a settled round, or the running one."""
        books = await self.catalog.round_summary(table_id, round)
        settlement = books[0].version if books else 0
        command = c.VoidRound(round, "a test", settlement, nets_of(books))
        assert await self.send(table_id, command)
