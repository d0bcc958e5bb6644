"""What goes back to an HTTP client; errors as `google.rpc.Status` in JSON."""

import msgspec
from google.protobuf.message import Message

from service.api.status import ERROR_DOMAIN
from service.calls.errors import ApiError, Code, code_of
from service.rest.http1.messages import Headers, Reply, Unacceptable
from service.rest.json_writer import to_json
from service.rules.reasons import Reason

_JSON: Headers = (("content-type", "application/json"), ("cache-control", "no-store"))

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

# Where HTTP has codes of its own: for a path or a verb that is not served; for a request that does
# not come in time; for its body, its URL, its headers; for an expectation, for a version of HTTP.
_OF_HTTP = {
    Reason.UNIMPLEMENTED: (404, 405),
    Reason.DEADLINE_EXCEEDED: (408,),
    Reason.TOO_LARGE: (413, 414, 431),
    Reason.HTTP_MALFORMED: (417, 505),
}


def statuses(reason: Reason) -> tuple[int, ...]:
    """The HTTP codes that a reason comes with: that of its gRPC code, then others."""
    return (HTTP[code_of(reason)], *_OF_HTTP.get(reason, ()))


def success(message: Message) -> Reply:
    """The response of a call."""
    return Reply(200, to_json(message), _JSON)


def failure(error: ApiError, status: int | None = None, **headers: str) -> Reply:
    """The status of a call that did not succeed, with the HTTP code of its gRPC code.

    `status` names another one; it is a fault of the program (ValueError) if the reason has it not.
    """
    known = statuses(error.reason)
    if status and status not in known:
        raise ValueError(f"{error.reason.name} comes with {known}, and not with {status}")
    if error.reason is Reason.UNAUTHENTICATED:
        headers["www-authenticate"] = "Bearer"
    if error.retry_seconds is not None:
        headers["retry_after"] = str(error.retry_seconds)
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status or known[0], _status_json(error), _JSON + named)


def _status_json(error: ApiError) -> bytes:
    """The JSON form of `rpc_status`, written directly: making the message takes twenty times as
    long, and whoever has no token must not be the most expensive client."""
    info: dict[str, object] = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": f"REASON_{error.reason.name}",
        "domain": ERROR_DOMAIN,
        "metadata": error.metadata,
    }
    details = [info]
    if error.retry_seconds is not None:
        delay = f"{error.retry_seconds}s"
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay})
    return msgspec.json.encode({"code": error.code, "message": error.message, "details": details})


def refusal(refused: Unacceptable) -> Reply:
    """What to answer instead of a request that is not HTTP as it should be, or exceeds a limit."""
    message = refused.message
    match refused.status:
        case 408:
            return failure(ApiError(Reason.DEADLINE_EXCEEDED, message), 408)
        case 413 | 414 | 431:
            return failure(ApiError(Reason.TOO_LARGE, message, limit=refused.limit), refused.status)
        case 501:
            return failure(ApiError(Reason.UNIMPLEMENTED, message))
        case 503:
            return failure(ApiError(Reason.UNAVAILABLE, message))
        case _:
            return failure(ApiError(Reason.HTTP_MALFORMED, message), refused.status)
