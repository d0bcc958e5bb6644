"""What the referee writes down of a hand."""

from dataclasses import dataclass

from service.audit.referee.cards import count, is_natural


@dataclass(slots=True)
class Hand:
    """A hand of a seat. `ended`, `result` and `returned` are what the log said of it; `lost` is one
    that its player left behind for good."""

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
        """What the cards come to."""
        return count(self.cards)[0]

    @property
    def bust(self) -> bool:
        """Past 21, even with every ace as 1."""
        return count(self.cards)[0] > 21

    @property
    def natural(self) -> bool:
        """An ace and a ten-value card as the first two of an unsplit hand."""
        return not self.split and is_natural(self.cards)

    @property
    def split_ace(self) -> bool:
        """One half of a pair of aces."""
        return self.split and self.cards[0][0] == "A"
