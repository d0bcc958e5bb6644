"""How the port's records map to the relations: one column per field, with the same name."""

import msgspec

from service.journal.ports import Head, JournalRow, SealedShoe, SummaryRow, VoidRow


def _names(record: type[msgspec.Struct]) -> tuple[str, ...]:
    return record.__struct_fields__


JOURNAL = _names(JournalRow)
HEAD = _names(Head)
SHOE = _names(SealedShoe)
SUMMARY = _names(SummaryRow)
VOID = _names(VoidRow)

# The columns of a head that never change; each append sets all others.
HEAD_FIXED = ("table_id", "operator", "owner", "rule_set_id", "rule_set", "opened_at", "private")
HEAD_MOVING = tuple(name for name in HEAD if name not in HEAD_FIXED)

# A missing request id is NULL in the database, so that any number of rows may lack one.
READ_JOURNAL = ", ".join(
    "coalesce(request_id, '') AS request_id" if name == "request_id" else name for name in JOURNAL
)
READ_HEAD = ", ".join(HEAD)
READ_SHOE = ", ".join(SHOE)
READ_SUMMARY = ", ".join(SUMMARY)
READ_VOID = ", ".join(VOID)
