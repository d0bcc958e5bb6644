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
from croupier.v1.history_service_pb2 import ListSigningKeysRequest
from croupier.v1.rule_set_pb2 import RuleSetOverrides
from croupier.v1.rule_set_service_pb2 import (
    CreateRuleSetRequest,
    GetRuleSetRequest,
    ListRuleSetsRequest,
)
from google.protobuf.message import Message

from tests.secrets import record_requests as records
from tests.secrets import table_requests as tables
from tests.secrets.scene import Requests, Scene


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
    "/croupier.v1.HistoryService/ListRounds": records.lists_rounds,
    "/croupier.v1.HistoryService/GetRound": records.reads_rounds,
    "/croupier.v1.HistoryService/ListEvents": records.lists_events,
    "/croupier.v1.HistoryService/VoidRound": records.voids,
    "/croupier.v1.HistoryService/GetShoe": records.proves_shoes,
    "/croupier.v1.HistoryService/VerifyTable": records.verifies,
    "/croupier.v1.HistoryService/ListSigningKeys": lambda _: [ListSigningKeysRequest()],
    "/croupier.v1.ExportService/ReadFeed": records.reads_feed,
    "/croupier.v1.ExportService/ExportRounds": records.exports_rounds,
    "/croupier.v1.ExportService/ExportEvents": records.exports_events,
    "/croupier.v1.AccessService/IssueGuestToken": lambda _: [IssueGuestTokenRequest()],
}
