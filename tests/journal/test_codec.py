"""Text that this version of the service can't read is never skipped, and never half read."""

from typing import Any

import msgspec
import pytest

from service.journal.codec import command_of, events_of
from service.journal.text import UnknownRecord, rule_set_of, to_text
from service.rules.presets import PRESETS
from service.table.commands import AnyCommand, PairBet, PlaceBet
from service.table.events import AnyEvent, BetPlaced

BET = to_text((BetPlaced(1, 100, (PairBet(2, 50),)),))


def structs(kind: Any) -> set[type[msgspec.Struct]]:
    """Every record that may stand in text of this kind."""
    found: set[type[msgspec.Struct]] = set()

    def walk(node: Any) -> None:
        if isinstance(node, msgspec.inspect.StructType):
            if node.cls not in found:
                found.add(node.cls)
                for field in node.fields:
                    walk(field.type)
        elif isinstance(node, msgspec.inspect.UnionType):
            for one in node.types:
                walk(one)
        elif isinstance(node, msgspec.inspect.VarTupleType):
            walk(node.item_type)

    walk(msgspec.inspect.type_info(kind))
    return found


def test_no_record_of_the_journal_reads_past_a_field_that_it_does_not_know() -> None:
    lenient = [
        one.__name__
        for one in structs(AnyEvent) | structs(AnyCommand)
        if not one.__struct_config__.forbid_unknown_fields
    ]
    assert lenient == []


@pytest.mark.parametrize(
    "text",
    [
        '[{"type":"BetDoubled","seat":1}]',
        BET.replace('"stake":100', '"stake":100,"currency":"EUR"'),
        BET.replace('"stake":50', '"stake":50,"currency":"EUR"'),
        '[{"type":"SatOut","seat":1,"cause":"boredom"}]',
        '[{"type":"SeatReady"}]',
        "no json",
    ],
    ids=["event", "field", "field within", "value", "missing field", "form"],
)
def test_unknown_events(text: str) -> None:
    with pytest.raises(UnknownRecord):
        events_of(text)


def test_unknown_commands_and_options() -> None:
    bet = to_text(PlaceBet("ann", 1, 100))
    assert command_of(bet) == PlaceBet("ann", 1, 100)
    with pytest.raises(UnknownRecord):
        command_of(bet.replace("PlaceBet", "PlaceWager"))
    rules = to_text(PRESETS["six-deck-h17"])
    assert rule_set_of(rules) == PRESETS["six-deck-h17"]
    with pytest.raises(UnknownRecord):
        rule_set_of(rules.replace('"decks"', '"packs"'))
