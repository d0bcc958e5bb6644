"""Plain data as the text that is stored, and back.

The text is JSON, written once and kept byte for byte: hashes and verification use it as stored. The
same value always gives the same text.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from service.errors import RecordWrong
from service.rules.rule_set import RuleSet

_encoder = msgspec.json.Encoder()
_rule_set = msgspec.json.Decoder(RuleSet)

Value = TypeVar("Value")


class UnknownRecord(RecordWrong):
    """A text in the journal that this version of the service can't read: a newer version, or
    another program, wrote it."""


def to_text(value: msgspec.Struct | Sequence[msgspec.Struct]) -> str:
    """The text that is stored for events, a command or a rule set."""
    return _encoder.encode(value).decode()


def read_text(decoder: msgspec.json.Decoder[Value], text: str) -> Value:
    """The value of a text; UnknownRecord if this version can't read it."""
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise UnknownRecord(str(error)) from error


def rule_set_of(text: str) -> RuleSet:
    """The rule set of a stored text."""
    return read_text(_rule_set, text)
