"""Rule sets: the presets, an operator's own, and what is refused."""

from typing import Any

import pytest
from croupier.v1.rule_set_pb2 import (
    Banker,
    Insurance,
    Ranking,
    Ratio,
    RuleSetOverrides,
    Soft17,
    TripleSevens,
    WhenBroke,
)
from croupier.v1.rule_set_service_pb2 import (
    CreateRuleSetRequest,
    GetRuleSetRequest,
    ListRuleSetsRequest,
)

from service.rules.presets import PRESETS
from tests.contract.doors import Refusal
from tests.contract.player import Caller, fresh_id


def create(rule_set_id: str, base: str, **overrides: Any) -> CreateRuleSetRequest:
    return CreateRuleSetRequest(
        rule_set_id=rule_set_id, base_rule_set_id=base, overrides=RuleSetOverrides(**overrides)
    )


async def test_the_presets_come_first(player: Caller, operator: Caller) -> None:
    own = fresh_id(f"a-{operator.door.name}")
    await operator.call(create(own, "six-deck-h17", decks=8))
    listed: list[str] = []
    token = ""
    while token or not listed:
        page = await player.call(ListRuleSetsRequest(page_size=2, page_token=token))
        assert len(page.rule_sets) <= 2
        listed += [one.rule_set_id for one in page.rule_sets]
        token = page.next_page_token
    assert set(listed[: len(PRESETS)]) == set(PRESETS)
    assert own in listed[len(PRESETS) :]
    assert listed[len(PRESETS) :] == sorted(set(listed) - set(PRESETS))


async def test_an_operators_own_rule_set(operator: Caller, player: Caller, rival: Caller) -> None:
    name = fresh_id(f"own-{operator.door.name}")
    request = create(
        name,
        "twenty-rounds",
        decks=4,
        triple_sevens=TripleSevens(
            mixed=Ratio(numerator=2, denominator=1), suited=Ratio(numerator=3, denominator=1)
        ),
    )
    made = await operator.call(request)
    assert (made.replayed, made.rule_set.preset, made.rule_set.decks) == (False, False, 4)
    again = await operator.call(request)
    assert (again.replayed, again.rule_set) == (True, made.rule_set)
    assert (await player.call(GetRuleSetRequest(rule_set_id=name))).rule_set == made.rule_set
    table = await player.open(name)
    assert table.rule_set == made.rule_set
    other = await operator.refused(create(name, "twenty-rounds", decks=5))
    assert (other.code, other.reason) == ("ALREADY_EXISTS", "RULE_SET_EXISTS")
    hidden = await rival.refused(GetRuleSetRequest(rule_set_id=name))
    assert (hidden.code, hidden.reason) == ("NOT_FOUND", "RULE_SET_NOT_FOUND")


async def test_an_empty_ratio_takes_a_bet_away(operator: Caller) -> None:
    sevens = TripleSevens(
        mixed=Ratio(numerator=2, denominator=1), suited=Ratio(numerator=3, denominator=1)
    )
    base, bare = fresh_id(f"b-{operator.door.name}"), fresh_id(f"c-{operator.door.name}")
    await operator.call(
        create(
            base, "six-deck-h17", triple_sevens=sevens, pair_bet=Ratio(numerator=11, denominator=1)
        )
    )
    made = await operator.call(create(bare, base, triple_sevens=TripleSevens(), pair_bet=Ratio()))
    assert not made.rule_set.HasField("triple_sevens")
    assert not made.rule_set.HasField("pair_bet")


async def test_fewer_seats_than_the_least_lower_the_least(operator: Caller) -> None:
    base, one = fresh_id(f"d-{operator.door.name}"), fresh_id(f"e-{operator.door.name}")
    await operator.call(create(base, "ranked-match", min_seats=3))
    made = await operator.call(create(one, base, max_seats=2))
    assert (made.rule_set.min_seats, made.rule_set.max_seats) == (2, 2)


async def test_only_an_operator_makes_rule_sets(player: Caller) -> None:
    denied = await player.refused(create("mine", "six-deck-h17"))
    assert (denied.code, denied.reason) == ("PERMISSION_DENIED", "PERMISSION_DENIED")


