"""Chance over server seeds: the cards of a served table.

Opening shoe n draws the seed of shoe n + 1, because the commitment to it is published then; the
opening of the table (shoe 0) draws that of shoe 1. What was drawn has to be stored, sealed, in the
same append as the events that name its commitment.
"""

from collections.abc import Callable, Mapping, Sequence

from service.fairness.commitment import commitment
from service.fairness.salts import salt
from service.fairness.shuffle import ShuffledShoe
from service.table.chance import Opening


class SeededChance:
    """The shoes of one table, from the seeds (by number of the shoe) that are known of it.

    `new_seed` gives 32 bytes from the operating system. `players_seeds` are those mixed into shoes
    that have been opened already, by number of the shoe.
    """

    def __init__(
        self,
        table_id: str,
        decks: int,
        seeds: Mapping[int, bytes],
        new_seed: Callable[[], bytes],
        players_seeds: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self._table_id = table_id
        self._decks = decks
        self._seeds = dict(seeds)
        self._new_seed = new_seed
        self._players_seeds = dict(players_seeds or {})
        self._shoes: dict[int, ShuffledShoe] = {}
        self.drawn: dict[int, bytes] = {}
        """The seeds drawn by openings, by number of the shoe."""

    def open(self, shoe: int, players_seeds: Sequence[str]) -> Opening:
        """Mix in the players' seeds, draw the successor's seed and commit to it."""
        if players_seeds:
            self._players_seeds[shoe] = tuple(players_seeds)
            self._shoes.pop(shoe, None)
        successor = shoe + 1
        if successor not in self._seeds:
            self._seeds[successor] = self.drawn[successor] = self._new_seed()
        return Opening(root="", next_commitment=commitment(self._seeds[successor]))

    def knows(self, shoe: int) -> bool:
        """Whether the seed of a shoe is known."""
        return shoe in self._seeds

    def card(self, shoe: int, position: int) -> str:
        """The card at a place; KeyError if the seed of that shoe is not known."""
        opened = self._shoes.get(shoe)
        if opened is None:
            opened = self._shoes[shoe] = ShuffledShoe(
                self._seeds[shoe],
                self._table_id,
                shoe,
                self._decks,
                self._players_seeds.get(shoe, ()),
            )
        return opened.card(position)

    def salt(self, shoe: int, position: int) -> str:
        """The salt of a place, in hex."""
        return salt(self._seeds[shoe], self._table_id, shoe, position)

    def reveal(self, shoe: int) -> str:
        """The server seed of a shoe, in hex."""
        return self._seeds[shoe].hex()
