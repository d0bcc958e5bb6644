"""The moves of a game as calls: who makes them, and with which request."""

from typing import NamedTuple

from croupier.v1.history_service_pb2 import VoidRoundRequest
from croupier.v1.table_pb2 import Action, PairBet
from croupier.v1.table_service_pb2 import (
    ActRequest,
    CloseTableRequest,
    LeaveSeatRequest,
    OpenTableRequest,
    PlaceBetRequest,
    SetReadyRequest,
    SitOutRequest,
    TakeSeatRequest,
)
from google.protobuf.message import Message

from service.table import commands as c
from tests.secrets.serving import TABLE_ID
from tests.secrets.tables import Rules


class Call(NamedTuple):
    """A move that somebody makes by a call; `player` is empty for the operator."""

    player: str
    request: Message


def call_of(command: c.Command, number: int, rules: Rules) -> Call | None:
    """The call of a game's move of that number; None for what the table does by itself when a
    deadline passes."""
    request_id = f"move-{number}"
    at = {"table_id": TABLE_ID, "request_id": request_id}
    match command:
        case c.OpenTable():
            return Call(
                command.player,
                OpenTableRequest(
                    request_id=request_id, rule_set_id=rules.preset, overrides=rules.wire
                ),
            )
        case c.TakeSeat():
            return Call(
                command.player,
                TakeSeatRequest(**at, seat=command.seat, client_seed=command.client_seed),
            )
        case c.SetReady():
            return Call(command.player, SetReadyRequest(**at))
        case c.LeaveSeat():
            return Call(command.player, LeaveSeatRequest(**at))
        case c.PlaceBet():
            pair_bets = [PairBet(seat=bet.seat, stake=bet.stake) for bet in command.pair_bets]
            return Call(
                command.player,
                PlaceBetRequest(
                    **at,
                    round=command.round,
                    stake=command.stake,
                    pair_bets=pair_bets,
                    client_seed=command.client_seed,
                ),
            )
        case c.SitOut():
            return Call(command.player, SitOutRequest(**at, round=command.round))
        case c.Act():
            action = Action.Value(f"ACTION_{command.action.upper()}")
            return Call(command.player, ActRequest(**at, decision=command.decision, action=action))
        case c.CloseTable():
            return Call(command.player, CloseTableRequest(**at))
        case c.VoidRound():
            return Call("", VoidRoundRequest(**at, round=command.round, reason=command.reason))
        case c.TimeOut():
            return None
    raise TypeError(f"no call makes the move {command!r}")
