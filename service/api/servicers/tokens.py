"""Serves `AccessService`: tokens for guests."""

from collections.abc import Mapping

from croupier.v1 import access_service_pb2 as pb

from service.api.wire.times import timestamp
from service.calls.access import Access
from service.calls.pipeline import Context, Method


class Tokens:
    """Issues tokens."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        return {
            "/croupier.v1.AccessService/IssueGuestToken": Method(self._guest, open_to_all=True),
        }

    async def _guest(
        self, _context: Context, _request: pb.IssueGuestTokenRequest
    ) -> pb.IssueGuestTokenResponse:
        token = self._access.guest_token()
        return pb.IssueGuestTokenResponse(
            token=token.token, player_id=token.player, expire_time=timestamp(token.expires_at)
        )
