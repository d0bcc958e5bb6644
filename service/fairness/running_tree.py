"""The Merkle tree of `merkle` over a list that is too long to hold: leaves come once, in order.

Rule: whatever the leaves so far, a few whole subtrees stand for them, each half as high as the one
before or lower; so the memory grows with the logarithm of the list. The root over no leaves is the
SHA-256 of nothing, as RFC 6962 has it.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from service.fairness.merkle import parent


class RunningTree:
    """The tree over the leaves so far."""

    def __init__(self) -> None:
        self._whole: list[tuple[int, bytes]] = []
        self.count = 0

    def add(self, leaf_hash: bytes) -> None:
        """Take one more leaf."""
        size, top = 1, leaf_hash
        while self._whole and self._whole[-1][0] == size:
            top = parent(self._whole.pop()[1], top)
            size *= 2
        self._whole.append((size, top))
        self.count += 1

    @property
    def root(self) -> bytes:
        """The hash that stands for all leaves so far."""
        if not self._whole:
            return sha256().digest()
        root = self._whole[-1][1]
        for _, top in reversed(self._whole[:-1]):
            root = parent(top, root)
        return root


def path_from(leaves: Iterable[bytes], position: int, count: int) -> tuple[bytes, ...]:
    """What proves the leaf at a place of a list of so many, as `MerkleTree.path` gives it.

    IndexError if there is no such place.
    """
    if not 0 <= position < count:
        raise IndexError(f"place {position} of {count} leaves")
    beside = _subtrees_beside(position, count)
    trees = [RunningTree() for _ in beside]
    for place, leaf_hash in enumerate(leaves):
        for (start, stop), tree in zip(beside, trees, strict=True):
            if start <= place < stop:
                tree.add(leaf_hash)
    return tuple(tree.root for tree in trees)


def _subtrees_beside(position: int, count: int) -> Sequence[tuple[int, int]]:
    """Which leaves each step of a path stands for, from the leaf up: from a place to another."""
    found = []
    start, stop = 0, count
    while stop - start > 1:
        # The left subtree is the largest that is whole and leaves something over.
        middle = start + (1 << (stop - start - 1).bit_length() - 1)
        if position < middle:
            found.append((middle, stop))
            stop = middle
        else:
            found.append((start, middle))
            start = middle
    return found[::-1]
