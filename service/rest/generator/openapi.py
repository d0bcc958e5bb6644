"""The OpenAPI 3.1 document of the REST door, from the contract and its comments."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from google.protobuf.descriptor import (
    Descriptor,
    EnumDescriptor,
    FieldDescriptor,
    FileDescriptor,
    MethodDescriptor,
)

from service.rest.generator.form_schemas import form_schema, is_required
from service.rest.generator.http_rules import Rule, messages_under
from service.rest.wire_types import is_download, is_timestamp

Schema = dict[str, Any]

_INTEGER = {"type": ["string", "integer"], "format": "int64", "pattern": "^-?[0-9]+$"}
_WRITTEN_INTEGER = {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"}


def document(files: list[FileDescriptor], rules: list[Rule], comments: dict[str, str]) -> Schema:
    """The whole document: paths in the order of the contract, schemas by name."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier",
            "version": version("croupier"),
            "description": "\n\n".join(comments[file.name] for file in files),
        },
        "security": [{"bearer": []}],
        "tags": [
            {"name": service.name, "description": comments[service.full_name]}
            for file in files
            for service in file.services_by_name.values()
        ],
        "paths": _paths(rules, comments),
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An operator's API key or a player's token.",
                }
            },
            "schemas": _schemas(files, rules, comments),
        },
    }


def _paths(rules: list[Rule], comments: dict[str, str]) -> Schema:
    paths: Schema = {}
    for rule in rules:
        paths.setdefault(rule.path, {})[rule.http_method.lower()] = _operation(rule, comments)
    return paths


def _operation(rule: Rule, comments: dict[str, str]) -> Schema:
    rpc = rule.rpc
    text = comments[rpc.full_name]
    operation: Schema = {
        "operationId": f"{rpc.containing_service.name}_{rpc.name}",
        "tags": [rpc.containing_service.name],
        "summary": text.split(". ")[0].split("\n")[0].rstrip("."),
        "description": text,
    }
    if rule.callers is None:
        operation["security"] = []
    operation["x-callers"] = [role.value for role in rule.callers or ()] or ["anybody"]
    if parameters := _parameters(rule, comments):
        operation["parameters"] = parameters
    if rule.http_method == "POST":
        operation["requestBody"] = {
            "required": bool(rpc.input_type.fields),
            "content": {"application/json": {"schema": _reference(rpc.input_type)}},
        }
    operation["responses"] = {
        "200": {
            "description": comments[rpc.output_type.full_name],
            "content": _content(rpc),
        },
        "default": {
            "description": "Refused, or failed.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}},
        },
    }
    return operation


def _content(rpc: MethodDescriptor) -> Schema:
    """How an RPC answers; what a download is made of is said by its request."""
    if rpc.server_streaming and is_download(rpc.output_type):
        return {"*/*": {"schema": {"type": "string", "format": "binary"}}}
    media_type = "text/event-stream" if rpc.server_streaming else "application/json"
    return {media_type: {"schema": _reference(rpc.output_type)}}


def _parameters(rule: Rule, comments: dict[str, str]) -> list[Schema]:
    fields = rule.rpc.input_type.fields_by_name
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": comments[fields[name].full_name],
            "schema": _text_schema(fields[name]),
        }
        for name in rule.template.variables
    ]
    parameters += [
        {
            "name": field.json_name,
            "in": "query",
            **({"required": True} if is_required(field) else {}),
            "description": comments[field.full_name],
            "schema": _text_schema(field),
        }
        for field in rule.query_fields
    ]
    if rule.rpc.server_streaming and not is_download(rule.rpc.output_type):
        parameters.append(
            {
                "name": "Last-Event-ID",
                "in": "header",
                "description": "The version to resume after, in place of `afterVersion`.",
                "schema": {"type": "string"},
            }
        )
    if "table_id" in fields:
        parameters.append(
            {
                "name": "Croupier-Join-Code",
                "in": "header",
                "description": "The join code of a private table, for who does not play there.",
                "schema": {"type": "string"},
            }
        )
    if rule.http_method == "POST" and "request_id" in fields:
        parameters.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "The `requestId`, in place of the field of the body. If both are "
                "given they must be equal.",
                "schema": _text_schema(fields["request_id"]),
            }
        )
    return parameters


def _text_schema(field: FieldDescriptor) -> Schema:
    if is_timestamp(field):
        return {"type": "string", "format": "date-time"}
    if field.enum_type is not None:
        return _reference(field.enum_type)
    if field.type == FieldDescriptor.TYPE_STRING:
        return {"type": "string"} | form_schema(field)
    form = "int32" if field.type == FieldDescriptor.TYPE_INT32 else "int64"
    return {"type": "integer", "format": form} | form_schema(field)


