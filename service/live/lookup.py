"""Tables that are not there for a caller: both kinds read the same."""

from service.journal.ports import Head
from service.rules.reasons import Reason, Refused


def no_such_table(table_id: str) -> Refused:
    """The refusal of a table that does not exist, or may not be seen: both read the same."""
    return Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}")


def refuse_stranger(head: Head, operator: str) -> None:
    """Refuse a table of another operator as if it did not exist."""
    if head.operator != operator:
        raise no_such_table(head.table_id)
