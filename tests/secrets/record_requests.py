"""What is asked of the records while a card lies face down: rounds, shoes, verdicts, exports."""

from itertools import product
from typing import Any

from croupier.v1.export_service_pb2 import (
    ExportEventsRequest,
    ExportFormat,
    ExportRoundsRequest,
    ReadFeedRequest,
)
from croupier.v1.history_service_pb2 import (
    GetRoundRequest,
    GetShoeRequest,
    ListEventsRequest,
    ListRoundsRequest,
    VerifyTableRequest,
    VoidRoundRequest,
)
from google.protobuf.timestamp_pb2 import Timestamp

from tests.secrets.scene import ID, Requests, Scene, Some

FORMATS: tuple[Any, ...] = (
    0,
    ExportFormat.EXPORT_FORMAT_CSV,
    ExportFormat.EXPORT_FORMAT_JSONL,
    99,
)
PIECES = 9
"""More than a file of a twin has."""


def lists_rounds(scene: Scene) -> Requests:
    yield ListRoundsRequest()
    yield ListRoundsRequest(page_token="none")
    yield ListRoundsRequest(player_id="p1", rule_set_id="ranked-match")
    yield ListRoundsRequest(start_time=Timestamp(seconds=1), end_time=Timestamp(seconds=9))
    for table_id in scene.tables:
        yield ListRoundsRequest(table_id=table_id)


def reads_rounds(scene: Scene) -> Requests:
    for table_id in scene.tables:
        for round in (*range(scene.state.round + 2), -1):
            yield GetRoundRequest(table_id=table_id, round=round)


def lists_events(scene: Scene) -> Requests:
    for table_id in scene.tables:
        yield ListEventsRequest(table_id=table_id)
        yield ListEventsRequest(table_id=table_id, page_size=1, page_token="none")
        yield ListEventsRequest(table_id=table_id, round=scene.state.round, page_size=1)


def voids(scene: Scene) -> Requests:
    """The running round is one that the operator could void: he only asks for what he can't."""
    rounds = (-1, 0, 99) if scene.is_operator else (scene.state.round, 0, 99)
    for table_id, round in product(scene.tables, rounds):
        yield VoidRoundRequest(table_id=table_id, round=round, request_id=ID, reason="why")
    yield VoidRoundRequest(table_id=scene.table_id, round=scene.state.round, request_id=ID)


def proves_shoes(scene: Scene) -> Requests:
    number = scene.state.shoe.number
    for table_id, shoe in product(scene.tables, (0, *range(1, number + 2))):
        yield GetShoeRequest(table_id=table_id, shoe=shoe)
    for position in (-1, scene.state.shoe.dealt - 1, 10**6):
        yield GetShoeRequest(table_id=scene.table_id, shoe=number, first_position=position)


def verifies(scene: Scene) -> Requests:
    for table_id in (*scene.tables, "no id"):
        yield VerifyTableRequest(table_id=table_id)


def reads_feed(scene: Scene) -> Requests:
    yield ReadFeedRequest(page_size=1000)
    yield ReadFeedRequest(page_size=scene.version)
    yield ReadFeedRequest(start_time=Timestamp(seconds=1))
    yield ReadFeedRequest(cursor="none")


def exports_rounds(scene: Scene) -> Requests:
    for table_id, form in product(("", *scene.tables), FORMATS):
        yield Some(ExportRoundsRequest(table_id=table_id, format=form), PIECES)


def exports_events(scene: Scene) -> Requests:
    for table_id, form in product(("", *scene.tables), FORMATS):
        yield Some(ExportEventsRequest(table_id=table_id, format=form), PIECES)
