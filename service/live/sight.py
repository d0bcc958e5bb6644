"""Who sees a table, as far as the table itself tells; `Lookup` knows the rest."""

from service.live.live_table import LiveTable
from service.live.lookup import Asker


def is_plainly_seen(table: LiveTable, asker: Asker) -> bool:
    """Whether the asker sees a table of their operator for a reason that needs no query: it is not
    private, or they are the operator, or have a seat."""
    if not table.head.private or not asker.player:
        return True
    return table.state.seat_of(asker.player) is not None
