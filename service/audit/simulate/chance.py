"""The chance of a simulation: the real shuffle, over seeds that are derived from the run's seed.

Roots, salts and commitments are omitted: they cost far more than the round itself and change no
card.
"""

from collections.abc import Sequence
from hashlib import sha256

from service.fairness.framing import framed
from service.fairness.shuffle import ShuffledShoe
from service.table.chance import ClientSeed, Opening

_NOTHING_PUBLISHED = Opening(root="", next_commitment="")


def shoe_seed(table: bytes, shoe: int) -> bytes:
    """The server seed of a simulated shoe, 32 bytes, from the result of `table_of`."""
    return sha256(table + shoe.to_bytes(4, "big")).digest()


def table_of(run_seed: str, table_id: str) -> bytes:
    """The common part of the seeds of a simulated table's shoes."""
    return framed("croupier simulation 1", [run_seed, table_id])


class SimulatedChance:
    """The shoes of one simulated table; the same run seed and table give the same shoes."""

    def __init__(self, run_seed: str, table_id: str, decks: int) -> None:
        self._table = table_of(run_seed, table_id)
        self._table_id = table_id
        self._decks = decks
        self._number = 0
        self._shoe: ShuffledShoe | None = None

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:  # noqa: ARG002
        """Nothing is published, and no player adds a seed."""
        return _NOTHING_PUBLISHED

    def card(self, shoe: int, position: int) -> str:
        """The card at a position of the shoe."""
        if self._shoe is None or shoe != self._number:
            seed = shoe_seed(self._table, shoe)
            self._shoe = ShuffledShoe(seed, self._table_id, shoe, self._decks)
            self._number = shoe
        return self._shoe.card(position)

    def salt(self, shoe: int, position: int) -> str:  # noqa: ARG002
        """Empty: a simulation needs no salts."""
        return ""

    def reveal(self, shoe: int) -> str:  # noqa: ARG002
        """Empty: a simulation reveals no seeds."""
        return ""
