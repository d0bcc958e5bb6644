"""Sealing: server seeds are stored only encrypted, so that a reader of the database knows no card.

AES-256-GCM with a key from the settings. Table, shoe and key id are associated data: a sealed seed
that is moved to another table, shoe or key can't be opened. Keys rotate by their ids: the first key
seals, every key opens what it sealed.
"""

from collections.abc import Iterable, Iterator, Mapping
from os import urandom

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.errors import RecordWrong
from service.fairness.commitment import commitment
from service.fairness.framing import framed
from service.journal.ports import SealedShoe
from service.keys.key_list import KEY_SIZE, KeysMissing, parse_key_list

NONCE_SIZE = 12


class SealBroken(RecordWrong):
    """A sealed seed can't be opened: the settings lack its key, or it was changed."""


class SealingKeys:
    """The keys by id (32 bytes each); the first one seals."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        if not keys:
            raise KeysMissing("at least one sealing key is needed")
        for key_id, key in keys.items():
            if len(key) != KEY_SIZE:
                raise KeysMissing(f"sealing key {key_id!r} has {len(key)} bytes, not {KEY_SIZE}")
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        self._current = next(iter(keys))

    def know(self, key_id: str) -> bool:
        """Whether there is a key with that id."""
        return key_id in self._ciphers

    def seal(self, table_id: str, number: int, version: int, seed: bytes) -> SealedShoe:
        """Seal a shoe's seed (32 bytes), drawn in the row of that version, together with its
        commitment."""
        nonce = urandom(NONCE_SIZE)
        key_id = self._current
        place = _place(table_id, number, key_id)
        return SealedShoe(
            table_id=table_id,
            number=number,
            key_id=key_id,
            sealed=nonce + self._ciphers[key_id].encrypt(nonce, seed, place),
            commitment=commitment(seed),
            version=version,
        )

    def unseal(self, shoe: SealedShoe) -> bytes:
        """The seed of a sealed shoe; raises SealBroken if it can't be opened."""
        cipher = self._ciphers.get(shoe.key_id)
        if cipher is None:
            raise SealBroken(
                f"shoe {shoe.number} of table {shoe.table_id} is sealed with key"
                f" {shoe.key_id!r}, which the settings do not have"
            )
        nonce, sealed = shoe.sealed[:NONCE_SIZE], shoe.sealed[NONCE_SIZE:]
        try:
            return cipher.decrypt(nonce, sealed, _place(shoe.table_id, shoe.number, shoe.key_id))
        except (InvalidTag, ValueError) as error:
            raise SealBroken(
                f"the sealed seed of shoe {shoe.number} of table {shoe.table_id} was changed, or"
                f" key {shoe.key_id!r} is not the key that sealed it"
            ) from error


class UnsealedSeeds(Mapping[int, bytes]):
    """The seeds of sealed shoes by their numbers, each opened when it is first asked for.

    A table that has no card to show or deal can be read without any key: the keys of retired shoes
    may be gone.
    """

    def __init__(self, keys: SealingKeys, sealed: Iterable[SealedShoe]) -> None:
        self._keys = keys
        self._sealed = {shoe.number: shoe for shoe in sealed}
        self._opened: dict[int, bytes] = {}

    def __getitem__(self, number: int) -> bytes:
        seed = self._opened.get(number)
        if seed is None:
            seed = self._opened[number] = self._keys.unseal(self._sealed[number])
        return seed

    def __contains__(self, number: object) -> bool:
        return number in self._sealed

    def __iter__(self) -> Iterator[int]:
        return iter(self._sealed)

    def __len__(self) -> int:
        return len(self._sealed)


def parse_sealing_keys(text: str) -> SealingKeys:
    """Keys as a setting lists them (`service.keys.key_list`), the sealing one first."""
    return SealingKeys(parse_key_list(text, "sealing key"))


def _place(table_id: str, number: int, key_id: str) -> bytes:
    return framed("croupier sealed shoe 1", [table_id, number, key_id])
