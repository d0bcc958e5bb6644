"""The tally of a simulation: how often each outcome of a round came.

Whole numbers only, so batches add up in any order, and all figures follow from the counts.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from service.rules.dealer_play import depends_on_dealer
from service.rules.hand import EndCause, Hand
from service.rules.rule_set import HoleCard
from service.rules.totals import BEST, is_two_card_21, total
from service.table.events import CardDealt, Event, FirstCardTurned
from service.table.state import State


class Outcome(NamedTuple):
    """What the known figures ask of a round. Amounts are minor units.

    `hands` are held at the end, `doubled` of them were doubled. `one_rank` is about the first two
    cards. `upcard` is A, 2 to 9, or T for every ten-value card. `dealer_final` is the dealer's last
    total, or `bust`, where the dealer has no natural and some hand depends on him; else empty.
    """

    net: int
    staked: int
    hands: int
    doubled: int
    player_natural: bool
    dealer_natural: bool
    surrendered: bool
    one_rank: bool
    all_hands_bust: bool
    upcard: str
    dealer_final: str


class Tally(msgspec.Struct):
    """So many rounds: their events, their outcomes, and what must never happen (`invariants`)."""

    rounds: int = 0
    events: int = 0
    outcomes: Counter[Outcome] = msgspec.field(default_factory=Counter)
    violations: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.rounds += other.rounds
        self.events += other.events
        self.outcomes.update(other.outcomes)
        self.violations.update(other.violations)

    def count(self, events: Sequence[Event], state: State) -> None:
        """Count one settled round of a single seat."""
        self.rounds += 1
        self.events += len(events)
        self.outcomes[outcome_of(events, state)] += 1


def outcome_of(events: Sequence[Event], state: State) -> Outcome:
    """The outcome of a settled round of a single seat."""
    seat = state.seats[0]
    hands = seat.hands
    causes = [hand.ended for hand in hands]
    dealer = state.dealer.cards
    dealer_natural = is_two_card_21(dealer)
    final = ""
    if not dealer_natural and any(map(depends_on_dealer, hands)):
        count = total(dealer)[0]
        final = str(count) if count <= BEST else "bust"
    up = dealer[state.rules.hole_card is HoleCard.FIRST][0]
    return Outcome(
        seat.returned - seat.staked,
        seat.staked,
        len(hands),
        sum([hand.doubled for hand in hands]),
        causes[0] is EndCause.NATURAL,
        dealer_natural,
        causes[0] is EndCause.SURRENDERED,
        _first_two_of_one_rank(events, hands),
        causes.count(EndCause.BUST) == len(causes),
        "T" if up in "TJQK" else up,
        final,
    )


def _first_two_of_one_rank(events: Sequence[Event], hands: Sequence[Hand]) -> bool:
    """Whether the seat's first two cards are of one rank. After a split no hand tells: they are
    those that left the shoe first."""
    if len(hands) == 1:
        first, second = hands[0].cards[:2]
        return first[0] == second[0]
    dealt = sorted(
        (event.position, event.card[0])
        for event in events
        if isinstance(event, CardDealt | FirstCardTurned)
    )
    return dealt[0][1] == dealt[1][1]
