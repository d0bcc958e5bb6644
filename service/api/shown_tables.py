"""How every servicer shows a table: as its viewer may see it, with the receipt if it has one."""

from croupier.v1 import table_pb2 as pb

from service.api.wire.tables import table_to_wire
from service.live.live_table import LiveTable
from service.live.receipts import Receipts


class ShownTables:
    """Shows tables, and has receipts signed."""

    def __init__(self, receipts: Receipts) -> None:
        self._receipts = receipts

    def show(self, table: LiveTable, viewer: str) -> pb.Table:
        """A table as the player `viewer` (empty: nobody who could sit) may see it."""
        return table_to_wire(table, viewer, self._receipts.of(table))
