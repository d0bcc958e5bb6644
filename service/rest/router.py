"""From an HTTP method and a path to the route that serves it.

The routes are data that is generated from the contract; here they are indexed once. A custom verb
is what stands behind the last colon of a path, if any route has it: `/v1/tables/t-1:act`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from croupier.v1 import contract_index
from google.protobuf.message import Message

from service.errors import NotAllowed
from service.rest import path_template
from service.rest.path_template import PathTemplate
from service.rest.wire_types import is_download

# HTTP method, path, RPC, request, response, stream: as the generated files have them.
Row = tuple[str, str, str, type[Message], type[Message], bool]

ROUTES: tuple[Row, ...] = contract_index.ROUTES


@dataclass(frozen=True, slots=True)
class Route:
    """One RPC behind one path."""

    http_method: str
    template: PathTemplate
    rpc: str
    request: type[Message]
    stream: bool
    download: bool


class NoSuchPath(NotAllowed):
    """Nothing is served under a path. `allowed` names the methods that are, if it is only that."""

    def __init__(self, path: str, allowed: Iterable[str]) -> None:
        self.allowed = sorted(allowed)
        super().__init__(
            f"this path takes {', '.join(self.allowed)}"
            if self.allowed
            else f"nothing is served under {path}"
        )


class Router:
    """Finds routes; the paths that differ in a variable only are told apart by their length."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._routes: dict[tuple[str, int], list[Route]] = {}
        for http_method, path, rpc, request, response, stream in rows:
            template = path_template.parse(path)
            key = (template.verb, len(template.segments))
            descriptor: Any = response.DESCRIPTOR
            download = stream and is_download(descriptor)
            route = Route(http_method, template, rpc, request, stream, download)
            self._routes.setdefault(key, []).append(route)
        self._verbs = {verb for verb, _ in self._routes if verb}

    def match(self, http_method: str, path: str) -> tuple[Route, dict[str, str]]:
        """The route and the variables (still escaped) of a path; raises `NoSuchPath`.

        Slashes at the end do not count.
        """
        stem, verb = path, ""
        before, colon, after = path.rpartition(":")
        if colon and after in self._verbs:
            stem, verb = before, after
        parts = tuple(stem.rstrip("/").split("/")[1:])
        allowed = set()
        for route in self._routes.get((verb, len(parts)), ()):
            values = route.template.match(parts)
            if values is None:
                continue
            if route.http_method == http_method:
                return route, values
            allowed.add(route.http_method)
        raise NoSuchPath(path, allowed)
