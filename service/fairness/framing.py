"""How values become the bytes that are hashed: each part is preceded by its length.

Rule: a message is its parts in order; each part is written as its length in bytes (four bytes,
big-endian), followed by its bytes. Text is UTF-8; a number is four bytes, big-endian. The first
part names the purpose of the message and the version of this scheme. So different lists of parts
never give the same message, and a hash made for one purpose can't be used for another.

Source: docs/fairness.md, step 4.
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
    """One part, preceded by its length."""
    if isinstance(part, int):
        return _NUMBER + part.to_bytes(4, "big")
    data = part.encode() if isinstance(part, str) else part
    return len(data).to_bytes(4, "big") + data
