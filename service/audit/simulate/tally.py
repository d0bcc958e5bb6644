"""The tally of a simulation: how often each outcome of a round occurred.

It has only integers, so batches can be added in any order, and all figures are computed from it.
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
    """The values of a round that the known figures need. Amounts are minor units.

    `hands` is the number of hands at the end, of which `doubled` were doubled. `one_rank`: the
    first two cards had one rank. `upcard` is A, 2 to 9, or T for every ten-value card.
    `dealer_final` is the dealer's final total, or `bust`; it is empty if the dealer has a natural
    or no hand depends on the dealer.
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
    """Counts of rounds, events, outcomes, and violations of invariants."""

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
    """Whether the seat's first two cards are of one rank. After a split no hand shows them, so the
    first cards dealt are used."""
    if len(hands) == 1:
        first, second = hands[0].cards[:2]
        return first[0] == second[0]
    dealt = sorted(
        (event.position, event.card[0])
        for event in events
        if isinstance(event, CardDealt | FirstCardTurned)
    )
    return dealt[0][1] == dealt[1][1]
