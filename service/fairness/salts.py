"""The salt of a card: what hides it in the shoe's root until it is turned up.

Rule: the salt of a place is the first 16 bytes of HMAC-SHA-256 of the server seed over the framed
message of `SALT_PURPOSE`, the table id, the number of the shoe and the place, counted from 0. It is
published with the card; without the seed it tells nothing about any other place.

Source: the design, section 4.
"""

import hmac
from functools import lru_cache

from service.fairness.framing import frame, framed

SALT_PURPOSE = "croupier salt 1"
SALT_SIZE = 16


def salt(seed: bytes, table_id: str, shoe: int, position: int) -> str:
    """The salt of a place in a shoe, in hex."""
    message = _before_place(table_id, shoe) + frame(position)
    return hmac.digest(seed, message, "sha256")[:SALT_SIZE].hex()


@lru_cache(maxsize=4096)
def _before_place(table_id: str, shoe: int) -> bytes:
    """What the messages of all places of a shoe begin with."""
    return framed(SALT_PURPOSE, [table_id, shoe])
