"""The order of a shoe: a forward Fisher-Yates shuffle over the keystream.

Rule: the shoe starts with its decks unshuffled (see `rules.cards.packs`). For k = 0, 1, 2 … the
card at position k is swapped with the one at position k + (w mod r). Here r is the number of cards
from position k on, and w is the next word of the keystream below the largest multiple of r that is
at most 65536. Words that are not below it are skipped, so each of the r cards is equally likely. A
shoe of n cards takes n steps; the last one (r = 1) moves nothing but takes its word like any other.

The card at position p is final after p + 1 steps. So a shoe is shuffled only as far as cards are
asked for.

Source: docs/fairness.md, step 7.
"""

from collections.abc import Sequence

from service.fairness.keystream import PlayersSeed, keystream_key, words
from service.rules.cards import PACK, packs

WORDS = 1 << 16

_STEPS_AT_ONCE = 8
_LIMITS = (0, *(WORDS - WORDS % left for left in range(1, 8 * len(PACK) + 1)))


class ShuffledShoe:
    """A shoe of `decks` decks, in the order that its seeds give."""

    def __init__(
        self,
        seed: bytes,
        table_id: str,
        number: int,
        decks: int,
        players_seeds: Sequence[PlayersSeed] = (),
    ) -> None:
        self._words = words(keystream_key(seed, table_id, number, players_seeds))
        self._cards = list(packs(decks))
        self._settled = 0

    def __len__(self) -> int:
        return len(self._cards)

    def card(self, position: int) -> str:
        """The card at a position, counted from 0; IndexError past the last one."""
        if not 0 <= position < self._settled:
            if not 0 <= position < len(self._cards):
                raise IndexError(f"position {position} of a shoe of {len(self._cards)} cards")
            self._shuffle(min(position + _STEPS_AT_ONCE, len(self._cards)))
        return self._cards[position]

    def _shuffle(self, stop: int) -> None:
        """Put the final cards at the positions before `stop`."""
        cards, stream, left = self._cards, self._words, len(self._cards) - self._settled
        for place in range(self._settled, stop):
            word = next(stream)
            while word >= _LIMITS[left]:
                word = next(stream)
            other = place + word % left
            cards[place], cards[other] = cards[other], cards[place]
            left -= 1
        self._settled = stop
