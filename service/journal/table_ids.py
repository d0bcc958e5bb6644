"""Ids of tables, derived from the request that opens one and from a nonce.

The nonce is recorded in the command that opened the table. So an auditor can derive the id again,
and with it the operator, which is no column of the journal; and nobody else can compute the id of
a table. Tables that were opened before there were nonces have ids derived without one.
"""

from hashlib import sha256

from msgspec import UNSET, UnsetType


def derived_table_id(
    operator: str, actor: str, request_id: str, nonce: str | UnsetType = UNSET
) -> str:
    """The id of the table that this request opens: the same always gives the same id."""
    digest = sha256()
    for part in (
        (operator, actor, request_id) if nonce is UNSET else (operator, actor, request_id, nonce)
    ):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:26]
