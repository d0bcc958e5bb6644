"""What the REST door adds to the calls: keys, limits, pages, and errors of its own."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping

import httpx
import pytest
from croupier.v1.table_service_pb2 import GetTableResponse, PlaceBetRequest, PlaceBetResponse
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import status_pb2

from service.api.status import rpc_status
from service.calls.errors import RETRY_SECONDS, ApiError
from service.rest.app import RestApp
from service.rest.http1.limits import Limits
from service.rest.replies import failure
from service.rules.reasons import Reason
from tests.rest.serving import serving

BET = "/v1/tables/t-1:bet"


class Pipeline:
    """Remembers the last call; answers with an empty response, or raises what it is told to."""

    def __init__(self) -> None:
        self.method = ""
        self.request: Message | None = None
        self.metadata: Mapping[str, str] = {}
        self.error: Exception | None = None
        self.ready = True

    async def __call__(
        self, method: str, request: Message, metadata: Mapping[str, str], *, address: str
    ) -> Message:
        self.method, self.request, self.metadata = method, request, metadata
        assert address == "127.0.0.1"
        if self.error:
            raise self.error
        return PlaceBetResponse() if isinstance(request, PlaceBetRequest) else GetTableResponse()

    async def stream(
        self, method: str, request: Message, metadata: Mapping[str, str], address: str
    ) -> AsyncGenerator[Message, None]:
        yield await self(method, request, metadata, address=address)

    async def is_ready(self) -> bool:
        return self.ready


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline()


@pytest.fixture
async def client(pipeline: Pipeline) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        serving(RestApp(pipeline, pipeline.is_ready)) as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", verify=False) as client,
    ):
        yield client


def status(response: httpx.Response) -> tuple[int, int, str, dict[str, str]]:
    """HTTP code, gRPC code, reason and metadata of a refusal."""
    body = response.json()
    detail, *_ = body["details"]
    assert detail["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert detail["domain"] == "croupier"
    assert body["message"]
    reason = detail["reason"].removeprefix("REASON_")
    return response.status_code, body["code"], reason, detail["metadata"]


async def test_a_call_reaches_the_pipeline(client: httpx.AsyncClient, pipeline: Pipeline) -> None:
    headers = {"Authorization": "Bearer abc"}
    response = await client.post(BET, json={"requestId": "r", "stake": 500}, headers=headers)
    assert response.status_code == 200
    assert response.json() == {"version": "0", "hash": "", "replayed": False}
    assert pipeline.method == "/croupier.v1.TableService/PlaceBet"
    assert pipeline.request == PlaceBetRequest(table_id="t-1", request_id="r", stake=500)
    assert pipeline.metadata["authorization"] == "Bearer abc"


async def test_the_header_is_the_request_id(client: httpx.AsyncClient, pipeline: Pipeline) -> None:
    for body in ({}, {"requestId": "k-1"}):
        response = await client.post(BET, json=body, headers={"Idempotency-Key": "k-1"})
        assert response.status_code == 200
        assert pipeline.request == PlaceBetRequest(table_id="t-1", request_id="k-1")


async def test_another_request_id_in_the_header_is_refused(
    client: httpx.AsyncClient, pipeline: Pipeline
) -> None:
    response = await client.post(BET, json={"requestId": "a"}, headers={"Idempotency-Key": "b"})
    assert status(response) == (400, 3, "FIELD_INVALID", {"field": "request_id"})
    assert pipeline.request is None


async def test_the_header_says_nothing_where_nothing_changes(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/tables/t", headers={"Idempotency-Key": "b"})).is_success


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", None),
        (b"[]", None),
        (b'"\xff"', None),
        (b'{"stake": 1.5}', "stake"),
        (b'{"stake": "ten"}', "stake"),
        (b'{"stake": 9223372036854775808}', "stake"),
        (b'{"steak": 1}', "steak"),
        (b'{"pairBets": [{"seat": 1}, {"seat": "x"}]}', "pairBets[1].seat"),
        (b"[" * 60_000, None),
        (b"[" * 60_000 + b"]" * 5_000, None),
        (b'{"stake": ' + b"9" * 6000 + b"}", None),
        (b'{"stake": 1e999999999}', "stake"),
        (b'{"stake": 1e-999999999}', "stake"),
        (b'{"stake": 1, "stake": 1}', None),
    ],
)
async def test_a_malformed_body_is_refused(
    client: httpx.AsyncClient, pipeline: Pipeline, body: bytes, field: str | None
) -> None:
    response = await client.post(BET, content=body)
    assert status(response) == (400, 3, "FIELD_INVALID", {"field": field or ""})
    assert pipeline.request is None


async def test_an_unknown_path_is_not_found(client: httpx.AsyncClient) -> None:
    assert status(await client.get("/v1/nothing")) == (404, 12, "UNIMPLEMENTED", {})


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/tables/t", "GET"),
        ("PUT", "/v1/tables", "GET, POST"),
        ("GET", BET, "POST"),
        ("OPTIONS", BET, "POST"),
        ("POST", "/healthz", "GET, HEAD"),
    ],
)
async def test_another_method_is_told_which_are_allowed(
    client: httpx.AsyncClient, method: str, path: str, allowed: str
) -> None:
    response = await client.request(method, path)
    assert status(response) == (405, 12, "UNIMPLEMENTED", {})
    assert response.headers["allow"] == allowed


async def test_a_refusal_is_shown_with_its_reason(
    client: httpx.AsyncClient, pipeline: Pipeline
) -> None:
    pipeline.error = ApiError(Reason.STAKE_ABOVE_MAXIMUM, "too much", stake=900, max_bet=500)
    response = await client.post(BET, json={})
    metadata = {"stake": "900", "max_bet": "500"}
    assert status(response) == (400, 3, "STAKE_ABOVE_MAXIMUM", metadata)
    pipeline.error = ApiError(Reason.UNAUTHENTICATED, "who?")
    response = await client.post(BET, json={})
    assert status(response) == (401, 16, "UNAUTHENTICATED", {})
    assert response.headers["www-authenticate"] == "Bearer"


def _values(reason: Reason) -> dict[str, object]:
    values: dict[str, object] = dict.fromkeys(reason.metadata, "v€")
    return values | ({RETRY_SECONDS: 7} if RETRY_SECONDS in values else {})


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.name)
def test_a_refusal_is_the_json_of_the_status_that_grpc_sends(reason: Reason) -> None:
    error = ApiError(reason, 'wrong: "ä" \n', **_values(reason))
    told = json.loads(failure(error).body)
    assert json_format.ParseDict(told, status_pb2.Status()) == rpc_status(error)
    assert told == json_format.MessageToDict(
        rpc_status(error), always_print_fields_with_no_presence=True
    )


def test_a_reason_has_no_other_codes_of_http_than_declared() -> None:
    refused = ApiError(Reason.UNIMPLEMENTED, "no such path")
    assert [failure(refused, status).status for status in (None, 404, 405)] == [501, 404, 405]
    with pytest.raises(ValueError, match="UNIMPLEMENTED comes with"):
        failure(refused, 413)


async def test_a_fault_tells_nothing_and_the_door_stays_open(
    client: httpx.AsyncClient, pipeline: Pipeline
) -> None:
    pipeline.error = RuntimeError("secret")
    response = await client.post(BET, json={})
    assert status(response) == (500, 13, "INTERNAL", {})
    assert "secret" not in response.text
    pipeline.error = None
    assert (await client.post(BET, json={})).is_success


async def test_a_body_past_the_limit_is_refused(
    client: httpx.AsyncClient, pipeline: Pipeline
) -> None:
    limit = Limits().body_bytes
    at_limit = b'{"requestId": "r"}'.ljust(limit)
    assert (await client.post(BET, content=at_limit)).status_code == 200
    for size in (limit + 1, 5 * 1024 * 1024):
        pipeline.request = None
        response = await client.post(BET, content=b" " * size)
        assert status(response) == (413, 8, "TOO_LARGE", {"limit": str(limit)})
        assert pipeline.request is None


async def test_the_pages_need_no_other_host(client: httpx.AsyncClient) -> None:
    assert (await client.get("/")).headers["location"] == "/docs"
    for path, kind in {
        "/docs": "text/html; charset=utf-8",
        "/docs.js": "text/javascript; charset=utf-8",
        "/docs.css": "text/css; charset=utf-8",
        "/openapi.yaml": "application/yaml",
        "/openapi.json": "application/json",
    }.items():
        page = await client.get(path)
        assert (page.status_code, page.headers["content-type"]) == (200, kind)
        assert "default-src 'self'" in page.headers["content-security-policy"]
        if path.startswith("/docs"):
            assert "://" not in page.text
    assert (await client.get("/openapi.json")).json()["openapi"] == "3.1.0"


async def test_readiness_follows_the_service(client: httpx.AsyncClient, pipeline: Pipeline) -> None:
    assert (await client.get("/readyz")).json() == {"status": "ready"}
    pipeline.ready = False
    response = await client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {"status": "not ready"})
    assert (await client.get("/healthz")).json() == {"status": "alive"}
