"""Changing one seat, or one hand of it, in a frozen state."""

from typing import Any

from msgspec.structs import replace

from service.table.state import Seat, State


def with_seat(state: State, number: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats of a state, with these changes to the seat of that number."""
    return tuple(
        replace(seat, **changes) if seat.number == number else seat for seat in state.seats
    )


def with_hand(state: State, number: int, hand: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats of a state, with these changes to one hand (from 1) of that seat."""
    return tuple(
        replace(
            seat,
            hands=tuple(
                replace(one, **changes) if index == hand else one
                for index, one in enumerate(seat.hands, start=1)
            ),
        )
        if seat.number == number
        else seat
        for seat in state.seats
    )
