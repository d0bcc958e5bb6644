"""A table for scripted rounds, played by the same decider that serves players.

The table is built from the events that open a table and a round, with the stacks that the hand
history names; after that it takes commands like any other table. No clock runs: a deadline passes
where the script says so.
"""

from collections.abc import Mapping, Sequence

from service.audit.hands.case import DEALER, SeatScript, Step
from service.audit.hands.outcome import Difference
from service.audit.hands.script import OutOfCards, ScriptedChance
from service.errors import Signal
from service.journal.deciders import newest_decider
from service.rules.hand import Action
from service.rules.money import minor_units
from service.rules.reasons import Reason, Refused
from service.rules.rule_set import Banker, RuleSet, WhenBroke
from service.table.commands import Act, Command, LeaveSeat, PairBet, PlaceBet, SitOut, TimeOut
from service.table.deciding.decision import decision_token
from service.table.events import CarriedSeat, Event, RoundOpened, TableOpened
from service.table.phase import Phase
from service.table.state import Shoe, State

DECIDER = newest_decider()
_NOW = 0
_TURN = frozenset({"hit", "stand", "double", "split", "surrender"})


class Deviation(Signal):
    """The round can't continue as written: the place, and the table's answer."""

    def __init__(self, place: str, written: str, played: str) -> None:
        super().__init__(f"{place}: {written}, but {played}")
        self.difference = Difference(place, written, played)


class ScriptedTable:
    """A table in the middle of a hand history: its state, and the events of the round.

    A rotating banker sits after the seats that are listed.
    """

    def __init__(self, rules: RuleSet, stacks: Mapping[int, int], banker_stack: int) -> None:
        self._chance = ScriptedChance()
        self.events: list[Event] = []
        commitment = self._chance.open(0, ()).next_commitment
        opened = DECIDER.fold(DECIDER.initial_state(rules), [TableOpened("", rules, commitment)])
        self.banker = max(stacks) + 1 if rules.banker is Banker.ROTATING else 0
        all_stacks = {**stacks, self.banker: banker_stack} if self.banker else stacks
        seats = tuple(
            CarriedSeat(
                seat,
                _player(DEALER if seat == self.banker else seat),
                stack,
                last_stake=0,
                out=stack < rules.min_bet and rules.when_broke is WhenBroke.END,
                client_seed="",
            )
            for seat, stack in sorted(all_stacks.items())
        )
        self.state: State = DECIDER.fold(opened, [_first_round(seats, opened.shoe, self.banker)])

    @property
    def cards_used(self) -> int:
        """The number of cards dealt in the round."""
        return self.state.shoe.dealt - self._chance.first

    def begin(self, cards: Sequence[str]) -> None:
        """Put the cards of the next round into the shoe."""
        self.events.clear()
        self._chance.lay(cards, self.state.shoe.number, self.state.shoe.dealt)

    def deal(self, bets: Sequence[SeatScript]) -> None:
        """Let each seat bet; a seat with bet 0 sits the round out, unless it is out anyway."""
        for bet in bets:
            try:
                if minor_units(bet.bet) or bet.pair_bets:
                    self.place_bet(bet)
                elif not self.state.seat(bet.seat).out:
                    self._run(SitOut(_player(bet.seat), self.state.betting_round))
            except Refused as refused:
                place = f"seat {bet.seat}, bet {bet.bet}"
                raise Deviation(place, "accepted", refusal(refused)) from refused

    def place_bet(self, bet: SeatScript) -> None:
        """Place a bet with its pair bets; raises Refused as for a player."""
        stake = minor_units(bet.bet)
        pair_bets = tuple(PairBet(seat, minor_units(text)) for seat, text in bet.pair_bets)
        player, round_ = _player(bet.seat), self.state.betting_round
        self._run(PlaceBet(player, round_, stake, pair_bets))

    def play(self, steps: Sequence[Step]) -> None:
        """Play these lines; seats that have not answered about insurance by then decline it."""
        for step in steps:
            if step.refused:
                self._refuse(step)
                continue
            if step.do in _TURN:
                self._decline_for_the_silent()
            try:
                self._run(self._command(step))
            except Refused as refused:
                raise Deviation(_place(step), "accepted", refusal(refused)) from refused
        self._decline_for_the_silent()

    def _refuse(self, step: Step) -> None:
        """Try a step that must be refused: it gives no events, and the state does not change."""
        try:
            DECIDER.play(self.state, self._command(step), self._chance, _NOW)
        except Refused:
            return
        except OutOfCards as short:
            raise Deviation(_place(step), "refused", "accepted, and a card was needed") from short
        raise Deviation(_place(step), "refused", "accepted")

    def _decline_for_the_silent(self) -> None:
        while self.state.phase is Phase.INSURANCE:
            seat = next(seat for seat in self.state.seats if seat.insurance_open)
            self._run(Act(seat.player, decision_token(self.state, seat), Action.DECLINE))

    def _run(self, command: Command) -> None:
        try:
            events, self.state = DECIDER.play(self.state, command, self._chance, _NOW)
        except OutOfCards as short:
            raise Deviation("cards", f"{short.named} named", f"{short.asked} needed") from short
        self.events += events

    def _command(self, step: Step) -> Command:
        match step.do:
            case "leave":
                return LeaveSeat(_player(step.seat))
            case "time_out":
                return self._time_out(step)
            case action:
                return Act(_player(step.seat), self._decision(step), Action(action))

    def _time_out(self, step: Step) -> TimeOut:
        seat = self.state.seat_of(_player(step.seat))
        open_decision = decision_token(self.state, seat) if seat else ""
        if not open_decision or self._decision(step) != open_decision:
            raise Refused(Reason.NOT_DUE, "no such decision is open", deadline=self.state.deadline)
        return TimeOut(step.seat or self.banker)

    def _decision(self, step: Step) -> str:
        """The open decision of the seat; if the step names a hand that is not open, that hand's
        decision."""
        seat = self.state.seat_of(_player(step.seat))
        if seat is None:
            return ""
        open_hand = (self.state.active_seat, self.state.active_hand)
        if self.state.phase is Phase.TURNS and step.hand and (step.seat, step.hand) != open_hand:
            return f"{self.state.round}-{step.hand}-{seat.moves}"
        return decision_token(self.state, seat)


def _first_round(seats: tuple[CarriedSeat, ...], shoe: Shoe, banker: int) -> RoundOpened:
    return RoundOpened(
        round=1,
        seats=seats,
        departed=(),
        shoe=shoe,
        entrants=len(seats),
        deadline=0,
        banker=banker,
        last_banker=banker,
        voided=(),
    )


def _player(seat: int) -> str:
    return "dealer" if seat == DEALER else f"player-{seat}"


def _place(step: Step) -> str:
    who = "dealer" if step.seat == DEALER else f"seat {step.seat}"
    hand = f", hand {step.hand}" if step.hand else ""
    return f"line {step.line}: {who}{hand}, {step.do}"


def refusal(refused: Refused) -> str:
    """A refusal, as it is shown next to what was written."""
    return f"refused, {refused.reason.name}: {refused.message}"
