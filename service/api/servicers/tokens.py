"""Serves `AccessService`: tokens for guests."""

from croupier.v1 import access_service_pb2 as pb

from service.api.wire.times import timestamp
from service.calls.access import Access
from service.calls.pipeline import Context


class Tokens:
    """Issues tokens."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def IssueGuestToken(
        self, _request: pb.IssueGuestTokenRequest, _context: Context
    ) -> pb.IssueGuestTokenResponse:
        token = self._access.guest_token()
        return pb.IssueGuestTokenResponse(
            token=token.token, player_id=token.player, expire_time=timestamp(token.expires_at)
        )
