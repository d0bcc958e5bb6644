"""A receipt: the service's signature over a table's journal at the end of a round.

Rule: a receipt is a signature over the head's hash, with operator, table, round, version and time,
for the purpose `croupier receipt 1`. The hash covers every row up to that one, so anyone who keeps
a receipt can prove later that a table was truncated, rewritten or deleted.
"""

import msgspec

from service.keys.signing import PublicKeys, Signature, SigningKeys

PURPOSE = "croupier receipt 1"


class Receipt(msgspec.Struct, frozen=True):
    """The signed values: the row `version`, of `round`, recorded at `at` (microseconds since 1970),
    and the hash (32 bytes) that chains it to all earlier rows."""

    operator: str
    table_id: str
    round: int
    version: int
    at: int
    hash: bytes
    signed: Signature

    def check(self, keys: PublicKeys) -> None:
        """Raise SignatureWrong unless the owner of one of these keys signed this receipt."""
        keys.check(PURPOSE, _parts(self), self.signed)


def sign_receipt(keys: SigningKeys, unsigned: Receipt) -> Receipt:
    """The same receipt, signed with the key in use."""
    signed = keys.sign(PURPOSE, _parts(unsigned))
    return msgspec.structs.replace(unsigned, signed=signed)


def _parts(receipt: Receipt) -> list[str | bytes]:
    return [
        receipt.operator,
        receipt.table_id,
        str(receipt.round),
        str(receipt.version),
        str(receipt.at),
        receipt.hash,
    ]
