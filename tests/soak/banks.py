"""Banker tables with six simple bots each: chips are only ever moved, and the bank rotates.

The bots play over gRPC against one serving process. Now and then one leaves, the banker too, also
in the middle of a round, and comes back between rounds with the stack that he left with.
"""

import asyncio
from random import Random
from typing import Any

import grpc
from croupier.v1 import table_service_pb2 as pb
from croupier.v1.table_pb2 import Phase, SeatState, Table

from service.api.contract import method_name, methods
from service.table.phase import Phase as StatePhase
from service.table.state import State
from tests.soak.figures import Figures, progress
from tests.soak.replay import journal, objections, replay, rounds_of
from tests.soak.serving import Soak, load, soaking

BOTS = 6
STACK = 5_000_00
LEAVES_ONE_IN = 400
RPC = {method.input_type.name: method_name(method) for method in methods()}
LONG = 100
"""Rounds in which the bank of every table must have moved; in fewer, that of some table."""
BETWEEN_ROUNDS = (StatePhase.WAITING, StatePhase.BETTING, StatePhase.SETTLED)


class BankTable:
    """One table and its bots."""

    def __init__(self, soak: Soak, channel: Any, number: int) -> None:
        self._channel = channel
        self._random = Random(f"bank {number}")
        self._bots = [f"bot{number}-{seat}" for seat in range(1, BOTS + 1)]
        self._tokens = {bot: soak.token(bot) for bot in self._bots}
        self._sent = 0
        self.id = ""
        self.round = 0

    async def play(self, rounds: int) -> None:
        """So many rounds."""
        opened = await self._call(self._bots[0], pb.OpenTableRequest(rule_set_id="rotating-banker"))
        self.id = opened.table_id
        for bot in self._bots:
            table = await self._call(bot, pb.TakeSeatRequest(table_id=self.id))
        while table.round < rounds or table.phase != Phase.PHASE_SETTLED:
            table = await self._next(table)
            self.round = table.round

    async def _next(self, table: Table) -> Table:
        """Whatever is next at the table."""
        seated = {seat.player_id for seat in table.seats if seat.state != SeatState.SEAT_STATE_LEFT}
        away = [bot for bot in self._bots if bot not in seated]
        if away and table.phase in (Phase.PHASE_SETTLED, Phase.PHASE_WAITING):
            return await self._call(away[0], pb.TakeSeatRequest(table_id=self.id))
        if self._random.randrange(LEAVES_ONE_IN) == 0 and len(seated) > 3:
            leaver = self._random.choice(sorted(seated))
            return await self._call(leaver, pb.LeaveSeatRequest(table_id=self.id))
        for bot in self._in_turn(table, sorted(seated)):
            seen = await self._see(bot)
            if seen.your.decision:
                action = self._random.choice(seen.your.legal_actions).action
                return await self._call(
                    bot,
                    pb.ActRequest(table_id=self.id, decision=seen.your.decision, action=action),
                )
            if seen.your.HasField("bet") and seen.your.bet.max_stake >= seen.your.bet.min_stake:
                return await self._call(bot, self._bet(seen))
            if seen.your.HasField("bet"):  # the bank covers no bet of his
                out = pb.SitOutRequest(table_id=self.id, round=seen.your.bet.round)
                return await self._call(bot, out)
        return await self._nobody(sorted(seated))

    def _in_turn(self, table: Table, seated: list[str]) -> list[str]:
        """Who is probably next first, so that the others need not be asked."""
        active = [seat.player_id for seat in table.seats if seat.seat == table.active_seat]
        return active + [bot for bot in seated if bot not in active]

    def _bet(self, seen: Table) -> pb.PlaceBetRequest:
        offer = seen.your.bet
        most = (offer.max_stake - offer.min_stake) // offer.step
        stake = offer.min_stake + offer.step * min(most, self._random.choice([0, 0, 1, 4, 20]))
        return pb.PlaceBetRequest(table_id=self.id, round=offer.round, stake=stake)

    async def _nobody(self, seated: list[str]) -> Table:
        """Nobody can do anything: someone goes, and the bank may move on, or a clock runs."""
        seen = await self._see(seated[0])
        if seen.HasField("deadline"):
            await asyncio.sleep(0.2)
            return seen
        leaver = self._random.choice(seated)
        return await self._call(leaver, pb.LeaveSeatRequest(table_id=self.id))

    async def _see(self, bot: str) -> Table:
        return await self._call(bot, pb.GetTableRequest(table_id=self.id))

    async def _call(self, bot: str, request: Any) -> Table:
        """One call; the table as it stands where it was refused, because time ran out."""
        name = type(request).__name__
        if name != "GetTableRequest":
            self._sent += 1
            request.request_id = f"c{self._sent}"
        rpc = RPC[name]
        metadata = (("authorization", f"Bearer {self._tokens[bot]}"),)
        response_type = getattr(pb, name.replace("Request", "Response"))
        call = self._channel.unary_unary(rpc, response_deserializer=response_type.FromString)
        try:
            response = await call(request.SerializeToString(), metadata=metadata, timeout=30)
        except grpc.aio.AioRpcError as error:
            if error.code() not in (
                grpc.StatusCode.FAILED_PRECONDITION,
                grpc.StatusCode.ABORTED,
            ):
                raise
            return await self._see(bot)
        table: Table = response.table
        return table


