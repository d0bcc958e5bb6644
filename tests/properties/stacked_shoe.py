"""Shoes whose cards are chosen as they are asked for, with a bias toward what makes trouble."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from service.rules.cards import PACK
from service.table.chance import ClientSeed, Opening

MOODS = ("", "", "A", "AT", "A5", "7", "8T", "TJQK", "A6", "23456")
"""Ranks that a shoe prefers for a while: pairs to split, naturals, soft totals, three sevens."""


class StackedChance:
    """Chance over shoes of so many packs, made up on the way; a card once seen stays the same."""

    def __init__(self, random: Random, decks: int) -> None:
        self._random = random
        self._decks = decks
        self._cards: dict[tuple[int, int], str] = {}
        self._used: Counter[tuple[int, str]] = Counter()
        self._mood = ""
        self.opened: list[int] = []
        """The shoes opened so far, in order."""

    def again(self, random: Random, keeps: Callable[[int, int], bool]) -> "StackedChance":
        """Chance with the same cards where `keeps(shoe, position)`; the others are picked afresh,
        from what is left of the packs."""
        other = StackedChance(random, self._decks)
        other._cards = {place: card for place, card in self._cards.items() if keeps(*place)}
        other._used = Counter((shoe, card) for (shoe, _), card in other._cards.items())
        return other

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:
        """A commitment that names its shoe, so that a mix-up shows."""
        del client_seeds  # the cards are made up anyway
        self.opened.append(shoe)
        return Opening(f"root of {shoe}", f"commitment to {shoe + 1}")

    def mix_in(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> None:
        """What players give changes no card that is made up."""

    def card(self, shoe: int, position: int) -> str:
        """The card at a place."""
        card = self._cards.get((shoe, position))
        if card is None:
            card = self._cards[shoe, position] = self._pick(shoe)
            self._used[shoe, card] += 1
        return card

    def _pick(self, shoe: int) -> str:
        if self._random.random() > 0.85:
            self._mood = self._random.choice(MOODS)
        left = [card for card in PACK if self._used[shoe, card] < self._decks]
        favoured = [card for card in left if card[0] in self._mood]
        moody = favoured and self._random.random() > 0.25
        return self._random.choice(favoured if moody else left)

    def salt(self, shoe: int, position: int) -> str:
        """A salt that names its place."""
        return f"salt {shoe}-{position}"

    def reveal(self, shoe: int) -> str:
        """A seed that names its shoe."""
        return f"seed {shoe}"
