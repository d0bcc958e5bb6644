"""The page that shows the API, in a real browser: every call and every schema is there."""

import asyncio
import json
import shutil
import tempfile

import pytest

from service.rest.app import RestApp
from service.rest.pages import Pages
from service.rest.server import RestServer
from tests.rest.real_pipeline import real_pipeline

CHROMIUM = shutil.which("chromium")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


async def is_ready() -> bool:
    return True


@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser (Debian: chromium)")
async def test_the_page_shows_every_call_and_schema() -> None:
    server = RestServer(RestApp(real_pipeline(), is_ready), "127.0.0.1", 0, 1.0)
    serving = asyncio.create_task(server.serve())
    try:
        page = await rendered(f"http://127.0.0.1:{server.port}/docs")
    finally:
        server.stop()
        await serving
    document = json.loads(Pages(is_ready).at_once("GET", "/openapi.json").body)  # type: ignore[union-attr]
    assert "cannot be shown" not in page
    for path in document["paths"]:
        assert f"<code>{path}</code>" in page
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in page


async def rendered(url: str) -> str:
    """A page as it stands when its script has run."""
    assert CHROMIUM is not None
    with tempfile.TemporaryDirectory(prefix="croupier-browser-") as profile:
        browser = await asyncio.create_subprocess_exec(
            CHROMIUM, *QUIET, f"--user-data-dir={profile}",
            "--virtual-time-budget=5000", "--dump-dom", url,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        async with asyncio.timeout(60):
            out, _ = await browser.communicate()
    return out.decode()
