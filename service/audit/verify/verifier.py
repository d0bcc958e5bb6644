"""The verifier: goes through the tables in the order of their ids, and gives a verdict on each.

Short tables are read several at once, long ones in pages, so memory does not depend on the length
of a table. Between rows other work of the process can run.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence

from service.audit.evidence.kept_hashes import KeptHashes, KeptRows
from service.audit.evidence.proofs import ShoeProofs
from service.audit.verify.table import ROWS_AT_ONCE, TableCheck
from service.records.verification import AuditReader, Fault, FaultKind, Scope, Verdict
from service.shoes.sealing import SealingKeys

TABLES_AT_ONCE = 200
ROWS_BEFORE_OTHERS = 20
"""The number of rows after which other tasks of the process get a turn."""


class Verifier:
    """Verifies the tables that a reader reads.

    The sealing keys give the seeds of shoes in use; `proofs` (by table) prove their cards that were
    turned up. `progress` is called with the number of rows read.
    """

    def __init__(
        self,
        reader: AuditReader,
        keys: SealingKeys | None = None,
        proofs: Mapping[str, ShoeProofs] | None = None,
        progress: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._reader = reader
        self._keys = keys
        self._proofs = proofs or {}
        self._progress = progress

    async def verify_table(self, table_id: str) -> Verdict | None:
        """The verdict on a table; None if there is no such table."""
        async for verdict in self.verify(Scope(table_id=table_id)):
            return verdict
        return None

    async def verify(
        self, scope: Scope, known: KeptHashes | None = None
    ) -> AsyncGenerator[Verdict, None]:
        """The verdict on each table, by id; `known` has what others have kept."""
        known = known or KeptHashes(())
        after = ""
        while True:
            tables = await self._reader.tables(scope, after, TABLES_AT_ONCE)
            is_last = len(tables) < TABLES_AT_ONCE
            last = "" if is_last else tables[-1].head.table_id
            kept = known.take(last)
            checks = [
                TableCheck(
                    table,
                    kept.pop(table.head.table_id, {}),
                    self._keys,
                    self._proofs.get(table.head.table_id, {}),
                )
                for table in tables
            ]
            for group in _groups(checks):
                await self._check(group)
                for check in group:
                    yield check.verdict()
            for verdict in await self._without_head(scope, after, last, kept):
                yield verdict
            if is_last:
                return
            after = last

    async def _check(self, group: Sequence[TableCheck]) -> None:
        """Read some tables completely: several short ones, or one that may be long."""
        reading = {check.table_id: check for check in group}
        while reading:
            rows = await self._reader.rows([check.next_rows() for check in reading.values()])
            for count, row in enumerate(rows):
                reading[row.table_id].read(row)
                if count % ROWS_BEFORE_OTHERS == 0:
                    await asyncio.sleep(0)
            self._progress(len(rows))
            for check in reading.values():
                check.page_read()
            await self._compare(list(reading.values()))
            reading = {name: check for name, check in reading.items() if not check.complete}
        voids = defaultdict(list)
        for void in await self._reader.voids([check.all_voids() for check in group]):
            voids[void.table_id].append(void)
        for check in group:
            check.end(voids[check.table_id])

    async def _compare(self, checks: Sequence[TableCheck]) -> None:
        summaries = defaultdict(list)
        spans = [span for check in checks for span in check.next_summaries()]
        for summary in await self._reader.summaries(spans):
            summaries[summary.row.table_id].append(summary)
        shoes = defaultdict(list)
        for shoe in await self._reader.shoes([check.next_shoes() for check in checks]):
            shoes[shoe.table_id].append(shoe)
        ends = [end for check in checks for end in check.interruptions]
        recorded = await self._reader.interruptions(ends) if ends else ()
        for check in checks:
            check.compare(summaries[check.table_id], shoes[check.table_id], recorded)

    async def _without_head(
        self, scope: Scope, after: str, last: str, kept: Mapping[str, KeptRows]
    ) -> list[Verdict]:
        """Missing tables: kept hashes or rows of other relations refer to them."""
        faults: dict[str, list[str]] = defaultdict(list)
        for orphan in await self._reader.orphans(scope, after, last):
            faults[orphan.table_id].append(f"rows in {orphan.relation}")
        left = {name: f"it has no head, but {', '.join(what)}" for name, what in faults.items()}
        verdicts = []
        for table_id in sorted(left.keys() | kept.keys()):
            fault: Fault | None = None
            if table_id in left:
                fault = Fault(0, FaultKind.ORPHAN, left[table_id])
            if table_id in kept and await self._is_gone(scope, table_id):
                newest = max(kept[table_id])
                source = kept[table_id][newest][0].source
                also = f"; {left[table_id]}" if table_id in left else ""
                message = f"there is no such table, but {source} has its row {newest}{also}"
                fault = Fault(0, FaultKind.KNOWN, message)
            if fault:
                verdicts.append(Verdict(table_id, scope.operator, 0, fault=fault))
        return verdicts

    async def _is_gone(self, scope: Scope, table_id: str) -> bool:
        """Whether a table that is not in this scope does not exist at all."""
        if scope.table_id:
            return table_id == scope.table_id
        return not await self._reader.tables(Scope(table_id=table_id), "", 1)


def _groups(checks: Sequence[TableCheck]) -> Iterator[list[TableCheck]]:
    """Groups of tables that are read together: at most the rows read at once, or a single table."""
    group: list[TableCheck] = []
    rows = 0
    for check in checks:
        if group and rows + check.length > ROWS_AT_ONCE:
            yield group
            group, rows = [], 0
        group.append(check)
        rows += check.length
    if group:
        yield group
