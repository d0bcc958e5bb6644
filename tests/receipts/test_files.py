"""Receipts and public keys in files, as people keep them."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.audit.digest.reader import known_from_receipt
from service.audit.evidence.evidence import EvidenceWrong
from service.audit.evidence.public_keys import read_public_keys
from service.keys.signing import PublicKeys

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())["receipts"]
KEYS = PublicKeys({one["key_id"]: bytes.fromhex(one["public_key"]) for one in VECTORS})


def receipt(number: int) -> dict[str, Any]:
    """A receipt of the vectors as REST gives it."""
    one = VECTORS[number]
    return {
        "operator": one["operator"],
        "tableId": one["table_id"],
        "round": one["round"],
        "version": str(one["version"]),
        "recordTimeMicros": str(one["record_time_micros"]),
        "hash": one["hash"],
        "keyId": one["key_id"],
        "signature": one["signature"],
    }


def snake(number: int) -> dict[str, Any]:
    """The same with the names of the proto files, and numbers as numbers."""
    kept = ("public_key", "seed", "message")
    return {name: value for name, value in VECTORS[number].items() if name not in kept}


def known(path: Path, text: str) -> list[str]:
    path.write_text(text)
    return [one.table_id for one in known_from_receipt(path, KEYS)]


def test_a_receipt_however_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    first, second = VECTORS[0]["table_id"], VECTORS[2]["table_id"]
    reply = {"table": {"tableId": first, "hash": "x", "receipt": receipt(0)}, "replayed": False}
    assert known(path, json.dumps(receipt(0))) == [first]
    assert known(path, json.dumps(snake(2), indent=2)) == [second]
    assert known(path, json.dumps(reply)) == [first]
    several = "\n".join(map(json.dumps, [reply, {"no": "receipt"}, [receipt(2), receipt(0)]]))
    assert known(path, several) == sorted([first, first, second])
    (one,) = known_from_receipt(write(path, receipt(2)), KEYS)
    vector = VECTORS[2]
    assert (one.version, one.hash.hex()) == (vector["version"], vector["hash"])
    assert str(path) in one.source


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("name", list(receipt(0)))
def test_a_receipt_whose_field_was_changed_or_lost(tmp_path: Path, name: str) -> None:
    path = tmp_path / "receipt.json"
    changed = receipt(0)
    value = changed[name]
    if name == "round":
        changed[name] += 1
    else:
        changed[name] = value[:-1] + ("0" if value[-1] != "0" else "1")
    with pytest.raises(EvidenceWrong, match=r"the receipt of version .* of table") as error:
        known_from_receipt(write(path, changed), KEYS)
    assert str(path) in str(error.value)
    del changed[name]
    with pytest.raises(EvidenceWrong, match=r"incomplete receipt|has no receipt"):
        known_from_receipt(write(path, changed), KEYS)


def test_one_bad_receipt_spoils_the_file(tmp_path: Path) -> None:
    bad = receipt(2) | {"round": 1}
    path = write(tmp_path / "two.json", [receipt(0), bad])
    with pytest.raises(EvidenceWrong, match=VECTORS[2]["table_id"]):
        known_from_receipt(path, KEYS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has no receipt"),
        ("{}", "it has no receipt"),
        ("nothing", "not JSON"),
        ('{"receipt": ', "not JSON"),
        ("\u00ff", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"signature": 1}', "incomplete receipt"),
    ],
)
def test_a_file_without_receipts(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "file"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(EvidenceWrong, match=message):
        known_from_receipt(path, KEYS)


def key(key_id: str = "s1", **change: Any) -> dict[str, Any]:
    public = VECTORS[0]["public_key"]
    return {"keyId": key_id, "algorithm": "Ed25519", "publicKey": public} | change


def test_public_keys(tmp_path: Path) -> None:
    path = write(tmp_path / "keys.json", {"signingKeys": [key("s2"), key("s1")]})
    public = bytes.fromhex(VECTORS[0]["public_key"])
    assert list(read_public_keys(path).by_id.items()) == [("s2", public), ("s1", public)]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "it has no public key"),
        ({"signingKeys": [key(), key()]}, "two keys 's1'"),
        ({"signingKeys": [key(algorithm="RSA")]}, "'s1' is not for Ed25519"),
        ({"signingKeys": [key(publicKey="zz")]}, "key 's1': non-hexadecimal"),
        ({"signingKeys": [key(publicKey="00")]}, "32 bytes"),
        ({"signingKeys": [{"publicKey": "00"}]}, "incomplete public key"),
    ],
)
def test_files_that_hold_no_public_keys(tmp_path: Path, document: Any, message: str) -> None:
    with pytest.raises(EvidenceWrong, match=message):
        read_public_keys(write(tmp_path / "keys.json", document))
