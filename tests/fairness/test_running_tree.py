from hashlib import sha256

import pytest

from service.fairness.merkle import MerkleTree, leaf
from service.fairness.running_tree import RunningTree, path_from

LEAVES = [leaf(bytes([number])) for number in range(70)]


def test_it_is_the_same_tree() -> None:
    tree = RunningTree()
    assert tree.root == sha256().digest()
    for count, one in enumerate(LEAVES, start=1):
        tree.add(one)
        assert (tree.count, tree.root) == (count, MerkleTree(LEAVES[:count]).root)


@pytest.mark.parametrize("count", range(1, 20))
def test_the_paths_are_the_same(count: int) -> None:
    leaves = LEAVES[:count]
    tree = MerkleTree(leaves)
    for position in range(count):
        assert path_from(iter(leaves), position, count) == tree.path(position)
    for position in (-1, count):
        with pytest.raises(IndexError):
            path_from(leaves, position, count)
