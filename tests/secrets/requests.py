"""What is asked of every RPC while a card lies face down: `REQUESTS`, by the RPC's full name.

The test fails for an RPC that is not listed here. To list one, add a line: its name, and a function
that gives the requests which a caller sends at a `Scene`. Take some that are answered and some that
are refused: wrong fields, another's table, what the phase or the cards forbid. None may change the
table of the scene (the test sees to it), because what comes next would be another game; what an RPC
does when it is accepted is looked at where the game itself calls it (`moves.py`). For an RPC that
is answered by a stream give `Some(request, messages)`: as many messages as come at once.
"""

from collections.abc import Callable, Sequence

from croupier.v1.access_service_pb2 import IssueGuestTokenRequest
from croupier.v1.history_service_pb2 import GetRoundRequest, ListEventsRequest, ListRoundsRequest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.rule_set_service_pb2 import (
    CreateRuleSetRequest,
    GetRuleSetRequest,
    ListRuleSetsRequest,
)
from google.protobuf.message import Message

from tests.secrets import table_requests as tables
from tests.secrets.scene import Requests, Scene


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
            rule_set_id="own", base_rule_set_id=base, overrides=RuleSetOverrides(decks=8)
        )


REQUESTS: dict[str, Callable[[Scene], Requests | Sequence[Message]]] = {
    "/croupier.v1.TableService/OpenTable": tables.opens,
    "/croupier.v1.TableService/GetTable": tables.reads,
    "/croupier.v1.TableService/ListTables": tables.lists_tables,
    "/croupier.v1.TableService/CloseTable": tables.closes,
    "/croupier.v1.TableService/TakeSeat": tables.takes_seat,
    "/croupier.v1.TableService/SetReady": tables.is_ready,
    "/croupier.v1.TableService/LeaveSeat": tables.leaves,
    "/croupier.v1.TableService/PlaceBet": tables.bets,
    "/croupier.v1.TableService/SitOut": tables.sits_out,
    "/croupier.v1.TableService/Act": tables.acts,
    "/croupier.v1.TableService/WatchTable": tables.watches,
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
