"""Evolve: how each event changes the state. No rule is applied here and no chance is needed.

Folding the events of a round from `initial_state` gives the table as it stands.
"""

from collections.abc import Callable, Iterable
from typing import Any

from service.rules.rule_set import RuleSet
from service.table import events as e
from service.table.evolving import cards, money, seats
from service.table.state import State


def initial_state(rules: RuleSet) -> State:
    """The state before the first event of a round: it inherits nothing but the table's rules."""
    return State(rules=rules)


def fold(state: State, events: Iterable[e.Event]) -> State:
    """The state after all these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: e.Event) -> State:
    """The state after one event."""
    return _APPLY[type(event)](state, event)


_APPLY: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.TableOpened: seats.table_opened,
    e.SeatTaken: seats.seat_taken,
    e.ClientSeedGiven: seats.client_seed_given,
    e.SeatReady: seats.seat_ready,
    e.TableStarted: seats.table_started,
    e.SeatLeft: seats.seat_left,
    e.RoundOpened: seats.round_opened,
    e.StackRefilled: money.stack_refilled,
    e.BetPlaced: money.bet_placed,
    e.SatOut: money.sat_out,
    e.PairBetReturned: money.pair_bet_returned,
    e.BetReturned: money.bet_returned,
    e.ShoeRevealed: cards.shoe_revealed,
    e.ShoeOpened: cards.shoe_opened,
    e.CardDealt: cards.card_dealt,
    e.FirstCardDealt: cards.first_card_dealt,
    e.FirstCardTurned: cards.first_card_turned,
    e.DealerCardDealt: cards.dealer_card_dealt,
    e.HoleCardDealt: cards.hole_card_dealt,
    e.HoleCardTurned: cards.hole_card_turned,
    e.PairBetSettled: money.pair_bet_settled,
    e.InsuranceOffered: money.insurance_offered,
    e.InsuranceTaken: money.insurance_taken,
    e.InsuranceDeclined: money.insurance_declined,
    e.DealerPeeked: cards.dealer_peeked,
    e.TurnStarted: cards.turn_started,
    e.HandHit: cards.hand_hit,
    e.HandDoubled: cards.hand_doubled,
    e.HandSplit: cards.hand_split,
    e.HandEnded: cards.hand_ended,
    e.HandSettled: money.hand_settled,
    e.InsuranceSettled: money.insurance_settled,
    e.RoundSettled: money.round_settled,
    e.RoundVoided: money.round_voided,
    e.SeatOut: seats.seat_out,
    e.SeatBackIn: seats.seat_back_in,
    e.BankerChanged: seats.banker_changed,
    e.BankMoved: money.bank_moved,
    e.BankerTurnStarted: cards.banker_turn_started,
    e.DealerStood: cards.dealer_stood,
    e.TableClosing: seats.table_closing,
    e.TableFinished: seats.table_finished,
    e.DeadlineSet: seats.deadline_set,
}
