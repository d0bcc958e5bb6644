"""The salt of a card: it hides the card in the shoe's root until the card is turned up.

Rule: the salt of a position is the first 16 bytes of HMAC-SHA-256, keyed with the server seed, of
the framed message of `SALT_PURPOSE`, the table id, the number of the shoe and the position, counted
from 0. It is published with the card. Without the seed it reveals nothing about any other position.

Source: docs/fairness.md, step 8.
"""

import hmac
from functools import lru_cache
from hashlib import sha256

from service.fairness.framing import frame, framed

SALT_PURPOSE = "croupier salt 1"
SALT_SIZE = 16

_BLOCK = 64
"""The block size of SHA-256 in bytes, to which HMAC pads its key."""


def salt(seed: bytes, table_id: str, shoe: int, position: int) -> str:
    """The salt of a position in a shoe, in hex."""
    message = _before_place(table_id, shoe) + frame(position)
    return hmac.digest(seed, message, "sha256")[:SALT_SIZE].hex()


def salts(seed: bytes, table_id: str, shoe: int, count: int) -> list[str]:
    """The salts of a whole shoe, in the order of positions, in half the time of separate calls of
    `salt`.

    What is the same for all positions (the key, the shoe) is hashed once, not for each of them.
    """
    key = seed.ljust(_BLOCK, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + _before_place(table_id, shoe))
    outer = sha256(bytes(byte ^ 0x5C for byte in key))
    found = []
    for place in range(count):
        message = inner.copy()
        message.update(frame(place))
        digest = outer.copy()
        digest.update(message.digest())
        found.append(digest.digest()[:SALT_SIZE].hex())
    return found


@lru_cache(maxsize=4096)
def _before_place(table_id: str, shoe: int) -> bytes:
    """The common beginning of the messages of all positions of a shoe."""
    return framed(SALT_PURPOSE, [table_id, shoe])
