"""What the referee records about a hand."""

from dataclasses import dataclass

from service.audit.referee.cards import count, is_natural


@dataclass(slots=True)
class Hand:
    """A hand of a seat. `ended`, `result` and `returned` are as the journal has them; `lost` means
    that its player left and forfeited it."""

    cards: list[str]
    stake: int
    split: bool = False
    doubled: bool = False
    asked: bool = False
    face_down_at: int = -1
    ended: str = ""
    lost: bool = False
    result: str = ""
    returned: int = 0

    @property
    def total(self) -> int:
        """The total of the cards."""
        return count(self.cards)[0]

    @property
    def bust(self) -> bool:
        """A total above 21, even with every ace as 1."""
        return count(self.cards)[0] > 21

    @property
    def natural(self) -> bool:
        """An ace and a ten-value card as the first two of an unsplit hand."""
        return not self.split and is_natural(self.cards)

    @property
    def split_ace(self) -> bool:
        """Whether the hand comes from a split pair of aces."""
        return self.split and self.cards[0][0] == "A"
