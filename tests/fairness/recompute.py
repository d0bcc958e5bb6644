"""A shoe recomputed from its seeds by nothing but the published description.

Imports nothing of the project: this is what a player, an auditor or a browser would write.
"""

import hashlib
import hmac


def message(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def shoe_order(
    seed: bytes, table_id: str, shoe: int, decks: int, seeds: list[tuple[int, str, str]]
) -> list[str]:
    pack = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    cards = pack * decks
    text = message(
        b"croupier shuffle 1",
        table_id.encode(),
        number(shoe),
        *(
            part
            for seat, player, given in seeds
            for part in (number(seat), player.encode(), given.encode())
        ),
    )
    key = hmac.new(seed, text, hashlib.sha256).digest()
    stream = b"".join(
        hashlib.sha256(key + block.to_bytes(8, "big")).digest() for block in range(4 * decks + 4)
    )
    at = 0
    for place in range(len(cards)):
        left = len(cards) - place
        while True:
            word = int.from_bytes(stream[at : at + 2], "big")
            at += 2
            if word < 65536 // left * left:
                break
        other = place + word % left
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def salt_of(seed: bytes, table_id: str, shoe: int, position: int) -> str:
    text = message(b"croupier salt 1", table_id.encode(), number(shoe), number(position))
    return hmac.new(seed, text, hashlib.sha256).digest()[:16].hex()


def leaf_of(table_id: str, shoe: int, position: int, card: str, salt: str) -> bytes:
    text = message(
        b"croupier card 1",
        table_id.encode(),
        number(shoe),
        number(position),
        card.encode(),
        bytes.fromhex(salt),
    )
    return hashlib.sha256(b"\0" + text).digest()


def root_of(leaves: list[bytes]) -> bytes:
    """By the definition of RFC 6962: the left half is the largest power of two below the whole."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while 2 * half < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + root_of(leaves[:half]) + root_of(leaves[half:])).digest()


def proved_root(leaf: bytes, position: int, count: int, path: list[bytes]) -> bytes | None:
    """The root that a path leads to from a leaf, by the same definition, or None."""
    if count == 1:
        return None if path else leaf
    half = 1
    while 2 * half < count:
        half *= 2
    if not path:
        return None
    *below, neighbour = path
    if position < half:
        left = proved_root(leaf, position, half, below)
        return None if left is None else hashlib.sha256(b"\1" + left + neighbour).digest()
    right = proved_root(leaf, position - half, count - half, below)
    return None if right is None else hashlib.sha256(b"\1" + neighbour + right).digest()
