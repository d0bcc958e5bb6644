"""Who may call what: each method, without a token, as a player, as an operator, at both doors.

What is expected is what the contract declares. Everybody asks for things that are not there, so who
may call learns that, or gets an empty list; nobody else learns anything.
"""

from typing import Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2

from service.api.annotations import callers_of
from service.api.contract import method_name, methods
from service.calls.access import Role
from tests.contract.declared import good_request
from tests.contract.doors import SECONDS, Door, GrpcDoor, Refusal, RestDoor, http_call, refusal_of
from tests.contract.player import Caller
from tests.contract.server import OPERATOR_KEY

UNAUTHENTICATED = ("UNAUTHENTICATED", "UNAUTHENTICATED")
DENIED = ("PERMISSION_DENIED", "PERMISSION_DENIED")
METHODS = {method.name: method for method in methods()}


async def answer(
    door: Door, method: MethodDescriptor, request: Message, token: str
) -> tuple[str, str]:
    """The code of an answer, and the reason if it is a refusal; of a stream how it begins."""
    try:
        if not method.server_streaming:
            await door.call(request, token)
        elif isinstance(door, GrpcDoor):
            await begin_over_grpc(door, method, request, token)
        else:
            assert isinstance(door, RestDoor)
            await begin_over_rest(door, request, token)
    except Refusal as refusal:
        return refusal.code, refusal.reason
    return "OK", ""


async def begin_over_grpc(
    door: GrpcDoor, method: MethodDescriptor, request: Message, token: str
) -> None:
    stream: Any = door.channel.unary_stream(method_name(method))
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    call = stream(request.SerializeToString(), metadata=metadata, timeout=SECONDS)
    try:
        async for _ in call:
            return
    except grpc.aio.AioRpcError as error:
        trailers: Any = dict(error.trailing_metadata() or ())
        status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
        raise refusal_of(status) from error
    finally:
        call.cancel()


async def begin_over_rest(door: RestDoor, request: Message, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    http_method, path, content = http_call(request)
    async with door.client.stream(http_method, path, headers=headers, **content) as response:
        if not response.is_success:
            body = json_format.Parse(await response.aread(), status_pb2.Status())
            raise refusal_of(body)


@pytest.mark.parametrize("name", METHODS)
async def test_who_may_call(name: str, door: Door, player: Caller) -> None:
    method = METHODS[name]
    callers = callers_of(method)
    tokens = {None: "", Role.PLAYER: player.token, Role.OPERATOR: OPERATOR_KEY}
    for role, token in tokens.items():
        code, reason = await answer(door, method, good_request(method), token)
        if callers is None or role in callers:
            assert code in {"OK", "NOT_FOUND"}, (role, code, reason)
        else:
            expected = UNAUTHENTICATED if role is None else DENIED
            assert (code, reason) == expected, (role, code, reason)


@pytest.mark.parametrize("name", METHODS)
async def test_who_may_not_call_does_not_learn_what_is_wrong_with_a_request(
    name: str, door: Door, player: Caller
) -> None:
    method = METHODS[name]
    callers = callers_of(method)
    if callers is None or isinstance(door, RestDoor):  # without an id there is no path
        return
    empty = GetMessageClass(method.input_type)()
    assert await answer(door, method, empty, "") == UNAUTHENTICATED
    for role, token in ((Role.PLAYER, player.token), (Role.OPERATOR, OPERATOR_KEY)):
        if role not in callers:
            assert await answer(door, method, empty, token) == DENIED


def test_what_needs_no_token() -> None:
    """To open another method to all the world, say so here too."""
    opened = {method.name for method in methods() if callers_of(method) is None}
    assert opened == {"IssueGuestToken", "ListSigningKeys"}
