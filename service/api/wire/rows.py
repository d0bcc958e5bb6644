"""Rows of journals onto the wire."""

from croupier.v1 import history_service_pb2 as pb

from service.api.wire.times import timestamp
from service.journal.ports import JournalRow


def row_to_wire(row: JournalRow) -> pb.JournalRow:
    """A row of a journal, exactly as it is stored."""
    return pb.JournalRow(
        version=row.version,
        round=row.round,
        actor=row.actor,
        request_id=row.request_id,
        command=row.command,
        events=row.events,
        record_time=timestamp(row.at),
        engine=row.engine,
        hash=row.hash.hex(),
    )
