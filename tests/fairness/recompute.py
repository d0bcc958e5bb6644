"""A shoe recomputed from its seeds by nothing but the published description.

Imports nothing of the project: this is what a player, an auditor or a browser would write.
"""

import hashlib
import hmac


def message(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def shoe_order(seed: bytes, table_id: str, shoe: int, decks: int, seeds: list[str]) -> list[str]:
    pack = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    cards = pack * decks
    text = message(
        b"croupier shuffle 1",
        table_id.encode(),
        shoe.to_bytes(4, "big"),
        *(one.encode() for one in seeds),
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
    text = message(
        b"croupier salt 1", table_id.encode(), shoe.to_bytes(4, "big"), position.to_bytes(4, "big")
    )
    return hmac.new(seed, text, hashlib.sha256).digest()[:16].hex()
