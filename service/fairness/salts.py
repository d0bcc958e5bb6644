"""The salt of a card: what hides it in the shoe's root until it is turned up.

Rule: the salt of a place is the first 16 bytes of HMAC-SHA-256 of the server seed over the framed
message of `SALT_PURPOSE`, the table id, the number of the shoe and the place, counted from 0. It is
published with the card; without the seed it tells nothing about any other place.

Source: the design, section 4.
"""

import hmac
from functools import lru_cache
from hashlib import sha256

from service.fairness.framing import frame, framed

SALT_PURPOSE = "croupier salt 1"
SALT_SIZE = 16

_BLOCK = 64
"""Bytes that SHA-256 takes at once: what HMAC pads its key to."""


def salt(seed: bytes, table_id: str, shoe: int, position: int) -> str:
    """The salt of a place in a shoe, in hex."""
    message = _before_place(table_id, shoe) + frame(position)
    return hmac.digest(seed, message, "sha256")[:SALT_SIZE].hex()


def salts(seed: bytes, table_id: str, shoe: int, count: int) -> list[str]:
    """The salts of a whole shoe, place by place, in half the time that `salt` takes for each.

    HMAC hashes what is the same for all places (the key, the shoe) twice; here that is done once.
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
    """What the messages of all places of a shoe begin with."""
    return framed(SALT_PURPOSE, [table_id, shoe])
