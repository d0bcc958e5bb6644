"""The shoes of a table as its journal shows them, and whether they match their commitments.

Rule: the seed of a shoe hashes to the commitment that was published one shoe earlier. The shoe that
follows from it and the players' seeds has each card at the position where it was turned up, with
that salt. The tree over all its cards has the root that was published before the first card.

Source: docs/fairness.md, steps 2 to 12.
"""

from service.audit.evidence.proofs import Paths
from service.audit.verify.check_failed import CheckFailed
from service.fairness.card_leaves import card_leaf, shoe_tree
from service.fairness.commitment import SEED_SIZE, commitment
from service.fairness.merkle import root_from
from service.fairness.salts import salts as salts_of
from service.fairness.shuffle import ShuffledShoe
from service.records.verification import FaultKind
from service.table.events import ShoeOpened


class SeenCard:
    """A card that was turned up, and the row that turned it up."""

    __slots__ = ("card", "salt", "version")

    def __init__(self, card: str, salt: str, version: int) -> None:
        self.card = card
        self.salt = salt
        self.version = version


class SeenShoe:
    """A shoe, as far as the journal has shown it. `order` is known once the seed is known."""

    def __init__(self, opened: ShoeOpened, version: int) -> None:
        self.opened = opened
        self.version = version
        self.cards: dict[int, SeenCard] = {}
        self.face_down: set[int] = set()
        self.seed = ""
        self.proved = 0
        self.order: ShuffledShoe | None = None

    def see(self, position: int, card: str, salt: str, version: int) -> None:
        """Record a card that was turned up."""
        if position in self.cards:
            before = self.cards[position].version
            raise CheckFailed(
                FaultKind.CARD,
                f"position {position} of shoe {self.opened.shoe} was turned up in row {before},"
                " too",
            )
        self.face_down.discard(position)
        self.cards[position] = SeenCard(card, salt, version)

    def hold_against(self, seed: bytes, table_id: str, decks: int, version: int) -> None:
        """Check everything against the seed, which was published in the row of that version."""
        opened = self.opened
        if len(seed) != SEED_SIZE or commitment(seed) != opened.commitment:
            raise CheckFailed(
                FaultKind.SEED,
                f"the seed of shoe {opened.shoe} does not hash to the commitment"
                f" {opened.commitment}",
                version,
            )
        given = [(one.seat, one.player, one.seed) for one in opened.client_seeds]
        order = ShuffledShoe(seed, table_id, opened.shoe, decks, given)
        cards = [order.card(place) for place in range(len(order))]
        salts = salts_of(seed, table_id, opened.shoe, len(order))
        self._compare(cards, salts)
        root = shoe_tree(table_id, opened.shoe, cards, salts).root.hex()
        if root != opened.root:
            raise CheckFailed(
                FaultKind.ROOT,
                f"the root of shoe {opened.shoe} is {root} by its seed, not {opened.root}",
                self.version,
            )
        self.order = order

    def hold_against_root(self, paths: Paths, table_id: str) -> None:
        """Check each card that was turned up, if its path to the root is known."""
        opened = self.opened
        root = bytes.fromhex(opened.root)
        for place in sorted(paths.keys() & self.cards.keys()):
            seen = self.cards[place]
            leaf = card_leaf(table_id, opened.shoe, place, seen.card, seen.salt)
            if root_from(leaf, place, opened.cards, paths[place]) != root:
                raise CheckFailed(
                    FaultKind.CARD,
                    f"the card at position {place} of shoe {opened.shoe}: its proof does not lead"
                    " to the root",
                    seen.version,
                )
            self.proved += 1

    def _compare(self, cards: list[str], salts: list[str]) -> None:
        """Compare each card that was turned up; the first row with a wrong card is named."""
        wrong: list[tuple[int, int, str]] = []
        for place, seen in self.cards.items():
            if place >= len(cards):
                wrong.append((seen.version, place, "there is no such position"))
            elif seen.card != cards[place]:
                wrong.append((seen.version, place, f"it is {cards[place]}, not {seen.card}"))
            elif seen.salt != salts[place]:
                wrong.append((seen.version, place, "its salt is different"))
        if wrong:
            version, place, what = min(wrong)
            raise CheckFailed(
                FaultKind.CARD,
                f"the card at position {place} of shoe {self.opened.shoe}: by its seed {what}",
                version,
            )
