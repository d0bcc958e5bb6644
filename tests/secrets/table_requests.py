"""What is asked of `TableService` while a card lies face down; nothing here changes the table."""

from itertools import product
from typing import Any

from croupier.v1.table_pb2 import Action, PairBet
from croupier.v1.table_service_pb2 import (
    ActRequest,
    CloseTableRequest,
    GetTableRequest,
    LeaveSeatRequest,
    ListTablesRequest,
    OpenTableRequest,
    PlaceBetRequest,
    SetReadyRequest,
    SitOutRequest,
    TakeSeatRequest,
    WatchTableRequest,
)

from service.api.wire.tables import PHASES
from tests.secrets.scene import ID, NOWHERE, Requests, Scene, Some

NO_ACTION = 99
NO_PHASE: Any = 99


def acts(scene: Scene) -> Requests:
    """Every action that is not open, answers to decisions that are not, actions that are none."""

    open_now = ActRequest(table_id=scene.table_id, request_id=ID, decision=scene.decision)
    for action in (0, NO_ACTION, *map(Action.Value, scene.refused)):
        yield _but(open_now, action=action)
    for decision in ("", "1-9-9", f"{scene.state.round}-1-0-0"):
        yield _but(open_now, action=Action.ACTION_HIT, decision=decision)
    for field, value in (("table_id", NOWHERE), ("request_id", "")):
        yield _but(open_now, action=Action.ACTION_HIT, **{field: value})


def _but(request: ActRequest, **fields: Any) -> ActRequest:
    """The same request but for these fields."""
    other = ActRequest()
    other.CopyFrom(request)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def bets(scene: Scene) -> Requests:
    """Bets in a running round: none is taken."""
    rules, number = scene.state.rules, scene.state.round
    for round, stake in product((number, number + 1), (0, 1, rules.min_bet, 2**60)):
        yield PlaceBetRequest(table_id=scene.table_id, request_id=ID, round=round, stake=stake)
    yield PlaceBetRequest(
        table_id=scene.table_id,
        request_id=ID,
        round=number,
        stake=rules.min_bet,
        pair_bets=[PairBet(seat=seat, stake=rules.min_bet) for seat in (1, 9)],
    )


def watches(scene: Scene) -> Requests:
    """The table as it stands, and what came after a version, which begins with a heartbeat."""
    yield Some(WatchTableRequest(table_id=scene.table_id), 1)
    for version in (1, scene.version - 1):
        request = WatchTableRequest(table_id=scene.table_id, after_version=version)
        yield Some(request, 1 + scene.version - version)
    for table_id, version in ((scene.table_id, -1), (scene.table_id, 10**6), (NOWHERE, 0)):
        yield Some(WatchTableRequest(table_id=table_id, after_version=version), 1)


def takes_seat(scene: Scene) -> Requests:
    """Nobody sits down in a running round."""
    for table_id, seat in product(scene.tables, (0, 1, 9)):
        yield TakeSeatRequest(table_id=table_id, request_id=ID, seat=seat)


def leaves(scene: Scene) -> Requests:
    """Who has a seat could leave it, and so only asks to leave where he has none."""
    for table_id in scene.tables[1:] if scene.seated else scene.tables:
        yield LeaveSeatRequest(table_id=table_id, request_id=ID)
    yield LeaveSeatRequest(table_id=scene.table_id)


def closes(scene: Scene) -> Requests:
    """Only the operator closes a table in a running round."""
    for table_id in scene.tables[1:] if scene.is_operator else scene.tables:
        yield CloseTableRequest(table_id=table_id, request_id=ID)
    yield CloseTableRequest(table_id=scene.table_id)


def is_ready(scene: Scene) -> Requests:
    for table_id in scene.tables:
        yield SetReadyRequest(table_id=table_id, request_id=ID)


def sits_out(scene: Scene) -> Requests:
    for table_id, round in product(scene.tables, (scene.state.round, 0, 99)):
        yield SitOutRequest(table_id=table_id, request_id=ID, round=round)


def opens(scene: Scene) -> Requests:
    """Tables of the caller's own."""
    yield OpenTableRequest(request_id=ID, rule_set_id="six-deck-h17")
    yield OpenTableRequest(request_id=f"{ID}-2", rule_set_id="ranked-match", is_private=True)
    yield OpenTableRequest(request_id=ID, rule_set_id="none")


def reads(scene: Scene) -> Requests:
    for table_id in (*scene.tables, "no id"):
        yield GetTableRequest(table_id=table_id)


def lists_tables(scene: Scene) -> Requests:
    yield ListTablesRequest()
    yield ListTablesRequest(page_size=1)
    yield ListTablesRequest(free_seats=1)
    yield ListTablesRequest(phase=PHASES.to_wire(scene.state.phase))
    yield ListTablesRequest(phase=NO_PHASE)
    yield ListTablesRequest(page_token="none")
