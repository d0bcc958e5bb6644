"""Evidence: what is known of a table from outside the database, and what is wrong with evidence."""

import msgspec


class EvidenceWrong(ValueError):
    """A digest, a proof or a receipt is not what it claims to be; the message says where and how.

    It says nothing about the database: evidence has to be good before anything is held against it.
    """


class Known(msgspec.Struct, frozen=True):
    """The service once signed that this table's row `version` has this hash (32 bytes); `source` is
    the file that says so."""

    table_id: str
    version: int
    hash: bytes
    source: str


class TableHead(msgspec.Struct, frozen=True):
    """How far a table had come: its newest row, and that row's hash (32 bytes)."""

    table_id: str
    version: int
    hash: bytes
