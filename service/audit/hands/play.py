"""Plays hand histories and compares the outcome with what is written."""

from collections.abc import Iterator, Mapping, Sequence

from service.audit.hands.case import (
    BankerResult,
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
from service.rules.totals import total
from service.table.events import BankerChanged, RoundSettled
from service.table.phase import Phase
from service.table.state import Seat

_ONLY_SEAT = 1


def play_case(case: Case) -> Outcome:
    """Play a hand history and return its outcome."""
    found = tuple(_differences(case))
    return Outcome(case, Verdict.DIFFERS if found else Verdict.HOLDS, found)


def _differences(case: Case) -> Iterator[Difference]:
    match case.script:
        case OneRound() as script:
            yield from _one_round(case, script)
        case Bets(bets):
            for bet in bets:
                yield from _bet(case, bet)
        case Rounds() as rounds:
            yield from _rounds(case, rounds)


def _one_round(case: Case, script: OneRound) -> Iterator[Difference]:
    stacks = {seat.seat: seat.stack for seat in script.seats}
    table = ScriptedTable(case.rules, stacks, case.banker_stack)
    try:
        _play_round(table, script.cards, script.seats, script.play)
    except Deviation as deviation:
        yield deviation.difference
    else:
        yield from differences(script.result, _result(table, script))


def _rounds(case: Case, script: Rounds) -> Iterator[Difference]:
    table = ScriptedTable(case.rules, {_ONLY_SEAT: script.stack}, case.banker_stack)
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
    """Play a round to its end; raises Deviation if it does not end, or if cards are left."""
    table.begin(cards)
    table.deal(bets)
    table.play(steps)
    state = table.state
    if state.phase not in (Phase.SETTLED, Phase.FINISHED):
        hand = f": seat {state.active_seat}, hand {state.active_hand}" if state.active_seat else ""
        raise Deviation("round", "over", f"waits for {state.phase}{hand}")
    if table.cards_used != len(cards):
        raise Deviation("cards", f"{len(cards)} named", f"{table.cards_used} used")


def _bet(case: Case, bet: Bet) -> Iterator[Difference]:
    """Try a bet at a new table; the cards after it do not matter."""
    table = ScriptedTable(case.rules, {_ONLY_SEAT: bet.stack}, case.banker_stack)
    table.begin(packs(case.rules.decks))
    place = f"line {bet.line}: {bet.stake} of {chips(bet.stack)}"
    try:
        table.place_bet(SeatScript(_ONLY_SEAT, bet.stack, bet.stake, ()))
    except Refused as refused:
        if bet.accepted:
            yield Difference(place, "accepted", refusal(refused))
    else:
        if not bet.accepted:
            yield Difference(place, "refused", "accepted")


def _result(table: ScriptedTable, script: OneRound) -> RoundResult:
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
            _seat_result(table.state.seat(seat.seat), nets.get(seat.seat, 0))
            for seat in script.seats
        ),
        dealer=DealerResult(dealer, count, soft),
        cards_used=table.cards_used,
        banker=_banker_result(table, nets, script.result.banker),
    )


def _banker_result(
    table: ScriptedTable, nets: Mapping[int, int], asserted: BankerResult
) -> BankerResult:
    """The result of the round for the banker, as far as the hand history asserts it."""
    moved = any(isinstance(event, BankerChanged) for event in table.events)
    return BankerResult(
        net=None if asserted.net is None else nets.get(table.banker, 0),
        steps_down=None if asserted.steps_down is None else moved,
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
        raise ValueError(f"the round is over, but {hand} is not settled")
    return HandResult(
        cards=hand.cards,
        total=total(hand.cards)[0],
        stake=hand.stake,
        result=hand.result,
        net=hand.returned - hand.stake,
    )
