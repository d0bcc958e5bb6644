"""The REST routes of export_service.proto: generated from it, never edited.

HTTP method, path, RPC, request, response, whether it is a stream of them; a POST has the
request as its body.
"""

from croupier.v1 import export_service_pb2 as messages

ROUTES = (
    (
        "GET",
        "/v1/feed",
        "/croupier.v1.ExportService/ReadFeed",
        messages.ReadFeedRequest,
        messages.ReadFeedResponse,
        False,
    ),
    (
        "GET",
        "/v1/export/rounds",
        "/croupier.v1.ExportService/ExportRounds",
        messages.ExportRoundsRequest,
        messages.ExportRoundsResponse,
        True,
    ),
    (
        "GET",
        "/v1/export/events",
        "/croupier.v1.ExportService/ExportEvents",
        messages.ExportEventsRequest,
        messages.ExportEventsResponse,
        True,
    ),
)
