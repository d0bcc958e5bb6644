"""Keys as a setting lists them: `id:64 hex digits`, separated by commas, the one in use first.

Keys rotate by their ids: a new key goes first, and old keys stay for what was made with them.
"""

from service.errors import Mendable

KEY_SIZE = 32
"""The length of every key, in bytes."""


class KeysMissing(Mendable):
    """Required keys are missing or invalid; the message says what to set."""


def parse_key_list(text: str, kind: str) -> dict[str, bytes]:
    """The keys by id, in their order; `kind` names them in errors.

    Raises KeysMissing, which never shows a key, for anything else.
    """
    keys: dict[str, bytes] = {}
    for place, entry in enumerate(text.split(","), start=1):
        key_id, _, digits = entry.strip().partition(":")
        if not key_id or key_id in keys:
            raise KeysMissing(f"{kind} {place} needs a unique id: write id:hex")
        try:
            keys[key_id] = bytes.fromhex(digits)
        except ValueError:
            raise KeysMissing(f"{kind} {place} is not in hex digits: write id:hex") from None
        if len(keys[key_id]) != KEY_SIZE:
            size = len(keys[key_id])
            raise KeysMissing(f"{kind} {place} has {size} bytes, not {KEY_SIZE}: write id:hex")
    return keys
