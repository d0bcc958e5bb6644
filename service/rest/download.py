"""A stream as a file, of which each response of the RPC is a piece.

A file can't say that it is not whole. So when something goes wrong after it has begun, the body has
no end: every HTTP client takes that for an error.
"""

from typing import Any

from service.calls.errors import ApiError
from service.rest.http1.messages import Headers


class Download:
    """Writes responses that have a `content_type` and `data`."""

    probe = b""

    def headers(self, first: Any) -> Headers:
        """The type is that of the first piece."""
        return (
            ("content-type", first.content_type),
            ("content-disposition", "attachment"),
            ("cache-control", "no-store"),
        )

    def piece(self, response: Any) -> bytes:
        """The bytes as they are."""
        data: bytes = response.data
        return data

    def broken_off(self, _error: ApiError) -> bytes | None:
        """Nothing could be told from the file's own bytes."""
        return None
