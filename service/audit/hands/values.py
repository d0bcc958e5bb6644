"""The parts of hand histories: cards, amounts, lines of play, results."""

from typing import cast

from yaml.nodes import Node

from service.audit.hands.case import (
    DEALER,
    DEEDS,
    BankerResult,
    DealerResult,
    Do,
    HandResult,
    RoundResult,
    SeatResult,
    Step,
)
from service.audit.hands.marked_yaml import (
    Unreadable,
    fields,
    items,
    line_of,
    number,
    one_of,
    text,
    truth,
)
from service.rules.cards import parse_card
from service.rules.hand import Result
from service.rules.money import minor_units
from service.rules.reasons import Refused
from service.rules.rule_set import MOST_HANDS, MOST_SEATS

_MOST_CARDS = 1000


def cards(node: Node) -> tuple[str, ...]:
    """Cards in a row, as in `AS TD 7H`."""
    try:
        return tuple(parse_card(card) for card in text(node, "cards").split())
    except ValueError as error:
        raise Unreadable(line_of(node), f"cards: {error}") from error


def chips(node: Node, what: str, *, signed: bool = False) -> int:
    """An amount of chips in minor units; a net may be negative."""
    written = text(node, what)
    negative = signed and written.startswith("-")
    try:
        amount = minor_units(written[1:] if negative else written)
    except Refused as refused:
        raise Unreadable(line_of(node), f"{what}: {refused.message}") from refused
    return -amount if negative else amount


def play(node: Node | None) -> tuple[Step, ...]:
    """The lines of `play`; none if the key is missing."""
    return tuple(_step(one) for one in items(node, "play")) if node else ()


def _step(node: Node) -> Step:
    keys = fields(node, "a line of play", ("seat", "do"), ("hand", "refused"))
    dealer = text(keys["seat"], "seat") == "dealer"
    return Step(
        line=line_of(node),
        seat=DEALER if dealer else number(keys["seat"], "seat", 1, MOST_SEATS),
        do=cast("Do", one_of(keys["do"], "do", DEEDS)),
        hand=number(keys["hand"], "hand", 1, MOST_HANDS) if "hand" in keys else 0,
        refused="refused" in keys and truth(keys["refused"], "refused"),
    )


def round_result(node: Node) -> RoundResult:
    """The `result` of a round."""
    keys = fields(node, "result", ("seats", "dealer", "cards_used"), ("banker",))
    dealer = fields(keys["dealer"], "dealer", ("cards", "total", "soft"))
    seats: dict[int, SeatResult] = {}
    for one in items(keys["seats"], "seats"):
        seat = _seat_result(one)
        if seat.seat in seats:
            raise Unreadable(line_of(one), f"the result of seat {seat.seat} is listed twice")
        seats[seat.seat] = seat
    return RoundResult(
        seats=tuple(seats[number] for number in sorted(seats)),
        dealer=DealerResult(
            cards=cards(dealer["cards"]),
            total=number(dealer["total"], "total", 0, _MOST_CARDS),
            soft=truth(dealer["soft"], "soft"),
        ),
        cards_used=number(keys["cards_used"], "cards_used", 0, _MOST_CARDS),
        banker=_banker_result(keys["banker"]) if "banker" in keys else BankerResult(),
    )


def _banker_result(node: Node) -> BankerResult:
    keys = fields(node, "banker", (), ("net", "steps_down"))
    return BankerResult(
        net=chips(keys["net"], "net", signed=True) if "net" in keys else None,
        steps_down=truth(keys["steps_down"], "steps_down") if "steps_down" in keys else None,
    )


def _seat_result(node: Node) -> SeatResult:
    keys = fields(
        node, "the result of a seat", ("seat", "hands", "net", "stack"), ("insurance", "pair_bets")
    )
    sides = {
        name: chips(keys[name], name, signed=True) if name in keys else 0
        for name in ("insurance", "pair_bets")
    }
    return SeatResult(
        seat=number(keys["seat"], "seat", 1, MOST_SEATS),
        hands=tuple(_hand_result(one) for one in items(keys["hands"], "hands")),
        insurance=sides["insurance"],
        pair_bets=sides["pair_bets"],
        net=chips(keys["net"], "net", signed=True),
        stack=chips(keys["stack"], "stack"),
    )


def _hand_result(node: Node) -> HandResult:
    keys = fields(node, "a hand", ("cards", "total", "stake", "result", "net"))
    return HandResult(
        cards=cards(keys["cards"]),
        total=number(keys["total"], "total", 2, _MOST_CARDS),
        stake=chips(keys["stake"], "stake"),
        result=Result(one_of(keys["result"], "result", tuple(Result))),
        net=chips(keys["net"], "net", signed=True),
    )
