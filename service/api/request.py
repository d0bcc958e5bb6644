"""Reads a gRPC request, as strictly as the REST door reads JSON: what is not understood is refused.

gRPC by itself answers bytes that are not a message with INTERNAL, drops fields that it does not
know, and tells no reason; so the service reads the bytes itself."""

from google.protobuf.message import DecodeError, Message

from service.calls.errors import ApiError
from service.rules.reasons import Reason

LARGEST_REQUEST = 256 * 1024
"""Bytes; the same limit holds over REST."""

LARGEST_READ = LARGEST_REQUEST + 64 * 1024
"""Bytes that are still read, so that a request which is a little too large is answered with its
reason. What is larger is refused by the transport, with the same code and no reason."""


def read_request(kind: type[Message], data: bytes) -> Message:
    """The message in these bytes; ApiError if they are too many, no such message, or hold a field
    that this server does not know."""
    if len(data) > LARGEST_REQUEST:
        raise ApiError(
            Reason.TOO_LARGE,
            f"the request has more than {LARGEST_REQUEST} bytes",
            limit=LARGEST_REQUEST,
        )
    try:
        message = kind.FromString(data)
    except DecodeError as error:
        name = kind.DESCRIPTOR.name
        raise ApiError(Reason.FIELD_INVALID, f"these bytes are no {name}", field="") from error
    size = message.ByteSize()
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        raise ApiError(
            Reason.FIELD_INVALID, "the request has a field that this server does not know", field=""
        )
    return message
