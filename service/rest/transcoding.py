"""From the parts of an HTTP call to the request message of its RPC.

A field may come from the path, from the query (GET) or from the body (POST); `request_id` may come
as the header `Idempotency-Key` too. A field that is given twice must be given equally.
"""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from google.protobuf.message import Message

from service.app.errors import ApiError
from service.rest.json_reader import BadJson, from_json, set_text
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
    """The request; raises `ApiError` (FIELD_INVALID, naming the field) for what is malformed."""
    message = route.request()
    try:
        if route.http_method == "POST":
            from_json(body, message)
        _read_query(message, query, variables)
        for name, text in variables.items():
            _bind(message, name, text)
        if idempotency_key and _REQUEST_ID in message.DESCRIPTOR.fields_by_name:
            _bind(message, _REQUEST_ID, idempotency_key)
    except BadJson as error:
        metadata = {"field": error.field} if error.field else {}
        raise ApiError(Reason.FIELD_INVALID, str(error), metadata) from error
    return message


def _bind(message: Message, name: str, text: str) -> None:
    """Set a field that the body may have given already."""
    before = getattr(message, name)
    set_text(message, name, text)
    if before and before != getattr(message, name):
        raise BadJson("the body has another value than the path or header", name)


def _read_query(message: Message, query: str, variables: Mapping[str, str]) -> None:
    if not query:
        return
    names: dict[str, str] = {}
    for field in message.DESCRIPTOR.fields:
        names |= {field.name: field.name, field.json_name: field.name}
    given = set()
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise BadJson(f"the query cannot be read: {error}") from error
    for name, text in pairs:
        target = names.get(name)
        if target is None or target in variables:
            raise BadJson("there is no such query parameter", name)
        if target in given:
            raise BadJson("given twice in the query", name)
        given.add(target)
        set_text(message, target, text)
