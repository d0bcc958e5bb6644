"""YAML in which every value knows its line, so that errors name the line.

Scalars stay text, as written: the reader of a field decides what `7.5`, `nan` or `yes` means, and
no float is ever created.
"""

from collections.abc import Sequence

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from service.errors import Mendable


class Unreadable(Mendable):
    """A file that can't be read: the line (from 1, or 0 for the whole file), and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line
        self.why = why


def compose(data: bytes) -> Node:
    """The root of a document; raises Unreadable if the data is not YAML, or not exactly one
    document."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8") from error
    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise Unreadable(line, f"this is not YAML: {error.problem}") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise Unreadable(line, f"this is not YAML: {error.reason}") from error
    except RecursionError:
        raise Unreadable(0, "lists or mappings are nested too deeply") from None
    if root is None:
        raise Unreadable(0, "the file is empty")
    return root


def line_of(node: Node) -> int:
    """The line on which a value begins, from 1."""
    return int(node.start_mark.line) + 1


def items(node: Node, what: str) -> list[Node]:
    """The entries of a list; `what` names it in the error."""
    if not isinstance(node, SequenceNode):
        raise Unreadable(line_of(node), f"{what}: a list is needed here")
    return list(node.value)


def entries(node: Node, what: str) -> dict[str, Node]:
    """The values of a mapping by key; a duplicate key is an error."""
    if not isinstance(node, MappingNode):
        raise Unreadable(line_of(node), f"{what}: keys and values are needed here")
    found: dict[str, Node] = {}
    for key_node, value in node.value:
        key = text(key_node, f"a key of {what}")
        if key in found:
            raise Unreadable(line_of(key_node), f"{what}: {key!r} is here twice")
        found[key] = value
    return found


def fields(
    node: Node, what: str, required: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Node]:
    """The values of a mapping that has all the required keys, and no others but optional ones."""
    found = entries(node, what)
    known = (*required, *optional)
    for key, value in found.items():
        if key not in known:
            raise Unreadable(
                line_of(value), f"{what}: unknown key {key!r}; known keys: {', '.join(known)}"
            )
    for key in required:
        if key not in found:
            raise Unreadable(line_of(node), f"{what}: {key!r} is missing")
    return found


def text(node: Node, what: str) -> str:
    """A scalar, as written."""
    if not isinstance(node, ScalarNode):
        raise Unreadable(line_of(node), f"{what}: one value is needed here")
    return str(node.value)


def one_of(node: Node, what: str, allowed: Sequence[str]) -> str:
    """A scalar that is one of these words."""
    word = text(node, what)
    if word not in allowed:
        raise Unreadable(line_of(node), f"{what}: {word!r} is not among {', '.join(allowed)}")
    return word


def truth(node: Node, what: str) -> bool:
    """`true` or `false`."""
    return one_of(node, what, ("true", "false")) == "true"


def number(node: Node, what: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    written = text(node, what)
    digits = written.isascii() and written.isdigit() and len(written) <= len(str(most))
    if not digits or not least <= int(written) <= most:
        raise Unreadable(
            line_of(node), f"{what}: {written!r} is not a whole number from {least} to {most}"
        )
    return int(written)
