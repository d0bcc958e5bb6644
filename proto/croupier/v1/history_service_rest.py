"""The REST routes of history_service.proto: generated from it, never edited.

HTTP method, path, RPC, request, response, whether it is a stream of them; a POST has the
request as its body.
"""

from croupier.v1 import history_service_pb2 as messages

ROUTES = (
    (
        "GET",
        "/v1/rounds",
        "/croupier.v1.HistoryService/ListRounds",
        messages.ListRoundsRequest,
        messages.ListRoundsResponse,
        False,
    ),
    (
        "GET",
        "/v1/tables/{table_id}/rounds/{round}",
        "/croupier.v1.HistoryService/GetRound",
        messages.GetRoundRequest,
        messages.GetRoundResponse,
        False,
    ),
    (
        "GET",
        "/v1/tables/{table_id}/events",
        "/croupier.v1.HistoryService/ListEvents",
        messages.ListEventsRequest,
        messages.ListEventsResponse,
        False,
    ),
    (
        "POST",
        "/v1/tables/{table_id}/rounds/{round}:void",
        "/croupier.v1.HistoryService/VoidRound",
        messages.VoidRoundRequest,
        messages.VoidRoundResponse,
        False,
    ),
    (
        "GET",
        "/v1/tables/{table_id}/shoes/{shoe}",
        "/croupier.v1.HistoryService/GetShoe",
        messages.GetShoeRequest,
        messages.GetShoeResponse,
        False,
    ),
    (
        "POST",
        "/v1/tables/{table_id}:verify",
        "/croupier.v1.HistoryService/VerifyTable",
        messages.VerifyTableRequest,
        messages.VerifyTableResponse,
        False,
    ),
    (
        "GET",
        "/v1/signingKeys",
        "/croupier.v1.HistoryService/ListSigningKeys",
        messages.ListSigningKeysRequest,
        messages.ListSigningKeysResponse,
        False,
    ),
)
