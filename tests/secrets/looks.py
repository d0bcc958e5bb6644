"""Looking at twin games from all sides, without a service around them.

What everybody sees of a table, and what would come of every command: for whom the games differ in
nothing that he may know, both must look the same to the byte.
"""

from collections.abc import Iterator

from service.api.wire.tables import table_to_wire
from service.journal.ports import Head
from service.journal.text import to_text
from service.live.live_table import LiveTable
from service.live.shown_tables import show
from service.rules.hand import Action
from service.rules.reasons import Refused
from service.table.commands import (
    Act,
    CloseTable,
    Command,
    LeaveSeat,
    PlaceBet,
    SetReady,
    SitOut,
    TakeSeat,
)
from service.table.deciding.decision import decision_token
from tests.contract.player import bytes_of
from tests.secrets.disclosure import Leak, disclosed
from tests.secrets.games import TwinGame, Twins, players

SPECTATOR = "eve"


def look_from_all_sides(twins: Twins) -> None:
    """Raise `Leak` where somebody could tell the twins apart, or where an owner of a card that
    differs could not: then this test would be blind."""
    for viewer in (*players(twins.one.state), SPECTATOR, ""):
        one, other = seen(twins.one, viewer), seen(twins.other, viewer)
        if viewer in twins.secrets.owners:
            assert one != other, f"{viewer} does not see his own card"
        elif one != other:
            raise Leak(f"{viewer!r} sees\n{one!r} and\n{other!r}")
    for command in commands(twins):
        told, again = twins.one.told(command), twins.other.told(command)
        if words(told) != words(again) and not disclosed(twins.secrets, command, told, again):
            raise Leak(f"{command}: {words(told)} and {words(again)}")


def seen(game: TwinGame, viewer: str) -> bytes:
    """A game's table as a viewer gets it, to the byte."""
    rules = to_text(game.rules)
    version = len(game.moves)
    head = Head("t", "o", "p1", "r", rules, 0, version, bytes(32), "", 1, 1, 1, 0, game.now)
    table = LiveTable(head, game.state, game.chance, game.moves[-1].events, 1)  # type: ignore[arg-type]
    return bytes_of(table_to_wire(show(table, viewer, None)))


def words(told: object) -> str:
    """What is told of a command, in words."""
    if isinstance(told, Refused):
        return f"{told.reason} {told.message} {told.details}"
    return f"{told}"


def commands(twins: Twins) -> Iterator[Command]:
    """Sensible and senseless commands of everybody, and of the operator."""
    state = twins.one.state
    tokens = {decision_token(state, seat) for seat in state.seats} | {"1-9-9"}
    for player in (*players(state), SPECTATOR):
        for token in sorted(tokens):
            yield from (Act(player, token, action) for action in Action)
        for stake in (state.rules.min_bet, 1, 2**50):
            yield PlaceBet(player, state.betting_round, stake)
        yield SitOut(player, state.betting_round)
        yield TakeSeat(player)
        yield SetReady(player)
        yield LeaveSeat(player)
        yield CloseTable(player)
    yield CloseTable("")
