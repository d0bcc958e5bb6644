"""Keys as a setting writes them: `id:64 hex digits`, commas between, the one in use first.

Keys rotate by their ids: a new one is put first, and the old ones stay for what was made with them.
"""

from service.errors import Mendable

KEY_SIZE = 32
"""Bytes of every key."""


class KeysMissing(Mendable):
    """Keys that are needed are not there, or will not do; the message says what to set."""


def parse_key_list(text: str, kind: str) -> dict[str, bytes]:
    """The keys by id, in their order; `kind` names them in errors.

    Raises KeysMissing, which never shows a key, for anything else.
    """
    keys: dict[str, bytes] = {}
    for place, entry in enumerate(text.split(","), start=1):
        key_id, _, digits = entry.strip().partition(":")
        if not key_id or key_id in keys:
            raise KeysMissing(f"{kind} {place} needs an id of its own: write id:hex")
        try:
            keys[key_id] = bytes.fromhex(digits)
        except ValueError:
            raise KeysMissing(f"{kind} {key_id!r} is not written in hex digits") from None
        if len(keys[key_id]) != KEY_SIZE:
            size = len(keys[key_id])
            raise KeysMissing(f"{kind} {key_id!r} has {size} bytes, not {KEY_SIZE}")
    return keys
