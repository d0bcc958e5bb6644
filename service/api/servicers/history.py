"""Serves `HistoryService`: settled rounds, and the journal as it is stored."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from croupier.v1 import history_service_pb2 as pb

from service.api.wire.rows import row_to_wire
from service.api.wire.stories import story_to_wire
from service.api.wire.tables import table_to_wire
from service.api.wire.times import moment, timestamp
from service.calls.access import Identity
from service.calls.paging import Id, Number, page_key, page_size, page_token
from service.calls.pipeline import Context, Method
from service.journal.plain_ids import plain_id
from service.journal.ports import SummaryRow, VoidRow
from service.live.lookup import Lookup
from service.live.shown_tables import ShownTables
from service.records.history import History, RoundFilter
from service.rules.reasons import Reason, Refused

_ROUNDS = "rounds"
_EVENTS = "events"
_MOST_SEATS = 7


class PastRounds:
    """Shows what happened. A player sees his own rounds, and the journal of tables that he sees."""

    def __init__(self, lookup: Lookup, history: History, tables: ShownTables) -> None:
        self._lookup = lookup
        self._history = history
        self._tables = tables

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        service = "/croupier.v1.HistoryService"
        return {
            f"{service}/ListRounds": Method(self._list_rounds),
            f"{service}/GetRound": Method(self._get_round),
            f"{service}/ListEvents": Method(self._list_events),
        }

    async def _list_rounds(
        self, context: Context, request: pb.ListRoundsRequest
    ) -> pb.ListRoundsResponse:
        identity = context.caller
        size = page_size(request.page_size, 50, 100)
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
        player = plain_id(request.player_id, "player_id") if request.player_id else ""
        if request.table_id:
            await self._lookup.head(plain_id(request.table_id, "table_id"), identity.operator)
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
            rule_set_id=plain_id(request.rule_set_id, "rule_set_id") if request.rule_set_id else "",
            from_at=moment(request, "start_time"),
            to_at=moment(request, "end_time"),
        )

    async def _get_round(
        self, context: Context, request: pb.GetRoundRequest
    ) -> pb.GetRoundResponse:
        identity = context.caller
        past = await self._tables.round(
            plain_id(request.table_id, "table_id"),
            identity.operator,
            _number(request.round),
            identity.player,
        )
        return pb.GetRoundResponse(
            round=_summary(past.seats, past.void) if past.seats else None,
            table=table_to_wire(past.table),
            story=story_to_wire(past.story),
        )

    async def _list_events(
        self, context: Context, request: pb.ListEventsRequest
    ) -> pb.ListEventsResponse:
        size = page_size(request.page_size, 100, 1000)
        key = page_key(_EVENTS, request.page_token, tuple[Number])
        rows = await self._lookup.journal(
            plain_id(request.table_id, "table_id"),
            context.caller.operator,
            _number(request.round) if request.HasField("round") else 0,
            key[0] if key else 0,
            size + 1,
        )
        page = rows[:size]
        return pb.ListEventsResponse(
            rows=[row_to_wire(row) for row in page],
            next_page_token=page_token(_EVENTS, (page[-1].version,)) if len(rows) > size else "",
        )


def _number(round: int) -> int:
    if round < 1:
        raise Refused(Reason.FIELD_INVALID, "round: rounds count from 1", field="round")
    return round


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
