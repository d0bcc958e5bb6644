"""Random play over a door: bets and actions drawn from what the table says is legal."""

from random import Random

from croupier.v1.table_pb2 import Phase, Table

from tests.contract.player import Caller


def random_stake(table: Table, random: Random) -> int:
    """Mostly small, now and then all that is allowed, always within what the table offers."""
    bet = table.your.bet
    steps = (bet.max_stake - bet.min_stake) // bet.step
    most = random.choice([0, steps // 50, steps // 10, steps])
    return int(bet.min_stake + bet.step * random.randint(0, most))


async def play_random_round(caller: Caller, table: Table, random: Random) -> Table:
    """One round, from the bet to the settlement."""
    table = await caller.bet(table, random_stake(table, random))
    while table.your.decision:
        action = random.choice(table.your.legal_actions).action
        table = await caller.act(table, action)
    return table


async def play_random_tables(
    caller: Caller, preset: str, rounds: int, random: Random
) -> list[Table]:
    """So many rounds of a preset, at a new table whenever one is over; every table as it ended."""
    ended = []
    table = await caller.open(preset)
    for _ in range(rounds):
        if table.phase == Phase.PHASE_FINISHED:
            ended.append(table)
            table = await caller.open(preset)
        table = await play_random_round(caller, table, random)
    return [*ended, table]
