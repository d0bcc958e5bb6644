"""Each event has one function that says what it changes, under the event's own name."""

import re
from collections import Counter
from inspect import isfunction, signature
from typing import get_args

from service.table import events as e
from service.table.evolving import cards, evolve, money, seats


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_every_event_changes_something_known() -> None:
    assert set(evolve._APPLY) == set(get_args(e.AnyEvent))


def test_no_event_is_applied_in_two_places() -> None:
    taken = Counter(
        signature(function).parameters["event"].annotation
        for part in (cards, money, seats)
        for function in vars(part).values()
        if isfunction(function) and "event" in signature(function).parameters
    )
    assert [kind for kind, times in taken.items() if times > 1] == []


def test_a_function_is_named_like_its_event() -> None:
    names = {kind: function.__name__ for kind, function in evolve._APPLY.items()}
    assert names == {kind: snake_case(kind.__name__) for kind in names}
