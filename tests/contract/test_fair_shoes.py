"""Fair shoes at both doors: what is sworn, mixed in, proved and revealed, checked by a stranger.

Everything is recomputed by `tests/fairness/recompute.py`, which knows nothing of the service.
"""

import hashlib
import json
from typing import Any

import pytest
from croupier.v1.history_service_pb2 import GetShoeRequest
from croupier.v1.shoe_pb2 import ProvedShoe
from croupier.v1.table_pb2 import Phase, Table
from croupier.v1.table_service_pb2 import CloseTableRequest, PlaceBetRequest

from tests.contract.conftest import guest
from tests.contract.doors import Door
from tests.contract.player import Caller, bet_request, fresh_id, table_of
from tests.contract.several import leave, seated, take_seat
from tests.fairness import recompute

TURNED_UP = ("CardDealt", "DealerCardDealt", "FirstCardTurned", "HoleCardTurned")


async def shoe_of(caller: Caller, table_id: str, shoe: int, first: int = 0) -> ProvedShoe:
    request = GetShoeRequest(table_id=table_id, shoe=shoe, first_position=first)
    proved: ProvedShoe = (await caller.call(request)).shoe
    return proved


async def events_of(caller: Caller, table_id: str) -> list[dict[str, Any]]:
    return [event for row in await caller.journal(table_id) for event in json.loads(row.events)]


def seeded(table: Table, seed: str) -> PlaceBetRequest:
    request = bet_request(table)
    request.client_seed = seed
    return request


def proves(shoe: ProvedShoe) -> bool:
    """Whether each card of a shoe is proved by its root."""
    count = 52 * shoe.decks
    return all(
        recompute.proved_root(
            recompute.leaf_of(shoe.table_id, shoe.number, card.position, card.card, card.salt),
            card.position,
            count,
            [bytes.fromhex(neighbour) for neighbour in card.path],
        )
        == bytes.fromhex(shoe.root)
        for card in shoe.cards
    )


def order_of(shoe: ProvedShoe) -> list[str]:
    """The whole shoe, once its seed is revealed."""
    given = [(one.seat, one.player_id, one.seed) for one in shoe.client_seeds]
    seed = bytes.fromhex(shoe.seed)
    return recompute.shoe_order(seed, shoe.table_id, shoe.number, shoe.decks, given)


def recomputes(shoe: ProvedShoe) -> bool:
    """Whether a revealed seed gives the commitment, the root and each card."""
    seed, order = bytes.fromhex(shoe.seed), order_of(shoe)
    salts = [
        recompute.salt_of(seed, shoe.table_id, shoe.number, place) for place in range(len(order))
    ]
    leaves = [
        recompute.leaf_of(shoe.table_id, shoe.number, place, card, salts[place])
        for place, card in enumerate(order)
    ]
    return (
        hashlib.sha256(seed).hexdigest() == shoe.commitment
        and recompute.root_of(leaves).hex() == shoe.root
        and all(order[card.position] == card.card for card in shoe.cards)
    )