def _schemas(files: list[FileDescriptor], rules: list[Rule], comments: dict[str, str]) -> Schema:
    read = _names(rule.rpc.input_type for rule in rules)
    bodies = {rule.rpc.input_type.full_name: rule for rule in rules if rule.http_method == "POST"}
    schemas: Schema = {}
    for file in files:
        for message in file.message_types_by_name.values():
            schema = _message(message, comments, read=message.full_name in read)
            if message.full_name in bodies:
                schema |= _required(_needed(bodies[message.full_name]))
            schemas[message.name] = schema
        for enum in file.enum_types_by_name.values():
            schemas[enum.name] = _enum(enum, comments)
    schemas["Status"] = _STATUS
    return dict(sorted(schemas.items()))


def _needed(rule: Rule) -> list[FieldDescriptor]:
    """What a body can't do without: the path and the header have the rest."""
    elsewhere = {*rule.template.variables, "request_id"}
    return [
        field
        for field in rule.rpc.input_type.fields
        if is_required(field) and field.name not in elsewhere
    ]


def _required(fields: list[FieldDescriptor]) -> Schema:
    """That these fields are given, each under one of its names."""
    schema: Schema = {}
    if alike := [field.name for field in fields if field.name == field.json_name]:
        schema["required"] = alike
    if apart := [field for field in fields if field.name != field.json_name]:
        schema["allOf"] = [
            {"oneOf": [{"required": [field.json_name]}, {"required": [field.name]}]}
            for field in apart
        ]
    return schema


def _names(messages: Iterable[Descriptor]) -> set[str]:
    return {found.full_name for message in messages for found in messages_under(message)}


def _message(message: Descriptor, comments: dict[str, str], *, read: bool) -> Schema:
    schema: Schema = {"type": "object", "description": comments[message.full_name]}
    if not message.fields:
        return schema | {"additionalProperties": False}
    schema["properties"] = {
        field.json_name: _described(_field(field, read=read), comments[field.full_name])
        for field in message.fields
    }
    if read:
        # The other spelling, as in the proto file, is read too. It stands where pages and
        # generators of clients don't look, so that they show each field once.
        apart = [field for field in message.fields if field.name != field.json_name]
        if apart:
            schema["patternProperties"] = {
                f"^{field.name}$": _field(field, read=True) for field in apart
            }
        schema["additionalProperties"] = False
    elif always := [field.json_name for field in message.fields if not field.has_presence]:
        schema["required"] = always
    return schema


def _described(schema: Schema, comment: str) -> Schema:
    return {"description": comment} | schema


def _field(field: FieldDescriptor, *, read: bool) -> Schema:
    schema = _value(field, read=read)
    return {"type": "array", "items": schema} if field.is_repeated else schema


def _value(field: FieldDescriptor, *, read: bool) -> Schema:
    if is_timestamp(field):
        return {"type": "string", "format": "date-time"}
    if field.message_type is not None:
        return _reference(field.message_type)
    if field.enum_type is not None:
        return _reference(field.enum_type)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return {"type": "boolean"}
    if field.type == FieldDescriptor.TYPE_INT32:
        return {"type": "integer", "format": "int32"} | form_schema(field)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "format": "byte"}
    if field.type == FieldDescriptor.TYPE_INT64:
        return dict(_INTEGER if read else _WRITTEN_INTEGER) | form_schema(field)
    return {"type": "string"} | form_schema(field)


def _reference(described: Descriptor | EnumDescriptor) -> Schema:
    return {"$ref": f"#/components/schemas/{described.name}"}


def _enum(enum: EnumDescriptor, comments: dict[str, str]) -> Schema:
    names = [value.name for value in enum.values]
    lines = [f"- `{name}`: {comments[f'{enum.full_name}.{name}']}" for name in names]
    return {
        "type": "string",
        "description": "\n\n".join([comments[enum.full_name], "\n".join(lines)]),
        "enum": names,
    }


_STATUS: Schema = {
    "type": "object",
    "description": "Why a call did not succeed: `google.rpc.Status`.",
    "required": ["code", "message", "details"],
    "properties": {
        "code": {
            "description": "The gRPC code (`google.rpc.Code`).",
            "type": "integer",
            "format": "int32",
        },
        "message": {"description": "One sentence for people.", "type": "string"},
        "details": {
            "description": "One `google.rpc.ErrorInfo`.",
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "@type": {"const": "type.googleapis.com/google.rpc.ErrorInfo"},
                    "reason": {
                        "$ref": "#/components/schemas/Reason",
                    },
                    "domain": {"const": "croupier"},
                    "metadata": {
                        "description": "What helps to do better: limits, stack, legal actions.",
                        "type": "object",
                        "additionalProperties": {"type": "string"},
                    },
                },
            },
        },
    },
}
