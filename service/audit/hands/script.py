"""The chance of a hand history: cards are dealt in the order in which they are named."""

from collections.abc import Sequence

from service.errors import Signal
from service.table.chance import ClientSeed, Opening


class OutOfCards(Signal):
    """The table needed a card after the last named one; `asked` is the number of cards needed."""

    def __init__(self, named: int, asked: int) -> None:
        super().__init__(f"{asked} cards are needed, but only {named} are named")
        self.named = named
        self.asked = asked


class ScriptedChance:
    """Cards from a script. Its shoes have neither seeds nor salts, and their commitments are empty.

    The script of a round begins at the current position of the shoe. A fresh shoe is opened before
    the first card of a round, so the whole script is then in the fresh shoe.
    """

    def __init__(self) -> None:
        self._cards: tuple[str, ...] = ()
        self._shoe = 0
        self.first = 0

    def lay(self, cards: Sequence[str], shoe: int, position: int) -> None:
        """Put these cards into a shoe from this position on."""
        self._cards = tuple(cards)
        self._shoe = shoe
        self.first = position

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:
        """Open a shoe: the scripted cards are at its beginning."""
        del client_seeds
        self._shoe = shoe
        self.first = 0
        return Opening(root="", next_commitment="")

    def card(self, shoe: int, position: int) -> str:
        """The card at a position; raises OutOfCards after the last named one."""
        index = position - self.first
        if shoe != self._shoe or index < 0:
            raise ValueError(f"card {position} of shoe {shoe} does not belong to the round")
        if index >= len(self._cards):
            raise OutOfCards(named=len(self._cards), asked=index + 1)
        return self._cards[index]

    def salt(self, shoe: int, position: int) -> str:
        """No salt: a scripted shoe has no proofs."""
        del shoe, position
        return ""

    def reveal(self, shoe: int) -> str:
        """No seed: a scripted shoe has no proofs."""
        del shoe
        return ""
