"""The signing keys of a server: made once, kept, completed in an older file, and asked for."""

import json
from pathlib import Path

import msgspec
import pytest
from pydantic import SecretStr

from service.keys.key_file import FILE, Keys
from service.keys.key_list import KeysMissing
from service.keys.signing import parse_signing_keys
from service.server.keys_in_use import keys_of, signing_keys_of
from service.server.settings import Settings

GIVEN = f"s9:{'09' * 32}"


def test_a_server_of_its_own_makes_its_signing_keys_once(tmp_path: Path) -> None:
    first = keys_of(Settings(), tmp_path)
    assert parse_signing_keys(first.signing_keys).public.by_id
    assert keys_of(Settings(), tmp_path) == first
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_a_file_from_before_receipts_is_completed_and_keeps_what_it_had(tmp_path: Path) -> None:
    old = {"token_secret": "t" * 40, "sealing_keys": f"k1:{'1' * 64}", "operator_key": "ck_old"}
    file = tmp_path / FILE
    file.write_text(json.dumps(old))
    completed = keys_of(Settings(), tmp_path)
    assert parse_signing_keys(completed.signing_keys).public.by_id
    assert old.items() <= msgspec.structs.asdict(completed).items()
    assert json.loads(file.read_text()) == msgspec.structs.asdict(completed)
    assert file.stat().st_mode & 0o077 == 0
    assert keys_of(Settings(), tmp_path) == completed


def test_what_else_is_missing_in_a_file_is_not_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({"token_secret": "t" * 40, "operator_key": ""}))
    with pytest.raises(KeysMissing, match=r"keys\.json has no keys .*sealing_keys"):
        keys_of(Settings(), tmp_path)
    with pytest.raises(KeysMissing, match=r"keys\.json has no keys .*sealing_keys"):
        signing_keys_of(Settings(), tmp_path)


def test_keys_of_the_settings_come_first(tmp_path: Path) -> None:
    kept = keys_of(Settings(), tmp_path)
    settings = Settings(signing_keys=SecretStr(GIVEN))
    assert keys_of(settings, tmp_path).signing_keys == GIVEN
    assert signing_keys_of(settings, tmp_path) == GIVEN
    assert signing_keys_of(Settings(), tmp_path) == kept.signing_keys


def test_a_look_makes_no_keys(tmp_path: Path) -> None:
    with pytest.raises(KeysMissing, match=r"no signing keys in .*keys\.json"):
        signing_keys_of(Settings(), tmp_path)
    (tmp_path / FILE).write_bytes(msgspec.json.encode(Keys("t" * 40, "k", "ck")))
    with pytest.raises(KeysMissing, match="CROUPIER_SIGNING_KEYS"):
        signing_keys_of(Settings(), tmp_path)


def test_a_server_that_others_reach_is_given_its_signing_keys(tmp_path: Path) -> None:
    given = Settings(
        token_secret=SecretStr("t" * 40),
        sealing_keys=SecretStr(f"k1:{'1' * 64}"),
        rest_address="0.0.0.0:80",
    )
    for folder in (tmp_path, None):
        with pytest.raises(KeysMissing, match="CROUPIER_SIGNING_KEYS"):
            keys_of(given, folder)
    whole = given.model_copy(update={"signing_keys": SecretStr(GIVEN)})
    assert keys_of(whole, None).signing_keys == GIVEN
