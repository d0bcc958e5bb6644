"""Chance from server seeds: the cards of a live table.

Opening shoe n draws the seed of shoe n + 1, because its commitment is published then. Opening the
table (shoe 0) draws the seed of shoe 1. A drawn seed must be stored, sealed, in the same append as
the event that contains its commitment.
"""

from collections.abc import Callable, Mapping, Sequence

from service.fairness.card_leaves import shoe_tree
from service.fairness.commitment import commitment
from service.fairness.merkle import MerkleTree
from service.fairness.salts import salt, salts
from service.fairness.shuffle import ShuffledShoe
from service.table.chance import ClientSeed, Opening


class SeededChance:
    """The shoes of one table, from the known seeds (by number of the shoe).

    A seed is looked up only when a card, a salt or a proof of its shoe is needed. `new_seed` gives
    32 bytes from the operating system.
    """

    def __init__(
        self,
        table_id: str,
        decks: int,
        seeds: Mapping[int, bytes],
        new_seed: Callable[[], bytes],
    ) -> None:
        self._table_id = table_id
        self._decks = decks
        self._seeds = seeds
        self._new_seeds: dict[int, bytes] = {}
        self._new_seed = new_seed
        self._client_seeds: dict[int, tuple[ClientSeed, ...]] = {}
        self._shoes: dict[int, ShuffledShoe] = {}
        self._trees: dict[int, MerkleTree] = {}
        self.drawn: dict[int, bytes] = {}
        """The seeds drawn when shoes were opened, by number of the shoe."""

    def mix_in(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> None:
        """Set the players' seeds of a shoe, by seat; required before its first card, and again
        after a restart."""
        given = tuple(client_seeds)
        if given != self._client_seeds.get(shoe, ()):
            self._client_seeds[shoe] = given
            self._shoes.pop(shoe, None)
            self._trees.pop(shoe, None)

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:
        """Mix in the players' seeds, draw the next shoe's seed and commit to it.

        Older shoes are dropped, because their cards are no longer needed: a table that stays in
        memory for long must not grow.
        """
        for made in (self._shoes, self._trees):
            for older in [number for number in made if number < shoe]:
                del made[older]
        self.mix_in(shoe, client_seeds)
        successor = shoe + 1
        if not self.knows(successor):
            self._new_seeds[successor] = self.drawn[successor] = self._new_seed()
        root = self._tree(shoe).root.hex() if shoe else ""
        return Opening(root=root, next_commitment=commitment(self._seed(successor)))

    def knows(self, shoe: int) -> bool:
        """Whether the seed of a shoe is known."""
        return shoe in self._new_seeds or shoe in self._seeds

    def card(self, shoe: int, position: int) -> str:
        """The card at a position; KeyError if the seed of that shoe is not known."""
        return self._shoe(shoe).card(position)

    def salt(self, shoe: int, position: int) -> str:
        """The salt of a position, in hex."""
        return salt(self._seed(shoe), self._table_id, shoe, position)

    def path(self, shoe: int, position: int) -> tuple[bytes, ...]:
        """The path that proves, with the salt, that the card at a position belongs to the shoe's
        root."""
        return self._tree(shoe).path(position)

    def reveal(self, shoe: int) -> str:
        """The server seed of a shoe, in hex."""
        return self._seed(shoe).hex()

    def _seed(self, shoe: int) -> bytes:
        new = self._new_seeds.get(shoe)
        return self._seeds[shoe] if new is None else new

    def _shoe(self, shoe: int) -> ShuffledShoe:
        opened = self._shoes.get(shoe)
        if opened is None:
            opened = self._shoes[shoe] = ShuffledShoe(
                self._seed(shoe),
                self._table_id,
                shoe,
                self._decks,
                [(one.seat, one.player, one.seed) for one in self._client_seeds.get(shoe, ())],
            )
        return opened

    def _tree(self, shoe: int) -> MerkleTree:
        tree = self._trees.get(shoe)
        if tree is None:
            cards = self._shoe(shoe)
            tree = self._trees[shoe] = shoe_tree(
                self._table_id,
                shoe,
                [cards.card(place) for place in range(len(cards))],
                salts(self._seed(shoe), self._table_id, shoe, len(cards)),
            )
        return tree
