"""Ids of tables, derived from the request that opens one."""

from hashlib import sha256


def derived_table_id(operator: str, actor: str, request_id: str) -> str:
    """The id of the table that this request opens: the same request always gives the same id."""
    digest = sha256()
    for part in (operator, actor, request_id):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:26]
