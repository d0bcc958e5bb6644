"""Who asks: tokens and keys.

A player, or a guest, carries a signed token (JWT, HS256) that names the operator and the player; an
operator's server carries its API key, of which only the hash is stored. What one may not see does
not exist (NOT_FOUND); what one sees and may not do is PERMISSION_DENIED.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from secrets import token_hex

import jwt
import msgspec
from msgspec.structs import replace

from service.calls.token_claims import ALGORITHM, AUDIENCE, LAST_SECOND, Claims, read_claims
from service.journal.ports import Catalog, Clock, Head
from service.rules.reasons import Reason, Refused

_SECOND = 1_000_000
GUEST_SECONDS = 30 * 24 * 60 * 60
API_KEY_PREFIX = "ck_"
JOIN_CODE = "croupier-join-code"
"""The header, or metadata, that has the code of a private table."""
SKEW_SECONDS = 60
"""How far the clock of who makes a token may be ahead of ours."""
TOKENS_KEPT = 10_000
"""How many tokens are remembered as verified; whether one has ended is checked every time."""


class Role(StrEnum):
    """What a caller is."""

    PLAYER = "player"
    OPERATOR = "operator"


_CREDENTIALS = {Role.PLAYER: "a player's token", Role.OPERATOR: "an operator's API key"}


class Identity(msgspec.Struct, frozen=True):
    """A caller who is known. `player` is empty for an operator; `expires_at` (microseconds since
    1970) is when a token ends, 0 for a key. `join_code` is that of a private table, if the call
    brought one."""

    role: Role
    operator: str
    player: str
    expires_at: int = 0
    join_code: str = ""

    @property
    def actor(self) -> str:
        """The name under which the journal records what the caller does."""
        return self.player or f"operator:{self.operator}"


class Token(msgspec.Struct, frozen=True):
    """A signed token, its player, and when it ends (microseconds since 1970)."""

    token: str
    player: str
    expires_at: int


class Access:
    """Checks who calls, and issues tokens. `guests` is the operator of guests, or empty: none;
    `lasting_until` says when a token ends that was to end at a time, if a clock was set since."""

    def __init__(
        self,
        secret: bytes,
        catalog: Catalog,
        clock: Clock,
        guests: str,
        lasting_until: Callable[[int], int] = int,
    ) -> None:
        self._lasting_until = lasting_until
        self._secret = secret
        self._catalog = catalog
        self._clock = clock
        self._guests = guests
        self._claims = lru_cache(maxsize=TOKENS_KEPT)(self._read_claims)

    async def admit(
        self, metadata: Mapping[str, str], callers: tuple[Role, ...] | None
    ) -> Identity | None:
        """Who sent this metadata (names in lower case) to a method that is for these callers; None
        if it is for anybody. Refused if nobody known did, or one whom the method is not for."""
        if callers is None:
            return None
        scheme, _, credentials = metadata.get("authorization", "").partition(" ")
        credentials = credentials.strip()
        if scheme.lower() != "bearer" or not credentials:
            raise Refused(
                Reason.UNAUTHENTICATED, "send a token, as in `authorization: Bearer TOKEN`"
            )
        if credentials.startswith(API_KEY_PREFIX):
            identity = await self._operator(credentials)
        else:
            identity = self._player(credentials)
        if identity.role not in callers:
            needed = " or ".join(_CREDENTIALS[role] for role in callers)
            raise Refused(Reason.PERMISSION_DENIED, f"this needs {needed}", needs=",".join(callers))
        code = metadata.get(JOIN_CODE, "")
        return replace(identity, join_code=code) if code else identity

    async def _operator(self, key: str) -> Identity:
        operator = await self._catalog.operator_of_key(hash_of_key(key))
        if operator is None:
            raise Refused(Reason.UNAUTHENTICATED, "this API key is not known")
        return Identity(Role.OPERATOR, operator, "")

    def _player(self, token: str) -> Identity:
        claims = self._claims(token)
        now = self._clock.now()
        if (claims.nbf - SKEW_SECONDS) * _SECOND > now:
            raise Refused(Reason.UNAUTHENTICATED, "this token is not good yet: see its claim `nbf`")
        ends = self._lasting_until(int(min(claims.exp, LAST_SECOND)) * _SECOND)
        if ends <= now:
            raise Refused(Reason.UNAUTHENTICATED, "this token has ended; ask for a new one")
        return Identity(Role.PLAYER, claims.iss, claims.sub, ends)

    def _read_claims(self, token: str) -> Claims:
        return read_claims(token, self._secret)

    def guest_token(self) -> Token:
        """A token for a new guest; refused where guests are not admitted."""
        if not self._guests:
            raise Refused(
                Reason.PERMISSION_DENIED, "this server admits no guests", needs="operator"
            )
        return self.player_token(self._guests, f"guest-{token_hex(12)}", GUEST_SECONDS)

    def player_token(self, operator: str, player: str, seconds: int) -> Token:
        """A token for a player of an operator, which is good for `seconds`."""
        expires = self._clock.now() // _SECOND + seconds
        claims = {"iss": operator, "sub": player, "aud": AUDIENCE, "exp": expires}
        token = jwt.encode(claims, self._secret, algorithm=ALGORITHM)
        return Token(token, player, expires * _SECOND)


def hash_of_key(key: str) -> bytes:
    """What is stored of an API key. Keys are random, so a plain hash can't be searched."""
    return sha256(key.encode()).digest()


def may_close(identity: Identity, head: Head) -> None:
    """Operators close any table of theirs, players those they opened; else refused."""
    if identity.role is Role.PLAYER and head.owner != identity.player:
        raise Refused(
            Reason.PERMISSION_DENIED,
            "only who opened a table, or its operator, may",
            needs="owner",
        )
