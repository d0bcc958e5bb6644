"""Enums of the domain and of the wire, matched by name.

`hard_9_to_11` of `DoubleOn` is `DOUBLE_ON_HARD_9_TO_11`; a domain value that the wire lacks fails
when the module is loaded, not when a client calls.
"""

from enum import StrEnum
from typing import Any, Generic, TypeVar

from service.rules.reasons import Reason, Refused

Value = TypeVar("Value", bound=StrEnum)


class WireEnum(Generic[Value]):
    """One domain enum beside its wire enum, whose names begin with `prefix`."""

    def __init__(self, values: type[Value], wire: Any, prefix: str) -> None:
        self._to_wire: dict[Value | None, int] = {
            value: wire.Value(f"{prefix}_{value.value.upper()}") for value in values
        }
        self._from_wire = {number: value for value, number in self._to_wire.items()}
        self._to_wire[None] = 0

    def to_wire(self, value: Value | None) -> Any:
        """The number on the wire; None is UNSPECIFIED."""
        return self._to_wire[value]

    def from_wire(self, number: int, field: str) -> Value:
        """The domain value; refused, naming the field, if it is UNSPECIFIED or unknown."""
        value = self._from_wire.get(number)
        if value is None:
            raise Refused(
                Reason.FIELD_INVALID, f"{field}: {number} is none of its values", field=field
            )
        return value
