"""Serves `TableService`: from requests to commands, and from tables to responses."""

from collections.abc import Callable, Mapping
from typing import Any

from croupier.v1.table_service_pb2 import (
    ActRequest,
    ActResponse,
    CloseTableRequest,
    CloseTableResponse,
    GetTableRequest,
    GetTableResponse,
    LeaveSeatRequest,
    LeaveSeatResponse,
    ListTablesRequest,
    ListTablesResponse,
    OpenTableRequest,
    OpenTableResponse,
    PlaceBetRequest,
    PlaceBetResponse,
    SetReadyRequest,
    SetReadyResponse,
    SitOutRequest,
    SitOutResponse,
    TableSummary,
    TakeSeatRequest,
    TakeSeatResponse,
)

from service.api.servicers.rule_sets import RuleSets
from service.api.wire.rule_sets import with_overrides
from service.api.wire.tables import ACTIONS, PHASES, table_to_wire
from service.calls.access import Access, Role, may_close, only_players
from service.calls.paging import Id, Number, page_key, page_size, page_token
from service.calls.pipeline import Context, Method
from service.journal.plain_ids import plain_id, request_id
from service.journal.ports import Catalog, Head, TableFilter
from service.live.shown_tables import Reply, ShownTables
from service.rules.money import amount
from service.rules.reasons import Reason, Refused
from service.table import commands as c
from service.table.commands import PairBet
from service.table.phase import Phase

_LIST = "tables"


