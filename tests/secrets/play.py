"""The game of twins, played by calls at two services that everybody looks at."""

from collections.abc import Sequence
from random import Random
from typing import Any

from croupier.v1.table_service_pb2 import CloseTableRequest, GetTableRequest, WatchTableRequest

from service.journal.codec import command_of, events_of
from service.rules.hand import Action
from service.table.deciding.decision import decision_token
from service.table.deciding.legal_actions import legal_actions
from service.table.events import Event
from service.table.state import State
from tests.secrets.games import Move, Twins, face_down, players
from tests.secrets.moves import call_of
from tests.secrets.requests import REQUESTS
from tests.secrets.scene import Scene
from tests.secrets.services import DOORS, Services, Stream, Viewer
from tests.secrets.serving import TABLE_ID
from tests.secrets.table_requests import acts
from tests.secrets.tables import Rules

SEE = GetTableRequest(table_id=TABLE_ID)
REPEATED = 6
"""How many of his accepted calls a caller makes again."""


class Play:
    """A game at two services. `viewers` are those from whom the twins are kept apart, `owners`
    those who see a card that differs."""

    def __init__(self, services: Services, twins: Twins, rules: Rules) -> None:
        self.services = services
        self._twins = twins
        self._rules = rules
        self._random = Random(0)
        self._sent: dict[str, list[Any]] = {}
        self._streams: list[Stream] = []
        seated = _chosen(twins.one.state)
        self.owners = [services.player(one) for one in seated if one in twins.secrets.owners]
        self.viewers = [services.player(one) for one in seated if one not in twins.secrets.owners]
        self.viewers += services.outsiders()

    async def all(self) -> None:
        """From the first move to the end; `Leak` where the twins can be told apart."""
        await self.game()
        await self.every_request()
        await self.owners_see()
        await self.the_end()

    async def game(self) -> None:
        """Every move, with a look after each at what is told of it."""
        for number, move in enumerate(self._twins.one.moves):
            if self._parts(move.state):
                self.services.apart = self._twins.secrets.owners
            await self._make(number, move)
            if not self._streams:
                self._begin_to_watch()
            # The first message is preceded by how the stream begins.
            for stream in self._streams:
                await self.services.read(stream, 1 if number else 2)
            await self._try_what_is_not_open(number, move.state)
        self._check_the_journal()
        self.services.compare_rows()

    def _parts(self, state: State) -> bool:
        """Whether cards that differ lie face down by now."""
        return state.round == self._twins.one.state.round and bool(face_down(state))

    async def _make(self, number: int, move: Move) -> None:
        """One move, at the doors in turn."""
        call = call_of(move.command, number, self._rules)
        if call is None:
            await self.services.let_time_pass(move)
            return
        self.services.set_clocks(move.now)
        viewer = self.services.player(call.player) if call.player else self.services.operator
        await self.services.ask(viewer, DOORS[number % 2], call.request)
        self._sent.setdefault(viewer.name, []).append(call.request)

    def _begin_to_watch(self) -> None:
        for number, viewer in enumerate(self.viewers):
            if viewer.sees_tables:
                request = WatchTableRequest(table_id=TABLE_ID)
                self._streams.append(self.services.watch(viewer, DOORS[number % 2], request))

    async def _try_what_is_not_open(self, number: int, state: State) -> None:
        if not _open_decisions(state):
            return
        viewer = self._random.choice(self.viewers)
        for request in acts(self._scene(viewer, state, number + 1)):
            await self.services.ask(viewer, self._random.choice(DOORS), request)

    def _scene(self, viewer: Viewer, state: State, version: int) -> Scene:
        seat = state.seat_of(viewer.player) if viewer.player else None
        own = decision_token(state, seat) if seat else ""
        legal = legal_actions(state, seat, self._twins.one.chance) if seat else ()
        return Scene(
            table_id=TABLE_ID,
            version=version,
            state=state,
            decision=own or _open_decisions(state)[0],
            refused=tuple(f"ACTION_{one.upper()}" for one in Action if one not in legal),
            seated=seat is not None,
            is_operator=viewer == self.services.operator,
        )

    def _check_the_journal(self) -> None:
        """The services have played the very game: else they would have been compared in vain."""
        rows, moves = self.services.journal(TABLE_ID), self._twins.one.moves
        assert [command_of(row.command) for row in rows[1:]] == [m.command for m in moves[1:]]
        assert [_told(events_of(row.events)) for row in rows] == [_told(m.events) for m in moves]

    async def every_request(self) -> None:
        """All that can be asked of every RPC, by everybody, at both doors; the table is as it was
        after it."""
        version, state = len(self._twins.one.moves), self._twins.one.state
        for viewer in self.viewers:
            scene = self._scene(viewer, state, version)
            asked = [request for make in REQUESTS.values() for request in make(scene)]
            asked += self._sent.get(viewer.name, [])[-REPEATED:]
            for door in DOORS:
                for request in asked:
                    await self.services.ask(viewer, door, request)
        assert len(self.services.journal(TABLE_ID)) == version, "a request has changed the table"

    async def owners_see(self) -> None:
        """Who owns a card that differs sees it; so differences can be seen."""
        for viewer in self.owners:
            for door in DOORS:
                assert not await self.services.ask(viewer, door, SEE), viewer

    async def the_end(self) -> None:
        """The operator closes the table, and the servers stop."""
        version = len(self.services.journal(TABLE_ID))
        close = CloseTableRequest(table_id=TABLE_ID, request_id="close")
        await self.services.ask(self.services.operator, "grpc", close)
        closed = len(self.services.journal(TABLE_ID)) > version
        self.services.stop_streams()
        for stream in self._streams:
            await self.services.read(stream, 3 if closed else 2)
        for viewer in self.viewers:
            await self.services.ask(viewer, "rest", SEE)
        self.services.compare_rows()


def _chosen(state: State) -> list[str]:
    """Of those who sit at the table: who decides, the banker, and two others."""
    deciders = [seat.player for seat in state.seats if decision_token(state, seat)]
    banker = [seat.player for seat in state.seats if seat.number == state.banker and not seat.left]
    return list(dict.fromkeys((*deciders[:1], *banker, *players(state))))[:4]


def _open_decisions(state: State) -> list[str]:
    return [token for seat in state.seats if (token := decision_token(state, seat))]


def _told(events: Sequence[Event]) -> list[tuple[str, str]]:
    """What does not come from seeds of events: their kinds, and the cards that they turn up."""
    return [(type(event).__name__, getattr(event, "card", "")) for event in events]
