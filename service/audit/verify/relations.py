"""The other relations, compared with what is derived from the journal.

Each function yields faults; none if all is right. A difference is reported for the row that should
have written the data.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from service.audit.verify.replay import Commitment, GivenBack, Reversal
from service.fairness.commitment import commitment
from service.journal.ports import Head, SealedShoe, SummaryRow, VoidRow
from service.journal.serving_time import Interruption
from service.records.verification import Fault, FaultKind, FoundSummary, FoundTable
from service.shoes.sealing import SealBroken, SealingKeys
from service.table.deciding.voiding import nets_of


def wrong_summaries(
    expected: Sequence[SummaryRow], found: Sequence[FoundSummary], head: Head
) -> Iterator[Fault]:
    """Compare the summaries of the same rounds. Rounds settled after the head was read are
    ignored."""
    stored = {(one.row.round, one.row.seat): one for one in found}
    for right in expected:
        there = stored.pop((right.round, right.seat), None)
        where = f"the summary of round {right.round}, seat {right.seat}"
        if there is None:
            yield Fault(right.version, FaultKind.SUMMARY, f"{where} is missing")
        elif there.row != right:
            yield Fault(right.version, FaultKind.SUMMARY, f"{where}: {differ(there.row, right)}")
        elif there.operator != head.operator:
            yield Fault(
                right.version, FaultKind.SUMMARY, f"{where}: its operator is {there.operator!r}"
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
    """Compare voids with the summaries of the settled rounds that they reverse."""
    for one in reversals:
        command = one.command
        seats = {it.row.seat: it.row for it in found if it.row.round == command.round}
        books = [seats[number] for number in sorted(seats)]
        settled = {row.version for row in books}
        if nets_of(books) != command.seats or settled - {command.settlement}:
            yield Fault(
                one.version,
                FaultKind.EVENTS,
                f"its void of round {command.round} differs from the result of that round",
            )


def wrong_voids(
    expected: Sequence[VoidRow], found: Sequence[VoidRow], head: Head
) -> Iterator[Fault]:
    """Compare all voids of a table."""
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
    return Fault(version, FaultKind.VOID, f"a void of round {round}, which no operator declared")


def wrongly_given_back(
    given: Sequence[GivenBack], recorded: Collection[Interruption]
) -> Iterator[Fault]:
    """Compare the interruptions for which time was given back with those that were recorded."""
    for one in given:
        if one.interruption not in recorded:
            yield Fault(
                one.version,
                FaultKind.CLOCK,
                "it gives back time of an interruption that was not recorded:"
                f" {one.interruption.from_at} to {one.interruption.to_at}",
            )


def unsealed(shoes: Sequence[SealedShoe], keys: SealingKeys) -> dict[int, bytes | None]:
    """The seeds of the shoes whose keys are known, by number; None if a seal is broken."""
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
    """Compare sealed shoes of the same numbers, and the seeds of those whose keys are known."""
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
                f"a sealed shoe {more.number}, which is not in the journal",
            )


def _wrong_shoe(
    right: Commitment, shoe: SealedShoe | None, seeds: Mapping[int, bytes | None]
) -> str:
    if shoe is None:
        return "is missing"
    if shoe.commitment != right.commitment:
        return f"has the commitment {shoe.commitment}; in the journal it is {right.commitment}"
    if shoe.version != right.version:
        return f"has row {shoe.version}, which is wrong"
    if shoe.number in seeds:
        seed = seeds[shoe.number]
        if seed is None:
            return "can't be opened with its key: it was changed"
        if commitment(seed) != right.commitment:
            return "has a seed that does not match its commitment"
    return ""


def wrong_seats(expected: Mapping[str, int], found: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Compare the seats of players."""
    stored = dict(found)
    for player in sorted(expected.keys() | stored.keys()):
        right, there = expected.get(player), stored.get(player)
        if right == there:
            continue
        says = f"seat {there}" if there is not None else "no seat"
        yield f"{player} has {says}, by the journal {f'seat {right}' if right else 'none'}"


def wrongly_beyond(found: FoundTable) -> Iterator[Fault]:
    """Rows past the head at the time when the head was read."""
    head, beyond = found.head, found.beyond
    if beyond.row:
        yield Fault(
            beyond.row,
            FaultKind.VERSION,
            f"row {beyond.row} is past the head, which ends at row {head.version}",
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
            f"a sealed shoe {beyond.shoe}, which is not in the journal",
        )
    if beyond.void:
        yield _not_declared(beyond.void, head.version)


def differ(found: msgspec.Struct, right: msgspec.Struct) -> str:
    """The first column that differs, as text."""
    for name in right.__struct_fields__:
        there, should = getattr(found, name), getattr(right, name)
        if there != should:
            return f"{name} is {_shown(there)}, by the journal {_shown(should)}"
    return "nothing differs"


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)
