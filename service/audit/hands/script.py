"""The chance of a hand history: cards leave the shoe in the order in which they are named."""

from collections.abc import Sequence

from service.errors import Signal
from service.table.chance import ClientSeed, Opening


class OutOfCards(Signal):
    """The table asked for a card past the last one that is named; `asked` counts them."""

    def __init__(self, named: int, asked: int) -> None:
        super().__init__(f"{asked} cards are needed, and {named} are named")
        self.named = named
        self.asked = asked


class ScriptedChance:
    """Cards by script. Its shoes have neither seeds nor salts, and their commitments are empty.

    The script of a round begins where the round finds the shoe; a fresh shoe comes before the
    first card of a round, so the whole script then lies in that one.
    """

    def __init__(self) -> None:
        self._cards: tuple[str, ...] = ()
        self._shoe = 0
        self.first = 0

    def lay(self, cards: Sequence[str], shoe: int, position: int) -> None:
        """Let these cards lie in a shoe from this position on."""
        self._cards = tuple(cards)
        self._shoe = shoe
        self.first = position

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:
        """Open a shoe: what was laid lies at its beginning."""
        del client_seeds
        self._shoe = shoe
        self.first = 0
        return Opening(root="", next_commitment="")

    def card(self, shoe: int, position: int) -> str:
        """The card at a place; raises OutOfCards past the last one that is named."""
        index = position - self.first
        if shoe != self._shoe or index < 0:
            raise ValueError(f"card {position} of shoe {shoe} is none of the round's")
        if index >= len(self._cards):
            raise OutOfCards(named=len(self._cards), asked=index + 1)
        return self._cards[index]

    def salt(self, shoe: int, position: int) -> str:
        """No salt: nothing is proved of a scripted shoe."""
        del shoe, position
        return ""

    def reveal(self, shoe: int) -> str:
        """No seed: nothing is proved of a scripted shoe."""
        del shoe
        return ""
