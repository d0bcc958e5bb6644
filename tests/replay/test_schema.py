"""Events and commands stay readable for ever: their schema only grows."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.replay.schema import Schema, current_schema, frozen_schema, taken_away

Change = Callable[[Schema], object]


def test_nothing_was_taken_away() -> None:
    assert taken_away(frozen_schema(), current_schema()) == []


def test_what_has_come_is_in_the_file() -> None:
    assert frozen_schema() == current_schema(), "run: python -m tests.replay.schema"


def fields(schema: Schema, record: str) -> Schema:
    properties: Schema = schema["records"][record]["properties"]
    return properties


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda now: now["events"].remove("SatOut"), "SatOut is gone"),
        (lambda now: now["commands"].remove("SitOut"), "SitOut is gone"),
        (lambda now: now["records"].pop("PairBet"), "PairBet is gone"),
        (lambda now: fields(now, "BetPlaced").pop("stake"), "BetPlaced: the field stake is gone"),
        (
            lambda now: fields(now, "BetPlaced").update(stake={"type": "number"}),
            "BetPlaced: the field stake is another one",
        ),
        (
            lambda now: fields(now, "TakeSeat").update(seat={"type": "integer", "default": 1}),
            "TakeSeat: the field seat is another one",
        ),
        (
            lambda now: now["records"]["BetPlaced"]["required"].remove("stake"),
            "BetPlaced: the field stake is another one",
        ),
        (
            lambda now: fields(now, "BetPlaced").update(seat=fields(now, "BetPlaced").pop("seat")),
            "BetPlaced: its fields are in another order",
        ),
        (
            lambda now: now["records"]["Cause"]["enum"].remove("left"),
            "Cause: the value 'left' is gone",
        ),
        (
            lambda now: fields(now, "BetPlaced").update(coin={"type": "string", "default": ""}),
            "BetPlaced: the new field coin has to be unset by default",
        ),
        (
            lambda now: (
                now["records"]["RuleSet"]["required"].append("jokers")
                or fields(now, "RuleSet").update(jokers={"type": "integer"})
            ),
            "RuleSet: the new option jokers has to have a default",
        ),
        (
            lambda now: (
                now["records"]["RuleSet"]["required"].remove("decks")
                or fields(now, "RuleSet").update(decks={"type": "integer", "default": 6})
            ),
            "RuleSet: the field decks is another one",
        ),
    ],
)
def test_what_must_not_be_done(change: Change, what: str) -> None:
    now = deepcopy(frozen_schema())
    change(now)
    assert taken_away(frozen_schema(), now) == [what]


@pytest.mark.parametrize(
    "change",
    [
        lambda now: now["events"].append("JackpotWon"),
        lambda now: now["records"]["Cause"]["enum"].append("jackpot"),
        lambda now: fields(now, "BetPlaced").update(coin={"type": "string"}),
        lambda now: fields(now, "RuleSet").update(jokers={"type": "integer", "default": 0}),
    ],
    ids=["event", "value", "field that may be unset", "option with a default"],
)
def test_what_may_come(change: Change) -> None:
    now = deepcopy(frozen_schema())
    change(now)
    assert taken_away(frozen_schema(), now) == []
