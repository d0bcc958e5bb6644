"""Changing one seat, or one hand of it, in a frozen state.

Every event of a round passes here, so a change copies the one seat that it is about and no other.
"""

from typing import Any

from msgspec.structs import replace

from service.table.state import Seat, State


def with_seat(state: State, number: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats of a state, with these changes to the seat of that number."""
    seats = state.seats
    for index, seat in enumerate(seats):
        if seat.number == number:
            return (*seats[:index], replace(seat, **changes), *seats[index + 1 :])
    raise KeyError(number)


def with_hand(state: State, number: int, hand: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats of a state, with these changes to one hand (from 1) of that seat."""
    hands = list(state.seat(number).hands)
    hands[hand - 1] = replace(hands[hand - 1], **changes)
    return with_seat(state, number, hands=tuple(hands))
