"""The YAML files of a simulation, checked against the form that their reader asks for."""

from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from service.audit.hands.marked_yaml import Unreadable, compose
from service.errors import Mendable, using

T = TypeVar("T")


def read_sections(path: Path, wrong: type[Mendable]) -> dict[str, Any]:
    """The sections of a file by name, with every value as text.

    Raises FileTrouble if the file can't be read, `wrong` if it is not YAML or has no sections.
    """
    with using(path):
        data = path.read_bytes()
    try:
        root = compose(data)
    except Unreadable as error:
        raise wrong(f"{path}: {error}") from error
    try:
        sections = yaml.BaseLoader("").construct_document(root)
    except yaml.MarkedYAMLError as error:
        raise wrong(f"{path}: this is not YAML: {error.problem}") from error
    try:
        return msgspec.convert(sections, dict[str, Any])
    except msgspec.ValidationError as error:
        raise wrong(f"{path}: {error}") from error


def section(within: dict[str, Any], name: str, kind: type[T], wrong: type[Mendable]) -> T:
    """A section as a value of `kind`; raises `wrong` if it is missing or has another form."""
    if name not in within:
        raise wrong(f"there is no {name}")
    try:
        return msgspec.convert(within[name], kind, strict=False)
    except msgspec.ValidationError as error:
        raise wrong(f"{name}: {error}") from error
