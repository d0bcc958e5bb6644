"""From the parts of an HTTP call to the request message of its RPC.

A field comes from the path, from the query of a GET, or from the body; `request_id` may come as the
header `Idempotency-Key` too. What is given in two places must be equal.
"""

from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote

from google.protobuf.message import Message

from service.calls.errors import ApiError
from service.rest.json_reader import BadJson, fields_by_name, from_json, set_text
from service.rest.router import Route
from service.rules.reasons import Reason

IDEMPOTENCY_KEY = "idempotency-key"
_REQUEST_ID = "request_id"


def request_message(
    route: Route,
    variables: Mapping[str, str],
    query: str,
    body: bytes,
    idempotency_key: str,
) -> Message:
    """The request; `variables` and `query` are still escaped.

    Raises `ApiError` (FIELD_INVALID, naming the field) for what is malformed.
    """
    message = route.request()
    try:
        given = from_json(body, message)
        for name, text in _query(route, query).items():
            _bind(message, given, name, text)
        for name, text in variables.items():
            _bind(message, given, name, _unescape(text, name))
        if idempotency_key and _REQUEST_ID in message.DESCRIPTOR.fields_by_name:
            _bind(message, given, _REQUEST_ID, idempotency_key)
    except BadJson as error:
        raise ApiError(Reason.FIELD_INVALID, str(error), field=error.field) from error
    return message


def resume_after(message: Message, event_id: str) -> None:
    """Let a stream go on after the last event that a browser got, whatever the query says."""
    try:
        set_text(message, "after_version", event_id)
    except BadJson as error:
        raise ApiError(Reason.FIELD_INVALID, str(error), field="after_version") from error


def _bind(message: Message, given: frozenset[str], name: str, text: str) -> None:
    """Set a field (by its name in the proto file) that the body may have given already."""
    before = getattr(message, name)
    set_text(message, name, text)
    if name in given and before != getattr(message, name):
        raise BadJson("the body has another value than path, query or header", name)


def _unescape(text: str, name: str) -> str:
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise BadJson("not UTF-8", name) from error


def _query(route: Route, query: str) -> dict[str, str]:
    """The parameters of a query by the names of their fields; only a GET has any."""
    if not query:
        return {}
    fields = fields_by_name(route.request.DESCRIPTOR) if route.http_method == "GET" else {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise BadJson(f"the query cannot be read: {error}") from error
    found: dict[str, str] = {}
    for name, text in pairs:
        field = fields.get(name)
        if field is None or field.name in route.template.variables:
            raise BadJson("there is no such query parameter", name)
        if field.name in found:
            raise BadJson("given twice in the query", name)
        found[field.name] = text
    return found
