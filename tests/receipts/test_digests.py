"""Digests: what they hold, what they refuse, and how they follow one another."""

import errno
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.audit.digest.chain import check_chain
from service.audit.digest.form import Header, TableHead
from service.audit.digest.make import make_digest
from service.audit.digest.proof import prove, read_proof
from service.audit.digest.reader import Digest, known_from_digest, read_digest
from service.audit.evidence.evidence import EvidenceWrong
from service.errors import FileTrouble
from service.keys.signing import PublicKeys, SigningKeys

KEYS = SigningKeys({"s1": bytes([1]) * 32})
OTHERS = SigningKeys({"s1": bytes([9]) * 32, "t": bytes([8]) * 32})
VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())


def heads(count: int, version: int = 1) -> list[TableHead]:
    return [TableHead(f"t{n:04}", version + n, bytes([n % 256]) * 32) for n in range(count)]


def made(
    path: Path,
    tables: Iterable[TableHead],
    previous: Digest | None = None,
    at: int = 5,
    operator: str = "*",
    keys: SigningKeys = KEYS,
) -> Digest:
    make_digest(tables, at, operator, keys, path, previous)
    return read_digest(path, keys.public)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 500])
def test_a_digest_says_what_it_was_made_of(tmp_path: Path, count: int) -> None:
    digest = made(tmp_path / "d", heads(count))
    assert list(digest.tables()) == heads(count)
    header = digest.header
    assert (header.number, header.tables, header.operator, header.made_at) == (1, count, "*", 5)
    known = list(known_from_digest(tmp_path / "d", KEYS.public))
    assert [(one.table_id, one.version, one.hash) for one in known] == [
        (one.table_id, one.version, one.hash) for one in heads(count)
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["d"]


def test_a_digest_that_could_not_be_finished_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(FileTrouble, match="No space left"):
        make_digest(heads(3), 5, "*", KEYS, tmp_path / "d")
    assert list(tmp_path.iterdir()) == []


def test_the_published_digest(tmp_path: Path) -> None:
    vector = VECTORS["digest"]
    keys = SigningKeys({vector["key_id"]: bytes.fromhex(vector["seed"])})
    tables = [TableHead(name, number, bytes.fromhex(h)) for name, number, h in vector["tables"]]
    first = made(tmp_path / "1", tables[:-1], operator="house", keys=keys)
    second = made(tmp_path / "2", tables, first, 7, "house", keys)
    assert (tmp_path / "2").read_text() == "\n".join(vector["lines"]) + "\n"
    path = tmp_path / "proof"
    path.write_text(json.dumps(vector["proof"]))
    assert read_proof(path, keys.public) == prove(second, vector["proof"]["table_id"])


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, lines: list[Any]) -> None:
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


