"""The relations beside the journal, held against what the journal says they have to be.

Each function gives what is wrong, nothing where all is right. A difference is told of the row
that should have written it.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from service.audit.verify.replay import Commitment, Reversal
from service.fairness.commitment import commitment
from service.journal.ports import Head, SealedShoe, SummaryRow, VoidRow
from service.records.verification import Fault, FaultKind, FoundSummary, FoundTable
from service.shoes.sealing import SealBroken, SealingKeys
from service.table.deciding.voiding import nets_of


def wrong_summaries(
    expected: Sequence[SummaryRow], found: Sequence[FoundSummary], head: Head
) -> Iterator[Fault]:
    """Summaries of the same rounds. What was settled after the head was read is not looked at."""
    stored = {(one.row.round, one.row.seat): one for one in found}
    for right in expected:
        there = stored.pop((right.round, right.seat), None)
        where = f"the summary of round {right.round}, seat {right.seat}"
        if there is None:
            yield Fault(right.version, FaultKind.SUMMARY, f"{where}, is missing")
        elif there.row != right:
            yield Fault(right.version, FaultKind.SUMMARY, f"{where}: {differ(there.row, right)}")
        elif there.operator != head.operator:
            yield Fault(
                right.version, FaultKind.SUMMARY, f"{where}: it is said to be {there.operator!r}'s"
            )
    for more in stored.values():
        if more.row.round < head.round or more.row.version <= head.version:
            yield Fault(
                more.row.version,
                FaultKind.SUMMARY,
                f"a summary of round {more.row.round}, seat {more.row.seat}, that was not settled",
            )


def wrong_reversals(
    reversals: Sequence[Reversal], found: Sequence[FoundSummary]
) -> Iterator[Fault]:
    """What a void says of the settled round that it reverses: the summaries say what it brought."""
    for one in reversals:
        command = one.command
        seats = {it.row.seat: it.row for it in found if it.row.round == command.round}
        books = [seats[number] for number in sorted(seats)]
        settled = {row.version for row in books}
        if nets_of(books) != command.seats or settled - {command.settlement}:
            yield Fault(
                one.version,
                FaultKind.EVENTS,
                f"it voids round {command.round} as something else than the round had come to",
            )


def wrong_voids(
    expected: Sequence[VoidRow], found: Sequence[VoidRow], head: Head
) -> Iterator[Fault]:
    """All voids of a table."""
    stored = {void.round: void for void in found}
    for right in expected:
        there = stored.pop(right.round, None)
        if there is None:
            yield Fault(
                right.version, FaultKind.VOID, f"the void of round {right.round} is missing"
            )
        elif there != right:
            yield Fault(
                right.version,
                FaultKind.VOID,
                f"the void of round {right.round}: {differ(there, right)}",
            )
    for more in stored.values():
        if more.version <= head.version:
            yield _not_declared(more.round, more.version)


def _not_declared(round: int, version: int) -> Fault:
    return Fault(version, FaultKind.VOID, f"a void of round {round}, which nobody declared")


def unsealed(shoes: Sequence[SealedShoe], keys: SealingKeys) -> dict[int, bytes | None]:
    """The seeds of the shoes whose keys are known, by number; None where a seal is broken."""
    seeds: dict[int, bytes | None] = {}
    for shoe in shoes:
        if keys.know(shoe.key_id):
            try:
                seeds[shoe.number] = keys.unseal(shoe)
            except SealBroken:
                seeds[shoe.number] = None
    return seeds


def wrong_shoes(
    expected: Sequence[Commitment],
    found: Sequence[SealedShoe],
    seeds: Mapping[int, bytes | None],
    head: Head,
) -> Iterator[Fault]:
    """Sealed shoes of the same numbers, and what is sealed in those whose keys are known."""
    stored = {shoe.number: shoe for shoe in found}
    for right in expected:
        what = _wrong_shoe(right, stored.pop(right.shoe, None), seeds)
        if what:
            yield Fault(right.version, FaultKind.SHOE, f"the sealed shoe {right.shoe} {what}")
    for more in stored.values():
        if more.number <= head.shoe or more.version <= head.version:
            yield Fault(
                more.version,
                FaultKind.SHOE,
                f"a sealed shoe {more.number}, which the journal does not speak of",
            )


def _wrong_shoe(
    right: Commitment, shoe: SealedShoe | None, seeds: Mapping[int, bytes | None]
) -> str:
    if shoe is None:
        return "is missing"
    if shoe.commitment != right.commitment:
        return f"has the commitment {shoe.commitment}, by the journal {right.commitment}"
    if shoe.version != right.version:
        return f"is said to be of row {shoe.version}"
    if shoe.number in seeds:
        seed = seeds[shoe.number]
        if seed is None:
            return "does not open with its key: it was changed"
        if commitment(seed) != right.commitment:
            return "holds another seed than was sworn to"
    return ""


def wrong_seats(expected: Mapping[str, int], found: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Who sits where."""
    stored = dict(found)
    for player in sorted(expected.keys() | stored.keys()):
        right, there = expected.get(player), stored.get(player)
        if right == there:
            continue
        says = f"seat {there}" if there is not None else "no seat"
        yield f"{player} has {says}, by the journal {f'seat {right}' if right else 'none'}"


def wrongly_beyond(found: FoundTable) -> Iterator[Fault]:
    """What lay beyond the head in the moment in which the head was read."""
    head, beyond = found.head, found.beyond
    if beyond.row:
        yield Fault(
            beyond.row,
            FaultKind.VERSION,
            f"row {beyond.row} lies beyond the head, which ends at row {head.version}",
        )
    if beyond.round:
        yield Fault(
            head.version,
            FaultKind.SUMMARY,
            f"a summary of round {beyond.round}, that was not settled",
        )
    if beyond.shoe:
        yield Fault(
            head.version,
            FaultKind.SHOE,
            f"a sealed shoe {beyond.shoe}, which the journal does not speak of",
        )
    if beyond.void:
        yield _not_declared(beyond.void, head.version)


def differ(found: msgspec.Struct, right: msgspec.Struct) -> str:
    """The first column that differs, in words."""
    for name in right.__struct_fields__:
        there, should = getattr(found, name), getattr(right, name)
        if there != should:
            return f"{name} is {_shown(there)}, by the journal {_shown(should)}"
    return "nothing differs"


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)
