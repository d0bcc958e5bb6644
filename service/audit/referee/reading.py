"""Reading the events of a journal from the first to the last."""

from collections.abc import Callable, Iterator, Sequence
from inspect import isfunction, signature

from service.audit.referee import (
    bank,
    betting,
    dealing,
    finishing,
    pair_bets,
    paying,
    seating,
    turns,
    voiding,
)
from service.audit.referee.blind_reading import pass_over
from service.audit.referee.course import awaited
from service.audit.referee.options import open_actions
from service.audit.referee.promises import all_are_kept, keep_promises
from service.audit.referee.record import Face, Objection, Plain, Table

Reader = Callable[[Table, Plain], None]

CHAPTERS = (bank, betting, dealing, finishing, pair_bets, paying, seating, turns, voiding)

NONSENSE = (LookupError, TypeError, ValueError)
"""What reading raises when an event refers to something that does not exist."""

LIMITS = {
    "insurance": "insurance_seconds",
    "decision": "turn_seconds",
    "banker's choice": "turn_seconds",
}


def deadline_set(table: Table, event: Plain) -> None:
    """A deadline, if the rule set limits the time of the open decision."""
    limit = LIMITS.get(awaited(table), "bet_seconds")
    table.require(table.rules[limit] > 0, f"a deadline, where {limit} is 0")
    table.deadline, table.times_given, table.given_until = event["deadline"], 0, 0
    if limit == "bet_seconds":
        table.betting_deadline = event["deadline"]
    else:
        table.clock_set = True


def time_given_back(table: Table, event: Plain) -> None:
    """An open decision gets back the time in which nobody could answer: no more, and not twice."""
    limit = LIMITS.get(awaited(table), "bet_seconds")
    whole = table.rules[limit] * 1_000_000
    betting = limit == "bet_seconds"
    clock = table.betting_deadline if betting else table.deadline
    table.require(bool(clock), "time is given back, but no clock runs")
    table.expect("the deadline that is moved", event["was"], clock)
    table.times_given += 1
    table.require(table.times_given <= 5, "time is given back to one decision too often")
    start = table.given_until if table.times_given > 1 else clock - whole
    if event["from_at"] > start:
        start = event["from_at"]
    table.require(event["to_at"] > start, "time is given back twice, or for no time at all")
    rest = clock - start
    table.require(rest > 0, "time is given back to a decision whose time was over before")
    if event["cause"] == "outage" and rest < 5_000_000:
        rest = 5_000_000 if whole > 5_000_000 else max(rest, whole)
    table.expect("the deadline", event["deadline"], event["to_at"] + rest)
    table.given_until = event["to_at"]
    table.deadline = event["deadline"]
    if betting:
        table.betting_deadline = event["deadline"]


def _readers() -> Iterator[tuple[str, Reader]]:
    """Each module has a function for each event that it judges, named after the event."""
    yield "DeadlineSet", deadline_set
    yield "TimeGivenBack", time_given_back
    for chapter in CHAPTERS:
        for name, function in vars(chapter).items():
            if isfunction(function) and function.__module__ == chapter.__name__:
                taken = [one.annotation for one in signature(function).parameters.values()]
                if taken == [Table, Plain] and not name.startswith("_"):
                    yield name.title().replace("_", ""), function


READERS = dict(_readers())
"""Every event, and the function that judges it."""


class Reading:
    """Reads a journal event by event.

    `face` looks up the first cards that were dealt face down. If it does not know one of them, the
    reading is `blind`, because the rest can't be judged: it must stop, or skip the rest of a voided
    round.
    """

    def __init__(self, rule_set: Plain, face: Face) -> None:
        self._table = Table(rule_set, face)

    @property
    def objections(self) -> list[Objection]:
        """The objections so far."""
        return self._table.objections

    @property
    def blind(self) -> bool:
        """Whether the reading has reached a card that it can't see."""
        return self._table.blind

    def read(self, event: Plain) -> None:
        """Read the next event; whatever is wrong becomes an objection."""
        table = self._table
        reader = READERS.get(event["type"])
        if reader is None:
            table.dispute(f"an event that the rules do not know: {event['type']}")
        elif table.finished and reader is not voiding.round_voided:
            table.dispute(f"{event['type']} at a finished table")
        else:
            begins = table.place > 0 or event["type"] in ("TableOpened", "RoundOpened")
            table.require(begins, f"a journal begins with {event['type']}")
            try:
                if table.blind:
                    pass_over(table, event)
                else:
                    keep_promises(table, event)
                    reader(table, event)
            except NONSENSE as error:
                table.dispute(f"{event['type']} is not possible here: {error!r}")
        table.place += 1

    def open_actions(self) -> dict[int, set[str]]:
        """The legal actions of each seat that must decide now, by seat; empty if none must."""
        return open_actions(self._table)

    def end(self) -> None:
        """The journal ends here: object unless a player must decide, or the table is finished."""
        table = self._table
        try:
            due = awaited(table)
        except NONSENSE as error:
            table.dispute(f"the journal ends in an impossible state: {error!r}")
            return
        questions = ("bets", "insurance", "decision", "banker's choice")
        all_are_kept(table)
        table.require(
            table.finished or due in questions, f"the journal ends where the round waits for: {due}"
        )
        table.require(
            table.finished or not finishing.must_be_finished(table),
            "the journal ends where the table must be finished",
        )


def review(rule_set: Plain, events: Sequence[Plain]) -> list[Objection]:
    """Every point where the journal of a table disagrees with the rules of play; none if it is
    right.

    `rule_set` and `events` are decoded JSON, as in the journal; the events are those of one or more
    whole rounds, in order. An objection's `place` is the index of the event, from 0.
    """
    faces = dict(_faces(events))
    reading = Reading(rule_set, lambda shoe, position: faces.get((shoe, position)))
    passed_over = 0
    for place, event in enumerate(events):
        reading.read(event)
        if reading.blind and place >= passed_over:
            passed_over, ends = _end_of_round(events, place)
            hidden = Objection(0, place, "a first card stays face down when the round is over")
            if ends != "RoundVoided":
                return [*reading.objections, *([hidden] if ends else [])]
    reading.end()
    return reading.objections


def _end_of_round(events: Sequence[Plain], place: int) -> tuple[int, str]:
    """The index of the event that voids or settles the running round, and its type; none if neither
    comes."""
    for later in range(place, len(events)):
        kind = events[later]["type"]
        if kind in ("RoundVoided", "RoundSettled"):
            return later, kind
    return len(events), ""


def _faces(events: Sequence[Plain]) -> Iterator[tuple[tuple[int, int], str]]:
    """The first cards that were dealt face down and later turned up, by shoe and position."""
    shoe = 0
    for event in events:
        if event["type"] == "ShoeOpened":
            shoe = event["shoe"]
        elif event["type"] == "RoundOpened":
            shoe = event["shoe"]["number"]
        elif event["type"] == "FirstCardTurned":
            yield (shoe, event["position"]), event["card"]
