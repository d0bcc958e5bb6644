"""The pages beside the API: its description, and whether the service lives and can serve.

`/docs` shows the OpenAPI document without anything from another host.
"""

import json
from collections.abc import Awaitable, Callable
from importlib.resources import files

from service.rest.replies import Reply
from service.rest.router import NoSuchPath

_FOLDER = files("service.rest") / "docs"
_CONTRACT = files("croupier.v1")
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_KEPT = {"cache-control": "no-cache", "content-security-policy": _POLICY}


class Pages:
    """Answers GET and HEAD for the pages."""

    def __init__(self, ready: Callable[[], Awaitable[bool]]) -> None:
        self._ready = ready
        html, script, style = (
            (_FOLDER / f"docs.{end}").read_bytes() for end in ("html", "js", "css")
        )
        self._static = {
            "/": Reply(302, b"", {"location": "/docs"}),
            "/docs": _page("text/html; charset=utf-8", html),
            "/docs.js": _page("text/javascript; charset=utf-8", script),
            "/docs.css": _page("text/css; charset=utf-8", style),
            "/openapi.yaml": _page("application/yaml", (_CONTRACT / "openapi.yaml").read_bytes()),
            "/openapi.json": _page("application/json", (_CONTRACT / "openapi.json").read_bytes()),
            "/healthz": _state(200, "alive"),
        }

    async def find(self, http_method: str, path: str) -> Reply | None:
        """The page under a path, None if there is none; raises `NoSuchPath` for other methods."""
        if path != "/readyz" and path not in self._static:
            return None
        if http_method not in ("GET", "HEAD"):
            raise NoSuchPath(path, ["GET", "HEAD"])
        if path == "/readyz":
            return _state(200, "ready") if await self._ready() else _state(503, "not ready")
        return self._static[path]


def _page(content_type: str, body: bytes) -> Reply:
    return Reply(200, body, _KEPT | {"content-type": content_type})


def _state(status: int, state: str) -> Reply:
    body = json.dumps({"status": state}).encode()
    return Reply(status, body, {"content-type": "application/json", "cache-control": "no-store"})
