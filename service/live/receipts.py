"""Receipts of tables: when a table has one, and who signs it.

A table has a receipt while its last round is settled and no other is open, at a row that voids a
round, and for good when it is finished.
"""

from functools import lru_cache

from service.keys.signing import Signature, SigningKeys
from service.live.live_table import LiveTable
from service.records.receipt import Receipt, sign_receipt
from service.table.events import RoundVoided
from service.table.phase import Phase

RECEIPTS_KEPT = 10_000
"""Watchers and readers of one table get the same receipt: it is signed once."""


class Receipts:
    """Signs receipts, and keeps those that it signed last."""

    def __init__(self, keys: SigningKeys) -> None:
        self._keys = keys
        self._signed = lru_cache(maxsize=RECEIPTS_KEPT)(self._sign)

    def of(self, table: LiveTable) -> Receipt | None:
        """The receipt of a table as it stands; None while a round is open."""
        # The state's phase, not the one that is shown: a table that waits for players after a
        # settlement has settled its round all the same.
        voids = any(isinstance(event, RoundVoided) for event in table.latest)
        if table.state.phase not in (Phase.SETTLED, Phase.FINISHED) and not voids:
            return None
        head = table.head
        return self._signed(
            head.operator, head.table_id, head.round, head.version, head.at, head.hash
        )

    def _sign(
        self, operator: str, table_id: str, round: int, version: int, at: int, hash: bytes
    ) -> Receipt:
        unsigned = Receipt(operator, table_id, round, version, at, hash, Signature("", b""))
        return sign_receipt(self._keys, unsigned)
