"""What the contract says of a field of a request, in the words of JSON Schema."""

from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from service.api.annotations import form_of
from service.calls.paging import PAGE_TOKEN
from service.journal.plain_ids import PLAIN_ID

_PLAIN_ID = f"^{PLAIN_ID.pattern}$"
_PLAIN_ID_OR_NONE = f"^({PLAIN_ID.pattern})?$"


def form_schema(field: FieldDescriptor) -> dict[str, Any]:
    """The keywords that the form of a field adds to the schema of its type."""
    form = form_of(field)
    if form is None:
        return {}
    match form.WhichOneof("kind"):
        case "plain_id":
            return {"pattern": _PLAIN_ID if form.required else _PLAIN_ID_OR_NONE}
        case "request_id":
            return {"pattern": _PLAIN_ID}
        case "length":
            return {"minLength": form.length.least, "maxLength": form.length.most}
        case "range":
            limits = form.range
            least = {"minimum": limits.least} if limits.HasField("least") else {}
            return least | ({"maximum": limits.most} if limits.HasField("most") else {})
        case "page_token":
            return {"pattern": f"^{PAGE_TOKEN.pattern}$"}
        case "page_size":
            return {"minimum": 0, "default": form.page_size.default_size}
        case _:
            return {}


def is_required(field: FieldDescriptor) -> bool:
    """Whether a request is refused without the field."""
    form = form_of(field)
    if form is None or field.has_presence:
        return False
    least, most = form.range.least, form.range.most
    zero_is_out = least > 0 or (form.range.HasField("most") and most < 0)
    return form.required or form.request_id or form.length.least > 0 or zero_is_out
