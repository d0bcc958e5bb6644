"""Serves `HistoryService`: settled rounds, and the journal as it is stored."""

from collections.abc import Sequence
from itertools import groupby

from croupier.v1 import history_service_pb2 as pb

from service.api.asking import asker_of
from service.api.forms import page_size
from service.api.wire.rows import row_to_wire
from service.api.wire.stories import story_to_wire
from service.api.wire.tables import table_to_wire
from service.api.wire.times import moment, timestamp
from service.calls.access import Identity
from service.calls.paging import Id, Number, page_key, page_token
from service.calls.pipeline import Context
from service.journal.ports import SummaryRow, VoidRow
from service.live.lookup import Lookup
from service.live.shown_tables import ShownTables
from service.records.history import History, RoundFilter
from service.rules.reasons import Reason, Refused

_ROUNDS = "rounds"
_EVENTS = "events"
_MOST_SEATS = 7


class PastRounds:
    """Shows what happened. Players see their own rounds, and the journal of tables that they
    see."""

    def __init__(self, lookup: Lookup, history: History, tables: ShownTables) -> None:
        self._lookup = lookup
        self._history = history
        self._tables = tables

    async def ListRounds(
        self, request: pb.ListRoundsRequest, context: Context
    ) -> pb.ListRoundsResponse:
        identity = context.caller
        size = page_size(request)
        rows = await self._history.rounds(
            await self._wanted(identity, request),
            page_key(_ROUNDS, request.page_token, tuple[Number, Id, Number, Number]),
            size * _MOST_SEATS + 1,
        )
        rounds = [
            list(seats) for _, seats in groupby(rows, key=lambda row: (row.table_id, row.round))
        ]
        page = rounds[:size]
        last = page[-1][-1] if len(rounds) > size else None
        voids = await self._lookup.voids([(seats[0].table_id, seats[0].round) for seats in page])
        return pb.ListRoundsResponse(
            rounds=[
                _summary(seats, voids.get((seats[0].table_id, seats[0].round))) for seats in page
            ],
            next_page_token=(
                page_token(_ROUNDS, (last.at, last.table_id, last.round, last.seat)) if last else ""
            ),
        )

    async def _wanted(self, identity: Identity, request: pb.ListRoundsRequest) -> RoundFilter:
        """Which rounds are asked for; refused if they are not the caller's to see."""
        player = request.player_id
        if request.table_id:
            await self._lookup.head(request.table_id, asker_of(identity))
        elif identity.player:
            if player not in {"", identity.player}:
                raise Refused(
                    Reason.PERMISSION_DENIED,
                    "without a table a player sees only their own rounds",
                    needs="operator",
                )
            player = identity.player
        return RoundFilter(
            operator=identity.operator,
            table_id=request.table_id,
            player=player,
            rule_set_id=request.rule_set_id,
            from_at=moment(request, "start_time"),
            to_at=moment(request, "end_time"),
        )

    async def GetRound(self, request: pb.GetRoundRequest, context: Context) -> pb.GetRoundResponse:
        identity = context.caller
        past = await self._tables.round(
            request.table_id,
            asker_of(identity),
            request.round,
        )
        return pb.GetRoundResponse(
            round=_summary(past.seats, past.void) if past.seats else None,
            table=table_to_wire(past.table),
            story=story_to_wire(past.story),
        )

    async def ListEvents(
        self, request: pb.ListEventsRequest, context: Context
    ) -> pb.ListEventsResponse:
        size = page_size(request)
        key = page_key(_EVENTS, request.page_token, tuple[Number])
        rows = await self._lookup.journal(
            request.table_id,
            asker_of(context.caller),
            request.round,
            key[0] if key else 0,
            size + 1,
        )
        page = rows[:size]
        return pb.ListEventsResponse(
            rows=[row_to_wire(row) for row in page],
            next_page_token=page_token(_EVENTS, (page[-1].version,)) if len(rows) > size else "",
        )


def _summary(seats: Sequence[SummaryRow], void: VoidRow | None) -> pb.RoundSummary:
    first = seats[0]
    return pb.RoundSummary(
        table_id=first.table_id,
        round=first.round,
        seats=[
            pb.SeatResult(
                seat=seat.seat,
                player_id=seat.player,
                staked=seat.staked,
                returned=seat.returned,
                net=seat.net,
            )
            for seat in sorted(seats, key=lambda row: row.seat)
        ],
        settle_time=timestamp(first.at),
        version=first.version,
        voided=_void(void) if void else None,
    )


def _void(void: VoidRow) -> pb.Void:
    return pb.Void(reason=void.reason, record_time=timestamp(void.at), version=void.version)
