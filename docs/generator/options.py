"""The table of options: the values of each option, from the rule set, and its meaning, from the
API."""

from croupier.v1 import rule_set_pb2

from docs.generator.contract import schemas
from service.rules.options import READABLE, SEATS
from service.rules.rule_set import OPTIONS


def option_table() -> str:
    """Every option in its readable form, in the order of the rule set."""
    rows = [f"| `{name}` | {values} | {_meaning(name)} |" for name, values in READABLE.items()]
    return "\n".join(["| option | values | meaning |", "|---|---|---|", *rows])


def _meaning(name: str) -> str:
    fields = ("min_seats", "max_seats") if name == SEATS else (OPTIONS[name].wire_name(name),)
    said = " ".join(_said(field) for field in fields)
    return said.replace("|", "/")


def _said(field: str) -> str:
    """The comment of a field, and the meaning of each value of an enum."""
    descriptor = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[field]
    known = schemas()
    said = known["RuleSet"]["properties"][descriptor.json_name]["description"]
    if descriptor.enum_type is None:
        return " ".join(said.split())
    prefix = descriptor.enum_type.values[0].name.removesuffix("UNSPECIFIED")
    lines = known[descriptor.enum_type.name]["description"].splitlines()
    values = [line for line in lines if line.startswith("- `") and "UNSPECIFIED" not in line]
    meanings = [line.removeprefix(f"- `{prefix}").replace("`: ", ": ", 1) for line in values]
    told = " ".join(f"*{name.lower()}*: {rest}" for name, _, rest in _parted(meanings))
    return f"{' '.join(said.split())} {told}"


def _parted(meanings: list[str]) -> list[tuple[str, str, str]]:
    return [line.partition(": ") for line in meanings]
