"""What tables have from the sealing keys: the nonces of their ids, and their join codes.

Both are derived, so nothing has to be stored: a nonce from the request that opens the table, a code
from the table's id. When keys rotate the first key makes new ones, and what an older key has made
still holds for as long as that key is in the list.
"""

import hmac
from base64 import b32encode
from collections.abc import Iterable

from service.keys.key_list import parse_key_list

CODE_LENGTH = 13
"""Letters and digits of a join code, five bits each: more than can be tried."""


class TableKeys:
    """Derives from keys of 32 bytes, the one in use first."""

    def __init__(self, keys: Iterable[bytes]) -> None:
        # A key of its own, so that neither tells anything about what is sealed.
        self._keys = tuple(hmac.digest(key, b"croupier tables 1", "sha256") for key in keys)

    def nonces(self, operator: str, actor: str, request_id: str) -> tuple[str, ...]:
        """What makes the id of the table that a request opens one that nobody can compute: 32 hex
        digits by each key, the one in use first."""
        parts = (b"nonce", operator.encode(), actor.encode(), request_id.encode())
        return tuple(_digest(key, *parts).hex()[:32] for key in self._keys)

    def join_code(self, table_id: str) -> str:
        """What lets a player see a private table and sit down at it."""
        return _code(self._keys[0], table_id)

    def opens(self, table_id: str, code: str) -> bool:
        """Whether a code is the table's; small letters will do."""
        given = code.upper().encode(errors="replace")
        found = [hmac.compare_digest(given, _code(key, table_id).encode()) for key in self._keys]
        return any(found)


def parse_table_keys(sealing_keys: str) -> TableKeys:
    """The keys from the setting that lists the sealing keys."""
    return TableKeys(parse_key_list(sealing_keys, "sealing key").values())


def _code(key: bytes, table_id: str) -> str:
    return b32encode(_digest(key, b"join code", table_id.encode()))[:CODE_LENGTH].decode()


def _digest(key: bytes, *parts: bytes) -> bytes:
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hmac.digest(key, framed, "sha256")
