"""What the contract says of itself, read from its descriptors: `annotations.proto` says it."""

from croupier.v1 import annotations_pb2
from croupier.v1.annotations_pb2 import Caller, Form
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from service.calls.access import Role
from service.errors import Mendable

_ROLES = {Caller.Value(f"CALLER_{role.name}"): role for role in Role}


class BadAnnotation(Mendable):
    """The contract says of itself what can't be, or does not say what it must."""


def callers_of(method: MethodDescriptor) -> tuple[Role, ...] | None:
    """Who may call a method; None: anybody, without a token. Raises BadAnnotation."""
    callers = set(method.GetOptions().Extensions[annotations_pb2.access].callers)
    if callers == {Caller.CALLER_ANYBODY}:
        return None
    if not callers or not callers <= _ROLES.keys():
        raise BadAnnotation(f"{method.full_name}: its `access` must say who may call it")
    return tuple(_ROLES[caller] for caller in sorted(callers))


def form_of(field: FieldDescriptor) -> Form | None:
    """What a field may hold; None: whatever its type has."""
    options = field.GetOptions()
    if not options.HasExtension(annotations_pb2.form):
        return None
    form: Form = options.Extensions[annotations_pb2.form]
    return form