class Tables:
    """Opens, shows and plays tables."""

    def __init__(
        self,
        tables: ShownTables,
        catalog: Catalog,
        rule_sets: RuleSets,
        access: Access,
    ) -> None:
        self._tables = tables
        self._catalog = catalog
        self._rule_sets = rule_sets
        self._access = access

    def methods(self) -> Mapping[str, Method]:
        """What is served, by full name."""
        service = "/croupier.v1.TableService"
        return {
            f"{service}/OpenTable": Method(self._open),
            f"{service}/GetTable": Method(self._get),
            f"{service}/ListTables": Method(self._list),
            f"{service}/CloseTable": Method(self._close),
            f"{service}/TakeSeat": Method(self._take_seat),
            f"{service}/SetReady": Method(self._set_ready),
            f"{service}/LeaveSeat": Method(self._leave_seat),
            f"{service}/PlaceBet": Method(self._place_bet),
            f"{service}/SitOut": Method(self._sit_out),
            f"{service}/Act": Method(self._act),
        }

    async def _open(self, context: Context, request: OpenTableRequest) -> OpenTableResponse:
        identity = context.caller
        request_id(request.request_id)
        rules = await self._rule_sets.find(identity, request.rule_set_id)
        rules = with_overrides(rules, request.overrides)
        command = c.OpenTable(identity.player, request.rule_set_id, rules, request.is_private)
        reply = await self._tables.open(
            identity.operator, identity.actor, request.request_id, command, identity.player
        )
        table = reply.table
        code = self._access.join_code(table.table_id) if table.is_private else ""
        return OpenTableResponse(**_response(reply), join_code=code)

    async def _get(self, context: Context, request: GetTableRequest) -> GetTableResponse:
        identity = context.caller
        table = await self._tables.table(
            plain_id(request.table_id, "table_id"), identity.operator, identity.player
        )
        return GetTableResponse(
            table=table_to_wire(table), version=table.version, hash=table.hash.hex()
        )

    async def _list(self, context: Context, request: ListTablesRequest) -> ListTablesResponse:
        identity = context.caller
        size = page_size(request.page_size, 50, 100)
        heads = await self._catalog.tables(
            identity.operator,
            TableFilter(
                player="" if request.free_seats else identity.player,
                phase=_phase(request.phase),
                rule_set_id=request.rule_set_id,
                free_seats=_at_least_zero(request.free_seats, "free_seats"),
            ),
            page_key(_LIST, request.page_token, tuple[Number, Id]),
            size + 1,
        )
        page = heads[:size]
        return ListTablesResponse(
            tables=[
                TableSummary(
                    table_id=head.table_id,
                    rule_set_id=head.rule_set_id,
                    phase=PHASES.to_wire(Phase(head.phase)),
                    version=head.version,
                    round=head.round,
                    free_seats=head.free_seats,
                )
                for head in page
            ],
            next_page_token=(
                page_token(_LIST, (page[-1].opened_at, page[-1].table_id))
                if len(heads) > size
                else ""
            ),
        )

    async def _close(self, context: Context, request: CloseTableRequest) -> CloseTableResponse:
        identity = context.caller

        def allowed(head: Head) -> None:
            may_close(identity, head)

        player = identity.player if identity.role is Role.PLAYER else ""
        return CloseTableResponse(
            **await self._play(context, request, c.CloseTable(player), allowed)
        )

    async def _take_seat(self, context: Context, request: TakeSeatRequest) -> TakeSeatResponse:
        player = _player(context)

        def allowed(head: Head) -> None:
            if head.private and head.owner != player:
                self._access.require_join_code(head.table_id, request.join_code)

        command = c.TakeSeat(player, request.seat, _client_seed(request.client_seed))
        return TakeSeatResponse(**await self._play(context, request, command, allowed))

    async def _set_ready(self, context: Context, request: SetReadyRequest) -> SetReadyResponse:
        command = c.SetReady(_player(context))
        return SetReadyResponse(**await self._play(context, request, command))

    async def _leave_seat(self, context: Context, request: LeaveSeatRequest) -> LeaveSeatResponse:
        command = c.LeaveSeat(_player(context))
        return LeaveSeatResponse(**await self._play(context, request, command))

    async def _place_bet(self, context: Context, request: PlaceBetRequest) -> PlaceBetResponse:
        command = c.PlaceBet(
            _player(context),
            _round(request.round),
            amount(request.stake),
            tuple(PairBet(bet.seat, amount(bet.stake)) for bet in request.pair_bets),
            _client_seed(request.client_seed),
        )
        return PlaceBetResponse(**await self._play(context, request, command))

    async def _sit_out(self, context: Context, request: SitOutRequest) -> SitOutResponse:
        command = c.SitOut(_player(context), _round(request.round))
        return SitOutResponse(**await self._play(context, request, command))

    async def _act(self, context: Context, request: ActRequest) -> ActResponse:
        if not request.decision:
            raise Refused(
                Reason.FIELD_INVALID,
                "decision: name the open decision, `table.your.decision`",
                field="decision",
            )
        command = c.Act(
            _player(context),
            plain_id(request.decision, "decision"),
            ACTIONS.from_wire(request.action, "action"),
        )
        return ActResponse(**await self._play(context, request, command))

    async def _play(
        self,
        context: Context,
        request: Any,
        command: c.Command,
        allowed: Callable[[Head], None] | None = None,
    ) -> dict[str, Any]:
        identity = context.caller
        reply = await self._tables.execute(
            plain_id(request.table_id, "table_id"),
            identity.operator,
            identity.actor,
            request_id(request.request_id),
            command,
            identity.player,
            context.until,
            allowed,
        )
        return _response(reply)


def _response(reply: Reply) -> dict[str, Any]:
    table = reply.table
    return {
        "table": table_to_wire(table),
        "version": table.version,
        "hash": table.hash.hex(),
        "replayed": reply.replayed,
    }


def _player(context: Context) -> str:
    only_players(context.caller)
    return context.caller.player


def _client_seed(text: str) -> str:
    return plain_id(text, "client_seed") if text else ""


def _at_least_zero(number: int, field: str) -> int:
    if number < 0:
        raise Refused(Reason.FIELD_INVALID, f"{field}: 0 or more", field=field)
    return number


def _phase(name: str) -> str:
    if name and name not in [phase.value for phase in Phase]:
        raise Refused(
            Reason.FIELD_INVALID,
            f"phase: one of {', '.join(phase.value for phase in Phase)}",
            field="phase",
        )
    return name


def _round(number: int) -> int:
    if number < 1:
        raise Refused(
            Reason.FIELD_INVALID, "round: name the round, `table.your.bet.round`", field="round"
        )
    return number
