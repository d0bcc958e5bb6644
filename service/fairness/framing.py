"""How values become the bytes that are hashed: each part with its length before it.

Rule: a message is its parts in order, each as its length in bytes (four bytes, big-endian) and then
the bytes themselves; text is UTF-8, a number four bytes, big-endian. The first part names what the
message is for and the version of this scheme. So no two different lists of parts make the same
message, and no hash for one purpose can stand for another.

Source: the design, section 4.
"""

from collections.abc import Sequence

Part = bytes | str | int

_NUMBER = (4).to_bytes(4, "big")


def framed(purpose: str, parts: Sequence[Part]) -> bytes:
    """The message for a purpose.

    >>> framed("p", ["ab", 7]).hex()
    '00000001700000000261620000000400000007'
    """
    return b"".join(map(frame, (purpose, *parts)))


def frame(part: Part) -> bytes:
    """One part, its length before it."""
    if isinstance(part, int):
        return _NUMBER + part.to_bytes(4, "big")
    data = part.encode() if isinstance(part, str) else part
    return len(data).to_bytes(4, "big") + data
