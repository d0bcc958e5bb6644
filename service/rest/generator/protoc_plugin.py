"""A protoc plugin: writes the routes of the REST door and its OpenAPI document.

For each file with services `NAME_rest.py` holds the route table (data; the runtime serves it),
`contract_index.py` lists what is generated for all of them, and `openapi.yaml` and `openapi.json`
describe them. It fails on every construct that the runtime does not implement, and on everything
without a comment.
"""

import json
import sys
from pathlib import PurePosixPath
from typing import Any

import yaml
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pool import DescriptorPool

from service.api.annotations import BadAnnotation
from service.rest.generator import openapi
from service.rest.generator.http_rules import Rule, Unsupported, rules_of
from service.rest.generator.proto_comments import comments_of


def main() -> None:
    """Answer protoc: a request on standard input, the files on standard output."""
    request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    sys.stdout.buffer.write(generate(request).SerializeToString())


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """The files for a request, or the error for a construct that is not served."""
    response = CodeGeneratorResponse(
        supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    try:
        for name, content in _contents(request).items():
            response.file.add(name=name, content=content)
    except (Unsupported, BadAnnotation, ValueError) as error:
        response.error = str(error)
    return response


def _contents(request: CodeGeneratorRequest) -> dict[str, str]:
    pool = DescriptorPool()
    comments: dict[str, str] = {}
    for proto in request.proto_file:
        pool.AddSerializedFile(proto.SerializeToString())
        if proto.name in request.file_to_generate:
            comments |= comments_of(proto)
    files = [pool.FindFileByName(name) for name in request.file_to_generate]
    contents = {}
    rules: list[Rule] = []
    served: list[FileDescriptor] = []
    for file in files:
        if own := rules_of(file):
            contents[f"{file.name.removesuffix('.proto')}_rest.py"] = _routes(file, own)
            rules += own
            served.append(file)
    folder = PurePosixPath(files[0].name).parent
    contents[str(folder / "contract_index.py")] = _index(served)
    described = [file for file in files if not file.extensions_by_name]
    document = openapi.document(described, rules, comments)
    contents[str(folder / "openapi.yaml")] = _yaml(document)
    contents[str(folder / "openapi.json")] = json.dumps(document, ensure_ascii=False)
    return contents


def _routes(file: FileDescriptor, rules: list[Rule]) -> str:
    path = PurePosixPath(file.name)
    package = ".".join(path.parent.parts)
    lines = [
        f'"""The REST routes of {path.name}: generated from it, never edited.',
        "",
        "HTTP method, path, RPC, request, response, whether it is a stream of them; a POST has the",
        "request as its body.",
        '"""',
        "",
        f"from {package} import {path.stem}_pb2 as messages",
        "",
        "ROUTES = (",
    ]
    for rule in rules:
        lines += [
            "    (",
            f'        "{rule.http_method}",',
            f'        "{rule.path}",',
            f'        "{rule.full_name}",',
            f"        messages.{rule.rpc.input_type.name},",
            f"        messages.{rule.rpc.output_type.name},",
            f"        {rule.rpc.server_streaming},",
            "    ),",
        ]
    return "\n".join([*lines, ")", ""])


def _index(files: list[FileDescriptor]) -> str:
    paths = [PurePosixPath(file.name) for file in files]
    package = ".".join(paths[0].parent.parts)
    lines = [
        '"""What is generated from the files with services: generated from them, never edited."""',
        "",
        f"from {package} import (",
        *(f"    {path.stem}_{kind}," for path in paths for kind in ("pb2", "rest")),
        ")",
        "",
        "FILES = (",
        *(f"    {path.stem}_pb2.DESCRIPTOR," for path in paths),
        ")",
        "",
        "ROUTES = (",
        *(f"    *{path.stem}_rest.ROUTES," for path in paths),
        ")",
    ]
    return "\n".join([*lines, ""])


class _Dumper(yaml.SafeDumper):
    """Writes text of several lines as a block, and no anchors."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the name is the library's
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _yaml(document: openapi.Schema) -> str:
    head = "# Generated from the proto files beside it, never edited.\n"
    return head + yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, width=100, allow_unicode=True
    )


if __name__ == "__main__":
    main()
