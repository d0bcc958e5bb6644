"""One bit of a published shoe changed, in each of the places where there is one."""

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.fairness.published import Published

Change = Callable[[Any, random.Random], Any]


def _hex(value: str, source: random.Random) -> str:
    data = bytearray.fromhex(value)
    data[source.randrange(len(data))] ^= 1 << source.randrange(8)
    return data.hex()


def _text(value: str, source: random.Random) -> str:
    """Of a character's number, so that the text stays one; an empty text gets a character."""
    if not value:
        return "0"
    at = source.randrange(len(value))
    return value[:at] + chr(ord(value[at]) ^ 1 << source.randrange(6)) + value[at + 1 :]


def _number(bits: int) -> Change:
    def change(value: int, source: random.Random) -> int:
        return value ^ 1 << source.randrange(bits)

    return change


def _of_shoe(name: str, change: Change) -> Change:
    def tamper(shoe: Published, source: random.Random) -> None:
        shoe[name] = change(shoe[name], source)

    return tamper


def _of_one(list_name: str, name: str, change: Change) -> Change:
    def tamper(shoe: Published, source: random.Random) -> None:
        one = source.choice(shoe[list_name])
        one[name] = change(one[name], source)

    return tamper


def _step(number: int) -> Change:
    """The hash `number` steps up a path (from its end if that is too far)."""

    def change(path: list[str], source: random.Random) -> list[str]:
        at = min(number, len(path) - 1)
        return [*path[:at], _hex(path[at], source), *path[at + 1 :]]

    return change


def _order_of_seeds(shoe: Published, source: random.Random) -> None:
    one, other = source.sample(range(len(shoe["clientSeeds"])), 2)
    seeds = shoe["clientSeeds"]
    seeds[one], seeds[other] = seeds[other], seeds[one]


def _swap_given(name: str) -> Change:
    """Two players' seeds change places, each seat in its place."""

    def tamper(shoe: Published, source: random.Random) -> None:
        one, other = source.sample(shoe["clientSeeds"], 2)
        one[name], other[name] = other[name], one[name]

    return tamper


PROVED: dict[str, Change] = {
    "table id": _of_shoe("tableId", _text),
    "number of the shoe": _of_shoe("number", _number(31)),
    "root": _of_shoe("root", _hex),
    "a card": _of_one("cards", "card", _text),
    "a position": _of_one("cards", "position", _number(9)),
    "a salt": _of_one("cards", "salt", _hex),
    "a path too short": _of_one("cards", "path", lambda path, _: path[:-1]),
    "a path too long": _of_one("cards", "path", lambda path, _: [*path, path[-1]]),
    **{f"step {step} of a path": _of_one("cards", "path", _step(step)) for step in range(9)},
}
"""What the proof of a card holds, while the seed is still secret, too."""

REVEALED: dict[str, Change] = PROVED | {
    "seed": _of_shoe("seed", _hex),
    "commitment": _of_shoe("commitment", _hex),
    "decks": _of_shoe("decks", _number(4)),
    "a seat": _of_one("clientSeeds", "seat", _number(3)),
    "a player": _of_one("clientSeeds", "playerId", _text),
    "a player's seed": _of_one("clientSeeds", "seed", _text),
    "order of players' seeds": _order_of_seeds,
    "whose seed is whose": _swap_given("seed"),
    "a player's seed left out": lambda shoe, _: shoe["clientSeeds"].pop(),
}
"""What the reveal holds besides."""


def tampered(shoe: Published, change: Change, source: random.Random) -> Published:
    """A copy of a shoe with one change."""
    copy = deepcopy(shoe)
    change(copy, source)
    return copy