async def test_each_card_is_proved_as_soon_as_it_is_turned_up(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    opened = (await events_of(player, table.table_id))[0]
    while not table.your.decision:
        table = table_of(await player.call(seeded(table, "lucky-7")))
    shoe = await shoe_of(player, table.table_id, 1)
    events = await events_of(player, table.table_id)
    turned = sorted(
        (event["position"], event["card"], event["salt"])
        for event in events
        if event["type"] in TURNED_UP
    )
    assert [(card.position, card.card, card.salt) for card in shoe.cards] == turned
    assert (shoe.commitment, shoe.root) == (opened["commitment"], table.shoe.root)
    assert [(one.seat, one.player_id, one.seed) for one in shoe.client_seeds] == [
        (1, player.id, "lucky-7")
    ]
    assert proves(shoe)
    assert not shoe.seed
    hidden = [event["position"] for event in events if event["type"] == "HoleCardDealt"][-1]
    assert hidden not in [card.position for card in shoe.cards]


async def test_a_changed_card_is_not_proved(player: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    shoe = await shoe_of(player, table.table_id, 1)
    assert proves(shoe)
    shoe.cards[0].card = "2H" if shoe.cards[0].card != "2H" else "3H"
    assert not proves(shoe)


async def test_a_finished_table_reveals_its_shoe(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    table = await player.stand(table_of(await player.call(seeded(table, "a"))))
    request = CloseTableRequest(table_id=table.table_id, request_id=fresh_id("close"))
    table = table_of(await player.call(request))
    shoe = await shoe_of(player, table.table_id, 1)
    assert proves(shoe)
    assert recomputes(shoe)
    shoe.client_seeds[0].seed = "b"
    assert not recomputes(shoe)


async def test_a_seed_goes_into_the_next_shoe_and_into_no_other(player: Caller) -> None:
    table = await player.open("six-deck-h17", decks=1, penetration_percent=25)
    given = []
    while table.shoe.number < 4:
        seed = f"bet-{table.version}"
        first_bet_of_shoe = table.shoe.cut_card_out or not table.shoe.number
        given.append((table.shoe.number + 1, seed))
        table = table_of(await player.call(seeded(table, seed)))
        assert table.seats[0].client_seed == ("" if first_bet_of_shoe else seed)
        table = await player.stand(table)
    for number in (1, 2, 3):
        shoe = await shoe_of(player, table.table_id, number)
        assert recomputes(shoe)
        assert [one.seed for one in shoe.client_seeds] == [
            [seed for number_then, seed in given if number_then == number][-1]
        ]
        following = await shoe_of(player, table.table_id, number + 1)
        assert following.commit_version == shoe.open_version
        assert shoe.commit_version < shoe.open_version


async def test_only_what_lies_behind_a_place_is_shown_if_asked_so(player: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    whole = await shoe_of(player, table.table_id, 1)
    part = await shoe_of(player, table.table_id, 1, first=3)
    assert list(part.cards) == [card for card in whole.cards if card.position >= 3]
    assert proves(part)


async def test_seeds_of_several_seats_are_mixed_by_seat(
    player: Caller, stranger: Caller, door: Door
) -> None:
    players = [player, stranger, await guest(door)]
    table = await seated(players, "rotating-banker")
    banker = table.banker_seat
    punters = [
        (seat.seat, caller)
        for seat in table.seats
        for caller in players
        if caller.id == seat.player_id and seat.seat != banker
    ]
    for number, caller in reversed(punters):
        table = await caller.see(table.table_id)
        table = table_of(await caller.call(seeded(table, f"seed-{number}")))
    shoe = await shoe_of(player, table.table_id, 1)
    assert [(one.seat, one.player_id, one.seed) for one in shoe.client_seeds] == [
        (number, caller.id, f"seed-{number}") for number, caller in punters
    ]
    assert proves(shoe)


async def test_a_seed_goes_with_the_player_who_leaves(player: Caller, stranger: Caller) -> None:
    table = await player.open("rotating-banker")
    table = await take_seat(player, table.table_id)
    await take_seat(stranger, table.table_id, client_seed="left")
    assert (await player.see(table.table_id)).seats[1].client_seed == "left"
    await leave(stranger, table.table_id)
    await take_seat(stranger, table.table_id)
    assert not (await player.see(table.table_id)).seats[1].client_seed


@pytest.mark.parametrize(
    ("shoe", "first", "reason"),
    [(0, 0, "FIELD_INVALID"), (-1, 0, "FIELD_INVALID"), (2, 0, "SHOE_NOT_FOUND"),
     (1, -1, "FIELD_INVALID"), (2**31 - 1, 0, "SHOE_NOT_FOUND")],
)  # fmt: skip
async def test_shoes_that_are_not_there(player: Caller, shoe: int, first: int, reason: str) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    request = GetShoeRequest(table_id=table.table_id, shoe=shoe, first_position=first)
    assert (await player.refused(request)).reason == reason


async def test_a_shoe_that_is_sworn_to_but_not_opened_is_not_there(player: Caller) -> None:
    table = await player.open("six-deck-h17")
    request = GetShoeRequest(table_id=table.table_id, shoe=1)
    assert (await player.refused(request)).reason == "SHOE_NOT_FOUND"


async def test_a_shoe_of_another_operator_does_not_exist(player: Caller, rival: Caller) -> None:
    table = await player.play_round(await player.open("six-deck-h17"))
    request = GetShoeRequest(table_id=table.table_id, shoe=1)
    assert (await rival.refused(request)).reason == "TABLE_NOT_FOUND"


@pytest.mark.parametrize("seed", ["two words", "x" * 65, "ä", "a\n"])
async def test_a_seed_that_is_none_is_refused_and_changes_nothing(
    player: Caller, seed: str
) -> None:
    table = await player.open("six-deck-h17")
    refused = await player.refused(seeded(table, seed))
    assert refused.reason == "FIELD_INVALID"
    assert (await player.see(table.table_id)).version == table.version
    assert (await player.see(table.table_id)).phase == Phase.PHASE_BETTING
