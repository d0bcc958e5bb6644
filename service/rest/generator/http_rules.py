"""Which HTTP call reaches which RPC, read from the `google.api.http` annotations.

The REST door serves a part of what the annotations can say: GET without a body, POST with the whole
message as the body, one binding for each RPC, unary calls, and streams of responses to a GET. In
messages it reads and writes strings, booleans, 32- and 64-bit integers, enums, timestamps, messages
and lists of them; in paths and queries strings, integers and enums, in queries timestamps. A stream
whose responses are a `content_type` and bytes `data`, and nothing else, is a download: a file in
pieces (the fields are those of `google.api.HttpBody`). Anything else raises `Unsupported`, so that
generation fails and nothing is served half. So does an RPC that does not say who may call it, and a
field whose form does not fit it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

# Has to be imported before options are parsed, or the annotation stays unknown bytes.
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor, MethodDescriptor

from service.api.annotations import callers_of, form_of
from service.api.forms import request_check
from service.calls.access import Role
from service.errors import Mendable
from service.rest import path_template
from service.rest.path_template import PathTemplate
from service.rest.wire_types import TIMESTAMP, is_download, is_timestamp

SCALARS = frozenset(
    {
        FieldDescriptor.TYPE_STRING,
        FieldDescriptor.TYPE_BOOL,
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_ENUM,
    }
)
# What a path segment or a query parameter may carry.
TEXT_FIELDS = SCALARS - {FieldDescriptor.TYPE_BOOL}
# How fields are named that must not be without a form: what they hold goes to the database.
_NAMES_WITH_FORMS = ("_id", "page_size")


class Unsupported(Mendable):
    """The contract uses a construct that the REST door does not implement."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One RPC, the HTTP call that reaches it, and who may make it (None: anybody)."""

    http_method: str
    path: str
    template: PathTemplate
    rpc: MethodDescriptor
    callers: tuple[Role, ...] | None

    @property
    def full_name(self) -> str:
        """The RPC as gRPC calls it: `/croupier.v1.TableService/Act`."""
        return f"/{self.rpc.containing_service.full_name}/{self.rpc.name}"

    @property
    def query_fields(self) -> list[FieldDescriptor]:
        """The fields that a GET takes as query parameters."""
        if self.http_method != "GET":
            return []
        bound = self.template.variables
        return [field for field in self.rpc.input_type.fields if field.name not in bound]


def rules_of(file: FileDescriptor) -> list[Rule]:
    """The rules of all services of a file, in its order; raises `Unsupported`."""
    return [_rule(rpc) for service in file.services_by_name.values() for rpc in service.methods]


def messages_under(message: Descriptor) -> Iterator[Descriptor]:
    """A message and all that its fields lead to, each once."""
    seen: dict[str, Descriptor] = {}
    waiting = [message]
    while waiting:
        found = waiting.pop()
        if found.full_name in seen:
            continue
        seen[found.full_name] = found
        waiting += [field.message_type for field in found.fields if field.message_type is not None]
    yield from seen.values()


def _rule(rpc: MethodDescriptor) -> Rule:
    if rpc.client_streaming:
        raise Unsupported(f"{rpc.full_name}: streams of requests are not served over REST")
    options = rpc.GetOptions()
    if not options.HasExtension(annotations_pb2.http):
        raise Unsupported(f"{rpc.full_name}: there is no google.api.http annotation")
    http = options.Extensions[annotations_pb2.http]
    if http.additional_bindings:
        raise Unsupported(f"{rpc.full_name}: additional_bindings")
    if http.response_body:
        raise Unsupported(f"{rpc.full_name}: response_body")
    pattern = http.WhichOneof("pattern")
    body = {"get": "", "post": "*"}.get(pattern or "")
    if pattern is None or body is None:
        raise Unsupported(f"{rpc.full_name}: the HTTP method {pattern}")
    if http.body != body:
        raise Unsupported(f"{rpc.full_name}: {pattern} with the body {http.body!r}")
    path = http.get or http.post
    try:
        template = path_template.parse(path)
    except ValueError as error:
        raise Unsupported(f"{rpc.full_name}: {error}") from error
    if rpc.server_streaming and pattern != "get":
        raise Unsupported(f"{rpc.full_name}: a stream that is no GET")
    rule = Rule(pattern.upper(), path, template, rpc, callers_of(rpc))
    _check_types(rule)
    _check_forms(rpc)
    return rule


def _check_types(rule: Rule) -> None:
    request, response = rule.rpc.input_type, rule.rpc.output_type
    for message in (request, response):
        if message.file.name != rule.rpc.containing_service.file.name:
            raise Unsupported(f"{rule.rpc.full_name}: {message.full_name} is of another file")
    for name in rule.template.variables:
        if name not in request.fields_by_name:
            raise Unsupported(f"{rule.rpc.full_name}: the path names no field {name!r}")
    text_fields = [request.fields_by_name[name] for name in rule.template.variables]
    for field in text_fields + [one for one in rule.query_fields if not is_timestamp(one)]:
        if field.is_repeated or field.type not in TEXT_FIELDS:
            raise Unsupported(f"{field.full_name}: its type in a path or query")
    if rule.rpc.server_streaming and is_download(response):
        response_messages: list[Descriptor] = []
    else:
        response_messages = list(messages_under(response))
    for message in [*messages_under(request), *response_messages]:
        _check_fields(message)


def _check_forms(rpc: MethodDescriptor) -> None:
    request_check(rpc.input_type)
    for field in rpc.input_type.fields:
        if field.name.endswith(_NAMES_WITH_FORMS) and form_of(field) is None:
            raise Unsupported(f"{field.full_name}: such a field needs a form")
    asked = list(messages_under(rpc.input_type))
    for message in messages_under(rpc.output_type):
        for field in message.fields:
            if message not in asked and form_of(field) is not None:
                raise Unsupported(f"{field.full_name}: a form, and nobody sends it")


def _check_fields(message: Descriptor) -> None:
    if message.full_name == TIMESTAMP:
        return
    if message.file.package.startswith("google."):
        raise Unsupported(f"{message.full_name}: its JSON form")
    for field in message.fields:
        if field.containing_oneof is not None and not _is_optional(field):
            raise Unsupported(f"{field.full_name}: oneof")
        if field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                raise Unsupported(f"{field.full_name}: map")
        elif field.type not in SCALARS:
            raise Unsupported(f"{field.full_name}: its type")


def _is_optional(field: FieldDescriptor) -> bool:
    """Whether the oneof around a field is only how `optional` is written down."""
    return field.containing_oneof is not None and field.containing_oneof.name == f"_{field.name}"
