"""What the texts of settings must look like, and which variables are settings at all.

Nothing here shows a value: it may be a secret, or a secret in the wrong variable.
"""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from db.connection_string import check_connection_string
from service.errors import InputWrong
from service.journal.plain_ids import PLAIN_ID
from service.keys.key_list import parse_key_list
from service.server.addresses import networks, split_address

PREFIX = "CROUPIER_"

NEAR = 0.75
"""How alike two names must be, from 0 to 1, for one to be meant by the other."""

LEAST_SECRET = 32
"""Characters of the secret that signs tokens."""

_API_KEY = re.compile(r"ck_[!-~]+", re.ASCII)
"""What can stand in a header, and is told from a token by how it begins."""

# Kubernetes sets variables for every Service of the namespace, also for one named `croupier`.
_OF_KUBERNETES = re.compile(
    r"CROUPIER_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_\w+_(PROTO|PORT|ADDR))"
)
_URL_OF_KUBERNETES = re.compile(r"CROUPIER_(\w+_)?PORT(_\d+_(TCP|UDP|SCTP))?")


def _token_secret(text: str) -> None:
    if len(text) < LEAST_SECRET:
        raise InputWrong(f"it needs at least {LEAST_SECRET} characters (`croupier keys` makes one)")


def _operator(text: str) -> None:
    if not PLAIN_ID.fullmatch(text):
        raise InputWrong("it needs 1 to 64 letters, digits, - and _")


def _operator_key(text: str) -> None:
    if not _API_KEY.fullmatch(text):
        raise InputWrong(
            "a key that no call could bring: it must begin with ck_ and have no blanks and only"
            " ASCII signs (`croupier keys` makes one)"
        )


def _log_level(text: str) -> None:
    if text.upper() not in logging.getLevelNamesMapping():
        raise InputWrong("write debug, info, warning or error")


def _database_url(text: str) -> None:
    check_connection_string(text, "it")


FORMS: Mapping[str, Callable[[str], object]] = {
    "database_url": _database_url,
    "grpc_address": split_address,
    "rest_address": split_address,
    "token_secret": _token_secret,
    "sealing_keys": lambda text: parse_key_list(text, "sealing key"),
    "signing_keys": lambda text: parse_key_list(text, "signing key"),
    "operator": _operator,
    "operator_key": _operator_key,
    "trusted_proxies": networks,
    "log_level": _log_level,
}
"""By setting, what raises Mendable for a text that could never work."""


def contradictions(grpc_address: str, rest_address: str) -> list[str]:
    """What settings ask for that can't be together."""
    grpc, rest = split_address(grpc_address), split_address(rest_address)
    if grpc == rest and grpc[1]:
        names = f"{PREFIX}GRPC_ADDRESS and {PREFIX}REST_ADDRESS"
        return [f"{names} are the same: give each its own port"]
    return []


def unknown_names(environment: Mapping[str, str], fields: Iterable[str]) -> list[str]:
    """Variables that look like settings and are none, each with the nearest one."""
    known = [f"{PREFIX}{name.upper()}" for name in fields]
    faults = []
    for name, value in sorted(environment.items()):
        if not name.upper().startswith(PREFIX) or name.upper() in known:
            continue
        if _OF_KUBERNETES.fullmatch(name) or (
            _URL_OF_KUBERNETES.fullmatch(name) and "://" in value
        ):
            continue
        near = get_close_matches(name.upper(), known, 1, NEAR)
        hint = f"; do you mean {near[0]}?" if near else ""
        faults.append(f"{name} is not a setting{hint}")
    return faults
