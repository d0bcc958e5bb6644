"""A pipeline that plays nothing: it answers with what it was asked, filled in everywhere.

It stands behind both doors, so that whatever differs in two answers comes from the way there and
back.
"""

from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from service.calls.errors import ApiError
from service.rest.router import ROUTES
from service.rules.reasons import Reason

RESPONSES = {rpc: response for _, _, rpc, _, response, _ in ROUTES}

# A request for the table `refuse-REASON` is refused with that reason.
REFUSAL = "refuse-"


async def echo(
    method: str, request: Message, metadata: Mapping[str, str], seconds: float | None = None
) -> Message:
    """The response of an RPC; its first text is the request as the callee saw it."""
    table_id = getattr(request, "table_id", "")
    if table_id.startswith(REFUSAL):
        reason = Reason[table_id.removeprefix(REFUSAL)]
        raise ApiError(reason, f"sorry: {reason.name} „ü“", **dict.fromkeys(reason.metadata, "ü,"))
    response = RESPONSES[method]()
    if table_id != "zeros":
        _fill(response, 1)
    _set_first_text(response, f"{metadata.get('authorization', '-')} {request!s}")
    return response


def _fill(message: Message, depth: int) -> None:
    """Set every field to something that is not its default."""
    if isinstance(message, Timestamp):
        message.FromMicroseconds(1_790_000_000_000_000 + depth)
        return
    for field in message.DESCRIPTOR.fields:
        value: Any
        if field.message_type is not None:
            targets = (
                [getattr(message, field.name).add() for _ in range(2)]
                if field.is_repeated
                else [getattr(message, field.name)]
            )
            for target in targets:
                _fill(target, depth + 1)
            continue
        value = _SAMPLES[field.type](field)
        if field.is_repeated:
            getattr(message, field.name).extend([value, value])
        else:
            setattr(message, field.name, value)


_SAMPLES: dict[int, Callable[[Any], Any]] = {
    FieldDescriptor.TYPE_STRING: lambda field: f'{field.name} "\\/\b\n\u2028<é😀>',
    FieldDescriptor.TYPE_BOOL: lambda _: True,
    FieldDescriptor.TYPE_INT32: lambda field: -field.number,
    FieldDescriptor.TYPE_INT64: lambda field: 2**53 - field.number,
    # The last field of an enum type gets a number that the contract does not know.
    FieldDescriptor.TYPE_ENUM: lambda field: field.enum_type.values[-1].number + field.number % 2,
}


def _set_first_text(message: Message, text: str) -> bool:
    for field in message.DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated:
            setattr(message, field.name, text)
            return True
    for field in message.DESCRIPTOR.fields:
        if field.message_type is not None and not field.is_repeated:
            return _set_first_text(getattr(message, field.name), text)
    return False
