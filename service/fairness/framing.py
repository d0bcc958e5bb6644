"""How values become the bytes that are hashed: each part with its length before it.

Rule: a message is its parts in order, each as its length in bytes (four bytes, big-endian) and then
the bytes themselves; text is UTF-8, a number four bytes, big-endian. The first part names what the
message is for and the version of this scheme. So no two different lists of parts make the same
message, and no hash for one purpose can stand for another.

Source: the design, section 4.
"""

from collections.abc import Sequence

Part = bytes | str | int


def framed(purpose: str, parts: Sequence[Part]) -> bytes:
    """The message for a purpose.

    >>> framed("p", ["ab", 7]).hex()
    '00000001700000000261620000000400000007'
    """
    message = b""
    for part in (purpose, *parts):
        if isinstance(part, str):
            data = part.encode()
        elif isinstance(part, int):
            data = part.to_bytes(4, "big")
        else:
            data = part
        message += len(data).to_bytes(4, "big") + data
    return message
