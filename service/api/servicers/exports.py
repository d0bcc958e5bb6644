"""Serves `ExportService`: the feed of an operator, and files of rounds and events."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Annotated, Any, TypeVar

import msgspec
from croupier.v1 import export_service_pb2 as pb

from service.api.asking import asker_of
from service.api.forms import page_size
from service.api.wire.enums import WireEnum
from service.api.wire.rows import row_to_wire
from service.api.wire.times import moment, timestamp
from service.calls.access import Identity
from service.calls.paging import Number, page_key, page_token
from service.calls.pipeline import Context
from service.journal.plain_ids import PLAIN_ID
from service.journal.ports import Catalog
from service.live.lookup import Lookup
from service.records.export.columns import EVENTS, ROUNDS, Columns
from service.records.export.export import Piece, export_events, export_rounds
from service.records.export.formats import FORMATS, FileFormat, FileWriter
from service.records.export.parquet import ParquetMissing
from service.records.feed import Feed
from service.records.history import History, RoundFilter, RowFilter
from service.rules.reasons import Reason, Refused

_FEED = "feed"
_FORMATS = WireEnum(FileFormat, pb.ExportFormat, "EXPORT_FORMAT")
LARGEST_PIECE = 256 * 1024
"""Bytes of a file in one response; gRPC's clients take no more than 4 MB."""

# A cursor that stands at a time, and not at a row, names no table.
_TableOrNone = Annotated[str, msgspec.Meta(pattern=rf"\A({PLAIN_ID.pattern})?\Z")]
Response = TypeVar("Response", pb.ExportRoundsResponse, pb.ExportEventsResponse)


class Exports:
    """Hands out the records of many tables."""

    def __init__(self, lookup: Lookup, history: History, catalog: Catalog) -> None:
        self._lookup = lookup
        self._catalog = catalog
        self._history = history
        self._feed = Feed(history)

    async def ReadFeed(self, request: pb.ReadFeedRequest, context: Context) -> pb.ReadFeedResponse:
        page = await self._feed.page(
            context.caller.operator,
            page_key(_FEED, request.cursor, tuple[Number, _TableOrNone, Number], "cursor"),
            moment(request, "start_time"),
            page_size(request),
        )
        return pb.ReadFeedResponse(
            rows=[pb.FeedRow(table_id=row.table_id, row=row_to_wire(row)) for row in page.rows],
            next_cursor=page_token(_FEED, page.cursor),
            horizon_time=timestamp(page.horizon),
        )

    async def ExportRounds(
        self, request: pb.ExportRoundsRequest, context: Context
    ) -> AsyncGenerator[pb.ExportRoundsResponse, None]:
        identity = context.caller
        wanted = RoundFilter(
            operator=identity.operator,
            table_id=await self._table(identity, request.table_id),
            player=identity.player,
            from_at=moment(request, "start_time"),
            to_at=moment(request, "end_time"),
        )
        writer = _writer(request.format, ROUNDS)
        exported = export_rounds(self._history, self._catalog, wanted, writer)
        async with aclosing(exported) as pieces:
            async for piece in pieces:
                for response in _responses(pb.ExportRoundsResponse, writer, piece):
                    yield response

    async def ExportEvents(
        self, request: pb.ExportEventsRequest, context: Context
    ) -> AsyncGenerator[pb.ExportEventsResponse, None]:
        identity = context.caller
        wanted = RowFilter(
            operator=identity.operator,
            table_id=await self._table(identity, request.table_id),
            from_at=moment(request, "start_time"),
            to_at=moment(request, "end_time"),
        )
        writer = _writer(request.format, EVENTS)
        async with aclosing(export_events(self._history, wanted, writer)) as pieces:
            async for piece in pieces:
                for response in _responses(pb.ExportEventsResponse, writer, piece):
                    yield response

    async def _table(self, identity: Identity, table_id: str) -> str:
        """The id of a table that the caller sees, or none."""
        if table_id:
            await self._lookup.head(table_id, asker_of(identity))
        return table_id


def _writer(number: int, columns: Columns) -> FileWriter:
    form = _FORMATS.from_wire(number, "format") if number else FileFormat.CSV
    try:
        return FORMATS[form](columns)
    except ParquetMissing as error:
        raise Refused(Reason.UNIMPLEMENTED, f"on this server {error}") from error


def _responses(kind: type[Response], writer: FileWriter, piece: Piece) -> Iterator[Response]:
    """A piece of the file, cut to what a response may carry; the first piece even if empty."""
    for begin in range(0, len(piece.data) or (piece.records == 0), LARGEST_PIECE):
        data: Any = piece.data[begin : begin + LARGEST_PIECE]
        yield kind(content_type=writer.content_type, data=data)
