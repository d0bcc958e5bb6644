"""The contract and what is generated from it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from croupier.v1 import access_service_pb2, annotations_pb2
from croupier.v1.annotations_pb2 import Caller, Form, Range
from google.api import annotations_pb2 as http_pb2
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from service.api.contract import FILES, method_name, methods
from service.calls.errors import code_of
from service.rest.generator import __main__ as generate
from service.rest.generator import protoc_plugin
from service.rest.router import ROUTES
from service.rules.reasons import Reason

PROTO = Path(__file__).parents[2] / "proto" / "croupier" / "v1"


MARKS = {"reasons: made from the code, never edited", "end of reasons"}
"""Comments for the generator, not for readers."""


def comments(text: str) -> list[str]:
    """The comments of a proto file, each with its lines joined."""
    blocks = re.findall(r"(?:^ *//.*\n)+", text, re.MULTILINE)
    return [" ".join(re.sub(r"^ *//", "", block, flags=re.MULTILINE).split()) for block in blocks]


def test_the_documented_refusals_are_reasons_and_codes() -> None:
    """Upper-case words of the services' comments: codes, reasons, or names of the contract."""
    names = {reason.name for reason in Reason} | {code_of(reason).name for reason in Reason}
    for path in PROTO.glob("*_service.proto"):
        for comment in comments(path.read_text()):
            for sentence in re.findall(r"[Rr]efused with .*", comment):
                words = set(re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b", sentence))
                assert words <= names | {"ROUND-HAND-MOVE"}, path.name


def test_the_index_lists_every_file_with_services() -> None:
    listed = {Path(file.name).name for file in FILES}
    assert listed == {
        path.name for path in PROTO.glob("*.proto") if "\nservice " in path.read_text()
    }


def test_every_rpc_has_a_route() -> None:
    assert {rpc for _, _, rpc, _, _, _ in ROUTES} == {method_name(rpc) for rpc in methods()}
    assert len(ROUTES) == len({(method, path) for method, path, _, _, _, _ in ROUTES})


def test_every_call_that_changes_a_table_has_a_request_id() -> None:
    for method, path, _, request, _, _ in ROUTES:
        changes = method == "POST" and not path.endswith(":verify")
        if changes and path.startswith("/v1/tables"):
            assert "request_id" in request.DESCRIPTOR.fields_by_name, path


def test_the_document_holds_every_comment() -> None:
    document = yaml.load((PROTO / "openapi.yaml").read_text(), yaml.CSafeLoader)
    texts: list[str] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)
        else:
            texts.append(" ".join(str(value).split()))

    collect(document)
    whole = "\n".join(texts)
    for path in PROTO.glob("*.proto"):
        if path.name == "annotations.proto":  # what it says stands where it is used
            continue
        for comment in comments(path.read_text()):
            if comment not in MARKS:
                assert comment in whole, f"{path.name}: {comment}"


def test_what_is_generated_is_up_to_date() -> None:
    assert generate.out_of_date() == []


def source() -> FileDescriptorProto:
    """The access service as the plugin gets it, with a comment on everything."""
    file = FileDescriptorProto()
    access_service_pb2.DESCRIPTOR.CopyToProto(file)
    paths = [[12], [4, 0], [4, 1], [6, 0], [6, 0, 2, 0]]
    paths += [[4, 1, 2, index] for index in range(3)]
    for path in paths:
        file.source_code_info.location.add(path=path, leading_comments="A comment.")
    return file


def run(file: FileDescriptorProto) -> Any:
    request = CodeGeneratorRequest(file_to_generate=[file.name])
    seen = set()

    def add(descriptor: Any) -> None:
        for imported in descriptor.dependencies:
            add(imported)
            if imported.name not in seen:
                seen.add(imported.name)
                imported.CopyToProto(request.proto_file.add())

    add(access_service_pb2.DESCRIPTOR)
    request.proto_file.add().CopyFrom(file)
    return protoc_plugin.generate(request)


