"""On whose behalf a call looks tables up."""

from service.calls.access import Identity
from service.live.lookup import Asker


def asker_of(identity: Identity, code: str = "") -> Asker:
    """The caller as who looks tables up; `code` is a join code in the request itself, which goes
    before one that came beside it."""
    return Asker(identity.operator, identity.player, code or identity.join_code)