FAULTS: dict[str, tuple[Callable[[list[Any]], object], str]] = {
    "the format": (lambda d: d[0].update(format="croupier digest 2"), "its format is"),
    "the operator": (lambda d: d[0].update(operator="house"), "'s1' did not sign"),
    "the number": (lambda d: d[0].update(number=2), "'s1' did not sign"),
    "the time": (lambda d: d[0].update(made_at=6), "'s1' did not sign"),
    "the count": (lambda d: d[0].update(tables=4), "'s1' did not sign"),
    "the root": (lambda d: d[0].update(root="00" * 32), "'s1' did not sign"),
    "a root that is no hex": (lambda d: d[0].update(root="x"), "non-hexadecimal"),
    "the digest before": (lambda d: d[0].update(previous="11" * 32), "'s1' did not sign"),
    "the key": (lambda d: d[0].update(key_id="t"), "signed with key 't'; known: s1"),
    "the signature": (lambda d: d[0].update(signature="00" * 64), "'s1' did not sign"),
    "a further field": (lambda d: d[0].update(more=1), "line 1: not the header"),
    "no header": (lambda d: d.pop(0), "line 1: not the header"),
    "a table's id": (lambda d: d[2].__setitem__(0, "t0001x"), "do not give the signed root"),
    "a table's version": (lambda d: d[2].__setitem__(1, 3), "do not give the signed root"),
    "a table's hash": (lambda d: d[2].__setitem__(2, "ff" * 32), "do not give the signed root"),
    "a version that is none": (
        lambda d: d[2].__setitem__(1, "3"),
        "line 3: not the line of a table",
    ),
    "a hash that is none": (lambda d: d[2].__setitem__(2, "zz"), "line 3: not the line of a table"),
    "a table cut": (lambda d: d.pop(), "has 4 tables, but its header says 5"),
    "a table more": (lambda d: d.append(["t9", 1, "00" * 32]), "has 6 tables"),
    "a table twice": (lambda d: d.insert(2, d[2]), "line 4: t0001 is out of order"),
    "two swapped": (lambda d: d.insert(1, d.pop(2)), "line 3: t0000 is out of order"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_digest_that_was_changed(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "d"
    made(path, heads(5))
    lines = lines_of(path)
    write(path, lines)
    read_digest(path, KEYS.public)
    change, message = FAULTS[fault]
    change(lines)
    write(path, lines)
    with pytest.raises(EvidenceWrong, match=message) as error:
        known_from_digest(path, KEYS.public)
    assert str(path) in str(error.value)


def test_a_header_written_otherwise_would_break_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "d"
    made(path, heads(2))
    path.write_text(path.read_text().replace('","operator', '", "operator'))
    with pytest.raises(EvidenceWrong, match="the text of the header is not the signed one"):
        read_digest(path, KEYS.public)


@pytest.mark.parametrize(("number", "previous"), [(0, "0" * 64), (2, "0" * 64), (1, "11" * 32)])
def test_a_digest_with_no_place_in_a_chain(tmp_path: Path, number: int, previous: str) -> None:
    """Signed all the same: the owner of the key may be who cheats."""
    path = tmp_path / "d"
    header = msgspec.structs.replace(
        made(path, heads(0)).header, number=number, previous=previous
    ).signed(KEYS)
    path.write_bytes(header.line + b"\n")
    with pytest.raises(EvidenceWrong, match=f"number {number} follows {previous}"):
        read_digest(path, KEYS.public)


def test_a_digest_of_somebody_elses_key(tmp_path: Path) -> None:
    made(tmp_path / "d", heads(2), keys=OTHERS)
    for keys in (KEYS.public, PublicKeys({})):
        with pytest.raises(EvidenceWrong, match=r"did not sign|known: none"):
            read_digest(tmp_path / "d", keys)


def test_a_chain(tmp_path: Path) -> None:
    first = made(tmp_path / "1", heads(5))
    second = made(tmp_path / "2", heads(7, version=3), first, 6)
    third = made(tmp_path / "3", heads(7, version=3), second, 6)
    paths = [tmp_path / name for name in "123"]
    assert [one.header.number for one in check_chain(paths, KEYS.public)] == [1, 2, 3]
    assert check_chain(paths[1:], KEYS.public) == [second, third]
    for wrong in ([0, 2], [1, 0], [0, 0]):
        with pytest.raises(EvidenceWrong, match="does not name"):
            check_chain([paths[number] for number in wrong], KEYS.public)


def forged(path: Path, tables: list[TableHead], like: Header, **change: Any) -> None:
    """A digest that says it follows another, made by somebody who has the key."""
    scratch = path.with_name("scratch")
    root = made(scratch, tables).header.root
    header = Header(like.format, like.operator, 2, 6, len(tables), root, like.hash)
    header = msgspec.structs.replace(header, **change).signed(KEYS)
    body = scratch.read_bytes().partition(b"\n")[2]
    path.write_bytes(header.line + b"\n" + body)
    read_digest(path, KEYS.public)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, ""),
        ({"number": 3}, "does not name .*1 as the digest before"),
        ({"previous": "11" * 32}, "does not name .*1 as the digest before"),
        ({"operator": "house"}, "belongs to operator house"),
        ({"made_at": 4}, "made before"),
    ],
)
def test_links_that_do_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    paths = [tmp_path / "1", tmp_path / "2"]
    forged(paths[1], heads(6), made(paths[0], heads(5)).header, **change)
    if message:
        with pytest.raises(EvidenceWrong, match=message):
            check_chain(paths, KEYS.public)
    else:
        assert len(check_chain(paths, KEYS.public)) == 2