INVALID: dict[str, tuple[str, dict[str, Any], str]] = {
    "one seat and a rotating banker": (
        "six-deck-h17", {"banker": Banker.BANKER_ROTATING}, "at least two seats"),
    "choose with a house banker": ("six-deck-h17", {"soft_17": Soft17.SOFT17_CHOOSE}, "soft_17"),
    "protection with a house banker": (
        "six-deck-h17", {"insurance": Insurance.INSURANCE_PROTECTS_STAKE}, "protects_stake"),
    "a ranking without an end": (
        "four-deck-vegas", {"ranking": Ranking.RANKING_HIGHEST_STACK}, "number of rounds"),
    "refill in a ranked match": (
        "ranked-match", {"when_broke": WhenBroke.WHEN_BROKE_REFILL}, "refill"),
    "a highest stake below the lowest": ("twenty-rounds", {"max_bet": 100}, "max_bet"),
    "a stack below the lowest stake": ("twenty-rounds", {"starting_stack": 100}, "starting_stack"),
    "a lowest stake between steps": ("twenty-rounds", {"min_bet": 550}, "multiple of bet_step"),
    "half a step that rounds": ("twenty-rounds", {"bet_step": 1, "min_bet": 5}, "rounded"),
    "a natural that rounds": (
        "twenty-rounds", {"natural_pays": Ratio(numerator=6, denominator=7)}, "natural_pays"),
    "no ratio": ("six-deck-h17", {"natural_pays": Ratio(numerator=3)}, "natural_pays"),
    "a shoe that could run out": (
        "six-deck-h17", {"decks": 1, "penetration_percent": 90}, "run out"),
    "no decks": ("six-deck-h17", {"decks": 0}, "decks"),
    "too many decks": ("six-deck-h17", {"decks": 9}, "decks"),
    "a negative stake": ("six-deck-h17", {"min_bet": -100}, "min_bet"),
    "an amount past 2^53": ("six-deck-h17", {"starting_stack": 2**53}, "starting_stack"),
    "the largest number": ("six-deck-h17", {"starting_stack": 2**63 - 1}, "starting_stack"),
    "a day and a second": ("six-deck-h17", {"turn_seconds": 86_401}, "turn_seconds"),
}  # fmt: skip

AT_FAULT = {
    "one seat and a rotating banker": "min_seats,banker,when_broke",
    "choose with a house banker": "banker,soft_17",
    "protection with a house banker": "banker,insurance",
    "a ranking without an end": "rounds,ranking",
    "refill in a ranked match": "when_broke,ranking",
    "a highest stake below the lowest": "min_bet,max_bet",
    "a stack below the lowest stake": "min_bet,starting_stack",
    "a lowest stake between steps": "min_bet,bet_step",
    "half a step that rounds": "bet_step,natural_pays",
    "a natural that rounds": "bet_step,natural_pays",
    "a shoe that could run out": "max_seats,decks,penetration_percent,max_hands",
}
"""The options that the metadata name; of the other faults, the one that was overridden."""


@pytest.mark.parametrize("fault", INVALID)
async def test_a_contradictory_rule_set_is_refused(
    fault: str, operator: Caller, player: Caller
) -> None:
    base, overrides, said = INVALID[fault]
    for caller, make in (
        (operator, create("never-made", base, **overrides)),
        (player, None),
    ):
        with pytest.raises(Refusal) as refused:
            await (caller.call(make) if make else caller.open(base, **overrides))
        assert (refused.value.code, refused.value.reason) == (
            "INVALID_ARGUMENT",
            "RULE_SET_INVALID",
        )
        assert said in refused.value.message
        assert refused.value.metadata == {"options": AT_FAULT.get(fault) or ",".join(overrides)}
    gone = await operator.refused(GetRuleSetRequest(rule_set_id="never-made"))
    assert gone.reason == "RULE_SET_NOT_FOUND"


async def test_every_fault_at_once_is_still_an_answer(player: Caller) -> None:
    """The message names all faults, and still fits into gRPC's metadata."""
    with pytest.raises(Refusal) as refused:
        await player.open(
            "six-deck-h17", min_seats=-(2**31), max_seats=2**31 - 1, decks=-9, rounds=-1,
            penetration_percent=2**31 - 1, max_hands=-1, bet_seconds=-1, insurance_seconds=-1,
            turn_seconds=-1, min_bet=-(2**63), bet_step=-(2**63), starting_stack=-(2**63),
            max_bet=-(2**63), natural_pays=Ratio(numerator=-1), pair_bet=Ratio(numerator=-1),
            triple_sevens=TripleSevens(mixed=Ratio(numerator=-1)),
        )  # fmt: skip
    assert refused.value.reason == "RULE_SET_INVALID"
    assert refused.value.message.count(";") >= 14


async def test_a_rule_set_that_is_not_there(operator: Caller, player: Caller) -> None:
    for base, code, reason in (
        ("no-such-rules", "NOT_FOUND", "RULE_SET_NOT_FOUND"),
        ("", "INVALID_ARGUMENT", "FIELD_INVALID"),
        ("a" * 65, "INVALID_ARGUMENT", "FIELD_INVALID"),
    ):
        refused = await operator.refused(create("never-made", base))
        assert (refused.code, refused.reason) == (code, reason)
        if reason == "FIELD_INVALID":
            assert refused.metadata == {"field": "base_rule_set_id"}
        with pytest.raises(Refusal) as not_opened:
            await player.open(base)
        assert (not_opened.value.code, not_opened.value.reason) == (code, reason)
