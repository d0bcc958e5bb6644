"""Receipts: at each round's end the service signs what the table has come to.

Rule: a receipt is a signature over the head's hash, with operator, table, round, version and time,
for the purpose `croupier receipt 1`. The hash stands for every row up to that one, so whoever keeps
a receipt can prove later that a table was cut, rewritten or taken away. A table has one while its
last round is settled and no other is open, at a row that voids a round, and for good when it is
finished.
"""

from functools import lru_cache

import msgspec

from service.app.engine import Engine
from service.app.signing import PublicKeys, Signature, SigningKeys
from service.table.events import RoundVoided
from service.table.state import Phase

PURPOSE = "croupier receipt 1"

RECEIPTS_KEPT = 10_000
"""Watchers and readers of one table get the same receipt: it is signed once."""


class Receipt(msgspec.Struct, frozen=True):
    """What is signed: the row `version`, of `round`, recorded at `at` (microseconds since 1970),
    and the hash (32 bytes) that chains it to all rows before."""

    operator: str
    table_id: str
    round: int
    version: int
    at: int
    hash: bytes
    signed: Signature

    def check(self, keys: PublicKeys) -> None:
        """Raise SignatureWrong unless the owner of one of these keys signed this receipt."""
        keys.check(PURPOSE, _parts(self), self.signed)


class Receipts:
    """Signs receipts, and keeps those that it signed last."""

    def __init__(self, keys: SigningKeys) -> None:
        self._keys = keys
        self._signed = lru_cache(maxsize=RECEIPTS_KEPT)(self._sign)

    def of(self, engine: Engine) -> Receipt | None:
        """The receipt of a table as it stands; None while a round is open."""
        # The state's phase, not the one that is shown: a table that waits for players after a
        # settlement has settled its round all the same.
        voids = any(isinstance(event, RoundVoided) for event in engine.latest)
        if engine.state.phase not in (Phase.SETTLED, Phase.FINISHED) and not voids:
            return None
        head = engine.head
        return self._signed(
            head.operator, head.table_id, head.round, head.version, head.at, head.hash
        )

    def _sign(
        self, operator: str, table_id: str, round: int, version: int, at: int, hash: bytes
    ) -> Receipt:
        unsigned = Receipt(operator, table_id, round, version, at, hash, Signature("", b""))
        return msgspec.structs.replace(unsigned, signed=self._keys.sign(PURPOSE, _parts(unsigned)))


def _parts(receipt: Receipt) -> list[str | bytes]:
    return [
        receipt.operator,
        receipt.table_id,
        str(receipt.round),
        str(receipt.version),
        str(receipt.at),
        receipt.hash,
    ]
