import pytest
from msgspec.structs import replace

from service.fairness.commitment import commitment
from service.keys.key_list import KeysMissing
from service.shoes.sealing import SealBroken, SealingKeys, parse_sealing_keys

SEED = bytes(range(32))
OLD, NEW = b"o" * 32, b"n" * 32


def test_a_seed_comes_back_and_does_not_stand_in_the_clear() -> None:
    keys = SealingKeys({"new": NEW})
    shoe = keys.seal("table", 3, 9, SEED)
    assert keys.unseal(shoe) == SEED
    assert SEED not in shoe.sealed
    assert (shoe.table_id, shoe.number, shoe.key_id) == ("table", 3, "new")
    assert shoe.commitment == commitment(SEED)
    assert keys.seal("table", 3, 9, SEED).sealed != shoe.sealed


def test_keys_rotate_by_their_ids() -> None:
    before = SealingKeys({"old": OLD}).seal("table", 1, 9, SEED)
    rotated = SealingKeys({"new": NEW, "old": OLD})
    assert rotated.unseal(before) == SEED
    assert rotated.seal("table", 2, 9, SEED).key_id == "new"
    with pytest.raises(SealBroken, match="'old', which the settings do not have"):
        SealingKeys({"new": NEW}).unseal(before)


@pytest.mark.parametrize(
    "change",
    [
        {"table_id": "other"},
        {"number": 2},
        {"key_id": "twin"},
        {"sealed": b"short"},
        {"sealed": bytes(60)},
    ],
)
def test_a_sealed_seed_opens_in_its_own_place_only(change: dict[str, object]) -> None:
    keys = SealingKeys({"new": NEW, "twin": NEW})
    with pytest.raises(SealBroken):
        keys.unseal(replace(keys.seal("table", 1, 9, SEED), **change))


def test_keys_as_a_setting_writes_them() -> None:
    keys = parse_sealing_keys(f"new:{NEW.hex()}, old:{OLD.hex()}")
    assert keys.seal("table", 1, 9, SEED).key_id == "new"
    assert keys.unseal(SealingKeys({"old": OLD}).seal("table", 1, 9, SEED)) == SEED


@pytest.mark.parametrize("text", ["", "new", "new:zz", "new:00", f"a:{'0' * 64},a:{'0' * 64}"])
def test_other_settings_are_refused(text: str) -> None:
    with pytest.raises(KeysMissing, match="sealing key"):
        parse_sealing_keys(text)
