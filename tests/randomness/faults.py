"""Shuffles that look right and are not: each must be rejected by the battery."""

from collections.abc import Callable

import numpy as np

from tests.randomness.shoes import KINDS, RANKS, Numbers, Shoes, fair, unshuffled

Shuffle = Callable[[int, int, np.random.Generator], Shoes]
"""Makes so many shoes of so many packs."""


def _swapping(choose: Callable[[int, int], Numbers], count: int, decks: int) -> Shoes:
    """Each place in turn swaps its card with the place chosen for it in a shoe of that size."""
    cards = unshuffled(count, decks)
    rows = np.arange(count)
    for place in range(KINDS * decks):
        other = choose(place, KINDS * decks)
        cards[rows, other], cards[:, place] = cards[:, place].copy(), cards[rows, other]
    return Shoes(cards, decks)


def swap_with_any_place(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """The naive shuffle: it swaps with any place instead of those from here on."""
    return _swapping(lambda _, size: random.integers(size, size=count), count, decks)


def never_stay(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """Off by one: it never leaves a card where it is."""

    def choose(place: int, size: int) -> Numbers:
        return random.integers(min(place + 1, size - 1), size, size=count)

    return _swapping(choose, count, decks)


def last_card_never_moves(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """Off by one: it never reaches the last place."""

    def choose(place: int, size: int) -> Numbers:
        return random.integers(place, max(place + 1, size - 1), size=count)

    return _swapping(choose, count, decks)


def remainder_of_a_byte(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """It takes bytes modulo the number of cards left, and rejects none."""

    def choose(place: int, size: int) -> Numbers:
        return place + random.integers(256, size=count) % (size - place)

    return _swapping(choose, count, decks)


def sorted_by_a_byte(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """It sorts by a random byte for each card; equal ones keep their order."""
    keys = random.integers(256, size=(count, KINDS * decks))
    order = np.argsort(keys, axis=1, kind="stable")
    return Shoes(np.take_along_axis(unshuffled(count, decks), order, axis=1), decks)


def too_few_swaps(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """It swaps two places at random, twice for each card of the shoe."""
    cards = unshuffled(count, decks)
    rows = np.arange(count)
    for _ in range(2 * KINDS * decks):
        one, other = random.integers(KINDS * decks, size=(2, count))
        cards[rows, one], cards[rows, other] = cards[rows, other], cards[rows, one]
    return Shoes(cards, decks)


def only_cut(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """It cuts the shoe and leaves it at that."""
    start = random.integers(KINDS * decks, size=(count, 1))
    order = (start + np.arange(KINDS * decks)) % (KINDS * decks)
    return Shoes(np.take_along_axis(unshuffled(count, decks), order, axis=1), decks)


def one_shoe_again(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """Every hundredth shoe has the seed of the one three before."""
    cards = fair(count, decks, random).cards
    cards[100::100] = cards[97:-3:100]
    return Shoes(cards, decks)


def seeds_of_sixteen_bits(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """The shuffle is fair, but there are only 65536 seeds."""
    seeds, drawn = np.unique(random.integers(1 << 16, size=count), return_inverse=True)
    return Shoes(fair(len(seeds), decks, random).cards[drawn], decks)


def first_cards_in_turn(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """Each card comes first in every 52nd shoe: too even, so that it can be foreseen."""
    cards = fair(count, decks, random).cards
    rows = np.arange(count)
    due = rows % KINDS
    lies = (cards == due[:, None]).argmax(axis=1)
    cards[rows, lies], cards[:, 0] = cards[:, 0].copy(), due
    return Shoes(cards, decks)


def aces_kept_apart(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """A shoe of one pack with two aces side by side is shuffled once more, to look random."""
    cards = fair(count, decks, random).cards
    aces = cards % RANKS == 0
    touching = (aces[:, 1:] & aces[:, :-1]).any(axis=1)
    cards[touching] = fair(int(touching.sum()), decks, random).cards
    return Shoes(cards, decks)


def colours_evened_out(count: int, decks: int, random: np.random.Generator) -> Shoes:
    """A shoe of few changes of colour is shuffled once more, to look random."""
    cards = fair(count, decks, random).cards
    red = (cards // RANKS) % 3 > 0
    dull = (red[:, 1:] != red[:, :-1]).sum(axis=1) < KINDS * decks // 2 - 3
    cards[dull] = fair(int(dull.sum()), decks, random).cards
    return Shoes(cards, decks)


FAULTS: dict[str, Shuffle] = {
    shuffle.__name__.replace("_", " "): shuffle
    for shuffle in (
        swap_with_any_place,
        never_stay,
        last_card_never_moves,
        remainder_of_a_byte,
        sorted_by_a_byte,
        too_few_swaps,
        only_cut,
        one_shoe_again,
        seeds_of_sixteen_bits,
        first_cards_in_turn,
        aces_kept_apart,
        colours_evened_out,
    )
}
