"""Serves `TableService`: from requests to commands, and from tables to responses."""

from collections.abc import Callable
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

from service.api.asking import asker_of
from service.api.forms import page_size
from service.api.servicers.rule_sets import RuleSets
from service.api.wire.rule_sets import with_overrides
from service.api.wire.tables import ACTIONS, PHASES, table_to_wire
from service.calls.access import Identity, Role, may_close
from service.calls.paging import Id, Number, page_key, page_token
from service.calls.pipeline import Context
from service.journal.ports import Catalog, Head, TableFilter
from service.keys.table_keys import TableKeys
from service.live.lookup import Asker
from service.live.shown_tables import Reply, Shown, ShownTables
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
        keys: TableKeys,
    ) -> None:
        self._tables = tables
        self._catalog = catalog
        self._rule_sets = rule_sets
        self._keys = keys

    async def OpenTable(self, request: OpenTableRequest, context: Context) -> OpenTableResponse:
        identity = context.caller
        rules = await self._rule_sets.find(identity, request.rule_set_id)
        rules = with_overrides(rules, request.overrides)
        command = c.OpenTable(identity.player, request.rule_set_id, rules, request.is_private)
        reply = await self._tables.open(
            identity.operator, identity.actor, request.request_id, command, identity.player
        )
        table = reply.table
        return OpenTableResponse(**_response(reply), join_code=self._code(table, identity))

    async def GetTable(self, request: GetTableRequest, context: Context) -> GetTableResponse:
        identity = context.caller
        table = await self._tables.table(request.table_id, asker_of(identity))
        return GetTableResponse(
            table=table_to_wire(table),
            version=table.version,
            hash=table.hash.hex(),
            join_code=self._code(table, identity),
        )

    def _code(self, table: Shown, identity: Identity) -> str:
        """The code of a private table, for those who may invite others."""
        may_invite = identity.player in {"", table.owner} or table.view.your
        return self._keys.join_code(table.table_id) if table.is_private and may_invite else ""

    async def ListTables(self, request: ListTablesRequest, context: Context) -> ListTablesResponse:
        identity = context.caller
        size = page_size(request)
        heads = await self._catalog.tables(
            identity.operator,
            TableFilter(
                player="" if request.free_seats else identity.player,
                phase=PHASES.from_wire(request.phase, "phase").value if request.phase else "",
                rule_set_id=request.rule_set_id,
                free_seats=request.free_seats,
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

    async def CloseTable(self, request: CloseTableRequest, context: Context) -> CloseTableResponse:
        identity = context.caller

        def allowed(head: Head) -> None:
            may_close(identity, head)

        player = identity.player if identity.role is Role.PLAYER else ""
        return CloseTableResponse(
            **await self._play(context, request, c.CloseTable(player), allowed)
        )

    async def TakeSeat(self, request: TakeSeatRequest, context: Context) -> TakeSeatResponse:
        player = context.caller.player
        asker = asker_of(context.caller, request.join_code)

        def allowed(head: Head) -> None:
            invited = head.owner == player or self._keys.opens(head.table_id, asker.code)
            if head.private and not invited:
                raise Refused(
                    Reason.JOIN_CODE_WRONG, "this table is private: its join code is needed"
                )

        command = c.TakeSeat(player, request.seat, request.client_seed)
        return TakeSeatResponse(**await self._play(context, request, command, allowed, asker))

    async def SetReady(self, request: SetReadyRequest, context: Context) -> SetReadyResponse:
        command = c.SetReady(context.caller.player)
        return SetReadyResponse(**await self._play(context, request, command))

    async def LeaveSeat(self, request: LeaveSeatRequest, context: Context) -> LeaveSeatResponse:
        command = c.LeaveSeat(context.caller.player)
        return LeaveSeatResponse(**await self._play(context, request, command))

    async def PlaceBet(self, request: PlaceBetRequest, context: Context) -> PlaceBetResponse:
        command = c.PlaceBet(
            context.caller.player,
            request.round,
            amount(request.stake),
            tuple(PairBet(bet.seat, amount(bet.stake)) for bet in request.pair_bets),
            request.client_seed,
        )
        return PlaceBetResponse(**await self._play(context, request, command))

    async def SitOut(self, request: SitOutRequest, context: Context) -> SitOutResponse:
        command = c.SitOut(context.caller.player, request.round)
        return SitOutResponse(**await self._play(context, request, command))

    async def Act(self, request: ActRequest, context: Context) -> ActResponse:
        command = c.Act(
            context.caller.player,
            request.decision,
            ACTIONS.from_wire(request.action, "action"),
        )
        return ActResponse(**await self._play(context, request, command))

    async def _play(
        self,
        context: Context,
        request: Any,
        command: c.Command,
        allowed: Callable[[Head], None] | None = None,
        asker: Asker | None = None,
    ) -> dict[str, Any]:
        identity = context.caller
        reply = await self._tables.execute(
            request.table_id,
            asker or asker_of(identity),
            identity.actor,
            request.request_id,
            command,
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
