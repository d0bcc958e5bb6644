"""Merkle trees: one hash that commits to a list, and short proofs of single entries.

Rule: the leaf of an entry is the SHA-256 of a zero byte and the entry's bytes. A node above two
others is the SHA-256 of a one byte and both of them, left first; so a node can't be mistaken for a
leaf. On each level neighbours are paired from the left; a last node without a neighbour moves up
unchanged. The path of an entry lists its neighbour on each level, from the leaves up, where it has
one.

The tree is that of RFC 6962, section 2.1; a path is its audit path.
"""

from collections.abc import Sequence
from hashlib import sha256

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf(entry: bytes) -> bytes:
    """The leaf of an entry."""
    return sha256(_LEAF + entry).digest()


class MerkleTree:
    """The tree over leaves (at least one), in their order."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("a tree needs at least one leaf")
        self._levels = [list(leaves)]
        while len(self._levels[-1]) > 1:
            self._levels.append(_above(self._levels[-1]))

    @property
    def root(self) -> bytes:
        """The hash that commits to all leaves."""
        return self._levels[-1][0]

    def path(self, position: int) -> tuple[bytes, ...]:
        """The proof of the leaf at a position, counted from 0; IndexError if there is no such
        leaf."""
        if not 0 <= position < len(self._levels[0]):
            raise IndexError(f"position {position} of {len(self._levels[0])} leaves")
        found = []
        for level in self._levels[:-1]:
            neighbour = position ^ 1
            if neighbour < len(level):
                found.append(level[neighbour])
            position >>= 1
        return tuple(found)


def root_from(leaf_hash: bytes, position: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to, from the leaf at a position in a list of `count` entries.

    None if a path from that position has another length.
    """
    if not 0 <= position < count:
        return None
    rest = list(reversed(path))
    node = leaf_hash
    while count > 1:
        if position ^ 1 < count:
            if not rest:
                return None
            neighbour = rest.pop()
            node = parent(neighbour, node) if position & 1 else parent(node, neighbour)
        position >>= 1
        count = (count + 1) >> 1
    return None if rest else node


def _above(level: Sequence[bytes]) -> list[bytes]:
    pairs = len(level) >> 1
    above = [parent(level[2 * place], level[2 * place + 1]) for place in range(pairs)]
    return above + list(level[2 * pairs :])


def parent(left: bytes, right: bytes) -> bytes:
    """The node above two others."""
    return sha256(_NODE + left + right).digest()
