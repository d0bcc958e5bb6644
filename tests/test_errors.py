"""The family of errors: the picture in its file is the code, and nobody stands outside."""

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import db
import service
from service import errors
from service.errors import CroupierError

ENTRIES = {"service.rest.generator.__main__", "db.migrations.env"}
"""Modules that do something when they are imported."""


def classes() -> dict[str, type[BaseException]]:
    """Every exception class that the program defines, by name."""
    found: dict[str, type[BaseException]] = {}
    for package in (service, db):
        for module in modules(package):
            for one in vars(module).values():
                own = isinstance(one, type) and one.__module__ == module.__name__
                if own and issubclass(one, BaseException):
                    found[one.__name__] = one
    return found


def modules(package: ModuleType) -> list[ModuleType]:
    return [
        importlib.import_module(one.name)
        for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if one.name not in ENTRIES and ".versions." not in one.name
    ]


def picture() -> dict[str, str]:
    """The parent of every class, as drawn."""
    parents: dict[str, str] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        drawn = re.match(r"    ((?:[│ ]   )*)(?:[├└]── )?(\w+)(?:  |$)", line)
        if not drawn:
            continue
        depth = len(drawn[1]) // 4 + ("── " in line)
        above[depth] = drawn[2]
        if depth:
            parents[drawn[2]] = above[depth - 1]
    return parents


def test_the_picture_is_the_code() -> None:
    drawn = picture()
    assert drawn == {
        name: kind.__base__.__name__ if kind.__base__ else ""
        for name, kind in classes().items()
        if kind is not CroupierError
    }


def test_everything_that_is_raised_on_purpose_is_of_the_family() -> None:
    strangers = [name for name, kind in classes().items() if not issubclass(kind, CroupierError)]
    assert strangers == []


@pytest.mark.parametrize("base", [ValueError, OSError, RuntimeError, LookupError])
def test_nobody_of_the_family_reads_as_a_fault_of_the_program(base: type[Exception]) -> None:
    assert not [name for name, kind in classes().items() if issubclass(kind, base)]
