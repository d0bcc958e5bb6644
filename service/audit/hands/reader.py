"""Reads a file of hand histories into cases; an error names the line and the reason.

An unknown or missing key, a card that does not exist, or an option that its preset does not take
makes the file unreadable. What only the table can judge (a stake, an action) is left to the table.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node

from service.audit.hands.case import Bet, Bets, Case, OneRound, Rounds, SeatScript, ShortRound
from service.audit.hands.marked_yaml import (
    Unreadable,
    compose,
    entries,
    fields,
    items,
    line_of,
    number,
    one_of,
    text,
    truth,
)
from service.audit.hands.values import cards, chips, play, round_result
from service.rules.money import CHIP
from service.rules.options import with_options
from service.rules.presets import PRESETS
from service.rules.reasons import Refused
from service.rules.rule_set import MOST_SEATS, Banker, RuleSet

if TYPE_CHECKING:
    from service.rules.option import Written

ENOUGH = 10**9 * CHIP
"""The banker's stack if a hand history names none, in minor units."""

_EVERY_CASE = ("id", "preset")
_ANY_CASE = ("title", "source", "options", "banker_stack")


def read_file(path: Path) -> list[Case]:
    """The cases of a file in order; raises Unreadable at the first error."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(0, error.strerror or str(error)) from error
    cases: dict[str, Case] = {}
    for node in items(compose(data), "a file of hand histories"):
        case = _case(node)
        if case.id in cases:
            raise Unreadable(
                case.line, f"the id {case.id!r} is already used on line {cases[case.id].line}"
            )
        cases[case.id] = case
    if not cases:
        raise Unreadable(0, "the file has no hand history")
    return list(cases.values())


def _case(node: Node) -> Case:
    keys = entries(node, "a hand history")
    if "bets" in keys:
        form: tuple[str, ...] = ("bets",)
    elif "rounds" in keys:
        form = ("stack", "rounds")
    else:
        form = ("seats", "cards", "result")
    optional = (*_ANY_CASE, "play") if "seats" in form else _ANY_CASE
    case = fields(node, "a hand history", (*_EVERY_CASE, *form), optional)
    preset = one_of(case["preset"], "preset", tuple(PRESETS))
    rules = _rules(PRESETS[preset], case.get("options"))
    banker_stack = ENOUGH
    if "banker_stack" in case:
        banker_stack = chips(case["banker_stack"], "banker_stack")
    return Case(
        id=text(case["id"], "id"),
        title=text(case["title"], "title") if "title" in case else "",
        line=line_of(node),
        preset=preset,
        rules=rules,
        banker_stack=banker_stack,
        script=_script(case, rules),
    )


def _script(case: dict[str, Node], rules: RuleSet) -> OneRound | Bets | Rounds:
    if "bets" in case:
        return Bets(tuple(_bet(node) for node in items(case["bets"], "bets")))
    if "rounds" in case:
        rounds = items(case["rounds"], "rounds")
        return Rounds(chips(case["stack"], "stack"), tuple(_short_round(node) for node in rounds))
    return OneRound(
        seats=_seats(case["seats"], rules),
        cards=cards(case["cards"]),
        play=play(case.get("play")),
        result=round_result(case["result"]),
    )


def _rules(preset: RuleSet, node: Node | None) -> RuleSet:
    if node is None:
        return preset
    written: dict[str, Written] = {}
    for name, value in entries(node, "options").items():
        written[name] = (
            {key: text(one, name) for key, one in entries(value, name).items()}
            if isinstance(value, MappingNode)
            else text(value, name)
        )
    try:
        return with_options(preset, written)
    except Refused as refused:
        raise Unreadable(line_of(node), refused.message) from refused


def _seats(node: Node, rules: RuleSet) -> tuple[SeatScript, ...]:
    seats: dict[int, SeatScript] = {}
    for one in items(node, "seats"):
        keys = fields(one, "a seat", ("seat", "stack", "bet"), ("pair_bets",))
        seat = SeatScript(
            seat=number(keys["seat"], "seat", 1, rules.max_seats),
            stack=chips(keys["stack"], "stack"),
            bet=text(keys["bet"], "bet"),
            pair_bets=_pair_bets(keys.get("pair_bets")),
        )
        if seat.seat in seats:
            raise Unreadable(line_of(one), f"seat {seat.seat} is listed twice")
        seats[seat.seat] = seat
    listed = len(seats) + (rules.banker is Banker.ROTATING)
    if not max(1, rules.min_seats) <= listed <= rules.max_seats:
        raise Unreadable(
            line_of(node), f"{listed} seats at a table of {rules.min_seats} to {rules.max_seats}"
        )
    return tuple(seats[number] for number in sorted(seats))


def _pair_bets(node: Node | None) -> tuple[tuple[int, str], ...]:
    if node is None:
        return ()
    bets = entries(node, "pair_bets").items()
    for seat, stake in bets:
        if seat not in map(str, range(1, MOST_SEATS + 1)):
            raise Unreadable(line_of(stake), f"pair_bets: {seat!r} is not a seat")
    return tuple((int(seat), text(stake, "a pair bet")) for seat, stake in bets)


def _bet(node: Node) -> Bet:
    keys = fields(node, "a bet", ("stack", "stake", "accepted"))
    return Bet(
        line=line_of(node),
        stack=chips(keys["stack"], "stack"),
        stake=text(keys["stake"], "stake"),
        accepted=truth(keys["accepted"], "accepted"),
    )


def _short_round(node: Node) -> ShortRound:
    keys = fields(node, "a round", ("bet", "cards", "stack_after"), ("play",))
    return ShortRound(
        line=line_of(node),
        bet=text(keys["bet"], "bet"),
        cards=cards(keys["cards"]),
        play=play(keys.get("play")),
        stack_after=chips(keys["stack_after"], "stack_after"),
    )
