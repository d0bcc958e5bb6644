"""Serves `ListSigningKeys`: the public keys that receipts and digests are checked with."""

from croupier.v1 import history_service_pb2 as history_pb

from service.calls.pipeline import Context
from service.keys.signing import ALGORITHM, PublicKeys


class PublishedKeys:
    """Serves `ListSigningKeys`. Public keys are public: whoever holds a receipt may ask."""

    def __init__(self, keys: PublicKeys) -> None:
        self._response = history_pb.ListSigningKeysResponse(
            signing_keys=[
                history_pb.SigningKey(key_id=key_id, algorithm=ALGORITHM, public_key=key.hex())
                for key_id, key in keys.by_id.items()
            ]
        )

    async def ListSigningKeys(
        self, _request: history_pb.ListSigningKeysRequest, _context: Context
    ) -> history_pb.ListSigningKeysResponse:
        return self._response
