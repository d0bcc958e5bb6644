"""Settings: all faults at once, each by its variable, and never a value."""

import pytest

from service.errors import InputWrong
from service.server.settings import Settings, read_settings

SECRET = "hunter2-and-more"
GOOD = {
    "DATABASE_URL": f"postgresql://croupier:{SECRET}@db.example/croupier",
    "GRPC_ADDRESS": "[::1]:50051",
    "REST_ADDRESS": "0.0.0.0:8080",
    "TOKEN_SECRET": SECRET * 3,
    "SEALING_KEYS": f"k2:{'5e' * 32},k1:{'5f' * 32}",
    "SIGNING_KEYS": f"s1:{'51' * 32}",
    "OPERATOR": "house-1",
    "OPERATOR_KEY": "ck_" + SECRET,
    "GUESTS": "false",
    "TRUSTED_PROXIES": "10.0.0.0/8, fd00::/8",
    "KEEP_ALIVE_SECONDS": "12.5",
    "LOG_LEVEL": "INFO",
}


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in os.environ:
        if name.startswith("CROUPIER_"):
            monkeypatch.delenv(name)


def refusal(monkeypatch: pytest.MonkeyPatch, **values: str) -> str:
    for name, value in values.items():
        monkeypatch.setenv(f"CROUPIER_{name}", value)
    with pytest.raises(InputWrong) as refused:
        read_settings()
    return str(refused.value)


def test_settings_that_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in GOOD.items():
        monkeypatch.setenv(f"CROUPIER_{name}", f"  {value}\n")
    settings = read_settings()
    assert settings.database_url.get_secret_value() == GOOD["DATABASE_URL"]
    assert settings.token_secret.get_secret_value() == GOOD["TOKEN_SECRET"]
    assert settings.keep_alive_seconds == 12.5


def test_set_to_nothing_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.setenv(f"CROUPIER_{name.upper()}", "")
    assert read_settings() == Settings()


WRONG = {
    "DATABASE_URL": (f"postgres//croupier:{SECRET}@db/croupier", f"host=db password='{SECRET}"),
    "GRPC_ADDRESS": (f"{SECRET}", "127.0.0.1", ":8080", "127.0.0.1:65536", "127.0.0.1:-1"),
    "REST_ADDRESS": ("127.0.0.1:http", "[::1]"),
    "TOKEN_SECRET": (SECRET,),
    "SEALING_KEYS": ("5e" * 32, f"k1:{SECRET}", f"k1:{'5e' * 31}", f"k1:{'5e' * 32}," * 2),
    "SIGNING_KEYS": ("51" * 32, "s1", f",s1:{'51' * 32}"),
    "OPERATOR": ("a house", "h" * 65, "größe"),
    "OPERATOR_KEY": (SECRET, f"ck_{SECRET} {SECRET}", "ck_", f"ck_{SECRET}ü", f"CK_{SECRET}"),
    "GUESTS": ("perhaps",),
    "PROCESSES": ("-1", "two", "1.5", "65"),
    "CONNECTIONS": ("1", "101"),
    "REST_CONNECTIONS": ("0",),
    "TRUSTED_PROXIES": ("10.0.0.0/99", "proxy.example", SECRET),
    "KEEP_ALIVE_SECONDS": ("nan", "inf", "-1", "0"),
    "SHUTDOWN_DELAY_SECONDS": ("nan", "inf", "-inf", "-0.1"),
    "DRAIN_SECONDS": ("nan", "1e999"),
    "LOG_LEVEL": ("loud", SECRET),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_a_fault_names_its_variable_and_shows_no_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    said = refusal(monkeypatch, **{name: value})
    assert said.startswith(f"CROUPIER_{name}: ")
    assert said.count("CROUPIER_") == 1
    for secret in (SECRET, "5e" * 31, "51" * 32):
        assert secret not in said


def test_all_faults_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = refusal(
        monkeypatch, **{name: values[0] for name, values in WRONG.items()}, DATABSE_URL=SECRET
    )
    for name in WRONG:
        assert f"CROUPIER_{name}: " in said
    assert "CROUPIER_DATABSE_URL is not a setting; do you mean CROUPIER_DATABASE_URL?" in said
    assert SECRET not in said


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("DATABASE_URI", "DATABASE_URL"),
        ("REST_ADRESS", "REST_ADDRESS"),
        ("TOKEN_SECRETS", "TOKEN_SECRET"),
        ("OPERATORKEY", "OPERATOR_KEY"),
    ],
)
def test_a_name_that_is_mistyped(monkeypatch: pytest.MonkeyPatch, name: str, near: str) -> None:
    said = refusal(monkeypatch, **{name: SECRET})
    assert said == f"CROUPIER_{name} is not a setting; do you mean CROUPIER_{near}?"


def test_a_name_that_is_near_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(monkeypatch, XYZZY="1") == "CROUPIER_XYZZY is not a setting"


def test_the_variables_of_a_service_in_kubernetes_are_none_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for of_service in ("CROUPIER", "CROUPIER_GRPC"):
        for name, value in {
            "SERVICE_HOST": "10.0.0.1",
            "SERVICE_PORT": "8080",
            "SERVICE_PORT_REST": "8080",
            "PORT": "tcp://10.0.0.1:8080",
            "PORT_8080_TCP": "tcp://10.0.0.1:8080",
            "PORT_8080_TCP_PROTO": "tcp",
            "PORT_8080_TCP_PORT": "8080",
            "PORT_8080_TCP_ADDR": "10.0.0.1",
        }.items():
            monkeypatch.setenv(f"{of_service}_{name}", value)
    assert read_settings() == Settings()


def test_one_port_for_both_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    said = refusal(monkeypatch, GRPC_ADDRESS="127.0.0.1:9000", REST_ADDRESS="127.0.0.1:9000")
    assert "CROUPIER_GRPC_ADDRESS and CROUPIER_REST_ADDRESS are the same" in said
