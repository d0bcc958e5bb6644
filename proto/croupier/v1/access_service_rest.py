"""The REST routes of access_service.proto: generated from it, never edited.

HTTP method, path, RPC, request, response, whether it is a stream of them; a POST has the
request as its body.
"""

from croupier.v1 import access_service_pb2 as messages

ROUTES = (
    (
        "POST",
        "/v1/guestTokens",
        "/croupier.v1.AccessService/IssueGuestToken",
        messages.IssueGuestTokenRequest,
        messages.IssueGuestTokenResponse,
        False,
    ),
)