def test_the_plugin_writes_routes_and_documents() -> None:
    response = run(source())
    assert response.error == ""
    names = [Path(file.name).name for file in response.file]
    assert names == [
        "access_service_rest.py",
        "contract_index.py",
        "openapi.yaml",
        "openapi.json",
    ]


def rule(file: FileDescriptorProto) -> Any:
    return file.service[0].method[0].options.Extensions[http_pb2.http]


def with_path(file: FileDescriptorProto, path: str) -> None:
    rule(file).post = path


def with_field(file: FileDescriptorProto, kind: "FieldDescriptorProto.Type.ValueType") -> None:
    file.message_type[0].field.add(name="x", number=1, type=kind, label=1, json_name="x")
    file.source_code_info.location.add(path=[4, 0, 2, 0], leading_comments="A field.")


def callers(file: FileDescriptorProto) -> Any:
    return file.service[0].method[0].options.Extensions[annotations_pb2.access].callers


def with_form(file: FileDescriptorProto, form: Form, message: int = 0) -> None:
    if not message:
        with_field(file, FieldDescriptorProto.TYPE_STRING)
    file.message_type[message].field[0].options.Extensions[annotations_pb2.form].CopyFrom(form)


def with_an_id(file: FileDescriptorProto) -> None:
    with_field(file, FieldDescriptorProto.TYPE_STRING)
    file.message_type[0].field[0].name = "table_id"


def with_repeated_path_field(file: FileDescriptorProto) -> None:
    with_field(file, FieldDescriptorProto.TYPE_STRING)
    file.message_type[0].field[0].label = FieldDescriptorProto.LABEL_REPEATED
    with_path(file, "/v1/guestTokens/{x}")


UNSUPPORTED: dict[str, Callable[[FileDescriptorProto], object]] = {
    "a stream": lambda file: setattr(file.service[0].method[0], "server_streaming", True),
    "no annotation": lambda file: file.service[0].method[0].ClearField("options"),
    "a second binding": lambda file: rule(file).additional_bindings.add(post="/v1/x", body="*"),
    "a part as the response": lambda file: setattr(rule(file), "response_body", "token"),
    "a part as the body": lambda file: setattr(rule(file), "body", "x"),
    "POST without a body": lambda file: setattr(rule(file), "body", ""),
    "GET with a body": lambda file: setattr(rule(file), "get", "/v1/x"),
    "PUT": lambda file: setattr(rule(file), "put", "/v1/x"),
    "a custom method": lambda file: rule(file).custom.CopyFrom(
        type(rule(file).custom)(kind="HEAD", path="/v1/x")
    ),
    "a wildcard": lambda file: with_path(file, "/v1/*"),
    "a wildcard to the end": lambda file: with_path(file, "/v1/**"),
    "a pattern in a variable": lambda file: with_path(file, "/v1/{x=tables/*}"),
    "a part of a field in the path": lambda file: with_path(file, "/v1/{x.y}"),
    "an unknown field in the path": lambda file: with_path(file, "/v1/{nothing}"),
    "a list in the path": with_repeated_path_field,
    "bytes": lambda file: with_field(file, FieldDescriptorProto.TYPE_BYTES),
    "a float": lambda file: with_field(file, FieldDescriptorProto.TYPE_DOUBLE),
    "an unsigned integer": lambda file: with_field(file, FieldDescriptorProto.TYPE_UINT64),
    "nobody who may call": lambda file: callers(file).clear(),
    "a caller of no kind": lambda file: callers(file).__setitem__(0, Caller.CALLER_UNSPECIFIED),
    "anybody, and players": lambda file: callers(file).append(Caller.CALLER_PLAYER),
    "an id of any form": with_an_id,
    "a form that does not fit": lambda file: with_form(file, Form(range=Range(least=1))),
    "a form in a response": lambda file: with_form(file, Form(plain_id=True), 1),
    "no comment": lambda file: file.ClearField("source_code_info"),
}


@pytest.mark.parametrize("construct", UNSUPPORTED)
def test_generation_fails_on_what_is_not_implemented(construct: str) -> None:
    file = source()
    UNSUPPORTED[construct](file)
    response = run(file)
    assert response.error
    assert not response.file
