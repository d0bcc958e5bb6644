"""What goes back to an HTTP client; errors as `google.rpc.Status` in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from google.protobuf import json_format
from google.protobuf.message import Message

from service.api.status import rpc_status
from service.calls.errors import ApiError, Code
from service.rest.json_writer import to_json
from service.rules.reasons import Reason

_JSON = {"content-type": "application/json", "cache-control": "no-store"}

HTTP = {
    Code.UNKNOWN: 500,
    Code.INVALID_ARGUMENT: 400,
    Code.DEADLINE_EXCEEDED: 504,
    Code.NOT_FOUND: 404,
    Code.ALREADY_EXISTS: 409,
    Code.PERMISSION_DENIED: 403,
    Code.RESOURCE_EXHAUSTED: 429,
    Code.FAILED_PRECONDITION: 400,
    Code.ABORTED: 409,
    Code.UNIMPLEMENTED: 501,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
    Code.UNAUTHENTICATED: 401,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def success(message: Message) -> Reply:
    """The response of a call."""
    return Reply(200, to_json(message), _JSON)


def failure(error: ApiError, status: int | None = None, **headers: str) -> Reply:
    """The status of a call that did not succeed; the HTTP code is that of its gRPC code.

    `status` says it where HTTP has a code of its own: 404 and 405 for a path that is not served,
    408 and 413 for a body.
    """
    body = json_format.MessageToDict(rpc_status(error), always_print_fields_with_no_presence=True)
    if error.reason is Reason.UNAUTHENTICATED:
        headers["www-authenticate"] = "Bearer"
    return Reply(status or HTTP[error.code], msgspec.json.encode(body), _JSON | headers)