async def play(soak: Soak, tables: int, rounds: int) -> Figures:
    """Play, and hold every journal against the rules."""
    started = asyncio.get_running_loop().time()
    async with grpc.aio.insecure_channel(soak.addresses[0][0]) as channel:
        banks = [BankTable(soak, channel, number) for number in range(tables)]
        playing = asyncio.gather(*(bank.play(rounds) for bank in banks))
        while not playing.done():
            await asyncio.wait({playing}, timeout=5)
            progress(
                f"banks: {sum(bank.round for bank in banks)} of {tables * rounds} rounds, {load()}"
            )
        await playing
    seconds = asyncio.get_running_loop().time() - started
    figures = Figures()
    figures.add("banker tables, bots each", f"{tables}, {BOTS} in {seconds:.0f} s ({load()})")
    judge(soak, [bank.id for bank in banks], rounds, figures)
    return figures


def judge(soak: Soak, tables: list[str], rounds: int, figures: Figures) -> None:
    """Replay every table: the chips at rest, the least stack, who held the bank."""
    played, lost, negative, wrong, bankers = list[int](), 0, 0, list[str](), list[int]()
    for table in tables:
        rows = journal(soak.owner, table)
        states = replay(rows).states
        played.append(rounds_of(rows))
        negative += sum(seat.stack < 0 for state in states for seat in state.seats)
        lost += sum(
            chips(state) != brought(state) for state in states if state.phase in BETWEEN_ROUNDS
        )
        bankers.append(len({state.banker for state in states if state.banker}))
        wrong += [f"{table}: {one}" for one in objections(rows)]
    for line in wrong[:10]:
        progress(line)
    figures.require(
        "rounds at each table", str(min(played)), f"at least {rounds}", min(played) >= rounds
    )
    figures.require("times that chips were lost or made", str(lost), "0", not lost)
    figures.require("stacks below zero", str(negative), "0", not negative)
    figures.require("objections of the referee", str(len(wrong)), "0", not wrong)
    fewest = min(bankers) if rounds >= LONG else max(bankers)
    figures.require("seats that held the bank, by table", str(bankers), "several", fewest > 1)
    log = soak.log.read_text()
    faults = log.count("a call failed") + log.count("Traceback")
    figures.require("faults in the service's log", str(faults), "0", not faults)


def chips(state: State) -> int:
    """Every chip at a table between rounds: in stacks, laid out, and kept for who went away."""
    here = {seat.player for seat in state.seats if not seat.left}
    laid = sum(
        seat.stake + sum(bet.stake for bet in seat.pair_bets)
        for seat in state.seats
        if state.phase is StatePhase.BETTING
    )
    stacks = sum(seat.stack for seat in state.seats)
    return stacks + laid + sum(one.stack for one in state.departed if one.player not in here)


def brought(state: State) -> int:
    """What the players brought in: a starting stack each, once."""
    players = {seat.player for seat in state.seats} | {one.player for one in state.departed}
    return STACK * len(players)


def run(tables: int, rounds: int) -> Figures:
    """The whole test."""
    with soaking(1) as soak:
        return asyncio.run(play(soak, tables, rounds))
