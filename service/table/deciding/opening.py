"""Opening: the table, and each round.

Whatever command comes first after a settlement opens the next round, and the opening event carries
all that the round inherits; so a replay never needs the rounds before.
"""

from msgspec.structs import replace

from service.rules.rule_set_check import check_rule_set
from service.table.commands import OpenTable
from service.table.deciding.draft import Draft
from service.table.deciding.seating import sit
from service.table.events import CarriedSeat, RoundOpened, TableOpened
from service.table.phase import Phase
from service.table.state import Departed, State


def open_table(draft: Draft, command: OpenTable) -> None:
    """Open a table; opening a table of one seat takes it."""
    rules = check_rule_set(command.rule_set)
    commitment = draft.chance.open(0, ()).next_commitment
    draft.emit(TableOpened(command.rule_set_id, rules, commitment, command.private))
    if rules.max_seats == 1 and command.player:
        sit(draft, command.player, 1)


def open_round(draft: Draft) -> None:
    """Open the next round if the last one is settled; else nothing."""
    opened = round_opening(draft.state)
    if opened:
        draft.emit(opened)


def round_opening(state: State) -> RoundOpened | None:
    """What the next round inherits; None unless the last one is settled."""
    if state.phase is not Phase.SETTLED:
        return None
    ranked = state.forfeits_when_left
    return RoundOpened(
        round=state.round + 1,
        seats=tuple(
            [
                CarriedSeat(
                    seat.number,
                    seat.player,
                    seat.stack,
                    seat.last_stake,
                    seat.out,
                    seat.client_seed,
                )
                for seat in state.seats
                if not seat.left
            ]
        ),
        departed=(
            *state.departed,
            *(
                Departed(seat.player, seat.number, seat.stack, ranked)
                for seat in state.seats
                if seat.left
            ),
        ),
        shoe=replace(state.shoe, fresh=False),
        entrants=state.entrants,
        deadline=state.deadline,
        banker=state.banker,
        last_banker=state.last_banker,
        voided=state.voided,
    )
