"""What is asked of every RPC while a card lies face down: `REQUESTS`, by the RPC's full name.

The test fails for an RPC that is not listed here. To list one, add a line: its name, and a function
that gives the requests which a caller sends at a `Scene`. Take some that are answered and some that
are refused: wrong fields, another's table, what the phase or the cards forbid. None may change the
table of the scene (the test sees to it), because what comes next would be another game; what an RPC
does when it is accepted is looked at where the game itself calls it (`moves.py`). For an RPC that
is answered by a stream give `Some(request, messages)`: as many messages as come at once.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from croupier.v1.access_service_pb2 import IssueGuestTokenRequest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListEventsRequest, ListRoundsRequest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.rule_set_service_pb2 import (
    CreateRuleSetRequest,
    GetRuleSetRequest,
    ListRuleSetsRequest,
)
from croupier.v1.table_pb2 import PairBet
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
from google.protobuf.message import Message

from service.table.state import State

NOWHERE = "nowhere"
"""A table that does not exist."""
ID = "asked"
"""The request id of all: a refusal is not remembered."""


class Scene(NamedTuple):
    """The table of a game at a moment at which something lies face down, and who looks at it.

    `decision` is the decision that is open, `refused` are the actions (numbers on the wire) that
    the caller may not answer it with.
    """

    table_id: str
    version: int
    state: State
    decision: str
    refused: tuple[int, ...]
    seated: bool
    is_operator: bool

    @property
    def tables(self) -> tuple[str, str]:
        return self.table_id, NOWHERE


class Some(NamedTuple):
    """A request that is answered by a stream, and how many messages come at once."""

    request: Message
    messages: int


Requests = Iterator[Message | Some]


def acts(scene: Scene) -> Requests:
    """Every action that is not open, answers to decisions that are not, actions that are none."""

    def act(decision: str, action: int, table_id: str = scene.table_id) -> ActRequest:
        return ActRequest(table_id=table_id, request_id=ID, decision=decision, action=action)

    for action in (0, 99, *scene.refused):
        yield act(scene.decision, action)
    for decision in ("", "1-9-9", f"{scene.state.round}-1-0-0"):
        yield act(decision, 1)
    yield act(scene.decision, 1, NOWHERE)
    yield ActRequest(table_id=scene.table_id, decision=scene.decision, action=1)


def bets(scene: Scene) -> Requests:
    """Bets in a running round: none is taken."""
    rules, number = scene.state.rules, scene.state.round
    for round, stake in product((number, number + 1), (0, -5, 1, rules.min_bet, 2**60)):
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
    yield ListTablesRequest(phase=scene.state.phase.value)
    yield ListTablesRequest(phase="hidden")
    yield ListTablesRequest(page_token="none")


def lists_rounds(scene: Scene) -> Requests:
    yield ListRoundsRequest()
    yield ListRoundsRequest(page_token="none")
    for table_id in scene.tables:
        yield ListRoundsRequest(table_id=table_id)


def reads_rounds(scene: Scene) -> Requests:
    for table_id in scene.tables:
        for round in (*range(scene.state.round + 2), -1):
            yield GetRoundRequest(table_id=table_id, round=round)


def lists_events(scene: Scene) -> Requests:
    for table_id in scene.tables:
        yield ListEventsRequest(table_id=table_id)
        yield ListEventsRequest(table_id=table_id, page_size=1, page_token="none")
        yield ListEventsRequest(table_id=table_id, round=scene.state.round, page_size=1)


def makes_rule_set(_scene: Scene) -> Requests:
    for base in ("six-deck-h17", "none"):
        yield CreateRuleSetRequest(
            rule_set_id="own", base_rule_set_id=base, overrides=RuleSetOverrides(decks=2)
        )


REQUESTS: dict[str, Callable[[Scene], Requests | Sequence[Message]]] = {
    "/croupier.v1.TableService/OpenTable": opens,
    "/croupier.v1.TableService/GetTable": reads,
    "/croupier.v1.TableService/ListTables": lists_tables,
    "/croupier.v1.TableService/CloseTable": closes,
    "/croupier.v1.TableService/TakeSeat": takes_seat,
    "/croupier.v1.TableService/SetReady": is_ready,
    "/croupier.v1.TableService/LeaveSeat": leaves,
    "/croupier.v1.TableService/PlaceBet": bets,
    "/croupier.v1.TableService/SitOut": sits_out,
    "/croupier.v1.TableService/Act": acts,
    "/croupier.v1.TableService/WatchTable": watches,
    "/croupier.v1.RuleSetService/ListRuleSets": lambda _: [
        ListRuleSetsRequest(),
        ListRuleSetsRequest(page_token="none"),
    ],
    "/croupier.v1.RuleSetService/GetRuleSet": lambda _: [
        GetRuleSetRequest(rule_set_id="ranked-match"),
        GetRuleSetRequest(rule_set_id="none"),
    ],
    "/croupier.v1.RuleSetService/CreateRuleSet": makes_rule_set,
    "/croupier.v1.HistoryService/ListRounds": lists_rounds,
    "/croupier.v1.HistoryService/GetRound": reads_rounds,
    "/croupier.v1.HistoryService/ListEvents": lists_events,
    "/croupier.v1.AccessService/IssueGuestToken": lambda _: [IssueGuestTokenRequest()],
}
