"""The comments of a proto file, by the full name of what they describe.

The plugin demands one for everything, so that the OpenAPI document explains every part.
"""

from collections.abc import Iterator

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorProto

# Field numbers of descriptor.proto: the steps of the paths in SourceCodeInfo.
_MESSAGE, _ENUM, _SERVICE, _EXTENSION, _SYNTAX = 4, 5, 6, 7, 12
_FIELD, _NESTED, _NESTED_ENUM, _VALUE, _METHOD = 2, 3, 4, 2, 2

Path = tuple[int, ...]


def comments_of(file: FileDescriptorProto) -> dict[str, str]:
    """Full name → comment; the comment at the head of the file stands under the file's name.

    Raises ValueError for anything without a comment.
    """
    written = {
        tuple(location.path): _paragraphs(location.leading_comments)
        for location in file.source_code_info.location
    }
    found = {}
    for path, name in _names(file):
        text = written.get(path, "")
        if not text:
            raise ValueError(f"{file.name}: {name} has no comment")
        found[name] = text
    return found


def _paragraphs(comment: str) -> str:
    """Lines joined to paragraphs, which a blank line parts."""
    blocks = "\n".join(line.strip() for line in comment.strip().splitlines()).split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks)


def _names(file: FileDescriptorProto) -> Iterator[tuple[Path, str]]:
    yield (_SYNTAX,), file.name
    for index, message in enumerate(file.message_type):
        yield from _in_message((_MESSAGE, index), f"{file.package}.{message.name}", message)
    for index, enum in enumerate(file.enum_type):
        yield from _in_enum((_ENUM, index), f"{file.package}.{enum.name}", enum)
    for index, extension in enumerate(file.extension):
        yield (_EXTENSION, index), f"{file.package}.{extension.name}"
    for index, service in enumerate(file.service):
        name = f"{file.package}.{service.name}"
        yield (_SERVICE, index), name
        for place, method in enumerate(service.method):
            yield (_SERVICE, index, _METHOD, place), f"{name}.{method.name}"


def _in_message(path: Path, name: str, message: DescriptorProto) -> Iterator[tuple[Path, str]]:
    yield path, name
    for index, field in enumerate(message.field):
        yield (*path, _FIELD, index), f"{name}.{field.name}"
    for index, nested in enumerate(message.nested_type):
        yield from _in_message((*path, _NESTED, index), f"{name}.{nested.name}", nested)
    for index, enum in enumerate(message.enum_type):
        yield from _in_enum((*path, _NESTED_ENUM, index), f"{name}.{enum.name}", enum)


def _in_enum(path: Path, name: str, enum: EnumDescriptorProto) -> Iterator[tuple[Path, str]]:
    yield path, name
    for index, value in enumerate(enum.value):
        yield (*path, _VALUE, index), f"{name}.{value.name}"
