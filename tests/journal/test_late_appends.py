"""A process whose clock is behind the database's: its appends come too late, until it is put
right."""

from itertools import count

from service.journal.flush import Flusher
from service.journal.late_appends import LateAppends
from service.live.execute import Handler
from service.live.kept_tables import KeptTables
from service.shoes.sealing import SealingKeys
from service.shoes.vault import Vault
from service.table.commands import PlaceBet
from tests.live.table_in_memory import SECOND, Clock, PlannedStore, Process, next_command


class OffClock:
    """A process's clock over a database's that a test moves, and how often it was put right."""

    def __init__(self, database: Clock) -> None:
        self._database = database
        self._behind = 0
        self.refreshed = 0

    def now(self) -> int:
        """Microseconds since 1970, as far as this process knows."""
        return self._database.now() - self._behind

    def lose(self, seconds: float) -> None:
        """Fall behind."""
        self._behind += round(seconds * SECOND)

    async def put_right(self) -> None:
        """What the process does on a late append."""
        self._behind = 0
        self.refreshed += 1


class LateProcess(Process):
    """A process that keeps its own clock."""

    def __init__(self, clock: Clock, store: PlannedStore) -> None:
        super().__init__(clock, store)
        self.database_clock = clock
        self.clock = OffClock(clock)
        self.kept = KeptTables(100)
        seeds = count(1)
        self.shoes = Vault(SealingKeys({"key": bytes(32)}), lambda: next(seeds).to_bytes(32, "big"))
        append = LateAppends(Flusher(store).append, self.clock.put_right).append
        self.handler = Handler(store, self.clock, self.shoes, self.kept, self.table_keys, append)


def process() -> LateProcess:
    clock = Clock()
    return LateProcess(clock, PlannedStore(clock.now))


async def test_a_table_is_opened_by_the_right_clock() -> None:
    one = process()
    one.clock.lose(60)
    table = await one.open()
    (row,) = await one.store.journal_of(table)
    assert row.at == await one.store.database_time()
    assert one.clock.refreshed == 1


async def test_a_command_is_decided_again_by_the_right_clock() -> None:
    one = process()
    table = await one.open()
    one.database_clock.sleep(3600)
    one.clock.lose(60)
    answer = await one.send(table, "bet", PlaceBet("ann", 1, 1000))
    assert not answer.replayed
    rows = await one.store.journal_of(table)
    assert rows[-1].at == await one.store.database_time()
    assert (len(rows), one.clock.refreshed) == (2, 1)


async def test_a_deadline_is_applied_by_the_right_clock() -> None:
    one = process()
    table = await one.open(max_seats=1, turn_seconds=20, insurance_seconds=20)
    engine = await one.deal(table)
    one.database_clock.sleep(3600)
    one.clock.lose(60)
    await one.handler.apply_deadline(table)
    after = await one.read(table)
    assert after.head.version > engine.head.version
    assert after.head.at == await one.store.database_time()
    assert one.clock.refreshed == 1


async def test_a_clock_that_is_right_is_left_alone() -> None:
    one = process()
    table = await one.open()
    one.clock.lose(1.5)
    for number in range(10):
        engine = await one.read(table)
        await one.send(table, f"r{number}", next_command(engine))
    assert one.clock.refreshed == 0
