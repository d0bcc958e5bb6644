"""Small decks, runs and gaps: what one shoe's order looks like from nearby."""

import math

import numpy as np

from tests.randomness.p_values import even, fitting, worst
from tests.randomness.shoes import KINDS, RANKS, Numbers, Shoes

_SMALL = 5


def small_decks(shoes: Shoes) -> float:
    """Of five kinds of card, the first ones of each come in each of the 120 orders as often.

    Ten such small decks are looked at in each shoe, kinds that lie side by side in a pack. They
    have no card in common, so their orders are independent of each other.
    """
    firsts = np.empty((shoes.count, KINDS), dtype=np.int64)
    rows = np.arange(shoes.count)
    for place in reversed(range(shoes.places)):
        firsts[rows, shoes.cards[:, place]] = place
    return even(_orders(firsts))


def five_places(shoes: Shoes) -> float:
    """The cards of one pack at five places in a row lie in each of the 120 orders as often."""
    return even(_orders(shoes.cards))


def _orders(values: Numbers) -> Numbers:
    """How often each order comes among the first, second … five values of each row."""
    decks = values.shape[1] // _SMALL
    small = values[:, : decks * _SMALL].reshape(-1, _SMALL)
    number = np.zeros(len(small), dtype=np.int64)
    for place in range(_SMALL):
        lower = (small[:, place + 1 :] < small[:, place, None]).sum(axis=1)
        number = number * (_SMALL - place) + lower
    counts: Numbers = np.bincount(number, minlength=math.factorial(_SMALL))
    return counts


def colour_runs(shoes: Shoes) -> float:
    """A shoe falls into as many runs of one colour as it should: the runs law of Wald-Wolfowitz."""
    red = (shoes.cards // RANKS) % 3 > 0
    runs = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
    of_colour = shoes.places // 2
    ways = math.comb(shoes.places, of_colour)
    chances = [0.0] * (shoes.places + 1)
    for count in range(2, shoes.places + 1):
        begun = math.comb(of_colour - 1, (count - 1) // 2)  # by the colour that comes first
        answered = math.comb(of_colour - 1, count // 2 - 1)
        chances[count] = 2 * begun * answered / ways
    return fitting(runs, chances)


def ace_gaps(shoes: Shoes) -> float:
    """As many cards lie before the first ace, between two aces and after the last as should.

    Each of these gaps has the same law; the worst of them.
    """
    aces = 4 * shoes.decks
    others = shoes.places - aces
    places = np.argwhere(shoes.cards % RANKS == 0)[:, 1].reshape(-1, aces)
    ends = np.pad(places, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, shoes.places)))
    gaps = np.diff(ends, axis=1) - 1
    ways = math.comb(shoes.places, aces)
    chances = [math.comb(shoes.places - 1 - gap, aces - 1) / ways for gap in range(others + 1)]
    return worst(fitting(gaps[:, index], chances) for index in range(aces + 1))
