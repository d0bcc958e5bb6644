"""What one event requires of the next ones: some events may not be in a journal alone."""

from collections.abc import Set

from service.audit.referee.record import Plain, Table

MEANWHILE = {
    "SeatOut": ("ClientSeedGiven", "SeatBackIn", "BankerChanged"),
    "SeatBackIn": ("SeatOut",),
}
"""The events that may come while an event of that type is owed; any other event must wait."""
BEFORE_THE_BANK_MOVES_ON = ("SeatOut", *MEANWHILE["SeatOut"], "DeadlineSet")
WHILE_BETS_COME_BACK = ("BetReturned", "PairBetReturned", "ShoeRevealed", "TableFinished")


def keep_promises(table: Table, event: Plain) -> None:
    """Object unless an event is one that the earlier events require or allow."""
    _follow_a_card_turned_for_a_split(table, event)
    _follow_bets_that_came_back(table, event)
    if table.owed_to_bank and event["type"] != "BankMoved":
        _not_paid(table)
    for kind, seats in table.owed.items():
        if seats and event["type"] not in (kind, *MEANWHILE.get(kind, ())):
            _did_not_follow(table, kind)
    if table.deal.voided and not table.deal.over:
        table.require(event["type"] == "RoundSettled", "the books of a void are left open")
    if table.must_move_on and event["type"] not in BEFORE_THE_BANK_MOVES_ON:
        _did_not_move_on(table)


def all_are_kept(table: Table) -> None:
    """Object if an event is still owed at the end of a journal."""
    _nobody_took_them_back(table, set())
    if table.owed_to_bank:
        _not_paid(table)
    for kind, seats in table.owed.items():
        if seats:
            _did_not_follow(table, kind)
    if table.must_move_on:
        _did_not_move_on(table)


def _follow_a_card_turned_for_a_split(table: Table, event: Plain) -> None:
    promised, table.deal.promised_split = table.deal.promised_split, None
    if promised:
        follows = event["type"] == "HandSplit" and (event["seat"], event["hand"]) == promised
        table.require(follows, "a first card is turned up too early")


def _follow_bets_that_came_back(table: Table, event: Plain) -> None:
    """A bet is final: it comes back only when its player or the banker leaves, or when the table
    ends."""
    if not table.deal.given_back:
        return
    if event["type"] == "SeatLeft":
        all_of_them = event["seat"] == table.banker
        _nobody_took_them_back(table, table.deal.given_back if all_of_them else {event["seat"]})
    elif event["type"] == "TableFinished":
        table.deal.given_back.clear()
    elif event["type"] not in WHILE_BETS_COME_BACK:
        _nobody_took_them_back(table, set())


def _nobody_took_them_back(table: Table, but: Set[int]) -> None:
    for number in sorted(table.deal.given_back - but):
        table.dispute(f"the bet of seat {number} comes back for no reason")
    table.deal.given_back.clear()


def _not_paid(table: Table) -> None:
    table.dispute(f"the bank does not get {table.owed_to_bank}")
    table.owed_to_bank = None


def _did_not_follow(table: Table, kind: str) -> None:
    table.dispute(f"{kind} does not follow for seats {sorted(table.owed[kind])}")
    table.owed[kind].clear()


def _did_not_move_on(table: Table) -> None:
    table.dispute(f"the bank does not move on, {' and '.join(sorted(table.must_move_on))}")
    table.must_move_on = set()