CONTRADICTIONS: dict[str, tuple[list[TableHead], str]] = {
    "the first table gone": (heads(5)[1:], "table t0000 of .*1 is gone"),
    "a table gone": (heads(5)[:2] + heads(5)[3:], "table t0002 of .*1 is gone"),
    "the last table gone": (heads(5)[:4], "table t0004 of .*1 is gone"),
    "all tables gone": ([], "table t0000 of .*1 is gone"),
    "a table that went back": (
        [*heads(4), TableHead("t0004", 4, bytes(32))],
        "table t0004 is at version 4, and was at 5",
    ),
    "a row that changed": (
        [*heads(4), TableHead("t0004", 5, bytes(32))],
        "version 5 of table t0004 has another hash",
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_what_contradicts_the_digest_before(tmp_path: Path, case: str) -> None:
    tables, message = CONTRADICTIONS[case]
    first = made(tmp_path / "1", heads(5))
    with pytest.raises(EvidenceWrong, match=message):
        made(tmp_path / "2", tables, first)
    assert [path.name for path in tmp_path.iterdir()] == ["1"]
    forged(tmp_path / "2", tables, first.header)
    with pytest.raises(EvidenceWrong, match=message):
        check_chain([tmp_path / "1", tmp_path / "2"], KEYS.public)


def test_a_chain_stays_with_one_operator(tmp_path: Path) -> None:
    first = made(tmp_path / "1", heads(5), operator="house")
    with pytest.raises(EvidenceWrong, match="belongs to operator house, not to"):
        made(tmp_path / "2", heads(5), first)
    with pytest.raises(FileTrouble, match="never replaced"):
        made(tmp_path / "1", heads(5))


def test_the_proof_of_each_table(tmp_path: Path) -> None:
    digest = made(tmp_path / "d", heads(11))
    path = tmp_path / "proof"
    for head in heads(11):
        proof = prove(digest, head.table_id)
        path.write_bytes(json.dumps(as_json(proof)).encode())
        assert read_proof(path, KEYS.public) == proof
        assert (proof.version, proof.hash) == (head.version, head.hash.hex())
    with pytest.raises(EvidenceWrong, match="has no table 't0011'"):
        prove(digest, "t0011")


def as_json(proof: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(msgspec.json.encode(proof))
    return plain


PROOF_FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "the format": (lambda p: p.update(format="x"), "its format is 'x'"),
    "the table": (lambda p: p.update(table_id="t0004"), "does not lead"),
    "the version": (lambda p: p.update(version=7), "does not lead"),
    "the hash": (lambda p: p.update(hash="00" * 32), "does not lead"),
    "the place": (lambda p: p.update(position=4), "does not lead"),
    "no place": (lambda p: p.update(position=11), "does not lead"),
    "a step": (lambda p: p["path"].__setitem__(1, "00" * 32), "does not lead"),
    "a step less": (lambda p: p["path"].pop(), "does not lead"),
    "a step more": (lambda p: p["path"].append("00" * 32), "does not lead"),
    "a step of letters": (lambda p: p["path"].append("xy"), "not a proof"),
    "the root": (lambda p: p["header"].update(root="00" * 32), "did not sign"),
    "the count": (lambda p: p["header"].update(tables=12), "did not sign"),
    "a header less": (lambda p: p.pop("header"), "not a proof"),
}


@pytest.mark.parametrize("fault", PROOF_FAULTS)
def test_a_proof_that_was_changed(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "proof"
    plain = as_json(prove(made(tmp_path / "d", heads(11)), "t0003"))
    change, message = PROOF_FAULTS[fault]
    change(plain)
    path.write_text(json.dumps(plain))
    with pytest.raises(EvidenceWrong, match=message):
        read_proof(path, KEYS.public)
