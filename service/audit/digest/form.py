"""The format of a digest: JSON Lines; a header, then one line per table, ascending by table id.

Rule: a table's line is `[table_id, version, hash]`; the entry of the tree is the framed message of
`croupier digest table 1` with the table id, the version in decimal and the 32 bytes of the hash;
the root is that of the Merkle tree over all entries in order. The signature is over the framed
message of `croupier digest 1` with the key id and, in this order, operator, number, made_at, tables
(in decimal), root and previous (32 bytes each). `previous` is the SHA-256 of the header line before
this one, without its line feed; zeros for number 1. Ids compare byte by byte.
"""

from hashlib import sha256

import msgspec

from service.fairness.framing import framed
from service.fairness.merkle import leaf
from service.keys.signing import PublicKeys, Signature, SigningKeys

PURPOSE = "croupier digest 1"
TABLE_PURPOSE = "croupier digest table 1"
ALL_OPERATORS = "*"
NO_DIGEST = "0" * 64
"""`previous` of the first digest."""


class TableHead(msgspec.Struct, frozen=True):
    """The head of a table at the time of the digest: its newest row, and that row's hash (32
    bytes)."""

    table_id: str
    version: int
    hash: bytes


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signed header of a digest: the operator (`*`: all), its number in the chain (from 1),
    when it was made (microseconds since 1970), the number of its tables, and their root."""

    format: str
    operator: str
    number: int
    made_at: int
    tables: int
    root: str
    previous: str
    key_id: str = ""
    signature: str = ""

    @property
    def line(self) -> bytes:
        """The header as it is in the file, without the line feed."""
        return msgspec.json.encode(self)

    @property
    def hash(self) -> str:
        """The hash by which the next digest names this one, in hex."""
        return sha256(self.line).hexdigest()

    def signed(self, keys: SigningKeys) -> "Header":
        """The same header with a signature."""
        made = keys.sign(PURPOSE, self._parts())
        return msgspec.structs.replace(self, key_id=made.key_id, signature=made.signature.hex())

    def check(self, keys: PublicKeys) -> None:
        """Raise SignatureWrong unless one of these keys signed this header, ValueError if a hash is
        not hex."""
        keys.check(PURPOSE, self._parts(), Signature(self.key_id, bytes.fromhex(self.signature)))

    def _parts(self) -> list[str | bytes]:
        return [
            self.operator,
            str(self.number),
            str(self.made_at),
            str(self.tables),
            bytes.fromhex(self.root),
            bytes.fromhex(self.previous),
        ]


def leaf_of(head: TableHead) -> bytes:
    """The leaf of a table in the digest's tree."""
    return leaf(framed(TABLE_PURPOSE, [head.table_id, str(head.version), head.hash]))


def line_of(head: TableHead) -> bytes:
    """A table's line, without the line feed."""
    return msgspec.json.encode((head.table_id, head.version, head.hash.hex()))


def head_of(line: bytes) -> TableHead:
    """The table of a line; ValueError if the line is malformed."""
    table_id, version, digits = _line.decode(line)
    return TableHead(table_id, version, bytes.fromhex(digits))


_line = msgspec.json.Decoder(tuple[str, int, str])
