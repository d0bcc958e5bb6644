"""What is derived from a journal: the head, the seats, the summaries of settled rounds, and voids.

Each is written in the same statement as the row it is derived from, and can be derived again from
the journal alone. Verification does that with these functions and compares.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from service.journal.ports import Head, JournalRow, SeatRow, SummaryRow, VoidRow
from service.table.events import Event, RoundOpened, RoundSettled, RoundVoided, TableOpened
from service.table.state import State


def head_after(head: Head, row: JournalRow, state: State, events: Sequence[Event]) -> Head:
    """The head after a row whose events led to this state."""
    opens_round = isinstance(events[0], TableOpened | RoundOpened)
    return replace(
        head,
        opened_at=head.opened_at if head.version else row.at,
        version=row.version,
        hash=row.hash,
        phase=state.phase.value,
        round=state.round,
        round_version=row.version if opens_round else head.round_version,
        shoe=state.shoe.number,
        deadline=state.deadline,
        at=row.at,
        free_seats=state.free_seats,
    )


def seat_changes(table_id: str, before: State, after: State) -> tuple[SeatRow, ...]:
    """The players who left a seat or took one between two states."""
    if before.seats is after.seats:
        return ()
    old = {seat.player: seat.number for seat in before.seats if not seat.left}
    new = {seat.player: seat.number for seat in after.seats if not seat.left}
    if old == new:
        return ()
    gone = [SeatRow(table_id, player, 0) for player in old if player not in new]
    came = [
        SeatRow(table_id, player, number)
        for player, number in new.items()
        if old.get(player) != number
    ]
    return (*gone, *came)


def settled_summaries(row: JournalRow, events: Sequence[Event]) -> tuple[SummaryRow, ...]:
    """The summaries, by seat, of the round that a row settled."""
    return tuple(
        SummaryRow(
            table_id=row.table_id,
            round=row.round,
            seat=seat.seat,
            player=seat.player,
            staked=seat.staked,
            returned=seat.returned,
            net=seat.net,
            stack=seat.stack,
            version=row.version,
            at=row.at,
        )
        for event in events
        if isinstance(event, RoundSettled)
        for seat in event.seats
    )


def declared_voids(row: JournalRow, events: Sequence[Event]) -> tuple[VoidRow, ...]:
    """The round that a row voided, if it did."""
    return tuple(
        VoidRow(row.table_id, event.round, event.reason, row.version, row.at)
        for event in events
        if isinstance(event, RoundVoided)
    )
