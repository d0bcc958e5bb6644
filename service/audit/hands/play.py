"""Plays hand histories and compares what comes of them with what is written down."""

from collections.abc import Iterator, Sequence

from service.audit.hands.case import (
    Bet,
    Bets,
    Case,
    DealerResult,
    HandResult,
    OneRound,
    RoundResult,
    Rounds,
    SeatResult,
    SeatScript,
    Step,
)
from service.audit.hands.outcome import Difference, Outcome, Verdict, differences
from service.audit.hands.table import Deviation, ScriptedTable, refusal
from service.rules.cards import packs
from service.rules.hand import Hand
from service.rules.money import chips
from service.rules.reasons import Refused
from service.rules.rule_set import Banker, RuleSet
from service.rules.totals import total
from service.table.events import RoundSettled
from service.table.state import Phase, Seat

_ONLY_SEAT = 1


def play_case(case: Case) -> Outcome:
    """What comes of a hand history."""
    if case.rules.banker is Banker.ROTATING:
        return Outcome(case, Verdict.NOT_YET_PLAYABLE)
    found = tuple(_differences(case))
    return Outcome(case, Verdict.DIFFERS if found else Verdict.HOLDS, found)


def _differences(case: Case) -> Iterator[Difference]:
    match case.script:
        case OneRound() as script:
            yield from _one_round(case.rules, script)
        case Bets(bets):
            for bet in bets:
                yield from _bet(case.rules, bet)
        case Rounds() as rounds:
            yield from _rounds(case.rules, rounds)


def _one_round(rules: RuleSet, script: OneRound) -> Iterator[Difference]:
    table = ScriptedTable(rules, {seat.seat: seat.stack for seat in script.seats})
    try:
        _play_round(table, script.cards, script.seats, script.play)
    except Deviation as deviation:
        yield deviation.difference
    else:
        yield from differences(script.result, _result(table, script.seats))


def _rounds(rules: RuleSet, script: Rounds) -> Iterator[Difference]:
    table = ScriptedTable(rules, {_ONLY_SEAT: script.stack})
    for count, one in enumerate(script.rounds, start=1):
        where = f"round {count} (line {one.line})"
        bet = SeatScript(_ONLY_SEAT, script.stack, one.bet, ())
        try:
            _play_round(table, one.cards, [bet], one.play)
        except Deviation as deviation:
            found = deviation.difference
            yield Difference(f"{where}, {found.place}", found.written, found.played)
            return
        stack = table.state.seat(_ONLY_SEAT).stack
        if stack != one.stack_after:
            yield Difference(f"{where}, stack", chips(one.stack_after), chips(stack))


def _play_round(
    table: ScriptedTable, cards: Sequence[str], bets: Sequence[SeatScript], steps: Sequence[Step]
) -> None:
    """Play a round to its end; raises Deviation if it has none, or leaves cards over."""
    table.begin(cards)
    table.deal(bets)
    table.play(steps)
    state = table.state
    if state.phase not in (Phase.SETTLED, Phase.FINISHED):
        hand = f": seat {state.active_seat}, hand {state.active_hand}" if state.active_seat else ""
        raise Deviation("round", "over", f"waits for {state.phase}{hand}")
    if table.cards_used != len(cards):
        raise Deviation("cards", f"{len(cards)} named", f"{table.cards_used} used")


def _bet(rules: RuleSet, bet: Bet) -> Iterator[Difference]:
    """A bet at a table of its own; the cards that follow it do not matter."""
    table = ScriptedTable(rules, {_ONLY_SEAT: bet.stack})
    table.begin(packs(rules.decks))
    place = f"line {bet.line}: {bet.stake} of {chips(bet.stack)}"
    try:
        table.place_bet(SeatScript(_ONLY_SEAT, bet.stack, bet.stake, ()))
    except Refused as refused:
        if bet.accepted:
            yield Difference(place, "accepted", refusal(refused))
    else:
        if not bet.accepted:
            yield Difference(place, "refused", "accepted")


def _result(table: ScriptedTable, seats: Sequence[SeatScript]) -> RoundResult:
    dealer = table.state.dealer.cards
    count, soft = total(dealer)
    nets = {
        seat.seat: seat.net
        for event in table.events
        if isinstance(event, RoundSettled)
        for seat in event.seats
    }
    return RoundResult(
        seats=tuple(
            _seat_result(table.state.seat(seat.seat), nets.get(seat.seat, 0)) for seat in seats
        ),
        dealer=DealerResult(dealer, count, soft),
        cards_used=table.cards_used,
    )


def _seat_result(seat: Seat, net: int) -> SeatResult:
    return SeatResult(
        seat=seat.number,
        hands=tuple(_hand_result(hand) for hand in seat.hands),
        insurance=seat.insurance_returned - seat.insurance,
        pair_bets=sum(bet.returned - bet.stake for bet in seat.pair_bets),
        net=net,
        stack=seat.stack,
    )


def _hand_result(hand: Hand) -> HandResult:
    if hand.result is None:
        raise ValueError(f"the round is over, and {hand} is not settled")
    return HandResult(
        cards=hand.cards,
        total=total(hand.cards)[0],
        stake=hand.stake,
        result=hand.result,
        net=hand.returned - hand.stake,
    )
