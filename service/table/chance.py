"""Where the cards come from: the protocol that the decider asks, and never implements.

The service builds it from sealed seeds, hand histories and the referee's tests from a script, the
simulation from unsealed seeds without salts.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class ClientSeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seed that a player gave for a shoe before it was opened, bound to the player and the
    seat."""

    seat: int
    player: str
    seed: str


class Opening(msgspec.Struct, frozen=True):
    """What is published when a shoe is opened: its root, and the commitment to its successor."""

    root: str
    next_commitment: str


class Chance(Protocol):
    """The cards of a table's shoes. Shoes count from 1, places in a shoe from 0."""

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:
        """Open a shoe, mixing in what players gave (in the order of their seats). Shoe 0 is the
        table itself, whose opening commits to shoe 1."""

    def card(self, shoe: int, position: int) -> str:
        """The card at a place."""

    def salt(self, shoe: int, position: int) -> str:
        """What proves, with the root, that the card lay there."""

    def reveal(self, shoe: int) -> str:
        """The server seed of a shoe that is retired."""
