"""The keystream of a shoe: uniform 16-bit words, derived from all its seeds.

Rule: the key is HMAC-SHA-256, keyed with the server seed, of the framed message of `KEY_PURPOSE`,
the table id, the number of the shoe and, for each player's seed in the order of the seats, the
number of the seat, the player's id and the seed. Block b (0, 1, 2 …) of the keystream is the
SHA-256 of the key followed by b as eight bytes, big-endian; it gives sixteen words of two bytes
each, big-endian.

Recomputing a shoe needs nothing but SHA-256, so a browser can do it.

Source: docs/fairness.md, steps 5 and 6.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct

from service.fairness.framing import Part, framed

KEY_PURPOSE = "croupier shuffle 1"

PlayersSeed = tuple[int, str, str]
"""A seat, the player who sits there, and the seed that the player gave."""

_WORDS = Struct(">16H")


def keystream_key(
    seed: bytes, table_id: str, shoe: int, players_seeds: Sequence[PlayersSeed]
) -> bytes:
    """The key of a shoe's keystream, 32 bytes; `players_seeds` in the order of the seats."""
    parts: list[Part] = [table_id, shoe]
    for given in players_seeds:
        parts += given
    return hmac.digest(seed, framed(KEY_PURPOSE, parts), "sha256")


def words(key: bytes) -> Iterator[int]:
    """The keystream, word by word (each below 65536); it never ends."""
    unpack = _WORDS.unpack
    block = 0
    while True:
        yield from unpack(sha256(key + block.to_bytes(8, "big")).digest())
        block += 1
