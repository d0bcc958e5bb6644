"""The chance of a table as its journal records it, so that commands can be decided again.

It knows the cards that were turned up, with their salts, the published roots and commitments, and
the revealed seeds. It does not know cards that are still face down: a decision that needs one must
wait (`StillHidden`).
"""

from collections.abc import Mapping, Sequence

from service.audit.evidence.proofs import ShoeProofs
from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.shoes import SeenShoe
from service.errors import Signal
from service.records.verification import FaultKind
from service.table import events as e
from service.table.chance import ClientSeed, Opening


class StillHidden(Signal):
    """A decision depends on a card that is still face down."""


class RecordedChance:
    """Chance, from the events of a table's rows in order."""

    def __init__(self, table_id: str) -> None:
        self._table_id = table_id
        self._first_commitment = ""
        self._decks = 0
        self._shoes: dict[int, SeenShoe] = {}
        self._number = 0

    # --- what the journal shows

    def record(self, events: Sequence[e.Event], version: int) -> bool:
        """Learn what the events of a row show; returns whether a hidden card became known.

        Raises CheckFailed if they contradict a seed.
        """
        uncovered = False
        for event in events:
            match event:
                case e.CardDealt() | e.DealerCardDealt():
                    self._open_shoe().see(event.position, event.card, event.salt, version)
                case e.HoleCardTurned() | e.FirstCardTurned():
                    self._open_shoe().see(event.position, event.card, event.salt, version)
                    uncovered = True
                case e.HoleCardDealt() | e.FirstCardDealt():
                    self._open_shoe().face_down.add(event.position)
                case e.ShoeRevealed():
                    self._reveal(event, version)
                    uncovered = True
                case e.ShoeOpened():
                    self._open(event, version)
                case e.TableOpened():
                    self._first_commitment = event.commitment
                    self._decks = event.rule_set.decks
        return uncovered

    def _open_shoe(self) -> SeenShoe:
        shoe = self._shoes.get(self._number)
        if shoe is None:
            raise CheckFailed(FaultKind.EVENTS, "a card is dealt, but no shoe is open")
        return shoe

    def _open(self, event: e.ShoeOpened, version: int) -> None:
        if event.shoe != self._number + 1:
            raise CheckFailed(
                FaultKind.EVENTS, f"shoe {event.shoe} is opened after shoe {self._number}"
            )
        # Rows that wait for the cards of the previous shoe are decided with this row. If such a row
        # opened that shoe, in a voided round, deciding it reveals the shoe before it, too.
        self._shoes.pop(self._number - 2, None)
        self._number = event.shoe
        self._shoes[event.shoe] = SeenShoe(event, version)

    def _reveal(self, event: e.ShoeRevealed, version: int) -> None:
        shoe = self._shoes.get(event.shoe)
        if shoe is None:
            raise CheckFailed(FaultKind.SEED, f"shoe {event.shoe} is revealed, but is not in use")
        try:
            seed = bytes.fromhex(event.seed)
        except ValueError:
            raise CheckFailed(FaultKind.SEED, f"{event.seed!r} is not a seed in hex") from None
        shoe.seed = event.seed
        shoe.hold_against(seed, self._table_id, self._decks, version)

    def learn(self, seeds: Mapping[int, bytes | None], proofs: ShoeProofs, version: int) -> None:
        """Learn seeds or proofs of shoes in use, by number, which the journal does not have at its
        end."""
        for number, shoe in self._shoes.items():
            seed = seeds.get(number)
            if seed is not None and shoe.order is None:
                shoe.hold_against(seed, self._table_id, self._decks, version)
            shoe.hold_against_root(proofs.get(number, {}), self._table_id)

    @property
    def hidden(self) -> int:
        """The number of face-down cards in shoes whose seed is not known."""
        return sum(len(shoe.face_down) for shoe in self._shoes.values() if shoe.order is None)

    @property
    def unproved(self) -> int:
        """The number of cards that were turned up, have no proof, and whose shoe's seed is not
        known."""
        return sum(
            len(shoe.cards) - shoe.proved for shoe in self._shoes.values() if shoe.order is None
        )

    def peeked_unseen(self, events: Sequence[e.Event]) -> bool:
        """Whether the dealer peeked, in a recorded row, at a card that is still face down."""
        shoe = self._shoes.get(self._number)
        hides = shoe is not None and shoe.order is None and bool(shoe.face_down)
        return hides and any(isinstance(event, e.DealerPeeked) for event in events)

    def face(self, shoe: int, position: int) -> str | None:
        """The card at a position, or None if no one may know it yet."""
        seen = self._shoes.get(shoe)
        if seen is None:
            return None
        card = seen.cards.get(position)
        if card is not None:
            return card.card
        return seen.order.card(position) if seen.order else None

    # --- the protocol of chance

    def open(self, shoe: int, client_seeds: Sequence[ClientSeed]) -> Opening:  # noqa: ARG002
        """The values published when the shoe was opened."""
        if shoe == 0:
            return Opening("", self._first_commitment)
        opened = self._shoe(shoe).opened
        return Opening(opened.root, opened.next_commitment)

    def card(self, shoe: int, position: int) -> str:
        """The card at a position, if it was turned up."""
        seen = self._shoe(shoe)
        card = seen.cards.get(position)
        if card is not None:
            return card.card
        return self._hidden(seen, position)

    def _hidden(self, shoe: SeenShoe, position: int) -> str:
        if position not in shoe.face_down:
            raise CheckFailed(
                FaultKind.EVENTS,
                f"decided again, it turns up position {position} of shoe {shoe.opened.shoe},"
                " which its events do not",
            )
        if shoe.order is None:
            raise StillHidden
        return shoe.order.card(position)

    def salt(self, shoe: int, position: int) -> str:
        """The salt that was published with a card."""
        seen = self._shoe(shoe).cards.get(position)
        if seen is None:
            raise CheckFailed(
                FaultKind.EVENTS,
                f"decided again, it turns up position {position} of shoe {shoe}, which its events"
                " do not",
            )
        return seen.salt

    def reveal(self, shoe: int) -> str:
        """The seed that was published when the shoe was retired."""
        seen = self._shoe(shoe)
        if not seen.seed:
            raise CheckFailed(
                FaultKind.EVENTS,
                f"decided again, it reveals the seed of shoe {shoe}, which its events do not",
            )
        return seen.seed

    def _shoe(self, number: int) -> SeenShoe:
        shoe = self._shoes.get(number)
        if shoe is None:
            raise CheckFailed(
                FaultKind.EVENTS,
                f"decided again, it deals from shoe {number}, which its events do not",
            )
        return shoe
