"""The pages beside the API: its description, and whether the service lives and can serve.

`/docs` shows the OpenAPI document without anything from another host.
"""

import json
from collections.abc import Awaitable, Callable
from importlib.resources import files

from service.rest.http1.messages import Headers, Reply
from service.rest.router import NoSuchPath

_FOLDER = files("service.rest") / "docs"
_CONTRACT = files("croupier.v1")
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_KEPT: Headers = (("cache-control", "no-cache"), ("content-security-policy", _POLICY))
_STATE: Headers = (("content-type", "application/json"), ("cache-control", "no-store"))
_READINESS = "/readyz"


class Pages:
    """Answers GET and HEAD for the pages."""

    def __init__(self, ready: Callable[[], Awaitable[bool]]) -> None:
        self._ready = ready
        html, script, style = (
            (_FOLDER / f"docs.{end}").read_bytes() for end in ("html", "js", "css")
        )
        self._static = {
            "/": Reply(302, b"", (("location", "/docs"),)),
            "/docs": _page("text/html; charset=utf-8", html),
            "/docs.js": _page("text/javascript; charset=utf-8", script),
            "/docs.css": _page("text/css; charset=utf-8", style),
            "/openapi.yaml": _page("application/yaml", (_CONTRACT / "openapi.yaml").read_bytes()),
            "/openapi.json": _page("application/json", (_CONTRACT / "openapi.json").read_bytes()),
            "/healthz": _state(200, "alive"),
        }

    def at_once(self, http_method: str, path: str) -> Reply | None:
        """The page under a path that is always the same; None if there is none. Raises
        `NoSuchPath` for other methods, for `/readyz`, too."""
        page = self._static.get(path)
        if (page or path == _READINESS) and http_method not in ("GET", "HEAD"):
            raise NoSuchPath(path, ["GET", "HEAD"])
        return page

    async def find(self, path: str) -> Reply | None:
        """Whether the service is ready, if the path is that of this page."""
        if path != _READINESS:
            return None
        return _state(200, "ready") if await self._ready() else _state(503, "not ready")


def _page(content_type: str, body: bytes) -> Reply:
    return Reply(200, body, (*_KEPT, ("content-type", content_type)))


def _state(status: int, state: str) -> Reply:
    body = json.dumps({"status": state}).encode()
    return Reply(status, body, _STATE)
