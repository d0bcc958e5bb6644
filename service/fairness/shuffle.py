"""The order of a shoe: a forward Fisher-Yates shuffle over the keystream.

Rule: the shoe starts as its packs lie unshuffled (see `rules.cards.packs`). For k = 0, 1, 2 … the
card at place k is swapped with the one at place k + w mod r, where r is the number of cards from
place k on, and w the next word of the keystream that is below the largest multiple of r up to
65536; words that are not are skipped, so each of the r cards is equally likely. A shoe of n cards
takes n steps, the last of which (r = 1) moves nothing but takes its word like any other.

The card at place p is settled after p + 1 steps, whatever follows. A shoe is therefore shuffled
only as far as cards are asked for.

Source: the design, section 4.
"""

from collections.abc import Sequence

from service.fairness.keystream import PlayersSeed, keystream_key, words
from service.rules.cards import PACK, packs

WORDS = 1 << 16

_STEPS_AT_ONCE = 8
_LIMITS = (0, *(WORDS - WORDS % left for left in range(1, 8 * len(PACK) + 1)))


class ShuffledShoe:
    """A shoe of so many packs, in the order that its seeds give it."""

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
        """The card at a place, counted from 0; IndexError past the last one."""
        if not 0 <= position < self._settled:
            if not 0 <= position < len(self._cards):
                raise IndexError(f"place {position} of a shoe of {len(self._cards)} cards")
            self._shuffle(min(position + _STEPS_AT_ONCE, len(self._cards)))
        return self._cards[position]

    def _shuffle(self, stop: int) -> None:
        """Settle the places before `stop`."""
        cards, stream, left = self._cards, self._words, len(self._cards) - self._settled
        for place in range(self._settled, stop):
            word = next(stream)
            while word >= _LIMITS[left]:
                word = next(stream)
            other = place + word % left
            cards[place], cards[other] = cards[other], cards[place]
            left -= 1
        self._settled = stop
